extension HCI {
  /// Commands about connected isochronous streams and their data (Core v5.4, Vol 4, Part E, 7.8.2 [v2], 7.8.96 …
  /// 7.8.102, 7.8.109 … 7.8.114, 7.8.116).
  public enum StreamCommand: Hashable, Sendable {
    case leReadBufferSizeV2
    case leReadISOTXSync(ConnectionHandle)
    case leSetCIGParameters(CIGParameters)
    case leSetCIGParametersTest(CIGTestParameters)
    case leCreateCIS([StreamPair])
    case leRemoveCIG(UInt8)
    case leAcceptCISRequest(ConnectionHandle)
    case leRejectCISRequest(ConnectionHandle, reason: ErrorCode)
    case leSetupISODataPath(ISODataPath)
    /// Directions: bit 0 input, bit 1 output.
    case leRemoveISODataPath(ConnectionHandle, directions: UInt8)
    /// Payload: 0 none, 1 of variable length, 2 of the greatest length.
    case leISOTransmitTest(ConnectionHandle, payload: UInt8)
    case leISOReceiveTest(ConnectionHandle, payload: UInt8)
    case leISOReadTestCounters(ConnectionHandle)
    case leISOTestEnd(ConnectionHandle)
    case leReadISOLinkQuality(ConnectionHandle)
  }

  /// What all streams of a connected isochronous group share (7.8.97, 7.8.98).
  public struct CIGCommon: Hashable, Sendable {
    public var group: UInt8
    /// Microseconds, 0x0000FF … 0x0FFFFF.
    public var centralSDUInterval: UInt32
    public var peripheralSDUInterval: UInt32
    /// The worst sleep clock of the peripherals, 0 … 7, from 500 ppm to 20 ppm.
    public var worstClock: UInt8 = 0
    /// 0: sequential, 1: interleaved.
    public var packing: UInt8 = 0
    /// 0: unframed, 1: framed.
    public var framing: UInt8 = 0

    public init(group: UInt8, centralSDUInterval: UInt32, peripheralSDUInterval: UInt32) {
      self.group = group
      self.centralSDUInterval = centralSDUInterval
      self.peripheralSDUInterval = peripheralSDUInterval
    }
  }

  /// `HCI_LE_Set_CIG_Parameters`: the controller chooses what the streams are on the air.
  public struct CIGParameters: Hashable, Sendable {
    /// A stream of the group.
    public struct Entry: Hashable, Sendable {
      public var stream: UInt8
      /// Octets, 0 … 4095.
      public var centralSDU: UInt16
      public var peripheralSDU: UInt16
      /// What the controller may choose from.
      public var centralPHY: PHYMask
      public var peripheralPHY: PHYMask
      /// How often each PDU should be sent again, at least.
      public var centralRetransmissions: UInt8 = 0
      public var peripheralRetransmissions: UInt8 = 0

      public init(
        stream: UInt8, centralSDU: UInt16, peripheralSDU: UInt16, centralPHY: PHYMask, peripheralPHY: PHYMask
      ) {
        self.stream = stream
        self.centralSDU = centralSDU
        self.peripheralSDU = peripheralSDU
        self.centralPHY = centralPHY
        self.peripheralPHY = peripheralPHY
      }
    }

    public var common: CIGCommon
    /// Milliseconds, 5 … 4000.
    public var centralLatency: UInt16
    public var peripheralLatency: UInt16
    public var streams: [Entry]

    public init(common: CIGCommon, centralLatency: UInt16, peripheralLatency: UInt16, streams: [Entry]) {
      self.common = common
      self.centralLatency = centralLatency
      self.peripheralLatency = peripheralLatency
      self.streams = streams
    }
  }

  /// `HCI_LE_Set_CIG_Parameters_Test`: the host chooses.
  public struct CIGTestParameters: Hashable, Sendable {
    /// A stream of the group.
    public struct Entry: Hashable, Sendable {
      public var stream: UInt8
      /// Subevents, 1 … 31.
      public var subevents: UInt8
      /// Octets, 0 … 4095, and of a PDU 0 … 251.
      public var centralSDU: UInt16
      public var peripheralSDU: UInt16
      public var centralPDU: UInt16
      public var peripheralPDU: UInt16
      public var centralPHY: PHYMask
      public var peripheralPHY: PHYMask
      /// New payloads in an event, 0 … 15.
      public var centralBurst: UInt8
      public var peripheralBurst: UInt8

      public init(
        stream: UInt8, subevents: UInt8, centralSDU: UInt16, peripheralSDU: UInt16, centralPDU: UInt16,
        peripheralPDU: UInt16, centralPHY: PHYMask, peripheralPHY: PHYMask, centralBurst: UInt8,
        peripheralBurst: UInt8
      ) {
        self.stream = stream
        self.subevents = subevents
        self.centralSDU = centralSDU
        self.peripheralSDU = peripheralSDU
        self.centralPDU = centralPDU
        self.peripheralPDU = peripheralPDU
        self.centralPHY = centralPHY
        self.peripheralPHY = peripheralPHY
        self.centralBurst = centralBurst
        self.peripheralBurst = peripheralBurst
      }
    }

