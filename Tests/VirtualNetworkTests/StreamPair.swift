import NetworkWire
import SimKernel
@testable import VirtualNetwork

/// Two ends of a connection on a wire with a delay, a rate, and a rule of what is lost.
final class StreamPair {
  let ends: [StreamEnd]
  var now = SimInstant.zero
  /// One way.
  var delay = SimDuration.milliseconds(10)
  /// Time that an octet takes on the wire; headers of 60 octets are counted.
  var octetTime = SimDuration.zero
  /// Whether a segment from an end is lost; asked once for each, with its number.
  var isLost: (_ from: Int, _ segment: StreamSegment, _ number: Int) -> Bool = { _, _, _ in false }
  private(set) var sent = [0, 0]
  private var wireFreeAt = [SimInstant.zero, .zero]
  private var flying: [(arrival: SimInstant, order: Int, to: Int, segment: StreamSegment)] = []
  private var order = 0
  var events: [[StreamEnd.Event]] = [[], []]
  /// What was sent, from which end, and when.
  var log: [(from: Int, instant: SimInstant, segment: StreamSegment)] = []
  var keepsLog = false
  /// Reads at once what arrives at an end.
  var reads = [true, true]
  var received: [[UInt8]] = [[], []]
  var countsOnly = false
  var receivedCount = [0, 0]

  init(_ settings: StreamSettings = StreamSettings()) {
    ends = [StreamEnd(settings), StreamEnd(settings)]
  }

  func open() {
    ends[0].open(at: now)
    settle(0)
  }

  func send(_ octets: [UInt8], from end: Int) -> Int {
    let taken = ends[end].send(octets, at: now)
    settle(end)
    return taken
  }

  func finish(_ end: Int) {
    ends[end].finish(at: now)
    settle(end)
  }

  func read(_ end: Int, _ count: Int) {
    let octets = ends[end].read(count, at: now)
    receivedCount[end] += octets.count
    if !countsOnly { received[end] += octets }
  }

  /// Carries what an end has to send, and lets its app read.
  func settle(_ end: Int) {
    while let event = ends[end].happened.popFirst() {
      events[end].append(event)
      if event == .readable, reads[end] { while ends[end].readable > 0 { read(end, 65_536) } }
    }
    while let segment = ends[end].outgoing.popFirst() {
      if keepsLog { log.append((end, now, segment)) }
      sent[end] += 1
      let start = max(now, wireFreeAt[end])
      wireFreeAt[end] = start + octetTime * Int64(segment.payload.count + 60)
      if isLost(end, segment, sent[end]) { continue }
      order += 1
      let entry = (arrival: wireFreeAt[end] + delay, order: order, to: 1 - end, segment: segment)
      // Each direction keeps its order, so that few entries stand after it.
      var place = flying.count
      while place > 0, flying[place - 1].arrival > entry.arrival { place -= 1 }
      flying.insert(entry, at: place)
    }
  }

  /// Lets time pass until an instant, or a condition.
  func run(to limit: SimInstant, until condition: () -> Bool = { false }) {
    while !condition() {
      let arrival = flying.first?.arrival ?? .distantFuture
      let due = ends.compactMap(\.deadline).min() ?? .distantFuture
      let instant = min(arrival, due)
      if instant > limit || instant == .distantFuture { break }
      now = instant
      if arrival <= due {
        let entry = flying.removeFirst()
        ends[entry.to].receive(entry.segment, at: now)
        settle(entry.to)
      } else {
        for end in 0...1 {
          ends[end].advance(to: now)
          settle(end)
        }
      }
    }
    if !condition(), limit < .distantFuture { now = max(now, limit) }
  }
}

extension SimInstant {
  static func seconds(_ count: Int64) -> SimInstant { .zero + .seconds(count) }
  static func milliseconds(_ count: Int64) -> SimInstant { .zero + .milliseconds(count) }
}
