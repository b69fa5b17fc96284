import AppSeam
import BabSim
import Foundation
import SimKernel

@testable import BabSuite
@testable import Conformance
@testable import Judging

/// Real runs of the suite for tests of its reports.
enum SuitePlay {
  /// Runs what is selected on engines of one role, as `babbench conform` does: what does not pass is run again and
  /// watched.
  static func run(
    _ engines: [String], role: AppRole, selection: CaseSelection, dialects: [DialectName] = [.sdk],
    waivers: [Waiver] = [], watchesAll: Bool = false
  ) throws -> SuiteRun {
    let implementations = try engines.map { name in
      var implementation = try ImplementationUnderTest.builtIn(name, of: .bab, role: role, dialects: dialects)
      implementation.waivers = waivers
      return implementation
    }
    let suite = Suite(implementations, selection: selection)
    let cases = suite.items.map { item in
      let name = suite.implementations[item.implementation].name
      var result = suite.run(item)
      var repetition: Repetition?
      var chart: Chart?
      if result.verdict > .pass || watchesAll {
        let reader = ChartReader(of: .bab)
        (result, repetition) = suite.repeated(item, result, readers: [reader])
        chart = reader.chart(result.finding)
      }
      return CaseReport(
        implementation: item.implementation, purpose: item.purpose, result: result, waivers: waivers,
        repetition: repetition, chart: chart,
        repeatLine: Shell.line([
          "babbench", "conform", "--iut", name, "--role", role.rawValue, "--select", item.purpose.id, "--dialect",
          item.id.dialect.rawValue,
        ]))
    }
    return SuiteRun(
      [.bab], version: "1.0", selection: selection,
      repeatLine: Shell.line(
        ["babbench", "conform"] + engines.flatMap { ["--iut", $0] } + ["--role", role.rawValue]),
      implementations: implementations.map { SuiteRun.Implementation($0) }, cases: cases)
  }
}
