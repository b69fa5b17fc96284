import BluetoothWire
import SimKernel

/// Power, path loss and sleep clocks as hosts ask for them (Vol 4, Part E, 7.8.75, 7.8.76, 7.8.94, 7.8.108, 7.8.117 …
/// 7.8.121).
extension Controller {
  /// Tenths of a decibel (7.8.76).
  private static let gains = -1_280...1_280

  /// A received level as it is at the antenna, dBm.
  func atAntenna(_ level: Int8) -> Int8 { Int8(clamping: max(-127, Int(level) - hostSettings.receiveGain / 10)) }

  func execute(_ command: HCI.PowerCommand) {
    let whole = HCI.Command.power(command)
    guard case .leWriteRFPathCompensation(let transmit, let receive) = command else {
      let (transmit, receive) = (hostSettings.transmitGain, hostSettings.receiveGain)
      return complete(
        whole, little(UInt16(bitPattern: Int16(transmit))) + little(UInt16(bitPattern: Int16(receive))))
    }
    guard Self.gains.contains(Int(transmit)), Self.gains.contains(Int(receive)) else {
      return complete(whole, status: .invalidParameters)
    }
    (hostSettings.transmitGain, hostSettings.receiveGain) = (Int(transmit), Int(receive))
    complete(whole)
  }

  func execute(_ command: HCI.Command, _ wish: HCI.PowerCommand, _ end: LinkEnd, _ connection: Connection) {
    let handle = little(end.handle)
    switch wish {
    case .leReadRFPathCompensation, .leWriteRFPathCompensation: execute(wish)
    case .leEnhancedReadTransmitPowerLevel(_, let phy):
      if let problem = problem(withPowerOf: phy) { return refuse(command, problem) }
      complete(
        command,
        handle + [phy, UInt8(bitPattern: world.linkPower(of: end)), UInt8(bitPattern: transmitPower)])
    case .leReadRemoteTransmitPowerLevel(_, let phy):
      if let problem = problem(withPowerOf: phy) { return status(command, problem) }
      guard world.peerControlsPower(end) != false else { return status(command, .unsupportedRemoteFeature) }
      status(command)
      world.start(.powerControl(phy: 1 << (phy - 1), delta: 0, isForHost: true), end, connection)
    case .leSetPathLossReportingParameters(_, let zones):
      guard zones.areValid else { return refuse(command, .invalidParameters) }
      end.power.zones = zones
      complete(command, handle)
    case .leSetPathLossReportingEnable(_, let isEnabled):
      guard end.power.zones != nil else { return refuse(command, .commandDisallowed) }
      complete(command, handle)
      monitorPathLoss(isEnabled, end, connection)
    case .leSetTransmitPowerReportingEnable(_, let local, let remote):
      end.power.reportsLocal = local
      end.power.reportsRemote = remote
      complete(command, handle)
      if remote { world.askForPower(end, connection) }
    }
  }

  private func monitorPathLoss(_ isEnabled: Bool, _ end: LinkEnd, _ connection: Connection) {
    if connection.isParked { world.unpark(connection) }
    guard isEnabled else {
      end.power.monitorsPathLoss = false
      return
    }
    end.power.beginMonitoring()
    end.managesPower = true
    world.askForPower(end, connection)
  }

  /// A PHY of these commands is one of four numbers (7.8.117), and one that the controller has.
  private func problem(withPowerOf number: UInt8) -> HCI.ErrorCode? {
    guard let phy = LL.AirPHY(rawValue: number) else { return .invalidParameters }
    return supportedPHYs.contains(phy.phy.mask) ? nil : .unsupportedFeature
  }

  // MARK: Sleep clocks

  func requestAccuracy(_ command: HCI.Command, _ end: LinkEnd, _ connection: Connection) {
    guard world.peerUpdatesClock(end) else { return status(command, .unsupportedRemoteFeature) }
    status(command)
    world.start(.clockAccuracy(isForHost: true), end, connection)
  }

  /// 7.8.94: for tests. What the clock is claimed to be changes by one step; the clock does not, and it is never
  /// claimed to be better than it is. Decision: where there is no further step, 0x11.
  func modifyAccuracy(_ command: HCI.Command, _ action: UInt8) {
    guard action <= 1 else { return complete(command, status: .invalidParameters) }
    let present = radio.claimedAccuracy
    let steps = Radio.clockAccuracies.reversed().filter { $0 >= radio.configuration.claimedClockAccuracy }
    let next = action == 0 ? steps.last { $0 < present } : steps.first { $0 > present }
    guard let next else { return complete(command, status: .unsupportedFeature) }
    radio.claimedAccuracy = next
    complete(command)
    world.tellClocks(of: radio)
  }
}
