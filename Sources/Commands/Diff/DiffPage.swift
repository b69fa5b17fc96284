import Campaigns
import Conformance
import RunReports
import SimKernel

/// Two runs, one below the other, with the places where they part.
struct DiffPage {
  private var timeline: RunTimeline
  private let facts: [String]

  /// A place where they part: what each has there, nil for nothing more.
  private struct Parting {
    var title: String
    /// Lanes of the timelines.
    var lanes: (first: Int, second: Int)
    var first: (instant: SimInstant, text: String)?
    var second: (instant: SimInstant, text: String)?
  }

  /// Nil: they were not drawn.
  init?(_ a: ComparedRun, _ b: ComparedRun, _ difference: RunDifference) {
    let pairs: [(title: String, pair: RunDifference.Pair?)] = [
      ("the first word that differs", difference.word),
      ("the first difference that a person would see", difference.seen),
      ("the first thing at another instant", difference.moved.map { ($0.first, $0.second) }),
    ]
    let partings = pairs.compactMap { title, pair in
      pair.map { pair in
        let name =
          pair.first.flatMap { a.log?.name(of: $0.device) } ?? pair.second.flatMap { b.log?.name(of: $0.device) }
        let lanes = [a.log, b.log].map { log in log?.devices.firstIndex { $0 == name } ?? -1 }
        return Parting(
          title: title, lanes: (lanes[0], lanes[1]), first: pair.first.map { ($0.instant, DiffPrinter.what($0)) },
          second: pair.second.map { ($0.instant, DiffPrinter.what($0)) })
      }
    }
    self.init(a, b, shift: .zero, partings)
  }

  /// Nil: they were not drawn.
  init?(_ a: ComparedRun, _ b: ComparedRun, _ difference: ConversationDifference) {
    guard let first = a.timeline, let second = b.timeline else { return nil }
    let place = difference.packet ?? difference.members.first?.place
    let partings = place.map { place in
      Parting(
        title: "the first packet that \(difference.packet == nil ? "says something else" : "differs")",
        lanes: (place.to, difference.pairs.first { $0.first == place.to }?.second ?? -1),
        first: place.first.map { (first.packets[$0].sentAt, first.packets[$0].label) },
        second: place.second.map { (second.packets[$0].sentAt, second.packets[$0].label) })
    }
    self.init(a, b, shift: difference.shift, partings.map { [$0] } ?? [])
  }

  private init?(_ a: ComparedRun, _ b: ComparedRun, shift: SimDuration, _ partings: [Parting]) {
    guard let first = a.timeline, let second = b.timeline else { return nil }
    var (mine, its) = (Self.placed(first, a.file), Self.placed(second, b.file))
    for parting in partings {
      let nothing = "nothing more"
      let (here, there) = (parting.first, parting.second)
      mine.markDifference(
        parting.title, here?.text ?? nothing, at: here?.instant ?? there.map { $0.instant + shift } ?? .zero,
        lane: parting.lanes.first)
      its.markDifference(
        parting.title, there?.text ?? nothing, at: there?.instant ?? here.map { $0.instant + (.zero - shift) } ?? .zero,
        lane: parting.lanes.second)
    }
    timeline = .beside(mine, its, shift: shift, names: ("1", "2"), device: partings.first?.lanes)
    facts = [a.line("1:"), b.line("2:")]
  }

  /// Lines of two scenarios are told apart by their files.
  private static func placed(_ timeline: RunTimeline, _ file: String) -> RunTimeline {
    var timeline = timeline
    for index in timeline.marks.indices {
      guard let line = timeline.marks[index].line else { continue }
      timeline.marks[index].place = file.isEmpty ? "line \(line) of the scenario" : "\(file):\(line)"
      timeline.marks[index].line = nil
    }
    return timeline
  }

  /// - Throws: what the template package throws.
  func octets(repeatLine: String, isSame: Bool) throws -> [UInt8] {
    try TimelinePage(
      timeline: timeline, title: isSame ? "Two runs that say the same" : "Where two runs part",
      verdict: isSame ? "same" : "differ", facts: facts, repeatLine: repeatLine, file: "", version: BenchVersion.current
    ).octets()
  }
}
