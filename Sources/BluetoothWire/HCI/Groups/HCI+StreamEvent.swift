extension HCI {
  /// What a controller tells of connected isochronous streams (Core v5.4, Vol 4, Part E, 7.7.65.25, 7.7.65.26).
  public enum StreamEvent: Hashable, Sendable {
    case leCISEstablished(CISEstablished)
    /// A peripheral's host is asked.
    case leCISRequest(link: ConnectionHandle, stream: ConnectionHandle, groupID: UInt8, streamID: UInt8)
  }

  /// `HCI_LE_CIS_Established`; all but status and handle count only with success.
  public struct CISEstablished: Hashable, Sendable {
    public var status: ErrorCode
    public var handle: ConnectionHandle
    /// Microseconds, 24 bits.
    public var groupSyncDelay: UInt32 = 0
    public var streamSyncDelay: UInt32 = 0
    /// Microseconds from the host of the sender to that of the receiver, 24 bits.
    public var centralLatency: UInt32 = 0
    public var peripheralLatency: UInt32 = 0
    /// 1, 2 or 3 as in `HCI.PHY`.
    public var centralPHY: UInt8 = 0
    public var peripheralPHY: UInt8 = 0
    public var subevents: UInt8 = 0
    public var centralBurst: UInt8 = 0
    public var peripheralBurst: UInt8 = 0
    public var centralFlushTimeout: UInt8 = 0
    public var peripheralFlushTimeout: UInt8 = 0
    /// Octets of a PDU.
    public var centralPDU: UInt16 = 0
    public var peripheralPDU: UInt16 = 0
    /// Units of 1.25 ms.
    public var interval: UInt16 = 0

    public init(status: ErrorCode, handle: ConnectionHandle) {
      self.status = status
      self.handle = handle
    }
  }
}

extension HCI.StreamEvent: FormedPDU {
  typealias Code = HCI.EventCode

  static let blanks: [Self] = [
    .leCISEstablished(.blank), .leCISRequest(link: 0, stream: 0, groupID: 0, streamID: 0),
  ]

  func declare(_ form: inout PDUForm<Self>) {
    switch self {
    case .leCISEstablished(let established): form(0x3E19, Self.leCISEstablished, established)
    case .leCISRequest(let link, let stream, let group, let id):
      form(0x3E1A, Self.leCISRequest, link, stream, group, id)
    }
  }
}

extension HCI.CISEstablished: WireRecord {
  static let blank = Self(status: .success, handle: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&status, &handle)
    try pass.three(&groupSyncDelay, &streamSyncDelay)
    try pass.three(&centralLatency, &peripheralLatency)
    try pass.fields(&centralPHY, &peripheralPHY, &subevents)
    try pass.fields(&centralBurst, &peripheralBurst, &centralFlushTimeout, &peripheralFlushTimeout)
    try pass.fields(&centralPDU, &peripheralPDU, &interval)
  }
}
