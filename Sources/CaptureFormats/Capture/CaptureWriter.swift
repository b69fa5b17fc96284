/// Writes a capture of any format, record by record, into octets that the caller puts into a file.
///
/// Times, directions, adapters and comments are kept as far as the format has a place for them; what a format cannot
/// say at all is refused record by record, and the file stays whole. Times are cut to microseconds in btsnoop and
/// PacketLogger; one that a format cannot say becomes the nearest that it can, and is counted. Comments are kept in
/// pcapng only, the numbers of packets that the capturer lost in btsnoop and pcapng.
public struct CaptureWriter: Sendable {
  /// Why a record does not fit a format, in one line for people.
  public struct Mismatch: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String
    public init(_ description: String) { self.description = description }
  }

  /// The longest packet; readers such as Wireshark refuse longer ones.
  public static let packetOctets = 262_144

  public let format: CaptureFormat
  /// In front of the first record of a pcapng file; to be set before it.
  public var sectionComments: [String] = []
  /// Whether a pcap file counts microseconds, as very old tools need it, instead of nanoseconds; to be set before the
  /// first record.
  public var countsMicroseconds = false

  /// Records whose time the format cannot say, and the number of the first one.
  public private(set) var displaced: (count: Int, first: Int, reason: String)?

  private let wanted: CaptureLink?
  private let application: String
  private var hasBegun = false
  /// The adapter of the first packet, in link types that do not tell adapters apart.
  private var adapter: UInt16?
  /// In pcapng: an interface for each of the capture's, each link type and each name. In others at most one.
  private var interfaces: [Interface] = []
  private var drops: UInt32 = 0

  private struct Interface: Equatable {
    var source: Int
    var link: CaptureLink
    var name: String?
    /// Its times begin in 1677 instead of 1970.
    var isEarly: Bool
  }

  /// When the clock of an interface begins that has times before 1970, in seconds since then: before everything that
  /// 64 bits of nanoseconds reach.
  private static let earlyStart: Int64 = -9_223_372_037

  /// - Parameters:
  ///   - link: what records are written as; nil takes the format's own for what the first record is, in pcapng for
  ///     what the first record of each interface is.
  ///   - application: who writes, in formats that say so.
  public init(format: CaptureFormat, link: CaptureLink? = nil, application: String) {
    self.format = format
    wanted = link
    self.application = application
  }

  /// Appends one record, and in front of the first one whatever the format begins with.
  ///
  /// - Throws: why it does not fit; nothing has been appended then, and the writer is as before.
  public mutating func append(_ record: CaptureRecord, to file: inout [UInt8]) throws(Mismatch) {
    var link = wanted ?? LinkEncoder.link(of: record, in: format)
    if format != .pcapng, let first = interfaces.first { link = first.link }
    if format == .monitor { throw Mismatch("a stream of \(format.rawValue) is read only") }
    if !link.fits(format) { throw Mismatch(Self.refusal(link, record, format)) }
    let encoding = try LinkEncoder.encode(record, as: link, in: format)
    let count = encoding.head.count + record.octets.count + encoding.tail.count
    if count > Self.packetOctets { throw Mismatch("a packet of \(count) octets is too long for others to read") }
    let adapter = try self.adapter(of: record, link)
    let (time, displacement) = self.time(record.nanoseconds)
    let isEarly = format == .pcapng && record.nanoseconds < 0
    var described = Interface(source: record.interface, link: link, isEarly: isEarly)
    if case .network(let header) = record.body { described.name = header.interfaceName }
    let interface = try self.interface(described)
    if let displacement {
      displaced = (1 + (displaced?.count ?? 0), displaced?.first ?? record.number, displaced?.reason ?? displacement)
    }
    if let adapter { self.adapter = adapter }
    begin(link, &file)
    if interface == interfaces.count {
      interfaces.append(described)
      if format == .pcapng {
        PCAPNG.appendInterface(
          linkType: UInt16(link.linkType ?? 0), name: described.name, secondsOffset: isEarly ? Self.earlyStart : 0,
          to: &file)
      }
    }
    file.reserveCapacity(file.count + count + 64)
    let original = count + encoding.missing
    switch format {
    case .btsnoop:
      drops = record.drops ?? drops
      BTSnoop.appendRecordHeader(
        included: count, original: original, flags: encoding.flags, drops: drops, microseconds: time, to: &file)
    case .pcap:
      let units: Int64 = countsMicroseconds ? 1_000_000 : 1_000_000_000
      for number in [time / units, time % units, Int64(count), Int64(original)] {
        file.append(little: UInt64(number), 4)
      }
    case .packetLogger:
      // As on a current Mac.
      for number in [Int64(count + 8), time / 1_000_000, time % 1_000_000] {
        file.append(little: UInt64(number), 4)
      }
    case .pcapng:
      let start = PCAPNG.openPacket(
        interface: UInt32(interface), time: isEarly ? Self.earlyTime(time) : UInt64(time), captured: count,
        original: original, to: &file)
      append(encoding, record, to: &file)
      let lost = record.drops.map { UInt64($0 &- drops) } ?? 0
      drops = record.drops ?? drops
      PCAPNG.closePacket(
        start, captured: count, isToHost: encoding.isToHost, drops: lost == 0 ? nil : lost,
        comments: record.comments, in: &file)
      return
    case .monitor: return
    }
    append(encoding, record, to: &file)
  }

  /// Appends what a file without any record still needs, and what the format ends with. To be called once.
  public mutating func finish(into file: inout [UInt8]) {
    if hasBegun { return }
    let link = wanted.flatMap { $0.fits(format) ? $0 : nil } ?? (format == .btsnoop ? .h4 : .h4WithDirection)
    begin(link, &file)
    if format == .pcapng { PCAPNG.appendInterface(linkType: UInt16(link.linkType ?? 0), name: nil, to: &file) }
  }

  private func append(_ encoding: LinkEncoding, _ record: CaptureRecord, to file: inout [UInt8]) {
    encoding.head.append(to: &file)
    file.append(contentsOf: record.octets)
    encoding.tail.append(to: &file)
  }

  private mutating func begin(_ link: CaptureLink, _ file: inout [UInt8]) {
    if hasBegun { return }
    hasBegun = true
    switch format {
    case .btsnoop: BTSnoop.appendHeader(datalink: link.btsnoopDatalink ?? BTSnoop.h4Datalink, to: &file)
    case .pcap:
      file.append(little: UInt64(countsMicroseconds ? PCAP.microsecondMagic : PCAP.nanosecondMagic), 4)
      file.append(little: 2, 2)
      file.append(little: 4, 2)
      file.append(little: 0, 8)
      file.append(little: UInt64(Self.packetOctets), 4)
      file.append(little: UInt64(link.linkType ?? 0), 4)
    case .pcapng: PCAPNG.appendSectionHeader(application: application, comments: sectionComments, to: &file)
    case .packetLogger, .monitor: break
    }
  }

  /// In the format's own units: since the year 0 in btsnoop, since 1970 elsewhere, or since the interface's start; and
  /// why it is not the record's, where the format cannot say that.
  private func time(_ nanoseconds: Int64) -> (time: Int64, displacement: String?) {
    let microseconds = nanoseconds / 1_000 - (nanoseconds % 1_000 < 0 ? 1 : 0)
    if format == .btsnoop { return (microseconds + BTSnoop.unixEpoch, nil) }
    if format == .pcapng { return (nanoseconds, nil) }
    // The others count seconds from 1970 in 32 bits without a sign.
    if nanoseconds < 0 { return (0, "before 1970") }
    let isMicroseconds = format == .packetLogger || countsMicroseconds
    if nanoseconds / 1_000_000_000 > Int64(UInt32.max) {
      let end = (Int64(UInt32.max) + 1) * (isMicroseconds ? 1_000_000 : 1_000_000_000) - 1
      return (end, "after 2106")
    }
    return (isMicroseconds ? microseconds : nanoseconds, nil)
  }

  /// Nanoseconds since `earlyStart`, which 64 bits without a sign hold.
  private static func earlyTime(_ nanoseconds: Int64) -> UInt64 {
    UInt64(bitPattern: nanoseconds) &- UInt64(bitPattern: earlyStart) &* 1_000_000_000
  }

  /// The one to remember; nil when the link type tells them apart.
  private func adapter(of record: CaptureRecord, _ link: CaptureLink) throws(Mismatch) -> UInt16? {
    guard link != .linuxMonitor, case .hci(let adapter, _, _) = record.body else { return nil }
    if let first = self.adapter, first != adapter {
      throw Mismatch("a packet of hci\(adapter) among those of hci\(first) has no place in \(link.name)")
    }
    return adapter
  }

  /// The interface to write to; it is new when it is the count of those that are.
  private func interface(_ wanted: Interface) throws(Mismatch) -> Int {
    if format != .pcapng { return 0 }
    if let index = interfaces.lastIndex(of: wanted) { return index }
    if interfaces.count == CaptureLimits.interfaces { throw Mismatch("more than \(interfaces.count) interfaces") }
    return interfaces.count
  }

  private static func refusal(_ link: CaptureLink, _ record: CaptureRecord, _ format: CaptureFormat) -> String {
    switch record.body {
    case .air where format == .btsnoop || format == .packetLogger:
      "a PDU on the air has no place in \(format.rawValue), which holds HCI packets"
    case .network: "a packet of a network has no place in \(format.rawValue), which holds HCI packets"
    case .text: "a line of PacketLogger's text has no place in \(format.rawValue)"
    case .opaque where link == .packetLogger:
      "a PacketLogger record of another kind than commands, events and ACL data (often one of BR/EDR) has no place in "
        + format.rawValue
    default: "\(format.rawValue) has no number for \(link.name)"
    }
  }
}
