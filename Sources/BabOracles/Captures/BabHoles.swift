import CaptureCheck

/// Where something of a connection may be missing from all captures: a hole shows when the connection goes on, and it
/// began right after what was seen of it last. What is missing is told there, and once more where it shows.
struct BabHoles {
  /// By the place of the event after which a hole begins.
  private var holes: [Int: [EndEvent]] = [:]

  init(_ events: [EndEvent], connections: Int) {
    var newest: [Int?] = Array(repeating: nil, count: connections)
    for (place, event) in events.enumerated() where event.connection >= 0 {
      if case .gap = event.kind, let last = newest[event.connection] {
        var hole = event
        (hole.instant, hole.place) = (events[last].instant, events[last].place)
        holes[last, default: []].append(hole)
      }
      newest[event.connection] = place
    }
  }

  /// Those that begin after an event.
  func begin(after place: Int) -> [EndEvent] { holes[place] ?? [] }
}
