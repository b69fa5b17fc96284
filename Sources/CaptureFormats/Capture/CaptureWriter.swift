/// Writes a capture of any format, record by record, into octets that the caller puts into a file.
///
/// Times, directions, adapters and comments are kept as far as the format has a place for them; what a format cannot
/// say at all is refused record by record, and the file stays whole. Times are cut to microseconds in btsnoop and
/// PacketLogger. Comments are kept in pcapng only, the numbers of packets that the capturer lost in btsnoop and pcapng.
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

  private let wanted: CaptureLink?
  private let application: String
  private var hasBegun = false
  /// The adapter of the first packet, in link types that do not tell adapters apart.
  private var adapter: UInt16?
  /// In pcapng: an interface for each of the capture's and each link type. In others at most one.
  private var interfaces: [(source: Int, link: CaptureLink)] = []
  private var drops: UInt32 = 0

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
    if !link.fits(format) { throw Mismatch(Self.refusal(link, record, format)) }
    let encoding = try LinkEncoder.encode(record, as: link, in: format)
    let count = encoding.head.count + record.octets.count + encoding.tail.count
    if count > Self.packetOctets { throw Mismatch("a packet of \(count) octets is too long for others to read") }
    let adapter = try self.adapter(of: record, link)
    let time = try self.time(record.nanoseconds)
    let interface = try self.interface(record.interface, link)
    if let adapter { self.adapter = adapter }
    begin(link, &file)
    if interface == interfaces.count {
      interfaces.append((record.interface, link))
      if format == .pcapng { PCAPNG.appendInterface(linkType: UInt16(link.linkType ?? 0), name: nil, to: &file) }
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
        interface: UInt32(interface), time: UInt64(time), captured: count, original: original, to: &file)
      append(encoding, record, to: &file)
      let lost = record.drops.map { UInt64($0 &- drops) } ?? 0
      drops = record.drops ?? drops
      PCAPNG.closePacket(
        start, captured: count, isToHost: link == .h4 ? encoding.isToHost : nil, drops: lost == 0 ? nil : lost,
        comments: record.comments, in: &file)
      return
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
    case .packetLogger: break
    }
  }

  /// In the format's own units: since the year 0 in btsnoop, since 1970 elsewhere.
  private func time(_ nanoseconds: Int64) throws(Mismatch) -> Int64 {
    let microseconds = nanoseconds / 1_000 - (nanoseconds % 1_000 < 0 ? 1 : 0)
    if format == .btsnoop { return microseconds + BTSnoop.unixEpoch }
    // The others count seconds from 1970 in 32 bits without a sign, except pcapng.
    if nanoseconds < 0 || format != .pcapng && nanoseconds / 1_000_000_000 > Int64(UInt32.max) {
      throw Mismatch("a time \(nanoseconds < 0 ? "before 1970" : "after 2106") has no place in \(format.rawValue)")
    }
    return format == .packetLogger || format == .pcap && countsMicroseconds ? microseconds : nanoseconds
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
  private func interface(_ source: Int, _ link: CaptureLink) throws(Mismatch) -> Int {
    if format != .pcapng { return 0 }
    if let index = interfaces.lastIndex(where: { $0.source == source && $0.link == link }) { return index }
    if interfaces.count == CaptureLimits.interfaces { throw Mismatch("more than \(interfaces.count) interfaces") }
    return interfaces.count
  }

  private static func refusal(_ link: CaptureLink, _ record: CaptureRecord, _ format: CaptureFormat) -> String {
    switch record.body {
    case .air where format == .btsnoop || format == .packetLogger:
      "a PDU on the air has no place in \(format.rawValue), which holds HCI packets"
    case .text: "a line of PacketLogger's text has no place in \(format.rawValue)"
    case .opaque where link == .packetLogger:
      "a PacketLogger record of another kind than commands, events and ACL data (often one of BR/EDR) has no place in "
        + format.rawValue
    default: "\(format.rawValue) has no number for \(link.name)"
    }
  }
}
