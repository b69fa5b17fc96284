import Judging

extension CampaignReport {
  /// The version of `result.json`, which increases when a member changes its meaning or is removed.
  package static let version = 1

  /// `result.json`; its last member is the only one that depends on a clock.
  package func json(version: String) -> [UInt8] {
    var text = JSONText(isIndented: true)
    text.beginObject()
    text.member("version", Self.version)
    text.member("babbench", version)
    text.member("command", command)
    text.member("subject", subject)
    text.member("verdict", verdict.name)
    text.member("exitCode", Int(ending?.exitCode(verdict) ?? ExitCode(verdict).rawValue))
    text.member("repeat", repeatLine)
    text.key("facts")
    text.beginObject()
    for fact in facts {
      text.key(named: fact.name)
      text.value(fact.value)
    }
    text.endObject()
    text.member("unit", unit)
    text.member("executions", executions)
    text.member("digest", digest)
    text.list("findings", findings) { $0.finding($1) }
    text.list("parts", parts) { $0.part($1, curve.names) }
    text.curve(curve)
    text.end(wallMilliseconds: wallMilliseconds)
    return text.octets
  }

  /// `junit.xml`: a test case for each part that was judged by itself; where none was, one that failed for each cause,
  /// or one that passed.
  package func junit() -> [UInt8] {
    let judged = parts.compactMap { part in
      part.outcome.map { outcome in
        var row = JUnitDocument.Case(name: part.name, classname: command)
        row.set(outcome.verdict, message: outcome.reasons.first ?? outcome.verdict.name, lines: outcome.reasons)
        return row
      }
    }
    var cases =
      !judged.isEmpty
      ? judged
      : findings.map { finding in
        var row = JUnitDocument.Case(name: finding.cause, classname: "\(command).\(subject)")
        let lines = [finding.text] + finding.input + ["repeat \(finding.repeatLine)"]
        row.set(finding.verdict, message: finding.text, lines: lines)
        return row
      }
    if let shortfall {
      var row = JUnitDocument.Case(name: "all \(unit)", classname: "\(command).\(subject)")
      row.set(verdict == .none ? .inconclusive : max(verdict, .inconclusive), message: shortfall, lines: [shortfall])
      cases.append(row)
    }
    if cases.isEmpty { cases = [JUnitDocument.Case(name: "no finding", classname: "\(command).\(subject)")] }
    var properties = facts + [(unit, String(executions)), ("verdict", verdict.name), ("repeat", repeatLine)]
    if let digest { properties.append(("digest", digest)) }
    let suite = JUnitDocument.Suite(
      name: "\(command) \(subject)", time: "0", properties: properties.map { (name: $0.0, value: $0.1) },
      cases: cases)
    return JUnitDocument(name: command, suites: [suite]).octets()
  }
}

extension JSONText {
  fileprivate mutating func finding(_ finding: CampaignReport.Finding) {
    beginObject()
    member("cause", finding.cause)
    member("verdict", finding.verdict.name)
    member("text", finding.text)
    member("times", finding.times)
    member("first", finding.first)
    member("input", finding.input)
    member("folder", finding.folder)
    member("files", finding.files)
    member("repeat", finding.repeatLine)
    endObject()
  }

  fileprivate mutating func part(_ part: CampaignReport.Part, _ names: [String]) {
    beginObject()
    member("name", part.name)
    member("executions", part.executions)
    for (name, number) in zip(names, part.values) {
      key(named: name)
      value(number)
    }
    if let outcome = part.outcome {
      member("verdict", outcome.verdict.name)
      member("reasons", outcome.reasons)
    }
    endObject()
  }

  fileprivate mutating func curve(_ curve: CampaignCurve) {
    key("curve")
    beginObject()
    member("names", curve.names)
    list("points", curve.points) { json, point in
      json.beginArray()
      json.value(point.at)
      for number in point.values { json.value(number) }
      json.endArray()
    }
    endObject()
  }
}
