import SimKernel
import VirtualNetwork

/// What passed between the networks of two devices for some time, as both saw it.
struct NetworkTraffic {
  /// Those that were sent.
  private(set) var count = 0
  /// Those that the sender knows to be lost, and those that came: what an access point loses no sender knows.
  private var known = 0
  private var came = 0
  /// Numbers from the first to the last of them.
  private(set) var numbers: ClosedRange<Int>?

  /// - Parameter packets: in the order of their instants.
  init(
    _ packets: [SeenPacket], _ flows: StreamFlows, between a: Int, and b: Int, from start: SimInstant,
    to end: SimInstant
  ) {
    var (low, high) = (0, packets.count)
    while low < high {
      let middle = (low + high) / 2
      if packets[middle].instant < start { low = middle + 1 } else { high = middle }
    }
    for index in low..<packets.count {
      let seen = packets[index]
      if seen.instant > end { break }
      let ends = flows.ends(of: index)
      guard ends == (a, b) || ends == (b, a) else { continue }
      if seen.packet.isOutgoing { count += 1 } else { came += 1 }
      if seen.packet.isLost { known += 1 }
      numbers = (numbers?.lowerBound ?? seen.number)...seen.number
    }
  }

  private var lostCount: Int { min(count, max(known, count - came)) }

  /// `4 of 31 packets between them did not arrive`.
  var words: String {
    if count == 0 { return "no packet between them" }
    if lostCount == 0 { return "\(CountedNoun.text(count, "packet")) between them, none lost" }
    return "\(lostCount) of \(CountedNoun.text(count, "packet")) between them did not arrive"
  }
}
