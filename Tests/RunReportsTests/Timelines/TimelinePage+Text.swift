@testable import RunReports

extension TimelinePage {
  /// The page of a timeline that no run has.
  static func text(of timeline: RunTimeline) throws -> String {
    let page = TimelinePage(
      timeline: timeline, title: "chat", verdict: "pass", facts: [], repeatLine: "", file: "", version: "test")
    return String(decoding: try page.octets(), as: UTF8.self)
  }
}
