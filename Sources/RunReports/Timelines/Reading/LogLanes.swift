import Bench
import Judging
import SimKernel

/// What programs wrote to standard error, as far as a page has it: the newest lines of each, as `DEVICE.log` has them.
struct LogLanes: Sendable {
  /// Lines of one device.
  static let limit = 2_000
  /// Characters of a line.
  static let width = 400

  private(set) var lines: [RunTimeline.LogLine] = []
  /// Devices with more lines than are kept, and the instant of the first that is.
  private var cut: [(device: Int, count: Int, instant: SimInstant)] = []

  init() {}

  init(_ logs: [AppLog]) {
    for log in logs {
      let kept = log.lines.suffix(Self.limit)
      if let first = kept.first, kept.count < log.lines.count {
        cut.append((log.device, log.lines.count - kept.count, first.instant))
      }
      lines += kept.map { line in
        let head = line.text.prefix(Self.width)
        return RunTimeline.LogLine(
          lane: log.device, at: line.instant, text: head.count < line.text.count ? head + "…" : line.text,
          isAfterAnswers: line.isAfterAnswers)
      }
    }
  }

  /// For people.
  /// - Parameter names: of devices.
  func omissions(names: [String]) -> [String] {
    cut.map { device, count, instant in
      let name = names.indices.contains(device) ? names[device] : "device \(device)"
      return "\(CountedNoun.text(count, "line")) of \(name)'s standard error up to \(instant) s are not shown: a page"
        + " keeps the newest \(Self.limit)"
    }
  }
}
