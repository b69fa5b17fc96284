/// The octets of a file that have been handed in and not yet been used, with their place in the file.
///
/// What lies whole in one piece is never copied; of what lies across a border, one record at most is.
struct OctetWindow: Sendable {
  private(set) var piece: [UInt8] = []
  /// The index of the next octet in `piece`.
  private(set) var position = 0
  /// Place in the file of the next octet.
  private(set) var offset = 0
  /// Pieces after `piece`, each with the place of its first octet that was not taken.
  private var queue: [(octets: [UInt8], start: Int)] = []
  /// The longest piece that is no longer read.
  private var spare: [UInt8] = []

  mutating func append(_ octets: [UInt8]) {
    if octets.isEmpty { return }
    if queue.isEmpty, position == piece.count {
      retire(piece)
      piece = octets
      position = 0
    } else {
      queue.append((octets, 0))
    }
  }

  private mutating func retire(_ piece: [UInt8]) { if piece.count > spare.count { spare = piece } }

  /// A piece that is no longer read, for the reader of the file to fill again; empty when there is none.
  mutating func takeSpare() -> [UInt8] {
    defer { spare = [] }
    return spare
  }

  /// Whether so many octets are there; afterwards they lie in one piece.
  @inline(__always)
  mutating func has(_ count: Int) -> Bool { piece.count - position >= count || join(count) }

  /// Whether nothing is left.
  var isEmpty: Bool { position == piece.count && queue.isEmpty }

  /// What is available without joining pieces, to guess from.
  var front: ArraySlice<UInt8> { piece[position...] }

  @inline(never)
  private mutating func join(_ count: Int) -> Bool {
    while piece.count - position < count {
      guard let next = queue.first else { return false }
      if position == piece.count {
        retire(piece)
        piece = next.octets
        position = next.start
        queue.removeFirst()
        continue
      }
      if position > 0 {
        retire(piece)
        piece = Array(piece[position...])
        position = 0
      }
      let taken = min(count - piece.count, next.octets.count - next.start)
      piece += next.octets[next.start..<next.start + taken]
      if next.start + taken == next.octets.count {
        queue.removeFirst()
      } else {
        queue[0].start += taken
      }
    }
    return true
  }

  @inline(__always)
  mutating func skip(_ count: Int) {
    position += count
    offset += count
  }

  /// `has` must have said yes.
  @inline(__always)
  func slice(_ from: Int, _ count: Int) -> ArraySlice<UInt8> { piece[position + from..<position + from + count] }

  /// A number as it lies in memory; `has` must have said yes.
  @inline(__always)
  private func load<Number: FixedWidthInteger>(_ from: Int) -> Number {
    piece.withUnsafeBytes { octets in
      precondition(position + from + MemoryLayout<Number>.size <= octets.count)
      return octets.loadUnaligned(fromByteOffset: position + from, as: Number.self)
    }
  }

  @inline(__always)
  func big<Number: FixedWidthInteger>(_ from: Int) -> Number { Number(bigEndian: load(from)) }

  @inline(__always)
  func number<Number: FixedWidthInteger>(_ from: Int, bigEndian: Bool) -> Number {
    bigEndian ? Number(bigEndian: load(from)) : Number(littleEndian: load(from))
  }
}

extension ArraySlice<UInt8> {
  /// A number that starts this many octets after the slice's start, which must be there.
  @inline(__always)
  func little<Number: FixedWidthInteger>(_ from: Int) -> Number { Number(littleEndian: load(from)) }

  @inline(__always)
  func big<Number: FixedWidthInteger>(_ from: Int) -> Number { Number(bigEndian: load(from)) }

  @inline(__always)
  private func load<Number: FixedWidthInteger>(_ from: Int) -> Number {
    withUnsafeBytes { octets in
      precondition(from + MemoryLayout<Number>.size <= octets.count)
      return octets.loadUnaligned(fromByteOffset: from, as: Number.self)
    }
  }
}

extension [UInt8] {
  mutating func append(little value: UInt64, _ count: Int) {
    for index in 0..<count { append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))) }
  }

  mutating func append(big value: UInt64, _ count: Int) {
    for index in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))) }
  }
}
