import Bench
import Campaigns
import Conformance
import Foundation
import Judging
import RunReports
import SimKernel

/// Draws a live session while it goes on: `timeline.html` is there from its first second, and grows.
///
/// The session's thread hands over a value and goes on; a thread of this object makes the page of it and replaces the
/// file as a whole. What it costs is at most a fifth of a core: after each page it rests four times as long as the page
/// took.
final class LivePage: @unchecked Sendable {
  private let path: String
  private let scenario: Scenario
  /// The scenario's file, for people.
  private let file: String
  private let repeatLine: String
  private let condition = NSCondition()
  // Guarded by `condition`.
  private var isBusy = false
  private var drawn = -1
  private var restsUntil = Date.distantPast

  init(path: String, scenario: Scenario, file: String, repeatLine: String) {
    self.path = path
    self.scenario = scenario
    self.file = file
    self.repeatLine = repeatLine
  }

  /// Draws what was seen so far, unless nothing is new or the page before is not yet done. Returns at once.
  func offer(_ memory: @autoclosure () -> TimelineMemory) {
    condition.lock()
    defer { condition.unlock() }
    guard !isBusy, Date() >= restsUntil else { return }
    let memory = memory()
    guard memory.count != drawn else { return }
    isBusy = true
    drawn = memory.count
    Thread.detachNewThread { [self] in
      let begin = Date()
      // Whatever keeps the page from being written keeps the last one from it too, and is said there.
      try? draw(memory)
      condition.lock()
      isBusy = false
      restsUntil = Date() + 4 * Date().timeIntervalSince(begin)
      condition.broadcast()
      condition.unlock()
    }
  }

  /// Waits until nothing is being drawn any more: what is written after that stays.
  func finish() {
    condition.lock()
    while isBusy { condition.wait() }
    isBusy = true
    condition.unlock()
  }

  private func draw(_ memory: TimelineMemory) throws {
    let page = TimelinePage(
      timeline: memory.timeline([], scenario: scenario), title: scenario.name, verdict: "running",
      facts: ["so far \(memory.end) s", "verdicts come at the end"], repeatLine: repeatLine, file: file,
      version: BenchVersion.current)
    try FileSink.write(try page.octets(), to: path)
  }
}
