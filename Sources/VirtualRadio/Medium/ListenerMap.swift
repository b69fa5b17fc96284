import SimKernel

/// When and where a receiver is tuned to the advertising channels: one channel for each scan interval, at its start.
struct Tuning: Equatable {
  /// When the first scan interval began.
  var origin: SimInstant
  /// Units of 0.625 ms.
  var interval: UInt32
  var window: UInt16
  /// The channel of the first scan interval, 0 … 2.
  var firstChannel: UInt8

  /// Whether the receiver is on this advertising channel (37 … 39) during all of `start ..< end`.
  func listens(channelIndex: UInt8, from start: SimInstant, to end: SimInstant) -> Bool {
    let elapsed = (start - origin).nanoseconds
    guard elapsed >= 0 else { return false }
    let round = elapsed / (Int64(interval) * 625_000)
    let offset = elapsed - round * (Int64(interval) * 625_000)
    guard offset + (end - start).nanoseconds <= Int64(window) * 625_000 else { return false }
    return UInt8((Int64(firstChannel) + round) % 3) + 37 == channelIndex
  }
}

/// Which radios are tuned to advertising, by square cells of the floor as wide as the farthest receiver can hear.
///
/// An advertising PDU asks only those that are on its channel, within reach, in its own cell and the eight around it.
/// Cells share as many lists as there are radios, so memory is linear.
final class ListenerMap {
  private struct Listener {
    var x: Int
    var y: Int
    var radio: Int32
    var tuning: Tuning
  }

  private var reach: Int
  private var positions: [Position]
  private var tunings: [Tuning?]
  private var lists: [[Listener]]

  /// - Parameter reach: centimetres beyond which nobody hears anybody.
  init(positions: [Position], reach: Int) {
    self.reach = max(reach, 100)
    self.positions = positions
    var count = 1
    while count < positions.count { count *= 2 }
    lists = Array(repeating: [], count: count)
    tunings = Array(repeating: nil, count: positions.count)
  }

  /// - Parameter tuning: nil when the receiver is off.
  func set(_ radio: Int, _ tuning: Tuning?) {
    guard tunings[radio] != tuning else { return }
    let position = positions[radio]
    let place = list(column(position.x), column(position.y))
    if tunings[radio] != nil { lists[place].removeAll { $0.radio == radio } }
    tunings[radio] = tuning
    guard let tuning else { return }
    lists[place].append(Listener(x: position.x, y: position.y, radio: Int32(radio), tuning: tuning))
  }

  func move(_ radio: Int, to position: Position) {
    let tuning = tunings[radio]
    set(radio, nil)
    positions[radio] = position
    set(radio, tuning)
  }

  /// From now on somebody may hear from farther away.
  func widen(to reach: Int) {
    guard reach > self.reach else { return }
    let kept = tunings
    for radio in kept.indices { set(radio, nil) }
    self.reach = reach
    for radio in kept.indices { set(radio, kept[radio]) }
  }

  /// Adds the radios that may hear a PDU of `radio`, in order and without itself, to an empty array.
  func collect(
    near radio: Int, channelIndex: UInt8, from start: SimInstant, to end: SimInstant, into found: inout [Int]
  ) {
    let position = positions[radio]
    let (middleX, middleY) = (column(position.x), column(position.y))
    var seen = (0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &seen) {
      let seen = $0.bindMemory(to: Int.self)
      for index in 0..<9 {
        let place = list(middleX + index % 3 - 1, middleY + index / 3 - 1)
        seen[index] = place
        // Two cells may share a list.
        if seen[..<index].contains(place) { continue }
        for other in lists[place] {
          let (dx, dy) = (other.x - position.x, other.y - position.y)
          guard dx * dx + dy * dy <= reach * reach, Int(other.radio) != radio,
            other.tuning.listens(channelIndex: channelIndex, from: start, to: end)
          else { continue }
          found.append(Int(other.radio))
        }
      }
    }
    if found.count > 1 { found.sort() }
  }

  /// The radios that are tuned to a PDU of `radio` and too far away to hear anybody there, in order.
  func collectFar(from radio: Int, channelIndex: UInt8, from start: SimInstant, to end: SimInstant) -> [Int] {
    let position = positions[radio]
    return tunings.indices.filter { other in
      let (dx, dy) = (positions[other].x - position.x, positions[other].y - position.y)
      return dx * dx + dy * dy > reach * reach
        && tunings[other]?.listens(channelIndex: channelIndex, from: start, to: end) == true
    }
  }

  private func column(_ value: Int) -> Int { value >= 0 ? value / reach : (value + 1) / reach - 1 }

  private func list(_ x: Int, _ y: Int) -> Int { (x &* 0x9E37_79B1 &+ y &* 0x85EB_CA77) >> 7 & (lists.count - 1) }
}
