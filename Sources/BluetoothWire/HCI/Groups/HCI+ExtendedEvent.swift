extension HCI {
  /// Events of the extended commands and of privacy (Core v5.4, Vol 4, Part E, 7.7.65.10, 13, 17 … 19).
  public enum ExtendedEvent: Hashable, Sendable {
    /// Version 1.
    case leEnhancedConnectionComplete(EnhancedConnectionComplete)
    case leExtendedAdvertisingReport(ExtendedAdvertisingReport)
    case leScanTimeout
    case leAdvertisingSetTerminated(AdvertisingSetTerminated)
    case leScanRequestReceived(AdvertisingHandle, scanner: PeerAddress)
  }

  /// `HCI_LE_Enhanced_Connection_Complete` [v1] (Core v5.4, Vol 4, Part E, 7.7.65.10).
  public struct EnhancedConnectionComplete: Hashable, Sendable {
    public var connection: ConnectionComplete
    /// The private addresses that were on the air; nil (zeros in the event) when an address was none.
    public var localResolvable: BluetoothAddress?
    public var peerResolvable: BluetoothAddress?

    public init(
      _ connection: ConnectionComplete, localResolvable: BluetoothAddress? = nil,
      peerResolvable: BluetoothAddress? = nil
    ) {
      self.connection = connection
      self.localResolvable = localResolvable
      self.peerResolvable = peerResolvable
    }
  }

  /// `HCI_LE_Advertising_Set_Terminated` (Core v5.4, Vol 4, Part E, 7.7.65.18).
  public struct AdvertisingSetTerminated: Hashable, Sendable {
    /// Success when a connection ended it, else Advertising Timeout or Limit Reached.
    public var status: ErrorCode
    public var set: AdvertisingHandle
    /// Meaningful with success only.
    public var connection: ConnectionHandle
    public var completedEvents: UInt8

    public init(status: ErrorCode, set: AdvertisingHandle, connection: ConnectionHandle, completedEvents: UInt8) {
      self.status = status
      self.set = set
      self.connection = connection
      self.completedEvents = completedEvents
    }
  }
}

extension HCI.ExtendedEvent: FormedPDU {
  typealias Code = HCI.EventCode

  static let blanks: [Self] = [
    .leEnhancedConnectionComplete(.blank), .leExtendedAdvertisingReport(.blank), .leScanTimeout,
    .leAdvertisingSetTerminated(.blank), .leScanRequestReceived(0, scanner: HCI.PeerAddress(.blank)),
  ]

  func declare(_ form: inout PDUForm<Self>) {
    switch self {
    case .leEnhancedConnectionComplete(let complete):
      form(0x3E0A, Self.leEnhancedConnectionComplete, complete)
    case .leExtendedAdvertisingReport(let report):
      form(0x3E0D, { .leExtendedAdvertisingReport($0.value) }, OneReport(report))
    case .leScanTimeout: form(0x3E11)
    case .leAdvertisingSetTerminated(let termination):
      form(0x3E12, Self.leAdvertisingSetTerminated, termination)
    case .leScanRequestReceived(let set, let scanner):
      form(0x3E13, Self.leScanRequestReceived, set, scanner)
    }
  }
}

extension HCI.EnhancedConnectionComplete: WireRecord {
  static let blank = Self(.blank)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try connection.head(&pass)
    try pass.field(&localResolvable, as: RandomAddress.init, \.orNone)
    try pass.field(&peerResolvable, as: RandomAddress.init, \.orNone)
    try connection.tail(&pass)
  }
}

extension HCI.AdvertisingSetTerminated: WireRecord {
  static let blank = Self(status: .success, set: 0, connection: 0, completedEvents: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&status, &set, &connection, &completedEvents)
  }
}
