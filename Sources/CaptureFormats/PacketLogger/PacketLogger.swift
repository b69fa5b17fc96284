/// The file format of Apple's PacketLogger (`.pklg`), in either byte order; there is no file header.
///
/// Layout of a record: `Length: 4 | Seconds: 4 | Microseconds: 4 | Type: 1 | Octets`; the length counts what follows
/// it. Apple publishes no description; this is what Wireshark and real files agree on.
enum PacketLogger {
  static let recordHeaderLength = 12

  static let packetTypes: [UInt8] = [0x00, 0x01, 0x02, 0x03, 0x08, 0x09]
  /// Text written by a person.
  static let note: UInt8 = 0xFC

  static func packet(_ type: UInt8) -> (indicator: UInt8, isToHost: Bool)? {
    switch type {
    case 0x00: (0x01, false)
    case 0x01: (0x04, true)
    case 0x02: (0x02, false)
    case 0x03: (0x02, true)
    case 0x08: (0x03, false)
    case 0x09: (0x03, true)
    default: nil
    }
  }

  /// System log, kernel, kernel debug, error, power, note, configuration, new controller.
  static func isText(_ type: UInt8) -> Bool { (0xF7...0xFE).contains(type) }

  /// Whether the 13 octets can be the start of a file, and in which byte order.
  static func isBigEndian(_ octets: ArraySlice<UInt8>) -> Bool? {
    let type = octets[octets.startIndex + 12]
    guard packet(type) != nil || isText(type) || type == 0x0A || type == 0x0B else { return nil }
    func fits(_ length: UInt32, _ microseconds: UInt32) -> Bool {
      (9..<0x1_0000).contains(length) && microseconds < 1_000_000
    }
    if fits(octets.big(0), octets.big(8)) { return true }
    return fits(octets.little(0), octets.little(8)) ? false : nil
  }

  /// Takes records out of a file. Refuses: a record shorter than its time or longer than `CaptureLimits.recordOctets`.
  struct Decoder: Sendable {
    let isBigEndian: Bool

    mutating func next(_ window: inout OctetWindow, _ count: inout Int) throws(CaptureError) -> CaptureRecord? {
      guard window.has(recordHeaderLength) else { return nil }
      let length = Int(window.number(0, bigEndian: isBigEndian) as UInt32)
      if length < 8 || length > CaptureLimits.recordOctets { throw CaptureError(.lengthOutOfRange, at: window.offset) }
      guard window.has(4 + length) else { return nil }
      let seconds = Int64(window.number(4, bigEndian: isBigEndian) as UInt32)
      let microseconds = Int64(window.number(8, bigEndian: isBigEndian) as UInt32)
      var octets = window.slice(recordHeaderLength, length - 8)
      let mark = octets.first.map { UInt32($0) }
      let body = LinkDecoder.body(.packetLogger, &octets, isToHost: nil, isSnapped: false)
      window.skip(4 + length)
      count += 1
      return CaptureRecord(
        number: count, link: .packetLogger, nanoseconds: seconds * 1_000_000_000 + microseconds * 1_000,
        originalLength: length - 8, mark: mark, body: body, octets: octets)
    }
  }
}
