import SimKernel

/// Which connection event of a radio takes place where those of two links overlap. The other one is left out at this
/// end: its peer hears nothing in it.
///
/// The Core Specification leaves it to the controller.
public enum LinkScheduling: String, CaseIterable, Hashable, Sendable {
  /// That of the link that had the radio longer ago: links whose anchors coincide take turns.
  case turns
  /// The one that begins first, always: the other link is silent for as long as their anchors are that close.
  case first
  /// That of the link that was made first, always.
  case oldest
}

extension RadioWorld {
  /// Connection events in a row that may be left out for streams. Decision.
  private static let eventsForStreams: Int64 = 4

  /// Takes a radio for a connection event of a link unless it is busy, or an event that comes before its first exchange
  /// is over goes before it.
  func claim(_ end: LinkEnd, _ c: Connection, from now: SimInstant, for span: SimDuration) -> Bool {
    let radio = end.radio
    // What a stream does not send in its time is flushed; a link repeats it.
    if radio.streams.contains(where: { $0.nextStart >= now && $0.nextStart < now + span }),
      now - end.lastServed < c.step * Self.eventsForStreams
    {
      return false
    }
    if radio.links.count > 1 {
      let scheduling = radio.configuration.linkScheduling
      let mine = end.lastServed
      let isBeforeMine = radio.links.contains { other in
        if other === c { return false }
        if other.isParked { wake(other, from: now, to: now + span) }
        guard !other.isParked && other.anchor >= now && other.anchor < now + span && other.handle != nil else {
          return false
        }
        return switch scheduling {
        case .turns: other.lastServed(at: radio) < mine
        case .first: false
        case .oldest: other.index < c.index
        }
      }
      if isBeforeMine { return false }
    }
    guard radio.busyUntil <= now else { return false }
    end.lastServed = now
    return true
  }
}
