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
    text.key("findings")
    text.beginArray()
    for finding in findings { text.finding(finding) }
    text.endArray()
    text.key("parts")
    text.beginArray()
    for part in parts { text.part(part, curve.names) }
    text.endArray()
    text.curve(curve)
    text.end(wallMilliseconds: wallMilliseconds)
    return text.octets
  }

  /// `junit.xml`: a test case that failed for each cause, or one that passed.
  package func junit() -> [UInt8] {
    var cases = findings.map { finding in
      var row = JUnitDocument.Case(name: finding.cause, classname: "\(command).\(subject)")
      let lines = [finding.text] + finding.input + ["repeat \(finding.repeatLine)"]
      row.set(.fail, message: finding.text, lines: lines)
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
    member("text", finding.text)
    key("times")
    if let times = finding.times { value(times) } else { null() }
    key("first")
    if let first = finding.first { value(first) } else { null() }
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
    endObject()
  }

  fileprivate mutating func curve(_ curve: CampaignCurve) {
    key("curve")
    beginObject()
    member("names", curve.names)
    key("points")
    beginArray()
    for point in curve.points {
      beginArray()
      value(point.at)
      for number in point.values { value(number) }
      endArray()
    }
    endArray()
    endObject()
  }
}
