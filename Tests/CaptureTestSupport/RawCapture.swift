import CaptureFormats

/// The octets of a capture file in pieces, one for each block or record, so that they can be lost, cut, moved and
/// written again as capturers do: what is not touched stays as it is, octet for octet.
package struct RawCapture {
  package struct Piece {
    package var octets: [UInt8]
    /// Whether it is a packet; what else pcapng has stays in its place.
    package var isPacket = true
    /// Packets lost before it, which the next written header declares.
    package var drops = 0
  }

  private let format: CaptureFormat
  /// What is in front of the first record: a file header.
  private var front: [UInt8] = []
  private var isBigEndian = false
  /// Units of a packet's time in a second; of pcapng that of the newest interface.
  private var ticks: Int64 = 1_000_000
  package var pieces: [Piece] = []

  /// - Returns: nil when the file is no capture, or ends inside a record.
  package init?(_ file: [UInt8]) {
    var reader = CaptureReader()
    reader.append(file)
    guard (try? reader.next()) != nil, let format = reader.format else { return nil }
    self.format = format
    var offset = 0
    switch format {
    case .btsnoop: offset = 16
    case .pcap:
      offset = 24
      isBigEndian = file[0] == 0xA1
      ticks = file.prefix(4).contains(0x4D) ? 1_000_000_000 : 1_000_000
    case .pcapng: isBigEndian = file[8] == 0x1A
    case .packetLogger: isBigEndian = file[0] == 0 && file[1] == 0
    // Its times are those of a device, from its start.
    case .monitor: return nil
    }
    front = Array(file[..<offset])
    while offset < file.count {
      guard let length = length(file, offset), length > 0, offset + length <= file.count else { return nil }
      var piece = Piece(octets: Array(file[offset..<offset + length]))
      if format == .pcapng { describe(&piece) }
      pieces.append(piece)
      offset += length
    }
  }

  private func length(_ file: [UInt8], _ offset: Int) -> Int? {
    func number(_ place: Int) -> Int? {
      offset + place + 4 <= file.count ? Self.number(file, offset + place, isBigEndian || format == .btsnoop) : nil
    }
    switch format {
    case .btsnoop: return number(4).map { 24 + $0 }
    case .pcap: return number(8).map { 16 + $0 }
    case .pcapng: return number(4)
    case .packetLogger, .monitor: return number(0).map { 4 + $0 }
    }
  }

  private mutating func describe(_ piece: inout Piece) {
    let kind = Self.number(piece.octets, 0, isBigEndian)
    piece.isPacket = kind == 6
    if kind != 1 { return }
    var place = 16
    while place + 4 < piece.octets.count - 4 {
      let word = Self.number(piece.octets, place, isBigEndian)
      let (code, count) = isBigEndian ? (word >> 16, word & 0xFFFF) : (word & 0xFFFF, word >> 16)
      if code == 0 { break }
      if code == 9 { ticks = (0..<piece.octets[place + 4]).reduce(1) { ticks, _ in ticks * 10 } }
      place += 4 + (count + 3) & ~3
    }
  }

  // MARK: Damage

  package var packets: [Int] { pieces.indices.filter { pieces[$0].isPacket } }

  /// Whether the format has a place for octets that a packet had and the file has not.
  package var canCut: Bool { format != .packetLogger }
  /// Whether the format has a place for the number of packets that were lost.
  package var canDeclareDrops: Bool { format == .btsnoop || format == .pcapng }
  /// Whether the format has a place for statistics at its end.
  package var hasStatistics: Bool { format == .pcapng }

  package func time(_ index: Int) -> Int64 {
    let octets = pieces[index].octets
    switch format {
    case .btsnoop: return Int64(Self.number(octets, 16, true)) << 32 | Int64(Self.number(octets, 20, true))
    case .pcapng:
      return Int64(Self.number(octets, 12, isBigEndian)) << 32 | Int64(Self.number(octets, 16, isBigEndian))
    case .pcap: return Int64(Self.number(octets, 0, isBigEndian)) * ticks + Int64(Self.number(octets, 4, isBigEndian))
    case .packetLogger, .monitor:
      return Int64(Self.number(octets, 4, isBigEndian)) * ticks + Int64(Self.number(octets, 8, isBigEndian))
    }
  }

  package mutating func set(time: Int64, of index: Int) {
    let (high, low) =
      switch format {
      case .btsnoop, .pcapng: (time >> 32, time & 0xFFFF_FFFF)
      case .pcap, .packetLogger, .monitor: (time / ticks, time % ticks)
      }
    let place =
      switch format {
      case .btsnoop: 16
      case .pcapng: 12
      case .pcap: 0
      case .packetLogger, .monitor: 4
      }
    put(Int(high), at: place, &pieces[index].octets)
    put(Int(low), at: place + 4, &pieces[index].octets)
  }

  /// Moves a packet in time; one that would be before the epoch stays.
  package mutating func shift(_ index: Int, seconds: Double) {
    let time = time(index) + Int64(seconds * Double(ticks))
    if time > 0 { set(time: time, of: index) }
  }

  /// Keeps the first octets of a packet, as `editcap -s` does. In measures of the file: pseudo-headers count.
  package mutating func cut(_ index: Int, to count: Int) {
    let octets = pieces[index].octets
    switch format {
    case .btsnoop where octets.count > 24 + count:
      pieces[index].octets = Array(octets[..<(24 + count)])
      put(count, at: 4, &pieces[index].octets)
    case .pcap where octets.count > 16 + count:
      pieces[index].octets = Array(octets[..<(16 + count)])
      put(count, at: 8, &pieces[index].octets)
    case .pcapng where Self.number(octets, 20, isBigEndian) > count:
      let kept = (Self.number(octets, 20, isBigEndian) + 3) & ~3
      let padding = [UInt8](repeating: 0, count: (count + 3) & ~3 - count)
      pieces[index].octets = Array(octets[..<(28 + count)]) + padding + Array(octets[(28 + kept)...])
      put(count, at: 20, &pieces[index].octets)
      measure(index)
    default: break
    }
  }

  /// What a file says of packets that are not in it.
  package enum Declaration {
    case none, inPlace
    /// In the statistics of an interface at its end, which say how many, and not where; pcapng only.
    case atEnd
  }

  /// Takes packets out.
  package mutating func lose(_ declaration: Declaration, _ isLost: (Int) -> Bool) {
    var kept: [Piece] = []
    var lost = 0
    for (index, piece) in pieces.enumerated() {
      if piece.isPacket, isLost(index) {
        lost += 1
        continue
      }
      kept.append(piece)
      if piece.isPacket, lost > 0 {
        kept[kept.count - 1].drops += lost
        lost = 0
      }
    }
    pieces = kept
    switch declaration {
    case .none: break
    case .inPlace: declare()
    case .atEnd: if format == .pcapng { appendStatistics(drops: pieces.reduce(lost) { $0 + $1.drops }) }
    }
  }

  /// An interface statistics block with the number of packets that the interface dropped.
  private mutating func appendStatistics(drops: Int) {
    var block = [UInt8](repeating: 0, count: 40)
    put(5, at: 0, &block)
    let option: [UInt8] = isBigEndian ? [0, 5, 0, 8] : [5, 0, 8, 0]
    block.replaceSubrange(20..<24, with: option)
    put(drops, at: isBigEndian ? 28 : 24, &block)
    pieces.append(Piece(octets: block, isPacket: false))
    measure(pieces.count - 1)
  }

  private mutating func declare() {
    var total = 0
    for index in pieces.indices {
      total += pieces[index].drops
      switch format {
      case .btsnoop: put(Self.number(pieces[index].octets, 12, true) + total, at: 12, &pieces[index].octets)
      case .pcapng where pieces[index].drops > 0:
        var count: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
        put(pieces[index].drops, at: isBigEndian ? 4 : 0, &count)
        let option: [UInt8] = isBigEndian ? [0, 4, 0, 8] : [4, 0, 8, 0]
        let end = 28 + (Self.number(pieces[index].octets, 20, isBigEndian) + 3) & ~3
        pieces[index].octets.insert(contentsOf: option + count, at: end)
        if pieces[index].octets.count == end + 16 {
          pieces[index].octets.insert(contentsOf: [0, 0, 0, 0], at: end + 12)
        }
        measure(index)
      default: break
      }
    }
  }

  /// The file as it is now.
  package var octets: [UInt8] { pieces.reduce(into: front) { $0 += $1.octets } }

  // MARK: Numbers

  /// Writes the length of a block of pcapng at both its ends.
  private mutating func measure(_ index: Int) {
    let count = pieces[index].octets.count
    put(count, at: 4, &pieces[index].octets)
    put(count, at: count - 4, &pieces[index].octets)
  }

  private static func number(_ octets: [UInt8], _ place: Int, _ isBigEndian: Bool) -> Int {
    (0..<4).reduce(0) { $0 << 8 | Int(octets[place + (isBigEndian ? $1 : 3 - $1)]) }
  }

  private func put(_ number: Int, at place: Int, _ octets: inout [UInt8]) {
    let isBig = isBigEndian || format == .btsnoop
    for index in 0..<4 {
      octets[place + (isBig ? 3 - index : index)] = UInt8(truncatingIfNeeded: number >> (8 * index))
    }
  }
}
