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

extension HCI.EventCode {
  static let leEnhancedConnectionComplete: UInt8 = 0x0A
  static let leExtendedAdvertisingReport: UInt8 = 0x0D
  static let leScanTimeout: UInt8 = 0x11
  static let leAdvertisingSetTerminated: UInt8 = 0x12
  static let leScanRequestReceived: UInt8 = 0x13
}

extension HCI.ExtendedEvent: HCIEventGroup {
  var code: UInt8 { HCI.EventCode.leMeta }

  var subevent: UInt8? {
    switch self {
    case .leEnhancedConnectionComplete: HCI.EventCode.leEnhancedConnectionComplete
    case .leExtendedAdvertisingReport: HCI.EventCode.leExtendedAdvertisingReport
    case .leScanTimeout: HCI.EventCode.leScanTimeout
    case .leAdvertisingSetTerminated: HCI.EventCode.leAdvertisingSetTerminated
    case .leScanRequestReceived: HCI.EventCode.leScanRequestReceived
    }
  }

  func appendParameters(to octets: inout [UInt8]) {
    switch self {
    case .leEnhancedConnectionComplete(let complete): complete.append(to: &octets)
    case .leExtendedAdvertisingReport(let report):
      octets.append(1)
      report.append(to: &octets)
    case .leScanTimeout: break
    case .leAdvertisingSetTerminated(let termination):
      octets += [termination.status.rawValue, termination.set]
      octets.append(littleEndian: termination.connection)
      octets.append(termination.completedEvents)
    case .leScanRequestReceived(let set, let scanner):
      octets.append(set)
      octets.append(scanner)
    }
  }

  init?(code: UInt8, subevent: UInt8?, _ reader: inout OctetReader) throws(WireError) {
    guard code == HCI.EventCode.leMeta else { return nil }
    switch subevent {
    case HCI.EventCode.leEnhancedConnectionComplete:
      guard let complete = try HCI.EnhancedConnectionComplete(reading: &reader) else { return nil }
      self = .leEnhancedConnectionComplete(complete)
    case HCI.EventCode.leExtendedAdvertisingReport:
      guard try reader.u8() == 1 else { return nil }
      self = .leExtendedAdvertisingReport(try HCI.ExtendedAdvertisingReport(reading: &reader))
    case HCI.EventCode.leScanTimeout: self = .leScanTimeout
    case HCI.EventCode.leAdvertisingSetTerminated:
      self = .leAdvertisingSetTerminated(
        HCI.AdvertisingSetTerminated(
          status: try reader.errorCode(), set: try reader.u8(), connection: try reader.u16(),
          completedEvents: try reader.u8()))
    case HCI.EventCode.leScanRequestReceived:
      self = .leScanRequestReceived(try reader.u8(), scanner: try reader.peerAddress())
    default: return nil
    }
  }
}

extension HCI.EnhancedConnectionComplete {
  /// Nil for an address type that is not a device's.
  init?(reading reader: inout OctetReader) throws(WireError) {
    guard let head = try HCI.ConnectionComplete(readingHead: &reader) else { return nil }
    let local = try reader.unsigned(6)
    let peer = try reader.unsigned(6)
    self.init(head)
    if local != 0 { localResolvable = BluetoothAddress(kind: .random, bits: local) }
    if peer != 0 { peerResolvable = BluetoothAddress(kind: .random, bits: peer) }
    try connection.readTail(&reader)
  }

  func append(to octets: inout [UInt8]) {
    connection.appendHead(to: &octets)
    octets.append(littleEndian: localResolvable?.bits ?? 0, count: 6)
    octets.append(littleEndian: peerResolvable?.bits ?? 0, count: 6)
    connection.appendTail(to: &octets)
  }
}
