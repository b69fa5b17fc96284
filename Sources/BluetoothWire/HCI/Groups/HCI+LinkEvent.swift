extension HCI {
  /// What a controller tells of clock, power and path loss of a link (Core v5.4, Vol 4, Part E, 7.7.65.28, 7.7.65.32,
  /// 7.7.65.33).
  public enum LinkEvent: Hashable, Sendable {
    /// `HCI_LE_Request_Peer_SCA_Complete`: 0 … 7, from 500 ppm to 20 ppm.
    case leRequestPeerSCAComplete(ConnectionHandle, status: ErrorCode, accuracy: UInt8)
    /// Path loss in dB, 0xFF: not available; zone 0 is low, 1 is middle, 2 is high.
    case lePathLossThreshold(ConnectionHandle, pathLoss: UInt8, zone: UInt8)
    case leTransmitPowerReporting(TransmitPowerReport)
  }

  /// `HCI_LE_Transmit_Power_Reporting`.
  public struct TransmitPowerReport: Hashable, Sendable {
    /// Open: unknown numbers survive.
    public struct Reason: RawRepresentable, Hashable, Sendable {
      public let rawValue: UInt8
      public init(rawValue: UInt8) { self.rawValue = rawValue }

      public static let localChanged = Reason(rawValue: 0)
      public static let remoteChanged = Reason(rawValue: 1)
      /// The end of LE Read Remote Transmit Power Level.
      public static let read = Reason(rawValue: 2)
    }

    public var status: ErrorCode
    public var connection: ConnectionHandle
    public var reason: Reason
    /// 1: LE 1M, 2: LE 2M, 3: LE Coded with S = 8, 4: LE Coded with S = 2.
    public var phy: UInt8
    /// dBm; 126: the peer does not manage its power, 127: not available.
    public var level: Int8
    /// Bit 0: at its minimum, bit 1: at its maximum.
    public var limits: UInt8
    /// dB; 127: not available.
    public var delta: Int8

    public init(
      status: ErrorCode, connection: ConnectionHandle, reason: Reason, phy: UInt8, level: Int8, limits: UInt8,
      delta: Int8
    ) {
      self.status = status
      self.connection = connection
      self.reason = reason
      self.phy = phy
      self.level = level
      self.limits = limits
      self.delta = delta
    }
  }
}

extension HCI.TransmitPowerReport.Reason: WireNumber {}

extension HCI.LinkEvent: FormedPDU {
  typealias Code = HCI.EventCode

  static let blanks: [Self] = [
    .leRequestPeerSCAComplete(0, status: .success, accuracy: 0), .lePathLossThreshold(0, pathLoss: 0, zone: 0),
    .leTransmitPowerReporting(.blank),
  ]

  func declare(_ form: inout PDUForm<Self>) {
    switch self {
    case .leRequestPeerSCAComplete(let handle, let status, let accuracy):
      form(0x3E1F, { .leRequestPeerSCAComplete($1, status: $0, accuracy: $2) }, status, handle, accuracy)
    case .lePathLossThreshold(let handle, let loss, let zone):
      form(0x3E20, Self.lePathLossThreshold, handle, loss, zone)
    case .leTransmitPowerReporting(let report): form(0x3E21, Self.leTransmitPowerReporting, report)
    }
  }
}

extension HCI.TransmitPowerReport: WireRecord {
  static let blank = Self(
    status: .success, connection: 0, reason: .localChanged, phy: 0, level: 0, limits: 0, delta: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&status, &connection, &reason, &phy)
    try pass.fields(&level, &limits, &delta)
  }
}
