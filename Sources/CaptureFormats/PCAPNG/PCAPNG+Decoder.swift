extension PCAPNG {
  /// Takes packets out of a file.
  ///
  /// Refuses: a block that is shorter than its fields, longer than `CaptureLimits.recordOctets` and its own headers, or
  /// whose two lengths differ; a packet of an interface that was not described, and more than
  /// `CaptureLimits.interfaces` of them in a section. Not modelled: name resolution, decryption secrets, custom blocks.
  struct Decoder: Sendable {
    private var hasSection = false
    private var isBigEndian = false
    private var interfaces: [Interface] = []
    /// Interfaces of the sections before this one.
    private var firstInterface = 0
    private var drops: UInt64 = 0
    private(set) var sectionComments: [String] = []
    private(set) var remarks: [String] = []
    /// Packets that interface statistics say were lost, by interface over all sections.
    private var statedDrops: [UInt64?] = []
    /// The sum of those; nil when no statistics say so.
    var interfaceDrops: UInt64? {
      let stated = statedDrops.compactMap(\.self)
      return stated.isEmpty ? nil : stated.reduce(0) { $0.addingReportingOverflow($1).partialValue }
    }

    private struct Interface: Sendable {
      var link: CaptureLink
      /// Networks only have one.
      var name: String?
      var snapLength: Int
      var clock: Clock
    }

    /// What a packet's options say that is of use here.
    private struct Options {
      var comments: [String] = []
      var isToHost: Bool?
      var drops: UInt64?
    }

    mutating func next(_ window: inout OctetWindow, _ count: inout Int) throws(CaptureError) -> CaptureRecord? {
      while let length = try blockLength(&window) {
        let record = try read(length, window, count + 1)
        window.skip(length)
        guard let record else { continue }
        count += 1
        return record
      }
      return nil
    }

    /// The length of the block in front, nil when it is not there whole.
    private mutating func blockLength(_ window: inout OctetWindow) throws(CaptureError) -> Int? {
      guard window.has(12) else { return nil }
      if window.number(0, bigEndian: false) as UInt32 == BlockType.sectionHeader {
        switch window.number(8, bigEndian: false) as UInt32 {
        case byteOrderMagic: isBigEndian = false
        case byteOrderMagic.byteSwapped: isBigEndian = true
        default: throw CaptureError(.notThisFormat, at: window.offset + 8)
        }
      }
      let length = Int(window.number(4, bigEndian: isBigEndian) as UInt32)
      if length < 12 || length > CaptureLimits.recordOctets + 64 || length & 3 != 0 {
        throw CaptureError(.lengthOutOfRange, at: window.offset + 4)
      }
      guard window.has(length) else { return nil }
      if Int(window.number(length - 4, bigEndian: isBigEndian) as UInt32) != length {
        throw CaptureError(.lengthMismatch, at: window.offset + length - 4)
      }
      return length
    }

    private mutating func read(
      _ length: Int, _ window: borrowing OctetWindow, _ number: Int
    ) throws(CaptureError) -> CaptureRecord? {
      func require(_ count: Int) throws(CaptureError) {
        if length < count { throw CaptureError(.lengthOutOfRange, at: window.offset + 4) }
      }
      switch window.number(0, bigEndian: isBigEndian) as UInt32 {
      case BlockType.enhancedPacket:
        try require(32)
        return try packet(
          window, length, number, interface: window.number(8, bigEndian: isBigEndian) as UInt32, drops: nil)
      case BlockType.sectionHeader:
        try require(28)
        let version: UInt16 = window.number(12, bigEndian: isBigEndian)
        if version != 1 { throw CaptureError(.unsupportedVersion, at: window.offset + 12) }
        if hasSection { firstInterface += interfaces.count }
        hasSection = true
        interfaces = []
        let comments = comments(window.slice(24, length - 28))
        sectionComments += comments.prefix(CaptureLimits.comments - sectionComments.count)
      case BlockType.interfaceDescription:
        try require(20)
        try describe(window, length)
      case BlockType.interfaceStatistics:
        try require(24)
        remarks += comments(window.slice(20, length - 24)).prefix(CaptureLimits.comments - remarks.count)
        countDrops(
          window.slice(20, length - 24), interface: Int(window.number(8, bigEndian: isBigEndian) as UInt32))
      case BlockType.simplePacket:
        try require(16)
        return try simplePacket(window, length, number)
      case BlockType.obsoletePacket:
        try require(32)
        let drops: UInt16 = window.number(10, bigEndian: isBigEndian)
        return try packet(
          window, length, number, interface: UInt32(window.number(8, bigEndian: isBigEndian) as UInt16),
          drops: drops == .max ? nil : UInt64(drops))
      default: break
      }
      return nil
    }

    private mutating func describe(_ window: borrowing OctetWindow, _ length: Int) throws(CaptureError) {
      if interfaces.count == CaptureLimits.interfaces { throw CaptureError(.unknownInterface, at: window.offset) }
      let link = CaptureLink(linkType: UInt32(window.number(8, bigEndian: isBigEndian) as UInt16))
      var name: String?
      var resolution: UInt8 = 6
      var offset: Int64 = 0
      forEachOption(window.slice(16, length - 20)) { code, value in
        if code == Option.interfaceName, link.networkHeaderLength != nil {
          name = String(decoding: value.prefix(CaptureLimits.interfaceNameOctets), as: UTF8.self)
        }
        if code == Option.timestampResolution, let first = value.first { resolution = first }
        if code == Option.timestampOffset, value.count == 8 {
          offset = isBigEndian ? value.big(0) : value.little(0)
        }
      }
      let snapLength = Int(window.number(12, bigEndian: isBigEndian) as UInt32)
      interfaces.append(
        Interface(
          link: link, name: name, snapLength: snapLength == 0 ? .max : snapLength,
          clock: Clock(resolution: resolution, offset: offset)))
    }

    /// An enhanced packet block, or an obsolete one, which has its numbers in the same places.
    private mutating func packet(
      _ window: borrowing OctetWindow, _ length: Int, _ number: Int, interface: UInt32, drops lost: UInt64?
    ) throws(CaptureError) -> CaptureRecord {
      let index = Int(interface)
      guard index < interfaces.count else { throw CaptureError(.unknownInterface, at: window.offset + 8) }
      let captured = Int(window.number(20, bigEndian: isBigEndian) as UInt32)
      let padded = (captured + 3) & ~3
      if padded > length - 32 { throw CaptureError(.lengthMismatch, at: window.offset + 20) }
      var options = Options()
      if length - 32 - padded >= 4 { options = packetOptions(window.slice(28 + padded, length - 32 - padded)) }
      let time =
        UInt64(window.number(12, bigEndian: isBigEndian) as UInt32) << 32
        | UInt64(window.number(16, bigEndian: isBigEndian) as UInt32)
      let original = Int(window.number(24, bigEndian: isBigEndian) as UInt32)
      let newDrops = options.drops ?? lost
      if let newDrops { drops = drops.addingReportingOverflow(newDrops).partialValue }
      var octets = window.slice(28, captured)
      let link = interfaces[index].link
      let body = LinkDecoder.body(
        link, &octets, isToHost: options.isToHost, isSnapped: captured < original, name: interfaces[index].name)
      return CaptureRecord(
        number: number, interface: firstInterface + index, link: link,
        nanoseconds: interfaces[index].clock.nanoseconds(time), originalLength: original,
        drops: newDrops == nil ? nil : UInt32(clamping: drops), body: body, octets: octets, comments: options.comments)
    }

    /// It has neither time nor interface: the time is 1970, the interface the section's first.
    private func simplePacket(
      _ window: borrowing OctetWindow, _ length: Int, _ number: Int
    ) throws(CaptureError) -> CaptureRecord {
      guard let interface = interfaces.first else { throw CaptureError(.unknownInterface, at: window.offset) }
      let original = Int(window.number(8, bigEndian: isBigEndian) as UInt32)
      let captured = min(original, interface.snapLength)
      if captured > length - 16 { throw CaptureError(.lengthMismatch, at: window.offset + 8) }
      var octets = window.slice(12, captured)
      let body = LinkDecoder.body(
        interface.link, &octets, isToHost: nil, isSnapped: captured < original, name: interface.name)
      return CaptureRecord(
        number: number, interface: firstInterface, link: interface.link, nanoseconds: 0, originalLength: original,
        body: body, octets: octets)
    }

    private func packetOptions(_ octets: ArraySlice<UInt8>) -> Options {
      var options = Options()
      forEachOption(octets) { code, value in
        switch code {
        case Option.comment:
          if options.comments.count < CaptureLimits.comments {
            options.comments.append(String(decoding: value, as: UTF8.self))
          }
        case Option.packetFlags where value.count == 4:
          // 1 inbound, 2 outbound.
          let flags: UInt32 = isBigEndian ? value.big(0) : value.little(0)
          options.isToHost = flags & 3 == 1 ? true : flags & 3 == 2 ? false : nil
        case Option.dropCount where value.count == 8: options.drops = isBigEndian ? value.big(0) : value.little(0)
        default: break
        }
      }
      return options
    }

    /// Statistics count from the start of the capture: the newest of an interface hold.
    private mutating func countDrops(_ octets: ArraySlice<UInt8>, interface: Int) {
      guard interface < interfaces.count else { return }
      var drops: UInt64?
      forEachOption(octets) { code, value in
        guard code == Option.interfaceDrops || code == Option.systemDrops, value.count == 8 else { return }
        let count: UInt64 = isBigEndian ? value.big(0) : value.little(0)
        // Counters that nobody fed are all ones.
        if count != .max { drops = (drops ?? 0).addingReportingOverflow(count).partialValue }
      }
      if let drops { state(drops, of: firstInterface + interface) }
    }

    private mutating func state(_ drops: UInt64, of interface: Int) {
      statedDrops += Array(repeating: nil, count: max(0, interface + 1 - statedDrops.count))
      statedDrops[interface] = drops
    }

    private func comments(_ octets: ArraySlice<UInt8>) -> [String] {
      var comments: [String] = []
      forEachOption(octets) { code, value in
        if code == Option.comment, comments.count < CaptureLimits.comments {
          comments.append(String(decoding: value, as: UTF8.self))
        }
      }
      return comments
    }

    /// Those in front of the end mark, or of the first one that reaches past the block.
    private func forEachOption(_ octets: ArraySlice<UInt8>, _ body: (UInt16, ArraySlice<UInt8>) -> Void) {
      var rest = octets
      while rest.count >= 4 {
        let code: UInt16 = isBigEndian ? rest.big(0) : rest.little(0)
        let count = Int((isBigEndian ? rest.big(2) : rest.little(2)) as UInt16)
        if code == Option.end || 4 + count > rest.count { break }
        body(code, rest.dropFirst(4).prefix(count))
        rest = rest.dropFirst(4 + (count + 3) & ~3)
      }
    }
  }

  /// How an interface counts time.
  struct Clock: Sendable {
    /// Units in a second are 10 to the power of it or, with the top bit set, 2 to the power of the rest.
    let resolution: UInt8
    /// Seconds to add.
    let offset: Int64

    /// Since 1970; finer resolutions are cut, times beyond the range of Int64 are its end.
    func nanoseconds(_ time: UInt64) -> Int64 {
      let value = nanosecondsWithoutOffset(time)
      if offset == 0 { return Int64(clamping: value) }
      let (shift, isTooFar) = offset.magnitude.multipliedReportingOverflow(by: 1_000_000_000)
      if isTooFar { return offset < 0 ? .min : .max }
      if offset > 0 {
        let (sum, overflow) = value.addingReportingOverflow(shift)
        return overflow ? .max : Int64(clamping: sum)
      }
      if value >= shift { return Int64(clamping: value - shift) }
      return shift - value > Int64.max.magnitude ? .min : -Int64(shift - value)
    }

    /// What is beyond 64 bits is their end.
    private func nanosecondsWithoutOffset(_ time: UInt64) -> UInt64 {
      if resolution == 9 { return time }
      let exponent = Int(resolution & 0x7F)
      var product: (high: UInt64, low: UInt64) = (0, time)
      if resolution & 0x80 != 0 {
        product = time.multipliedFullWidth(by: 1_000_000_000)
        let low =
          exponent < 64
          ? product.low >> UInt64(exponent) | product.high << UInt64(64 - exponent)
          : product.high >> UInt64(exponent - 64)
        let high = exponent < 64 ? product.high >> UInt64(exponent) : 0
        return high == 0 ? low : UInt64.max
      }
      for _ in 9..<max(exponent, 9) { product.low /= 10 }
      for _ in min(exponent, 9)..<9 {
        product = product.low.multipliedFullWidth(by: 10)
        if product.high != 0 { return UInt64.max }
      }
      return product.low
    }
  }
}
