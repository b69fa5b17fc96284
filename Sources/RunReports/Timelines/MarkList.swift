import Judging
import SimKernel

/// Steps, expectations and findings of a page in the order of time: the list beside the picture.
enum MarkList {
  private static let kinds: [RunTimeline.Mark.Kind] = [.step, .expectation, .finding, .comment, .difference]

  /// Each has as `index` its place among all marks by time, which is how the page's script counts them.
  static func rows(_ timeline: RunTimeline, file: String) -> [[String: Any]] {
    let marks = timeline.marks
    let order = marks.indices.sorted { (marks[$0].at, $0) < (marks[$1].at, $1) }
    return order.enumerated().filter { kinds.contains(marks[$0.element].kind) }.map { place, index in
      let mark = marks[index]
      return [
        "index": "\(place)", "at": "\(mark.at.microseconds) s", "kind": word(mark), "text": mark.text,
        "class": mark.isBad ? "fail" : mark.kind == .expectation ? "pass" : "none",
        "line": mark.place ?? mark.line.map { "\(file):\($0)" } ?? "",
        "details": mark.details + mark.story.map { "\($0.at.microseconds) s  \($0.text)" },
      ]
    }
  }

  private static func word(_ mark: RunTimeline.Mark) -> String {
    switch mark.kind {
    case .finding: "finding"
    case .expectation: mark.isBad ? "not met" : "met"
    case .comment: "comment"
    case .difference: "differs"
    default: "step"
    }
  }
}
