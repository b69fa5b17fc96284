import Judging
import SimKernel

/// Standard error of a page's programs, as lists for those who read and for those without scripts.
enum LogList {
  /// Lines of one device that a list has: the newest; the picture has more.
  private static let limit = 200

  static func lists(_ timeline: RunTimeline) -> [[String: Any]] {
    timeline.lanes.indices.compactMap { lane in
      let own = timeline.log.indices.filter { timeline.log[$0].lane == lane }
      guard !own.isEmpty else { return nil }
      let shown = own.suffix(limit)
      let rest = own.count - shown.count
      return [
        "name": timeline.lanes[lane].name, "count": CountedNoun.text(own.count, "line"),
        "omission": rest > 0 ? ["The newest \(limit); \(rest) earlier ones are in the picture."] : [],
        "lines": shown.map { index in
          let line = timeline.log[index]
          return ["index": "\(index)", "at": "\(line.at.microseconds) s", "text": line.text]
        },
      ]
    }
  }
}
