public import SimKernel

/// What ends a test in a virtual room.
public enum RoomProblem: Error, Hashable, Sendable {
  /// A wait was over before its condition held.
  case timeIsOver(waited: SimDuration, at: SimInstant)
  /// An app waits without end, never rests, spins, or is on the wrong queue; the text says which and where.
  case stopped(phone: String, at: SimInstant, String)
  /// The room's limit of events was hit: something never comes to rest.
  case neverRests(events: Int, at: SimInstant)
  /// The phone's app is not launched yet.
  case notLaunched(phone: String)
  /// An item on the phone's main queue waits, so that the queue cannot answer.
  case mainQueueWaits(phone: String, at: SimInstant)
  /// A name, a word or a step that is not for this room; the text says what there is instead, and begins with
  /// `file:line:column: ` where a scenario says it.
  case refused(String)
}

extension RoomProblem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .timeIsOver(let waited, let instant): "at \(instant) s: it did not come true within \(waited) s"
    case .stopped(let phone, let instant, let text): "at \(instant) s: \(phone): \(text)"
    case .neverRests(let events, let instant): "at \(instant) s: \(events) events and no end"
    case .mainQueueWaits(let phone, let instant): "at \(instant) s: \(phone): an item on its main queue waits"
    case .refused(let text): text
    case .notLaunched(let phone): "\(phone): its app is not launched yet; begin with run(for:)"
    }
  }
}

/// Something that a phone of a room remarked.
public struct RoomRemark: Hashable, Sendable {
  /// `misuse`, `exception`, `limit`, `note`, or `notVirtual`.
  public var kind: String
  /// Stable, for example `central.not-powered-on`; empty for `notVirtual`.
  public var name: String
  /// For people.
  public var text: String
  /// When.
  public var at: SimInstant
}
