/// One record of a capture file of any format, with what its format's own headers said taken apart.
public struct CaptureRecord: Hashable, Sendable {
  /// 1, 2, 3 … among the packets of the file, as Wireshark counts them.
  public var number: Int
  /// Dense index of the interface within the file; 0 in formats that know only one.
  public var interface: Int
  public var link: CaptureLink
  /// Since 1970-01-01 00:00:00 UTC. Real files go backwards at times, and some have no date at all.
  public var nanoseconds: Int64
  /// Octets that the packet had, in the measure of the file: pseudo-headers count as the format counts them.
  public var originalLength: Int
  /// Packets that the capturer says it has lost before this one, since the start; nil when the format does not say.
  public var drops: UInt32?
  /// What the format says of the record beside it, so that the same format can be written again octet for octet:
  /// btsnoop's flags, PacketLogger's type; nil in the others.
  public var mark: UInt32?
  public var body: CaptureBody
  /// What `body` says they are; a piece of what was handed to the reader, not a copy. Indices do not start at 0.
  public var octets: ArraySlice<UInt8>
  /// From pcapng; at most `CaptureLimits.comments`.
  public var comments: [String]

  public init(
    number: Int, interface: Int = 0, link: CaptureLink, nanoseconds: Int64, originalLength: Int, drops: UInt32? = nil,
    mark: UInt32? = nil, body: CaptureBody, octets: ArraySlice<UInt8>, comments: [String] = []
  ) {
    self.number = number
    self.interface = interface
    self.link = link
    self.nanoseconds = nanoseconds
    self.originalLength = originalLength
    self.drops = drops
    self.mark = mark
    self.body = body
    self.octets = octets
    self.comments = comments
  }

  /// Where a record was cut: what its first octets say it is, as if they were all. What is taken for the CRC of a
  /// PDU on the air is none. Nil of others, and when not even that is there.
  package var beginning: (body: CaptureBody, octets: ArraySlice<UInt8>)? {
    guard body == .opaque(.snapped) else { return nil }
    var rest = octets
    let body =
      mark.map { LinkDecoder.body(link, &rest, btsnoopFlags: $0) } ?? LinkDecoder.body(link, &rest, isToHost: nil)
    if case .opaque = body { return nil }
    return (body, rest)
  }

  /// Whether fewer octets were kept than the packet had.
  public var isSnapped: Bool {
    if case .network = body { originalLength > octets.count } else { body == .opaque(.snapped) }
  }

  /// The HCI packet with its H4 indicator in front, copied; nil when it is none.
  public var h4Octets: [UInt8]? {
    guard case .hci(_, let indicator, _) = body else { return nil }
    return [indicator] + octets
  }
}

/// What a record holds, and so what its `octets` are.
public enum CaptureBody: Hashable, Sendable {
  /// An HCI packet; the octets are those after the H4 indicator.
  /// - Parameters:
  ///   - adapter: the controller's number in captures of several (Linux's monitor); 0 elsewhere.
  ///   - indicator: the H4 indicator, 01 … 05.
  ///   - isToHost: nil when neither the file nor the indicator says.
  case hci(adapter: UInt16, indicator: UInt8, isToHost: Bool?)
  /// A PDU on the air; the octets are its header and payload, without access address and CRC. Kept elsewhere, so that
  /// records of HCI, which have no such header, are not long for its sake.
  indirect case air(AirHeader)
  /// Something the Linux monitor says that is no packet: new or gone adapter, notes, sockets. The octets are its
  /// parameters; `opcode` is that of BlueZ's `doc/btsnoop-protocol`.
  case monitor(adapter: UInt16, opcode: UInt16)
  /// A line of text that the capturer wrote (PacketLogger).
  case text
  /// A packet of an IP network; the octets are as in the file, the header of the link included
  /// (`CaptureLink.networkHeaderLength`). The capturer may have cut it: `CaptureRecord.isSnapped`.
  indirect case network(NetworkHeader)
  /// Nothing this bench reads, or a record that is shorter than its headers; the octets are as in the file.
  case opaque(CaptureOpacity)
}