    public var common: CIGCommon
    /// Events in which a payload may be sent, 1 … 255.
    public var centralFlushTimeout: UInt8
    public var peripheralFlushTimeout: UInt8
    /// Units of 1.25 ms, 4 … 3200.
    public var interval: UInt16
    public var streams: [Entry]

    public init(
      common: CIGCommon, centralFlushTimeout: UInt8, peripheralFlushTimeout: UInt8, interval: UInt16, streams: [Entry]
    ) {
      self.common = common
      self.centralFlushTimeout = centralFlushTimeout
      self.peripheralFlushTimeout = peripheralFlushTimeout
      self.interval = interval
      self.streams = streams
    }
  }

  /// A stream, and the link that it goes with (7.8.99).
  public struct StreamPair: Hashable, Sendable {
    public var stream: ConnectionHandle
    public var link: ConnectionHandle

    public init(stream: ConnectionHandle, link: ConnectionHandle) {
      self.stream = stream
      self.link = link
    }
  }

  /// `HCI_LE_Setup_ISO_Data_Path` (7.8.109).
  public struct ISODataPath: Hashable, Sendable {
    public var handle: ConnectionHandle
    /// 0: input, from the host to the controller; 1: output.
    public var direction: UInt8
    /// 0: HCI.
    public var path: UInt8 = 0
    /// Coding format, company, and the company's codec: 5 octets.
    public var codec: UInt64 = 3
    /// Microseconds.
    public var controllerDelay: UInt32 = 0
    /// At most 242 octets.
    public var configuration: [UInt8] = []

    public init(handle: ConnectionHandle, direction: UInt8) {
      self.handle = handle
      self.direction = direction
    }
  }
}

extension HCI.Opcode {
  public static let leReadBufferSizeV2 = HCI.Opcode(ogf: 0x08, ocf: 0x60)
  public static let leReadISOTXSync = HCI.Opcode(ogf: 0x08, ocf: 0x61)
  public static let leSetCIGParameters = HCI.Opcode(ogf: 0x08, ocf: 0x62)
  public static let leSetCIGParametersTest = HCI.Opcode(ogf: 0x08, ocf: 0x63)
  public static let leCreateCIS = HCI.Opcode(ogf: 0x08, ocf: 0x64)
  public static let leRemoveCIG = HCI.Opcode(ogf: 0x08, ocf: 0x65)
  public static let leAcceptCISRequest = HCI.Opcode(ogf: 0x08, ocf: 0x66)
  public static let leRejectCISRequest = HCI.Opcode(ogf: 0x08, ocf: 0x67)
  public static let leSetupISODataPath = HCI.Opcode(ogf: 0x08, ocf: 0x6E)
  public static let leRemoveISODataPath = HCI.Opcode(ogf: 0x08, ocf: 0x6F)
  public static let leISOTransmitTest = HCI.Opcode(ogf: 0x08, ocf: 0x70)
  public static let leISOReceiveTest = HCI.Opcode(ogf: 0x08, ocf: 0x71)
  public static let leISOReadTestCounters = HCI.Opcode(ogf: 0x08, ocf: 0x72)
  public static let leISOTestEnd = HCI.Opcode(ogf: 0x08, ocf: 0x73)
  public static let leReadISOLinkQuality = HCI.Opcode(ogf: 0x08, ocf: 0x75)
}

extension HCI.StreamCommand {
  /// The stream this command is about; of no link.
  public var streamHandle: HCI.ConnectionHandle? {
    switch self {
    case .leReadISOTXSync(let handle), .leAcceptCISRequest(let handle), .leRejectCISRequest(let handle, _),
      .leRemoveISODataPath(let handle, _), .leISOTransmitTest(let handle, _), .leISOReceiveTest(let handle, _),
      .leISOReadTestCounters(let handle), .leISOTestEnd(let handle), .leReadISOLinkQuality(let handle):
      handle
    case .leSetupISODataPath(let path): path.handle
    case .leReadBufferSizeV2, .leSetCIGParameters, .leSetCIGParametersTest, .leCreateCIS, .leRemoveCIG: nil
    }
  }
}

extension HCI.StreamCommand: FormedPDU {
  typealias Code = HCI.Opcode

  static let blanks: [Self] = [
    .leReadBufferSizeV2, .leReadISOTXSync(0), .leSetCIGParameters(.blank), .leSetCIGParametersTest(.blank),
    .leCreateCIS([]), .leRemoveCIG(0), .leAcceptCISRequest(0), .leRejectCISRequest(0, reason: .success),
    .leSetupISODataPath(.blank), .leRemoveISODataPath(0, directions: 0), .leISOTransmitTest(0, payload: 0),
    .leISOReceiveTest(0, payload: 0), .leISOReadTestCounters(0), .leISOTestEnd(0), .leReadISOLinkQuality(0),
  ]

