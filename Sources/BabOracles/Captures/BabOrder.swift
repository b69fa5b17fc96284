import BabSim

/// Packets of one run of a host's app that have not been told yet, in the order in which it made them.
///
/// A packet waits in the queue of its link, and may leave long after a later one that went to another link. The count
/// of its sender says which was made first (BAB 5.6.1): when a packet has left, everything with a smaller count was
/// made before, whenever it leaves.
struct BabOrder {
  /// The last one first.
  private var waiting: [BabSpeech.Utterance] = []

  /// A link has come up: what will leave on it.
  mutating func add(_ utterances: [BabSpeech.Utterance]) {
    if utterances.isEmpty { return }
    waiting += utterances
    waiting.sort { ($0.count, $0.instant, $0.connection) > ($1.count, $1.instant, $1.connection) }
  }

  /// What was made before a packet, in order.
  mutating func take(before utterance: BabSpeech.Utterance) -> [BabSpeech.Utterance] {
    var taken: [BabSpeech.Utterance] = []
    while let next = waiting.last, next.count < utterance.count { taken.append(waiting.removeLast()) }
    return taken
  }

  /// A new run of the app.
  mutating func clear() { waiting = [] }
}
