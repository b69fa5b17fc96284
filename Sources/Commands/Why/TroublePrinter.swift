import Bench
import Campaigns
import Conformance
import Judging
import RunReports

/// Lays out for a person what is wrong with a run and what led to it.
struct TroublePrinter {
  let app: AppProtocol
  let header: TraceHeader
  /// The scenario's file as messages call it.
  let file: String
  let paint: Paint
  /// The app that broke down, and ended the run.
  var breakdown: AppBreakdown?

  /// Everything that is wrong, without what led to it; empty when nothing is.
  func text(_ troubles: [Trouble]) -> String {
    troubles.enumerated().map { text($1, number: $0 + 1, story: nil, told: troubles.prefix($0)) }.joined()
  }

  /// - Parameters:
  ///   - number: from 1.
  ///   - also: what else is known of those whom it is about, and how the room is set.
  ///   - story: what led to it; nil: it is not told.
  ///   - earlier: what was told before it: a reason is told once.
  func text(
    _ trouble: Trouble, number: Int, also: [String] = [], story: [StoryEvent]?, told earlier: ArraySlice<Trouble>
  ) -> String {
    var text = "\(number). "
    if let reason = trouble.reason {
      let place = earlier.firstIndex { $0.reason == reason }
      text += paint(place.map { "as \($0 + 1)" } ?? Self.reason(reason, in: app), .bold) + "\n   \(title(trouble))\n"
    } else if let words = lastWords(trouble) {
      text += paint(words, .bold) + "\n   \(title(trouble))\n"
    } else {
      text += paint(title(trouble), .bold) + "\n"
    }
    for line in also { text += row("also", line) }
    if let clause = app.clause(trouble.clause) { text += row("requires", clause.plainText) }
    text += row(trouble.isStep ? "not done" : "expected", trouble.expected) + row("saw", trouble.actual)
    if let story {
      text += "   led to it\n"
      for event in story { text += line(event) }
    }
    for consequence in trouble.consequences {
      text += row("then", "not met: \(consequence.text)\(place(consequence.line))")
    }
    return text
  }

  /// What happened to a device of a room, the newest last; empty where nothing did.
  func story(_ events: [StoryEvent], device: Int) -> String {
    guard !events.isEmpty else { return "" }
    let shown = events.suffix(Self.eventLimit)
    let before = events.count - shown.count
    return paint(header.name(of: device), .bold) + "\n" + (before > 0 ? "     \(before) lines before\n" : "")
      + shown.map(line).joined()
  }

  /// Lines about one device; more is read by nobody.
  private static let eventLimit = 20

  /// Something that is known and that nothing of what is wrong was put down to.
  func noticed(_ circumstance: Circumstance) -> String {
    "noticed \(ConsoleTable.oneLine(Self.reason(circumstance, in: app)))\n"
  }

  /// A circumstance in a line, with its clause, its time and its record.
  static func reason(_ circumstance: Circumstance, in app: AppProtocol) -> String {
    let clause = app.chart.clauses[circumstance.kind].map { " (\($0))" } ?? ""
    let begin = circumstance.begin.microseconds
    let when = circumstance.kind.isMistake ? ", at \(begin) s" : ", from \(begin) s on"
    let place = circumstance.record < 0 ? "" : " [record \(circumstance.record)]"
    return "\(circumstance.text)\(clause)\(when)\(place)"
  }

  private func title(_ trouble: Trouble) -> String {
    let kind = trouble.isInconclusive ? "inconclusive" : trouble.isError ? "error" : "fail"
    let name =
      trouble.isOfMeasures
      ? "claim"
      : trouble.isStep ? "step" : trouble.isExpectation ? "expectation" : "\(trouble.claim) (\(trouble.clause))"
    var title = "\(kind) \(name)"
    if let first = trouble.devices.first {
      title += ", \(header.name(of: first))"
      if trouble.devices.count > 1 { title += " and \(trouble.devices.count - 1) more" }
    }
    if trouble.count > max(1, trouble.devices.count) { title += ", \(trouble.count) times" }
    return title + ", at \(trouble.instant.microseconds) s\(place(trouble.line))"
  }

  /// What the program that broke down wrote last, where this is about that; nil: it is not, or it wrote nothing.
  private func lastWords(_ trouble: Trouble) -> String? {
    guard let breakdown, trouble.devices == [breakdown.device], trouble.record == breakdown.record else { return nil }
    guard let line = breakdown.lines.last(where: Self.isError) ?? breakdown.lines.last else { return nil }
    return "the program of \(header.name(of: breakdown.device)) broke down: \(ConsoleTable.oneLine(line))"
  }

  /// Whether a line of a log names an error, as most languages write it.
  private static func isError(_ line: String) -> Bool {
    ["error", "exception", "panic", "assert"].contains(where: line.lowercased().contains)
  }

  private func row(_ name: String, _ text: String) -> String {
    let padding = String(repeating: " ", count: 10 - name.count)
    return "   \(name)\(padding) \(ConsoleTable.oneLine(text))\n"
  }

  private func line(_ event: StoryEvent) -> String {
    let parts = event.text.split(separator: "\n", maxSplits: 1).map { ConsoleTable.oneLine(String($0)) }
    var places = event.line.map { ["\(file):\($0)"] } ?? []
    if let record = event.record { places.append("record \(record)") }
    if let pdus = event.pdus {
      places.append(pdus.count == 1 ? "PDU \(pdus.lowerBound)" : "PDUs \(pdus.lowerBound)–\(pdus.upperBound)")
    }
    if let packets = event.packets {
      let isOne = packets.count == 1
      places.append(isOne ? "packet \(packets.lowerBound)" : "packets \(packets.lowerBound)–\(packets.upperBound)")
    }
    let place = places.isEmpty ? "" : paint(" [\(places.joined(separator: ", "))]", .dim)
    var text = "     \(event.instant.microseconds) s  \(parts[0])\(place)\n"
    if parts.count > 1 { text += "       \(parts[1])\n" }
    return text
  }

  private func place(_ line: Int?) -> String { line.map { " (\(file):\($0))" } ?? "" }
}
