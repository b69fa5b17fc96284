import Judging
import SimKernel

/// Calls of a page's devices in order, as lists for those who read and for those without scripts.
enum CallList {
  /// Calls of one device that a list has; the picture has all.
  private static let limit = 1_000

  static func lists(_ timeline: RunTimeline) -> [[String: Any]] {
    timeline.lanes.indices.compactMap { lane in
      let own = timeline.calls.indices.filter { timeline.calls[$0].lane == lane }
      guard !own.isEmpty else { return nil }
      let shown = own.prefix(limit)
      let rest = own.count - shown.count
      return [
        "name": timeline.lanes[lane].name, "count": words(own.map { timeline.calls[$0] }),
        "omission": rest > 0 ? ["The first \(limit); \(rest) more are in the picture."] : [],
        "calls": shown.map { index in
          let call = timeline.calls[index]
          return [
            "index": "\(index)", "at": "\(call.at)", "text": call.text, "sign": ["→", "←", "!"][call.kind.rawValue],
            "class": call.isBad ? "bad" : "",
          ]
        },
      ]
    }
  }

  /// `214 calls, 80 callbacks, 1 remark`.
  private static func words(_ calls: [RunTimeline.Call]) -> String {
    let kinds: [(RunTimeline.Call.Kind, String)] = [(.call, "call"), (.callback, "callback"), (.remark, "remark")]
    return kinds.compactMap { kind, noun in
      let count = calls.count { $0.kind == kind }
      return count == 0 ? nil : CountedNoun.text(count, noun)
    }.joined(separator: ", ")
  }
}