  func declare(_ form: inout PDUForm<Self>) {
    switch self {
    case .leReadBufferSizeV2: form(.leReadBufferSizeV2)
    case .leReadISOTXSync(let handle): form(.leReadISOTXSync, Self.leReadISOTXSync, handle)
    case .leSetCIGParameters(let parameters): form(.leSetCIGParameters, Self.leSetCIGParameters, parameters)
    case .leSetCIGParametersTest(let parameters):
      form(.leSetCIGParametersTest, Self.leSetCIGParametersTest, parameters)
    case .leCreateCIS(let pairs): form(.leCreateCIS, { .leCreateCIS($0.value) }, CountedList(pairs))
    case .leRemoveCIG(let group): form(.leRemoveCIG, Self.leRemoveCIG, group)
    case .leAcceptCISRequest(let handle): form(.leAcceptCISRequest, Self.leAcceptCISRequest, handle)
    case .leRejectCISRequest(let handle, let reason):
      form(.leRejectCISRequest, Self.leRejectCISRequest, handle, reason)
    case .leSetupISODataPath(let path): form(.leSetupISODataPath, Self.leSetupISODataPath, path)
    case .leRemoveISODataPath(let handle, let directions):
      form(.leRemoveISODataPath, Self.leRemoveISODataPath, handle, directions)
    case .leISOTransmitTest(let handle, let payload):
      form(.leISOTransmitTest, Self.leISOTransmitTest, handle, payload)
    case .leISOReceiveTest(let handle, let payload): form(.leISOReceiveTest, Self.leISOReceiveTest, handle, payload)
    case .leISOReadTestCounters(let handle): form(.leISOReadTestCounters, Self.leISOReadTestCounters, handle)
    case .leISOTestEnd(let handle): form(.leISOTestEnd, Self.leISOTestEnd, handle)
    case .leReadISOLinkQuality(let handle): form(.leReadISOLinkQuality, Self.leReadISOLinkQuality, handle)
    }
  }
}

extension HCI.CIGCommon {
  static let blank = Self(group: 0, centralSDUInterval: 0, peripheralSDUInterval: 0)

  fileprivate mutating func head<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.field(&group)
    try pass.three(&centralSDUInterval, &peripheralSDUInterval)
  }

  fileprivate mutating func tail<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&worstClock, &packing, &framing)
  }
}

extension FieldPass {
  /// An octet that counts, and as many entries.
  fileprivate mutating func counted<Entry: WireValue>(_ entries: inout [Entry]) throws(Failure) {
    try field(&entries, as: { CountedList($0) }, { $0.value })
  }
}

extension HCI.CIGParameters: WireRecord {
  static let blank = Self(common: .blank, centralLatency: 0, peripheralLatency: 0, streams: [])

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try common.head(&pass)
    try common.tail(&pass)
    try pass.fields(&centralLatency, &peripheralLatency)
    try pass.counted(&streams)
  }
}

extension HCI.CIGParameters.Entry: WireRecord {
  static let blank = Self(stream: 0, centralSDU: 0, peripheralSDU: 0, centralPHY: [], peripheralPHY: [])

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&stream, &centralSDU, &peripheralSDU)
    try pass.fields(&centralPHY, &peripheralPHY, &centralRetransmissions, &peripheralRetransmissions)
  }
}

extension HCI.CIGTestParameters: WireRecord {
  static let blank = Self(
    common: .blank, centralFlushTimeout: 0, peripheralFlushTimeout: 0, interval: 0, streams: [])

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try common.head(&pass)
    try pass.fields(&centralFlushTimeout, &peripheralFlushTimeout, &interval)
    try common.tail(&pass)
    try pass.counted(&streams)
  }
}

extension HCI.CIGTestParameters.Entry: WireRecord {
  static let blank = Self(
    stream: 0, subevents: 0, centralSDU: 0, peripheralSDU: 0, centralPDU: 0, peripheralPDU: 0, centralPHY: [],
    peripheralPHY: [], centralBurst: 0, peripheralBurst: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&stream, &subevents)
    try pass.fields(&centralSDU, &peripheralSDU, &centralPDU, &peripheralPDU)
    try pass.fields(&centralPHY, &peripheralPHY, &centralBurst, &peripheralBurst)
  }
}

extension HCI.StreamPair: WireRecord {
  static let blank = Self(stream: 0, link: 0)
  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) { try pass.fields(&stream, &link) }
}

extension HCI.ISODataPath: WireRecord {
  static let blank = Self(handle: 0, direction: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&handle, &direction, &path)
    try pass.field(&codec, as: { Wide<5>($0) }, { $0.value })
    try pass.three(&controllerDelay)
    try pass.field(&configuration, as: { CountedOctets<242>($0) }, { $0.value })
  }
}
