package import Conformance
import SimKernel

/// The first difference between two runs that matters.
///
/// What each device was told, asked for and showed is compared with what the device of the same name did in the other
/// run. Every word counts in runs of one seed; in others only what a person would see: states, links that come and go
/// and why, faults, refusals, steps and expectations. Where an expectation holds in one run only, the devices that it
/// is about come first. When each happened counts only where nothing else differs.
package struct RunDifference: Sendable {
  /// One side; nil: that run has nothing more of this device.
  package typealias Pair = (first: RunLog.Line?, second: RunLog.Line?)

  /// What was drawn or chosen otherwise.
  package private(set) var drawn: [(name: String, first: String, second: String)] = []
  /// The first difference in what a person would see.
  package private(set) var seen: Pair?
  /// The first difference in any word; nil for runs of two seeds, where much differs from the start.
  package private(set) var word: Pair?
  /// The fields of `word` that differ.
  package private(set) var fields: [(name: String, first: String, second: String)] = []
  /// The first thing that is the same and happened at another instant; nil: nothing is, or more than instants differ.
  package private(set) var moved: (first: RunLog.Line, second: RunLog.Line)?
  /// Expectations and steps with another outcome, by their texts; `true`, `false`, `none` where nobody could be asked,
  /// and nil where it was not checked.
  package private(set) var expectations: [(text: String, first: String?, second: String?)] = []

  package var isEmpty: Bool { seen == nil && word == nil && moved == nil && expectations.isEmpty }

  package init(_ a: RunLog, _ b: RunLog) {
    drawn = Self.drawn(a, b)
    expectations = Self.expectations(a, b)
    let devices = (a.devices + b.devices.filter { !a.devices.contains($0) })
    let concerned = Self.concerned(a, b) ?? Self.concerned(b, a) ?? []
    seen = Self.first(a, b, concerned) { Self.sight($0) } ?? Self.first(a, b, devices + [""]) { Self.sight($0) }
    guard !drawn.contains(where: { $0.name == "seed" }) else { return }
    word = Self.first(a, b, devices + [""]) { line in
      "\(line.kind) \(line.name) " + line.fields.map { "\($0.name)=\($0.text)" }.joined(separator: " ")
    }
    if let first = word?.first, let second = word?.second, first.kind == second.kind, first.name == second.name {
      fields = Self.fields(first, second)
    }
    if word == nil, drawn.isEmpty {
      moved = zip(a.lines, b.lines).first { $0.instant != $1.instant }
    }
  }

  private static func drawn(_ a: RunLog, _ b: RunLog) -> [(name: String, first: String, second: String)] {
    let names = a.options.map(\.name) + b.options.map(\.name).filter { name in !a.options.contains { $0.name == name } }
    return names.compactMap { name in
      let (first, second) = (
        a.options.first { $0.name == name }?.text ?? "none", b.options.first { $0.name == name }?.text ?? "none"
      )
      return first == second ? nil : (name, first, second)
    }
  }

  /// The difference of all devices that comes first, in whichever run it does.
  private static func first(_ a: RunLog, _ b: RunLog, _ devices: [String], _ token: (RunLog.Line) -> String?) -> Pair? {
    var earliest: (instant: SimInstant, pair: Pair)?
    for name in devices {
      let ((first, ends), (second, otherEnds)) = (side(a, name, token), side(b, name, token))
      var place = 0
      while place < first.count, place < second.count, first[place] == second[place] { place += 1 }
      if place == first.count, place == second.count { continue }
      let pair = (place < ends.count ? ends[place] : nil, place < otherEnds.count ? otherEnds[place] : nil)
      let instant = [pair.0, pair.1].compactMap { $0?.instant }.min() ?? .distantFuture
      if instant < earliest?.instant ?? .distantFuture { earliest = (instant, pair) }
    }
    return earliest?.pair
  }

  /// The devices of the first expectation that does not hold and holds in the other run; nil: there is none.
  private static func concerned(_ bad: RunLog, _ good: RunLog) -> [String]? {
    let lines = bad.lines.filter { $0.kind == "expectation" && $0.value("holds") == "false" && !$0.devices.isEmpty }
    let line = lines.first { line in
      !good.lines.contains {
        $0.kind == line.kind && $0.value("text") == line.value("text") && $0.value("holds") == "false"
      }
    }
    return line?.devices.map(bad.name)
  }

  /// What a device shows, as tokens and lines; the empty name is the world's.
  private static func side(
    _ log: RunLog, _ name: String, _ token: (RunLog.Line) -> String?
  ) -> (tokens: [String], lines: [RunLog.Line]) {
    let device = name.isEmpty ? -1 : log.devices.firstIndex(of: name)
    var (tokens, lines): ([String], [RunLog.Line]) = ([], [])
    for line in log.lines where line.device == device {
      guard let token = token(line) else { continue }
      tokens.append(token)
      lines.append(line)
    }
    return (tokens, lines)
  }

  /// What a person would see of a record; nil: nothing.
  private static func sight(_ line: RunLog.Line) -> String? {
    switch (line.kind, line.name) {
    case ("step", _), ("expectation", _):
      "\(line.value("text")) \(line.value("holds"))"
    case ("fault", _), ("platform", _): "\(line.kind) \(line.name)"
    case ("input", "connected"): "connected"
    case ("input", "disconnected"), ("input", "connectFailed"):
      line.name + " " + line.fields.filter { $0.name == "reason" }.map(\.text).joined()
    case ("input", let name) where name.hasPrefix("net."): networkSight(line)
    case ("report", _):
      isSight(line.fields) ? "\(line.name) " + line.fields.filter(\.isState).map(\.text).joined() : nil
    default: nil
    }
  }

  /// What a person would see of a network: streams, paths, and services that are there or not.
  private static func networkSight(_ line: RunLog.Line) -> String? {
    let words = ["interface", "peer", "reason", "viable", "interfaces", "instance"].map(line.value)
    switch line.name {
    case "net.ready", "net.incoming", "net.waiting", "net.failed", "net.ended", "net.viable", "net.pathChanged",
      "net.found", "net.lost":
      return ([line.name] + words.filter { !$0.isEmpty }).joined(separator: " ")
    default: return nil
    }
  }

  /// Whether a report is a state, a mere event, or says why something went wrong.
  private static func isSight(_ fields: [RunLog.Field]) -> Bool {
    fields.isEmpty || fields.count == 1 && fields[0].isState
      || fields.contains { ["reason", "rule"].contains($0.name) }
  }

  private static func fields(
    _ a: RunLog.Line, _ b: RunLog.Line
  ) -> [(name: String, first: String, second: String)] {
    a.fields.compactMap { field in
      let other = b.fields.first { $0.name == field.name }?.text ?? "none"
      return other == field.text ? nil : (field.name, field.text, other)
    }
  }

  private static func expectations(
    _ a: RunLog, _ b: RunLog
  ) -> [(text: String, first: String?, second: String?)] {
    func outcomes(_ log: RunLog) -> [(text: String, holds: String)] {
      log.lines.filter { $0.kind == "expectation" }.map { ($0.value("text"), $0.value("holds")) }
    }
    let (first, second) = (outcomes(a), outcomes(b))
    let texts = first.map(\.text) + second.map(\.text).filter { text in !first.contains { $0.text == text } }
    return texts.compactMap { text in
      let pair = (first.first { $0.text == text }?.holds, second.first { $0.text == text }?.holds)
      return pair.0 == pair.1 ? nil : (text, pair.0, pair.1)
    }
  }
}
