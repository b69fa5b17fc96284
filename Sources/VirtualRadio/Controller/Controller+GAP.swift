import BluetoothWire
import SimKernel

/// Advertising, scanning and connection creation commands (Vol 4, Part E, 7.8.5 … 7.8.13).
extension Controller {
  func executeGAP(_ command: HCI.Command) {
    switch command {
    case .leSetAdvertisingParameters(let parameters):
      guard (0x0020...0x4000).contains(parameters.intervalMinimum),
        (parameters.intervalMinimum...0x4000).contains(parameters.intervalMaximum), parameters.channelMap & 7 != 0
      else {
        complete(command, status: .invalidParameters)
        return
      }
      guard !radio.advertiser.isEnabled else {
        complete(command, status: .commandDisallowed)
        return
      }
      radio.advertiser.parameters = parameters
      complete(command)
    case .leSetAdvertisingData(let data):
      let fits = data.count <= LL.maximumAdvertisingData
      if fits { radio.advertiser.data = data }
      complete(command, status: fits ? .success : .invalidParameters)
    case .leSetScanResponseData(let data):
      let fits = data.count <= LL.maximumAdvertisingData
      if fits { radio.advertiser.scanResponse = data }
      complete(command, status: fits ? .success : .invalidParameters)
    case .leSetAdvertisingEnable(let enable):
      if enable, radio.links.count >= radio.configuration.maximumLinks {
        complete(command, status: .connectionLimitExceeded)
        return
      }
      if enable {
        radio.advertiser.isEnabled = true
        world.startAdvertising(radio)
      } else {
        world.stopAdvertising(radio)
      }
      complete(command)
    case .leSetScanParameters(let parameters):
      guard (4...0x4000).contains(parameters.interval), (4...parameters.interval).contains(parameters.window) else {
        complete(command, status: .invalidParameters)
        return
      }
      guard !radio.scanner.isScanning else {
        complete(command, status: .commandDisallowed)
        return
      }
      radio.scanner.parameters = parameters
      complete(command)
    case .leSetScanEnable(let enable, let filter):
      if enable, !radio.scanner.isScanning {
        radio.scanner.restart(at: world.timeline.now)
        radio.scanner.upperLimit = 1
        radio.scanner.backoffCount = 1
        scanningBegins()
      }
      radio.scanner.isScanning = enable
      radio.scanner.filtersDuplicates = filter
      complete(command)
    case .leCreateConnection(let creation): create(command, creation)
    case .leCreateConnectionCancel:
      guard let creation = radio.scanner.creation else {
        complete(command, status: .commandDisallowed)
        return
      }
      radio.scanner.creation = nil
      complete(command)
      emit(
        .leConnectionComplete(
          HCI.ConnectionComplete(
            status: .unknownConnectionIdentifier, handle: 0, role: .central, peer: creation.peer, interval: 0,
            peripheralLatency: 0, supervisionTimeout: 0, centralClockAccuracy: 0)))
    default: complete(command, status: .unknownCommand)
    }
  }

  private func create(_ command: HCI.Command, _ creation: HCI.CreateConnection) {
    if radio.scanner.creation != nil {
      status(command, .commandDisallowed)
    } else if !creation.parameters.areValid || !(4...0x4000).contains(creation.scanInterval)
      || !(4...creation.scanInterval).contains(creation.scanWindow)
    {
      status(command, .invalidParameters)
    } else if radio.links.count >= radio.configuration.maximumLinks {
      status(command, .connectionLimitExceeded)
    } else if !creation.usesFilterAcceptList, isConnected(to: creation.peer) {
      status(command, .connectionAlreadyExists)
    } else {
      status(command)
      radio.scanner.creation = creation
      radio.scanner.restart(at: world.timeline.now)
    }
  }

  private func isConnected(to peer: BluetoothAddress) -> Bool {
    radio.links.contains { link in
      let other = link.peer(of: link.end(at: radio)).radio.controller
      return other.ownAddress(.random) == peer || other.ownAddress(.publicDevice) == peer
    }
  }
}
