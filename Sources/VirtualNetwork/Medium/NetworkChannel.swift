package import SimKernel

/// One channel of Wi-Fi: a queue of frames, of which one is on the air at a time.
///
/// The first frame goes whose sender and receiver are both on the channel; a frame that is not received is sent again
/// at once, up to a limit (IEEE 802.11-2020, 10.3.4.4). Without an event of its own: its owner schedules `ends`.
package final class NetworkChannel {
  /// Hops over this channel: a packet through an access point has two.
  struct Hop {
    var frame: NetworkFrame
    /// Slots in which both ends are here.
    var slots: SlotMask
    /// Whether it comes from an access point.
    var isFromAccessPoint: Bool
  }

  /// What became of a frame.
  struct Outcome {
    var hop: Hop
    /// The beginning of the first attempt.
    var begins: SimInstant
    var ends: SimInstant
    var attempts: Int
    var isReceived: Bool
  }

  private let airtime: WiFiAirtime
  private let loss: Ratio
  private let retryLimit: Int
  private var random: RandomStream
  private var waiting = Fifo<Hop>()
  private(set) var current: Outcome?
  /// Time on the air so far, with the spaces.
  package private(set) var busyTime = SimDuration.zero

  init(_ airtime: WiFiAirtime, loss: Ratio, retryLimit: Int, random: RandomStream) {
    self.airtime = airtime
    self.loss = loss
    self.retryLimit = retryLimit
    self.random = random
  }

  func append(_ hop: Hop) { waiting.append(hop) }

  /// Forgets frames that nobody sends any more.
  func removeAll(where isGone: (NetworkFrame) -> Bool) {
    let all = waiting
    waiting = Fifo()
    while let hop = all.popFirst() {
      if !isGone(hop.frame) { waiting.append(hop) }
    }
  }

  /// Begins with the next frame if the channel is free.
  /// - Returns: when the owner is to come back: at the end of a frame, or when one can begin; nil when nothing waits.
  func proceed(at now: SimInstant) -> SimInstant? {
    if let current { return current.ends }
    guard let first = waiting.first else { return nil }
    if first.slots == .always, let hop = waiting.popFirst() { return begin(hop, at: now) }
    return proceedThroughSlots(at: now)
  }

  private func proceedThroughSlots(at now: SimInstant) -> SimInstant? {
    var earliest: SimInstant?
    let all = waiting
    waiting = Fifo()
    var chosen: Hop?
    while let hop = all.popFirst() {
      let opening = chosen == nil ? hop.slots.opening(for: duration(hop.frame), from: now) : nil
      if chosen == nil, opening == now {
        chosen = hop
      } else {
        if let opening, earliest == nil || opening < earliest! { earliest = opening }
        waiting.append(hop)
      }
    }
    return chosen.map { begin($0, at: now) } ?? earliest
  }

  private func duration(_ frame: NetworkFrame) -> SimDuration {
    airtime.exchange(frame.octets, toGroup: frame.destination == nil)
  }

  private func begin(_ hop: Hop, at now: SimInstant) -> SimInstant {
    let isToGroup = hop.frame.destination == nil && (hop.isFromAccessPoint || hop.frame.source.bearer == .peerToPeer)
    let once = airtime.exchange(hop.frame.octets, toGroup: isToGroup)
    var attempts = 1
    // What everybody is to hear is sent once, and each of them hears it or does not.
    var isReceived = isToGroup || !random.happens(loss)
    while !isReceived, attempts <= retryLimit {
      attempts += 1
      isReceived = !random.happens(loss)
    }
    let duration = once * Int64(attempts)
    busyTime += duration
    current = Outcome(hop: hop, begins: now, ends: now + duration, attempts: attempts, isReceived: isReceived)
    return now + duration
  }

  /// Whether one of several receivers of a frame to a group hears it.
  func isHeard() -> Bool { !random.happens(loss) }

  /// Takes the frame that ends now.
  func take(at now: SimInstant) -> Outcome? {
    guard let outcome = current, outcome.ends <= now else { return nil }
    current = nil
    return outcome
  }
}
