import SimKernel

/// Values that one of two captures of a connection must have and has not.
///
/// A link hands values on in order and loses none while it is up (Core v5.4, Vol 6, Part B, 4.5.9). Where both ends
/// were captured, a value that one capture never shows, before others that both show, is missing from that capture: no
/// app did that, and what depends on it is not judged. A value that comes twice, or after a later one, is there, and
/// counts.
struct EndLosses {
  /// By link and direction, the server's first: the places of values that the other end's capture lacks.
  private var places: [[Set<Int>]]
  private static let none: Set<Int> = []

  /// - Parameter pairs: links of both ends of one connection of which nothing else is missing.
  init(_ recorder: EndRecorder, pairs: [(LinkTrack, LinkTrack)]) {
    places = Array(repeating: [Self.none, Self.none], count: recorder.tracks.count)
    if pairs.isEmpty { return }
    var values: [[[UInt64]]] = Array(repeating: [[], []], count: recorder.tracks.count)
    for entry in recorder.entries {
      guard case .value(let value, _) = entry.kind else { continue }
      values[entry.link][value.isFromServer ? 0 : 1].append(FNV1a.hash(value.octets))
    }
    for (one, other) in pairs {
      for direction in 0..<2 {
        let (a, b) = (values[one.link.index][direction], values[other.link.index][direction])
        places[one.link.index][direction] = Self.lacking(a, in: b)
        places[other.link.index][direction] = Self.lacking(b, in: a)
      }
    }
  }

  /// The places of values that another sequence does not have, before the last one that it has.
  private static func lacking(_ values: [UInt64], in others: [UInt64]) -> Set<Int> {
    let known = Set(others)
    guard let last = values.lastIndex(where: known.contains) else { return none }
    return Set(values[..<last].indices.filter { !known.contains(values[$0]) })
  }

  /// - Parameter place: counts the values of that direction on that link, from 0.
  func isMissingElsewhere(_ track: LinkTrack, fromServer: Bool, place: Int) -> Bool {
    places[track.link.index][fromServer ? 0 : 1].contains(place)
  }
}
