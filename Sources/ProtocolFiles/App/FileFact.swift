import Bench

/// What a scenario can ask of an app of a protocol file.
enum FileFact: AppFactStatement {
  /// The newest report of a word is like this one, or there is one at all.
  case shows(EventForm)
  case count(FileCounted, Condition.Comparison, Int)

  enum FileCounted: Hashable, Sendable {
    case reports(String)
    case packets(String)
  }

  /// - Returns: nil for what is none of the file's words.
  /// - Throws: what cannot be said of a report.
  static func read(_ words: [String], _ form: ProtocolForm) throws(TypeReader.Refusal) -> FileFact? {
    var rest = words
    if rest.first == "shows" || rest.first == "show" { rest.removeFirst() }
    // “line two” is no “line” that says two.
    let known = form.reports.sorted { $0.words.count > $1.words.count }
    if rest != words, let report = known.first(where: { rest.starts(with: $0.words) }) {
      return .shows(try shown(report, Array(rest.dropFirst(report.words.count)), form))
    }
    if rest != words, let first = rest.first, !form.reports.isEmpty {
      throw TypeReader.Refusal(
        message: "there is no report “\(first)”; \(Suggestion.advice(for: first, in: form.reports.map(\.name)))")
    }
    guard let counted = CountedWords(words) else { return nil }
    let what = counted.what.joined(separator: " ")
    if let report = form.reports.first(where: { $0.name == what || $0.name + "s" == what }) {
      return .count(.reports(report.name), counted.comparison, counted.bound)
    }
    if let packet = form.packets.first(where: { "\($0.name) packets" == what || "\($0.name) packet" == what }) {
      return .count(.packets(packet.name), counted.comparison, counted.bound)
    }
    return nil
  }

  /// `told where yes = 2 and no = 1`, or the only value of a report as it stands: `line are you there`.
  private static func shown(
    _ report: ProtocolForm.Word, _ words: [String], _ form: ProtocolForm
  ) throws(TypeReader.Refusal) -> EventForm {
    let text = words.joined(separator: " ")
    let fields = report.fields
    var event = EventForm(verb: .shows, name: report.name, conditions: [], text: "shows \(report.name)")
    if text.isEmpty { return event }
    let isCondition = words.count > 1 && words[0] == "where" && fields.contains { words[1].isNamed(after: $0.name) }
    if fields.count == 1, !isCondition {
      let bound = try ConditionBound(.equal, fields[0]).text(text)
      event.conditions = [EventForm.Condition(field: fields[0].name, comparison: .equal, operand: .constant(bound))]
      event.text += " " + text
      return event
    }
    if words[0] == "where" {
      // What stood between quotes is one word here.
      let quoted = words.map { $0.contains(" ") ? "\"\($0)\"" : $0 }.joined(separator: " ")
      return try EventReader(form: form).event("shows \(report.name) \(quoted)", verbs: [.shows])
    }
    let names = fields.map(\.name)
    throw TypeReader.Refusal(
      message: names.isEmpty
        ? "“\(report.name)” has no values, so “\(text)” says nothing; write shows \(report.name)"
        : "“\(report.name)” has \(names.joined(separator: ", ")); write shows \(report.name) where \(names[0]) = "
          + "\(words[words.count - 1])")
  }

  func canBeAsked(of device: Int, _ cast: AppCast) -> Bool { true }
  var comparesWithLeader: Bool { false }
}

extension ProtocolForm.Word {
  fileprivate var words: [String] { name.split(separator: " ").map(String.init) }
}

extension String {
  /// Whether a condition begins with this word and means that field, or its length.
  fileprivate func isNamed(after field: String) -> Bool {
    let first = field.split(separator: " ").first.map(String.init) ?? field
    return self == first || self == field + ".length"
  }
}
