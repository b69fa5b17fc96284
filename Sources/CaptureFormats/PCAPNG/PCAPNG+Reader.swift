extension PCAPNG {
  /// Reads a file in pieces: hand octets in with `append`, take packets out with `next` until it gives nil, and ask
  /// `ending` behind the last piece.
  ///
  /// Refuses: a file without a section header in front; a block that is shorter than its fields, longer than
  /// `maximumBlockLength` or whose two lengths differ; a packet of an interface that was not described, and more than
  /// `maximumInterfaces` interfaces. Behind a refusal
  /// the reader stays where it is. Not modelled: packets outside enhanced packet blocks are skipped.
  public struct Reader: Sendable {
    private var window = OctetWindow()
    private var hasSection = false
    private var isBigEndian = false
    private var interfaces: [Interface] = []
    /// Comments of the section header, in their order.
    public private(set) var sectionComments: [String] = []
    /// Comments of interface statistics blocks so far, in their order.
    public private(set) var remarks: [String] = []

    struct Interface: Sendable {
      var linkType: UInt16
      /// Units in a second: 10 or 2 to a power.
      var resolution: UInt8
    }

    public init() {}

    public mutating func append(_ octets: [UInt8]) { window.append(octets) }

    /// How the file ends if nothing more is handed in; asked for when `next` has given nil.
    public var ending: CaptureEnding { hasSection && window.count == 0 ? .whole : .truncated(recordAt: window.offset) }

    /// The next packet, nil when it has not been handed in whole.
    public mutating func next() throws(CaptureError) -> Packet? {
      while let length = try blockLength() {
        let packet = try readBlock(length)
        window.skip(length)
        if let packet { return packet }
      }
      return nil
    }

    /// The length of the block in front, nil when it is not there whole.
    private mutating func blockLength() throws(CaptureError) -> Int? {
      guard window.count >= 12 else { return try refuseForeignStart() }
      if window.number(0, 4, bigEndian: false) == UInt64(BlockType.sectionHeader) {
        switch window.number(8, 4, bigEndian: false) {
        case UInt64(byteOrderMagic): isBigEndian = false
        case UInt64(byteOrderMagic.byteSwapped): isBigEndian = true
        default: throw CaptureError(.notThisFormat, at: window.offset + 8)
        }
      } else if !hasSection {
        throw CaptureError(.missingSectionHeader, at: window.offset)
      }
      let length = Int(window.number(4, 4, bigEndian: isBigEndian))
      if length < 12 || length > maximumBlockLength || length & 3 != 0 {
        throw CaptureError(.lengthOutOfRange, at: window.offset + 4)
      }
      guard window.count >= length else { return nil }
      if Int(window.number(length - 4, 4, bigEndian: isBigEndian)) != length {
        throw CaptureError(.lengthMismatch, at: window.offset + length - 4)
      }
      return length
    }

    private func refuseForeignStart() throws(CaptureError) -> Int? {
      let known = min(window.count, 4)
      if !hasSection, window.slice(0, known) != Array([0x0A, 0x0D, 0x0D, 0x0A].prefix(known)) {
        throw CaptureError(.missingSectionHeader, at: window.offset)
      }
      return nil
    }

    private mutating func readBlock(_ length: Int) throws(CaptureError) -> Packet? {
      switch UInt32(window.number(0, 4, bigEndian: isBigEndian)) {
      case BlockType.sectionHeader:
        try require(28, of: length)
        if number(12, 2) != 1 { throw CaptureError(.unsupportedVersion, at: window.offset + 12) }
        hasSection = true
        interfaces = []
        sectionComments = comments(options(from: 24, to: length - 4))
      case BlockType.interfaceDescription:
        try require(20, of: length)
        if interfaces.count == maximumInterfaces { throw CaptureError(.unknownInterface, at: window.offset) }
        let resolution = options(from: 16, to: length - 4).first { $0.code == Option.timestampResolution }
        interfaces.append(
          Interface(linkType: UInt16(number(8, 2)), resolution: resolution?.value.first ?? 6))
      case BlockType.interfaceStatistics:
        try require(24, of: length)
        if remarks.count < maximumInterfaces { remarks += comments(options(from: 20, to: length - 4)) }
      case BlockType.enhancedPacket: return try readPacket(length)
      default: break
      }
      return nil
    }

    private func readPacket(_ length: Int) throws(CaptureError) -> Packet {
      try require(32, of: length)
      let interface = Int(number(8, 4))
      guard interface < interfaces.count else { throw CaptureError(.unknownInterface, at: window.offset + 8) }
      let captured = Int(number(20, 4))
      let padded = (captured + 3) & ~3
      if padded > length - 32 { throw CaptureError(.lengthMismatch, at: window.offset + 20) }
      return Packet(
        linkType: interfaces[interface].linkType,
        nanoseconds: Self.nanoseconds(number(12, 4) << 32 | number(16, 4), interfaces[interface].resolution),
        originalLength: Int(number(24, 4)), octets: window.slice(28, captured),
        comments: comments(options(from: 28 + padded, to: length - 4)))
    }

    private func require(_ count: Int, of length: Int) throws(CaptureError) {
      if length < count { throw CaptureError(.lengthOutOfRange, at: window.offset + 4) }
    }

    private func number(_ from: Int, _ count: Int) -> UInt64 { window.number(from, count, bigEndian: isBigEndian) }

    /// Options in front of the end mark, or of the first one that reaches past the block.
    private func options(from start: Int, to end: Int) -> [(code: UInt16, value: [UInt8])] {
      var list: [(code: UInt16, value: [UInt8])] = []
      var position = start
      while position + 4 <= end {
        let code = UInt16(number(position, 2))
        let count = Int(number(position + 2, 2))
        if code == Option.end || position + 4 + count > end { break }
        list.append((code, window.slice(position + 4, count)))
        position += 4 + (count + 3) & ~3
      }
      return list
    }

    private func comments(_ options: [(code: UInt16, value: [UInt8])]) -> [String] {
      options.filter { $0.code == Option.comment }.map { String(decoding: $0.value, as: UTF8.self) }
    }

    /// `resolution`: the units are 10 to the minus it, or, with the top bit set, 2 to the minus the rest.
    private static func nanoseconds(_ time: UInt64, _ resolution: UInt8) -> Int64 {
      let exponent = Int(resolution & 0x7F)
      var product: (high: UInt64, low: UInt64) = (0, time)
      if resolution & 0x80 != 0 {
        product = time.multipliedFullWidth(by: 1_000_000_000)
        let low =
          exponent < 64
          ? product.low >> UInt64(exponent) | product.high << UInt64(64 - exponent)
          : product.high >> UInt64(exponent - 64)
        let high = exponent < 64 ? product.high >> UInt64(exponent) : 0
        return high == 0 ? Int64(clamping: low) : Int64.max
      }
      for _ in 9..<max(exponent, 9) { product.low /= 10 }
      for _ in min(exponent, 9)..<9 {
        product = product.low.multipliedFullWidth(by: 10)
        if product.high != 0 { return Int64.max }
      }
      return Int64(clamping: product.low)
    }
  }
}