/// What a file says of a packet of a network beside its octets.
public struct NetworkHeader: Hashable, Sendable {
  /// The machine that captured the packet sent it; nil where neither the file nor the header of the link says.
  public var isOutgoing: Bool?
  /// What the file calls the interface (pcapng, `if_name`).
  public var interfaceName: String?

  public init(isOutgoing: Bool?, interfaceName: String? = nil) {
    self.isOutgoing = isOutgoing
    self.interfaceName = interfaceName
  }
}

/// Why a record could not be taken apart. Its file goes on all the same.
public enum CaptureOpacity: Hashable, Sendable, CustomStringConvertible {
  case foreignLink
  case tooShort
  case unknownKind
  /// A header of Nordic's sniffer of a version that is not known.
  case unknownVersion(UInt8)
  /// Nordic's sniffer says that its record is no PDU, or nothing that is known.
  case unknownPacketID(UInt8)
  /// A PDU on LE Coded whose Coding Indicator is not there, or reserved.
  case leCoded
  /// The record was snapped: fewer octets were kept than the packet had, so nothing after the cut can be judged.
  case snapped
  /// A PDU on the air that is told apart and not followed: of no record's body, but counted where PDUs that are not
  /// judged are.
  case stream(AirStream)

  /// A PDU of Bluetooth LE is in it, and nobody has looked at what it says.
  public var isUnjudgedPDU: Bool {
    switch self {
    case .leCoded, .stream: true
    case .foreignLink, .tooShort, .unknownKind, .unknownVersion, .unknownPacketID, .snapped: false
    }
  }

  /// For people, after "is" or "are".
  public var description: String {
    switch self {
    case .foreignLink: "not a link type of Bluetooth LE"
    case .tooShort: "shorter than the headers of its link type"
    case .unknownKind: "of a kind that is not known"
    case .unknownVersion(let version): "of header version \(version) of Nordic's sniffer, which is not known"
    case .unknownPacketID(let id): "of packet ID \(id) of Nordic's sniffer, which is no PDU that is known"
    case .leCoded: "on LE Coded, of a coding that is not known"
    case .snapped: "cut off by the capturer"
    case .stream(let stream): "of \(stream.rawValue), which is not followed"
    }
  }
}

/// What a PDU on the air belongs to that is neither of a connection nor has the access address of advertising. Its
/// header means something else than that of a connection's PDU, and its access address no connection.
/// Spec: Core v5.4, Vol 6, Part B, 2.1.2, 2.6, 4.4.3.4, 4.4.6 and 4.5.13.
public enum AirStream: String, Hashable, Sendable {
  case connectedIsochronous = "a connected isochronous stream"
  case broadcastIsochronous = "a broadcast isochronous group"
  case periodicAdvertising = "periodic advertising"
  case reserved = "a kind that the sniffer's header does not define"
}

/// When a PDU began, by the clock of the sniffer: the record's own time is that of the computer it came to, and off by
/// what the way there took.
public struct SnifferTime: Hashable, Sendable {
  public enum Reading: Hashable, Sendable {
    /// Microseconds since the end of the record before.
    case sinceEnd(UInt32)
    /// Microseconds of a clock that wraps.
    case at(UInt32)
  }

  /// Counts the records of this sniffer; 16 bits that wrap.
  public var recordCounter: UInt16
  public var reading: Reading
}

/// What LE Coded makes of a bit: the Coding Indicator, which lies between access address and PDU in a file.
public enum LECoding: UInt8, Hashable, Sendable {
  /// Eight symbols, 125 kbit/s.
  case s8 = 0
  /// Two symbols, 500 kbit/s.
  case s2 = 1
}

/// PDUs on the secondary advertising channels that have one PDU type, in the order in which sniffers number them. The
/// last two have no number there: what SyncInfo and ACAD have told of their train says what they are.
package enum AuxiliaryKind: UInt8, Hashable, Sendable {
  case advInd = 0
  case chainInd = 1
  case syncInd = 2
  case scanRsp = 3
  case subeventInd = 4
  case subeventRsp = 5

  /// As sniffers number it.
  package var numbered: AuxiliaryKind { self == .subeventInd || self == .subeventRsp ? .syncInd : self }
}

