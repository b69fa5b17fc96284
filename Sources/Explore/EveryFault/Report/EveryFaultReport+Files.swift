import Bench
import Judging
import SimKernel

extension EveryFaultReport {
  /// The version of `result.json`, which increases when a member changes its meaning or is removed.
  package static let version = 1

  /// `result.json`; its last member is the only one that depends on a clock.
  package func json(version: String) -> [UInt8] {
    var text = JSONText(isIndented: true)
    text.beginObject()
    text.member("version", Self.version)
    text.member("babbench", version)
    text.member("scenario", plan.scenario.name)
    text.member("seed", plan.seed)
    text.member("verdict", verdict.name)
    text.member("exitCode", Int(ExitCode(verdict).rawValue))
    text.member("sentence", sentence)
    text.member("repeat", repeatLine)
    text.member("places", plan.places.count)
    text.member("worlds", plan.singles)
    text.member("played", singles)
    text.member("pairs", tally.pairs)
    text.member("failed", tally.failed)
    text.member("unjudged", tally.unjudged)
    text.member("placesPlayed", tally.placesPlayed)
    text.member("interrupted", isInterrupted)
    text.member("digest", tally.digest.hexadecimal)
    text.list("causes", causes) { $0.cause($1) }
    matrix(to: &text)
    text.end(wallMilliseconds: wallMilliseconds)
    return text.octets
  }

  private func matrix(to text: inout JSONText) {
    text.key("matrix")
    text.beginArray()
    for (row, place) in tally.rows.enumerated() {
      for (column, fault) in tally.columns.enumerated() {
        let cell = tally.cells[row * tally.columns.count + column]
        if cell.judged == 0 { continue }
        text.beginObject()
        text.member("place", place.kind.rawValue)
        text.member("device", plan.names[place.device])
        text.member("fault", fault.kind.rawValue)
        text.member("role", fault.role)
        text.member("judged", cell.judged)
        text.member("failed", cell.failed)
        text.endObject()
      }
    }
    text.endArray()
  }

  /// `junit.xml`: a test case that failed for each cause, and one for what was not judged.
  package func junit() -> [UInt8] {
    let name = plan.scenario.name
    var cases = causes.map { cause in
      var row = JUnitDocument.Case(name: cause.discovery.cause.text, classname: "every fault.\(name)")
      row.set(
        .fail, message: cause.discovery.text,
        lines: [cause.discovery.text] + cause.done + ["repeat \(cause.repeatLine)"])
      return row
    }
    var whole = JUnitDocument.Case(name: sentence, classname: "every fault.\(name)")
    if !isWhole { whole.set(.inconclusive, message: "not every world was judged", lines: [sentence]) }
    cases.append(whole)
    let properties = facts + [(name: "verdict", value: verdict.name), (name: "repeat", value: repeatLine)]
    let suite = JUnitDocument.Suite(name: "every fault \(name)", time: "0", properties: properties, cases: cases)
    return JUnitDocument(name: "every fault", suites: [suite]).octets()
  }
}

extension JSONText {
  fileprivate mutating func cause(_ cause: EveryFaultReport.Cause) {
    let discovery = cause.discovery
    beginObject()
    member("oracle", discovery.cause.oracle)
    member("clause", discovery.cause.clause)
    member("role", discovery.cause.role)
    member("text", discovery.text)
    member("worlds", discovery.count)
    member("world", discovery.world.map { $0 + 1 })
    member("faults", discovery.kinds.map(\.rawValue))
    member("done", cause.done)
    member("file", cause.file)
    member("repeat", cause.repeatLine)
    endObject()
  }
}
