package import AppSeam
package import Bench
import Platform
package import SimKernel

/// A state that a device was in.
package struct StateSpan: Sendable {
  package var lane: Int
  /// What kind of state, for example `phase`.
  package var track: String
  package var from: SimInstant
  package var to: SimInstant
  package var text: String

  package init(lane: Int, track: String, from: SimInstant, to: SimInstant, text: String) {
    self.lane = lane
    self.track = track
    self.from = from
    self.to = to
    self.text = text
  }
}

/// What lanes were in over time: every report of one text is a state (`phase`, `linkState`, `turn`), and so is the
/// number of links.
package struct StateSpans: Sendable {
  private struct Open: Sendable {
    var lane: Int
    var track: String
    var from: SimInstant
    var text: String
  }

  package init() {}

  private var open: [Open] = []
  private var done: [StateSpan] = []
  /// By lane.
  private var links: [Int: Int] = [:]
  /// Lanes whose app the system has ended. Asked by lane only.
  private var keepsLinks: Set<Int> = []

  package mutating func read(_ report: AppReport, lane: Int, at instant: SimInstant) {
    var visitor = StateVisitor()
    var statement = report.statement
    statement.visit(&visitor)
    if visitor.isState { set(visitor.text ?? "", track: visitor.name, lane: lane, at: instant) }
  }

  package mutating func readLink(_ event: TraceEvent, lane: Int, at instant: SimInstant) {
    switch event {
    case .input(.connected): read(.opened, lane: lane, at: instant)
    case .input(.disconnected): read(.closed, lane: lane, at: instant)
    case .fault(.reclaim): read(.kept, lane: lane, at: instant)
    case .fault(.kill): read(.notKept, lane: lane, at: instant)
    case .fault: break
    default: read(.allGone, lane: lane, at: instant)
    }
  }

  /// `kept`: the next launch has the links of the one before, unless it is `notKept` after all.
  package enum LinkChange { case opened, closed, kept, notKept, allGone }

  package mutating func read(_ change: LinkChange, lane: Int, at instant: SimInstant) {
    switch change {
    case .opened: links[lane, default: 0] += 1
    case .closed: links[lane, default: 0] = max(0, links[lane, default: 0] - 1)
    case .kept: keepsLinks.insert(lane)
    case .notKept: keepsLinks.remove(lane)
    case .allGone:
      if keepsLinks.remove(lane) == nil { links[lane] = 0 }
    }
    let count = links[lane, default: 0]
    set(count == 0 ? "" : CountedNoun.text(count, "link"), track: "links", lane: lane, at: instant)
  }

  package func spans(end: SimInstant) -> [StateSpan] {
    done + open.map { StateSpan(lane: $0.lane, track: $0.track, from: $0.from, to: end, text: $0.text) }
  }

  /// Ends what was on those tracks of a lane.
  mutating func endTracks(lane: Int, at instant: SimInstant, _ isMeant: (String) -> Bool) {
    for state in open where state.lane == lane && isMeant(state.track) {
      set("", track: state.track, lane: lane, at: instant)
    }
  }

  /// An empty text ends what was and begins nothing.
  package mutating func set(_ text: String, track: String, lane: Int, at instant: SimInstant) {
    if let place = open.firstIndex(where: { $0.lane == lane && $0.track == track }) {
      if open[place].text == text { return }
      let old = open.remove(at: place)
      done.append(StateSpan(lane: lane, track: track, from: old.from, to: instant, text: old.text))
    }
    if !text.isEmpty { open.append(Open(lane: lane, track: track, from: instant, text: text)) }
  }
}

/// Whether a report is one text and nothing else.
private struct StateVisitor: WordVisitor {
  typealias Failure = Never

  private(set) var name = ""
  private(set) var text: String?
  private var texts = 0
  private var others = 0

  var isState: Bool { texts == 1 && others == 0 }

  mutating func word(_ name: StaticString) { self.name = name.description }
  mutating func field(_ name: StaticString, _ value: inout String) { take(value) }
  mutating func field(_ name: StaticString, _ value: inout String?) { take(value) }
  mutating func field(_ name: StaticString, _ value: inout Int64) { others += 1 }
  mutating func field(_ name: StaticString, _ value: inout Bool) { others += 1 }
  mutating func field(_ name: StaticString, _ value: inout [String]) { others += 1 }
  mutating func field(_ name: StaticString, _ value: inout LinkID) { others += 1 }
  mutating func records<Record: WordRecord>(_ name: StaticString, _ value: inout [Record]) { others += 1 }

  private mutating func take(_ value: String?) {
    texts += 1
    text = value
  }
}