/// What a sniffer said about one PDU, and the access address and CRC that stood around it.
public struct AirHeader: Hashable, Sendable {
  public var accessAddress: UInt32
  /// 24 bits, in the order of `LL.crc24`: the first octet of the three in bits 0 … 7; nil when the sniffer did not
  /// keep it.
  public var crc: UInt32?
  /// Octets in the place of the CRC that are none, for who writes the same link type again.
  var crcFiller: UInt32?
  /// nil when the sniffer did not check, or the file has no place for it.
  public var isCRCValid: Bool?
  /// 2402 + 2 k MHz, k in 0 … 39; nil when the file has no place for it.
  public var rfChannel: UInt8?
  public var isFromCentral: Bool?
  public var isLE2M = false
  /// On LE Coded, what the Coding Indicator says of the octets; nil on the other PHYs.
  public var coding: LECoding?
  /// The sniffer decrypted it: the PDU is plain though its link is encrypted, and has no MIC.
  public var isDecrypted = false
  /// The sniffer knows that it was sent encrypted; nil when it does not say.
  public var isEncrypted: Bool?
  /// Whether the MIC of a decrypted PDU, which no longer has it, was right; nil when nobody says.
  package var isMICValid: Bool?
  /// It is of no connection, and not with the access address of advertising; nil of others, and when nobody says.
  package var stream: AirStream?
  /// dBm; nil: not measured.
  public var signalPower: Int8?
  public var noisePower: Int8?
  /// The counter of the connection event; Nordic only.
  public var eventCounter: UInt16?
  /// When it began by the sniffer's own clock; Nordic only.
  public var snifferTime: SnifferTime?
  /// Written by a program that speaks itself, as the central, and logs what it sends and receives: times are those of
  /// its computer, its own PDUs have no sequence numbers, and the radio sent no more octets than the header's length.
  package var isFromTool = false
  /// Which of the PDUs of extended advertising with the common header an auxiliary one is; nil: it is none, or nobody
  /// says.
  package var auxiliary: AuxiliaryKind?
  /// Octets in front of the access address in the file, for who writes the same link type again; empty otherwise.
  public var prefix = Prefix()

  public init(accessAddress: UInt32) { self.accessAddress = accessAddress }

  /// At most `limit` octets, kept without an allocation.
  public struct Prefix: Hashable, Sendable {
    /// The longest header in front of an access address, `PPIHeader.longest`, and that address; or that of Nordic's
    /// sniffer, the address and a Coding Indicator.
    static let limit = 28

    private struct Words: Hashable {
      var first: UInt64 = 0
      var second: UInt64 = 0
      var third: UInt64 = 0
      var fourth: UInt32 = 0
    }
    private var words = Words()
    private var length: UInt8 = 0
    public var count: Int { Int(length) }

    public init() {}

    init(_ octets: ArraySlice<UInt8>) {
      precondition(octets.count <= Self.limit)
      length = UInt8(octets.count)
      withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: octets) }
    }

    mutating func append(_ octet: UInt8) {
      precondition(count < Self.limit)
      let place = count
      withUnsafeMutableBytes(of: &words) { $0[place] = octet }
      length += 1
    }

    mutating func append(little value: UInt32, _ octets: Int = 4) {
      for index in 0..<octets { append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(index)))) }
    }

    mutating func append(big value: UInt32) { append(little: value.byteSwapped) }

    public func append(to octets: inout [UInt8]) {
      let length = count
      withUnsafeBytes(of: words) { octets.append(contentsOf: $0.prefix(length)) }
    }
  }
}

/// What bounds the memory of every reader, whatever a file says.
public enum CaptureLimits {
  /// The longest record, headers included.
  public static let recordOctets = 1 << 20
  /// Comments kept of one record, and of one section.
  public static let comments = 64
  /// What is kept of an interface's name.
  public static let interfaceNameOctets = 256
  /// Interfaces of one pcapng section.
  public static let interfaces = 4_096
}
