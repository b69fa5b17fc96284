/// The pcap file format: packets with time, in either byte order, times in micro- or nanoseconds.
///
/// Format: IETF draft-ietf-opsawg-pcap. Layout: `Magic: 4 | Version: 2 + 2 | Reserved: 8 | Snap Length: 4 | Link
/// Type: 4`, then records `Seconds: 4 | Fraction: 4 | Included Length: 4 | Original Length: 4 | Octets`.
enum PCAP {
  static let headerLength = 24
  static let recordHeaderLength = 16
  /// In the file's own byte order.
  static let microsecondMagic: UInt32 = 0xA1B2_C3D4
  static let nanosecondMagic: UInt32 = 0xA1B2_3C4D
  /// Written by a patched libpcap of 2000, with longer records.
  static let patchedMagic: UInt32 = 0xA1B2_CD34

  /// Takes records out of a file. Refuses: a version other than 2; a record longer than `CaptureLimits.recordOctets`.
  struct Decoder: Sendable {
    private(set) var link: CaptureLink?
    private var isBigEndian = false
    private var unit: Int64 = 1

    mutating func next(_ window: inout OctetWindow, _ count: inout Int) throws(CaptureError) -> CaptureRecord? {
      if link == nil, try !readHeader(&window) { return nil }
      guard let link, window.has(recordHeaderLength) else { return nil }
      let included = Int(window.number(8, bigEndian: isBigEndian) as UInt32)
      if included > CaptureLimits.recordOctets { throw CaptureError(.lengthOutOfRange, at: window.offset + 8) }
      guard window.has(recordHeaderLength + included) else { return nil }
      let original = Int(window.number(12, bigEndian: isBigEndian) as UInt32)
      let seconds = Int64(window.number(0, bigEndian: isBigEndian) as UInt32)
      // Real files have negative ones, and such beyond a second.
      let fraction = Int64(window.number(4, bigEndian: isBigEndian) as Int32)
      var octets = window.slice(recordHeaderLength, included)
      let body = LinkDecoder.body(link, &octets, isToHost: nil, isSnapped: included < original)
      window.skip(recordHeaderLength + included)
      count += 1
      return CaptureRecord(
        number: count, link: link, nanoseconds: seconds * 1_000_000_000 + fraction * unit, originalLength: original,
        body: body, octets: octets)
    }

    private mutating func readHeader(_ window: inout OctetWindow) throws(CaptureError) -> Bool {
      guard window.has(headerLength) else { return false }
      let magic: UInt32 = window.big(0)
      isBigEndian = magic == microsecondMagic || magic == nanosecondMagic
      unit = window.number(0, bigEndian: isBigEndian) as UInt32 == nanosecondMagic ? 1 : 1_000
      if window.number(4, bigEndian: isBigEndian) as UInt16 != 2 { throw CaptureError(.unsupportedVersion, at: 4) }
      // The upper bits tell of a frame check sequence: none of Bluetooth's link types has one, and after a packet of
      // IP it is as good as padding.
      let network: UInt32 = window.number(20, bigEndian: isBigEndian)
      link = CaptureLink(linkType: network & 0x03FF_FFFF)
      window.skip(headerLength)
      return true
    }
  }
}
