extension BTSnoop {
  /// Takes records out of a file. Refuses: another version; a record longer than `CaptureLimits.recordOctets`, or with
  /// more octets included than original ones.
  struct Decoder: Sendable {
    private(set) var link: CaptureLink?

    @inline(__always)
    mutating func next(_ window: inout OctetWindow, _ count: inout Int) throws(CaptureError) -> CaptureRecord? {
      let link: CaptureLink
      if let known = self.link {
        link = known
      } else {
        guard let read = try readHeader(&window) else { return nil }
        link = read
      }
      guard window.has(recordHeaderLength) else { return nil }
      let original = Int(window.big(0) as UInt32)
      let included = Int(window.big(4) as UInt32)
      if included > CaptureLimits.recordOctets { throw CaptureError(.lengthOutOfRange, at: window.offset + 4) }
      if included > original { throw CaptureError(.lengthMismatch, at: window.offset) }
      guard window.has(recordHeaderLength + included) else { return nil }
      let flags: UInt32 = window.big(8)
      var octets = window.slice(recordHeaderLength, included)
      let body: CaptureBody =
        included < original ? .opaque(.snapped) : LinkDecoder.body(link, &octets, btsnoopFlags: flags)
      let drops: UInt32 = window.big(12)
      let time: Int64 = window.big(16)
      window.skip(recordHeaderLength + included)
      count += 1
      return CaptureRecord(
        number: count, link: link, nanoseconds: Self.nanoseconds(time), originalLength: original, drops: drops,
        mark: flags, body: body, octets: octets)
    }

    private mutating func readHeader(_ window: inout OctetWindow) throws(CaptureError) -> CaptureLink? {
      guard window.has(headerLength) else { return nil }
      if window.big(8) as UInt32 != version { throw CaptureError(.unsupportedVersion, at: 8) }
      link = CaptureLink(btsnoop: window.big(12))
      window.skip(headerLength)
      return link
    }

    /// Since 1970; what is beyond the range of Int64 is its end.
    private static func nanoseconds(_ time: Int64) -> Int64 {
      let (difference, isBelow) = time.subtractingReportingOverflow(unixEpoch)
      if isBelow { return .min }
      let (product, overflow) = difference.multipliedReportingOverflow(by: 1_000)
      return overflow ? (difference < 0 ? .min : .max) : product
    }
  }
}
