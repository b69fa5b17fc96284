/// Octets of a stream in the pieces in which they came, from a number on.
///
/// A piece that is asked for as it is comes without a copy.
struct OctetQueue {
  private var pieces: [[UInt8]] = []
  /// Where the first piece that is left is in `pieces`.
  private var head = 0
  /// Octets of the first piece that are gone.
  private var consumed = 0
  /// The number of the first octet.
  private(set) var start: Int
  /// The number after the last one.
  private(set) var end: Int
  /// A piece and the number of its first octet: where the last look ended. Looks go forward.
  private var glance = (piece: 0, number: 0)

  init(from start: Int) {
    self.start = start
    end = start
    glance = (0, start)
  }

  var count: Int { end - start }
  var isEmpty: Bool { end == start }

  mutating func append(_ octets: [UInt8]) {
    if octets.isEmpty { return }
    pieces.append(octets)
    end += octets.count
  }

  /// Up to `count` octets from a number on.
  mutating func octets(from number: Int, count: Int) -> [UInt8] {
    let count = min(count, end - number)
    if count <= 0 { return [] }
    assert(number >= start, "octets that are gone are asked for no more")
    if glance.number > number || glance.piece < head { glance = (head, start - consumed) }
    while glance.number + pieces[glance.piece].count <= number {
      glance.number += pieces[glance.piece].count
      glance.piece += 1
    }
    var offset = number - glance.number
    if offset == 0, pieces[glance.piece].count == count { return pieces[glance.piece] }
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var piece = glance.piece
    while result.count < count {
      let part = pieces[piece]
      let taken = min(part.count - offset, count - result.count)
      result += part[offset..<offset + taken]
      offset = 0
      piece += 1
    }
    return result
  }

  /// Forgets all octets before a number.
  mutating func drop(to number: Int) {
    guard number > start else { return }
    consumed += min(number, end) - start
    start = min(number, end)
    while head < pieces.count, consumed >= pieces[head].count {
      consumed -= pieces[head].count
      pieces[head] = []
      head += 1
    }
    // The list is moved up when most of it is gone.
    if head > 32, head * 2 > pieces.count {
      pieces.removeFirst(head)
      glance.piece -= head
      head = 0
      if glance.piece < 0 { glance = (0, start - consumed) }
    }
    assert(head < pieces.count || consumed == 0 && isEmpty, "the first octet is in the first piece")
  }

  /// Takes up to `count` octets from the front; as they came when the first piece fits.
  mutating func take(_ count: Int) -> [UInt8] {
    let octets = octets(from: start, count: count)
    drop(to: start + octets.count)
    return octets
  }
}
