import BluetoothWire
import Campaigns
import Conformance
import Judging
import RunReports
import SimKernel

/// Lays the difference between two runs out for a person.
struct DiffPrinter {
  /// What was drawn differently is named up to here.
  private static let drawnLimit = 12
  private static let expectationLimit = 8

  let paint: Paint
  let first: (run: ComparedRun, log: RunLog)
  let second: (run: ComparedRun, log: RunLog)

  func text(_ difference: RunDifference) -> String {
    var lines = [first.run.line("first "), second.run.line("second"), ""]
    lines += drawn(difference)
    if difference.isEmpty {
      return (lines + [paint(sameness(difference), .bold)]).joined(separator: "\n")
    }
    lines += sections(difference) + known
    for (text, a, b) in difference.expectations.prefix(Self.expectationLimit) {
      lines.append("outcome: \(ConsoleTable.oneLine(text)): first \(outcome(a)), second \(outcome(b))")
    }
    let rest = difference.expectations.count - Self.expectationLimit
    if rest > 0 { lines.append("outcome: and \(rest) more") }
    return lines.joined(separator: "\n")
  }

  /// What explains one run and not the other.
  private var known: [String] {
    if first.run.reason == second.run.reason { return [] }
    return [("first", first.run.reason), ("second", second.run.reason)].compactMap { name, reason in
      reason.map { "known of the \(name): " + ConsoleTable.oneLine($0) }
    }
  }

  /// What was drawn differently, by the words that differ; addresses, which differ with every seed, are counted.
  private func drawn(_ difference: RunDifference) -> [String] {
    var lines: [String] = []
    var addresses = 0
    for (name, a, b) in difference.drawn {
      let (first, second) = (a.split(separator: " "), b.split(separator: " "))
      var pairs = [(a, b)]
      if first.count == second.count {
        let words = zip(first, second).filter { $0 != $1 }.map { (String($0), String($1)) }
        pairs = words.filter { !isAddress($0.0) || !isAddress($0.1) }
        if pairs.count < words.count { addresses += 1 }
      }
      lines += pairs.map { "drawn differently  \(name): \($0) | \($1)" }
    }
    let rest = lines.count - Self.drawnLimit
    if rest > 0 { lines = lines.prefix(Self.drawnLimit) + ["drawn differently  and \(rest) more"] }
    if addresses > 0 { lines.append("drawn differently  addresses of \(CountedNoun.text(addresses, "device"))") }
    return lines.isEmpty ? [] : lines + [""]
  }

  /// `F9:EC:52:43:F4:00`.
  private func isAddress(_ word: String) -> Bool {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 6 && parts.allSatisfy { $0.utf8.count == 2 && UInt8($0, radix: 16) != nil }
  }

  private func sameness(_ difference: RunDifference) -> String {
    if !difference.drawn.isEmpty { return "no difference that a person would see" }
    if first.log.digest == second.log.digest {
      return "the same run, \(CountedNoun.text(first.log.lines.count, "record"))"
    }
    return "no record of the apps differs; only the digests do, so what differs is on the air: compare air.pcapng"
  }

  private func sections(_ difference: RunDifference) -> [String] {
    var lines: [String] = []
    if let pair = difference.word {
      lines += section("the first word that differs", pair)
      lines += difference.fields.map { "  \($0.name): \(excerpts($0.first, $0.second))" }
    }
    if let pair = difference.seen, !isSame(difference.word, pair) {
      lines += section("the first difference that a person would see", pair)
    }
    if let moved = difference.moved {
      let span = moved.second.instant - moved.first.instant
      let words = span > .zero ? "\(span.shortSeconds) s later" : "\((.zero - span).shortSeconds) s earlier"
      lines += section("only instants differ; the first one is \(words) in the second", (moved.first, moved.second))
    }
    return lines
  }

  private func section(_ title: String, _ pair: RunDifference.Pair) -> [String] {
    let who = (pair.first.map { first.log.name(of: $0.device) }) ?? pair.second.map { second.log.name(of: $0.device) }
    return [
      paint("\(title): \(who ?? "")", .bold), "  first   \(words(pair.first))", "  second  \(words(pair.second))",
    ]
  }

  /// Two texts from a little before their first difference on.
  private func excerpts(_ a: String, _ b: String) -> String {
    let (context, limit) = (20, 80)
    let common = zip(a, b).prefix { $0 == $1 }.count
    return [a, b].map { text in
      let rest = text.dropFirst(max(0, common - context))
      let shown = rest.count > limit ? rest.prefix(limit) + "…" : rest
      return ConsoleTable.oneLine((common > context ? "…" : "") + shown)
    }.joined(separator: " | ")
  }

  private func words(_ line: RunLog.Line?) -> String {
    guard let line else { return "nothing more of it" }
    return ConsoleTable.oneLine("\(line.instant.microseconds) s  \(Self.what(line))")
      + paint(" [record \(line.record)]", .dim)
  }

  /// What a record says, cut.
  static func what(_ line: RunLog.Line) -> String {
    let limit = 200
    // A report of one thing is called like the thing.
    let fields = line.fields.filter { !$0.text.isEmpty }.map { field in
      field.name == line.name ? value(field) : "\(field.name) \(value(field))"
    }.joined(separator: ", ")
    let text = [line.kind, line.name, fields].filter { !$0.isEmpty }.joined(separator: " ")
    return text.count > limit ? text.prefix(limit) + "…" : text
  }

  private static func value(_ field: RunLog.Field) -> String {
    guard field.name == "reason", let code = UInt8(field.text) else { return field.text }
    return HCI.ErrorCode(code).reasonText
  }

  private func outcome(_ holds: String?) -> String {
    switch holds {
    case "true": "holds"
    case "false": "does not hold"
    case .some: "unknown"
    case nil: "not checked"
    }
  }

  private func isSame(_ a: RunDifference.Pair?, _ b: RunDifference.Pair) -> Bool {
    a.map { $0.first == b.first && $0.second == b.second } ?? false
  }
}
