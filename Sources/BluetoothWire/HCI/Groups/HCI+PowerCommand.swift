extension HCI {
  /// Commands about transmit power and path loss (Core v5.4, Vol 4, Part E, 7.8.75, 7.8.76, 7.8.117 … 7.8.121).
  public enum PowerCommand: Hashable, Sendable {
    case leReadRFPathCompensation
    /// Tenths of a decibel, -1280 … 1280: what the path between radio and antenna adds.
    case leWriteRFPathCompensation(transmit: Int16, receive: Int16)
    /// PHY as in `HCI.LinkEvent.leTransmitPowerReporting`.
    case leEnhancedReadTransmitPowerLevel(ConnectionHandle, phy: UInt8)
    case leReadRemoteTransmitPowerLevel(ConnectionHandle, phy: UInt8)
    case leSetPathLossReportingParameters(ConnectionHandle, PathLossZones)
    case leSetPathLossReportingEnable(ConnectionHandle, Bool)
    case leSetTransmitPowerReportingEnable(ConnectionHandle, local: Bool, remote: Bool)
  }

  /// The zones of path loss that a host is told of (Core v5.4, Vol 4, Part E, 7.8.119; Vol 6, Part B, 4.5.16).
  public struct PathLossZones: Hashable, Sendable {
    /// dB; 0xFF: there is no high zone.
    public var highThreshold: UInt8
    public var highHysteresis: UInt8
    public var lowThreshold: UInt8
    public var lowHysteresis: UInt8
    /// Connection events in a zone after which it counts.
    public var minimumEvents: UInt16

    public init(
      highThreshold: UInt8, highHysteresis: UInt8, lowThreshold: UInt8, lowHysteresis: UInt8, minimumEvents: UInt16
    ) {
      self.highThreshold = highThreshold
      self.highHysteresis = highHysteresis
      self.lowThreshold = lowThreshold
      self.lowHysteresis = lowHysteresis
      self.minimumEvents = minimumEvents
    }
  }
}

extension HCI.Opcode {
  public static let leReadRFPathCompensation = HCI.Opcode(ogf: 0x08, ocf: 0x4C)
  public static let leWriteRFPathCompensation = HCI.Opcode(ogf: 0x08, ocf: 0x4D)
  public static let leEnhancedReadTransmitPowerLevel = HCI.Opcode(ogf: 0x08, ocf: 0x76)
  public static let leReadRemoteTransmitPowerLevel = HCI.Opcode(ogf: 0x08, ocf: 0x77)
  public static let leSetPathLossReportingParameters = HCI.Opcode(ogf: 0x08, ocf: 0x78)
  public static let leSetPathLossReportingEnable = HCI.Opcode(ogf: 0x08, ocf: 0x79)
  public static let leSetTransmitPowerReportingEnable = HCI.Opcode(ogf: 0x08, ocf: 0x7A)
}

extension HCI.PowerCommand {
  /// The connection this command is about.
  var connectionHandle: HCI.ConnectionHandle? {
    switch self {
    case .leEnhancedReadTransmitPowerLevel(let handle, _), .leReadRemoteTransmitPowerLevel(let handle, _),
      .leSetPathLossReportingParameters(let handle, _), .leSetPathLossReportingEnable(let handle, _),
      .leSetTransmitPowerReportingEnable(let handle, _, _):
      handle
    case .leReadRFPathCompensation, .leWriteRFPathCompensation: nil
    }
  }
}

extension HCI.PowerCommand: FormedPDU {
  typealias Code = HCI.Opcode

  static let blanks: [Self] = [
    .leReadRFPathCompensation, .leWriteRFPathCompensation(transmit: 0, receive: 0),
    .leEnhancedReadTransmitPowerLevel(0, phy: 0), .leReadRemoteTransmitPowerLevel(0, phy: 0),
    .leSetPathLossReportingParameters(0, .blank), .leSetPathLossReportingEnable(0, false),
    .leSetTransmitPowerReportingEnable(0, local: false, remote: false),
  ]

  func declare(_ form: inout PDUForm<Self>) {
    switch self {
    case .leReadRFPathCompensation: form(.leReadRFPathCompensation)
    case .leWriteRFPathCompensation(let transmit, let receive):
      form(.leWriteRFPathCompensation, Self.leWriteRFPathCompensation, transmit, receive)
    case .leEnhancedReadTransmitPowerLevel(let handle, let phy):
      form(.leEnhancedReadTransmitPowerLevel, Self.leEnhancedReadTransmitPowerLevel, handle, phy)
    case .leReadRemoteTransmitPowerLevel(let handle, let phy):
      form(.leReadRemoteTransmitPowerLevel, Self.leReadRemoteTransmitPowerLevel, handle, phy)
    case .leSetPathLossReportingParameters(let handle, let zones):
      form(.leSetPathLossReportingParameters, Self.leSetPathLossReportingParameters, handle, zones)
    case .leSetPathLossReportingEnable(let handle, let isEnabled):
      form(.leSetPathLossReportingEnable, Self.leSetPathLossReportingEnable, handle, isEnabled)
    case .leSetTransmitPowerReportingEnable(let handle, let local, let remote):
      form(.leSetTransmitPowerReportingEnable, Self.leSetTransmitPowerReportingEnable, handle, local, remote)
    }
  }
}

extension HCI.PathLossZones: WireRecord {
  static let blank = Self(highThreshold: 0, highHysteresis: 0, lowThreshold: 0, lowHysteresis: 0, minimumEvents: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&highThreshold, &highHysteresis, &lowThreshold)
    try pass.fields(&lowHysteresis, &minimumEvents)
  }
}
