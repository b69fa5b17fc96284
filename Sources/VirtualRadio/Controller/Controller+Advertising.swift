import BluetoothWire
import SimKernel

/// Legacy advertising commands (Vol 4, Part E, 7.8.5 … 7.8.9), and what the link layer tells of advertising.
extension Controller {
  func executeAdvertising(_ command: HCI.Command) {
    let set = radio.advertisers[0]
    switch command {
    case .leSetAdvertisingParameters(let parameters):
      let problem = problem(with: parameters, set)
      if problem == nil { set.setup = AdvertisingSetup(parameters) }
      complete(command, unless: problem)
    case .leSetAdvertisingData(let data):
      let fits = data.count <= LL.maximumAdvertisingData
      if fits { set.data = data }
      complete(command, status: fits ? .success : .invalidParameters)
    case .leSetScanResponseData(let data):
      let fits = data.count <= LL.maximumAdvertisingData
      if fits { set.scanResponse = data }
      complete(command, status: fits ? .success : .invalidParameters)
    case .leSetAdvertisingEnable(let enable):
      guard enable else {
        world.stopAdvertising(set)
        return complete(command)
      }
      let problem = problemOfEnabling(set, random: randomAddress)
      if problem == nil { world.startAdvertising(set) }
      complete(command, unless: problem)
    default: refuse(command, .unknownCommand)
    }
  }

  func problem(with parameters: HCI.AdvertisingParameters, _ set: Advertiser) -> HCI.ErrorCode? {
    let interval = parameters.intervalMinimum...max(parameters.intervalMinimum, parameters.intervalMaximum)
    let isInRange =
      parameters.intervalMinimum <= parameters.intervalMaximum && interval.lowerBound >= 0x0020
      && interval.upperBound <= 0x4000
    guard isInRange || parameters.kind == .connectableDirectedHighDuty,
      (1...7).contains(parameters.channelMap), parameters.filterPolicy <= 3
    else { return .invalidParameters }
    return set.isEnabled ? .commandDisallowed : nil
  }

  /// Why a set cannot advertise now.
  func problemOfEnabling(_ set: Advertiser, random: BluetoothAddress?) -> HCI.ErrorCode? {
    if !hasAddress(set.setup.ownAddress, random: random, peer: set.setup.peer) { return .invalidParameters }
    if set.setup.isConnectable, radio.links.count >= radio.configuration.maximumLinks {
      return .connectionLimitExceeded
    }
    return nil
  }

  // MARK: From the link layer

  /// Advertising has ended without a command.
  func advertisingEnded(_ set: Advertiser, _ reason: HCI.ErrorCode) {
    if set.setHandle != nil {
      emitTermination(of: set, reason, connection: 0)
    } else {
      emitFailedConnection(reason, role: .peripheral, peer: set.setup.peer)
    }
  }

  func emitTermination(of set: Advertiser, _ status: HCI.ErrorCode, connection: HCI.ConnectionHandle) {
    guard let handle = set.setHandle else { return }
    emit(
      .extended(
        .leAdvertisingSetTerminated(
          HCI.AdvertisingSetTerminated(
            status: status, set: handle, connection: connection, completedEvents: set.completedEvents))))
  }

  func scanRequested(_ set: Advertiser, by scanner: BluetoothAddress) {
    guard let handle = set.setHandle, let peer = identify(scanner) else { return }
    emit(.extended(.leScanRequestReceived(handle, scanner: HCI.PeerAddress(peer))))
  }
}

extension AdvertisingSetup {
  init(_ parameters: HCI.AdvertisingParameters) {
    self.init(
      kind: parameters.kind, interval: UInt32(parameters.intervalMinimum), ownAddress: parameters.ownAddressType,
      peer: parameters.peerAddress ?? .none, channelMap: parameters.channelMap, filterPolicy: parameters.filterPolicy)
  }
}

extension HCI.PeerAddress {
  init(_ peer: Controller.PeerIdentity) { self.init(peer.address, isIdentity: peer.resolved != nil) }
}
