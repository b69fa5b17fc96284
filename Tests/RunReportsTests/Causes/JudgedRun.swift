import AppSeam
import BabSuite
import Bench
import Conformance
import Expectations
import Foundation
import Judging
import SimKernel
import Testing

@testable import RunReports

/// A shipped scenario that was played, judged and kept.
struct JudgedRun {
  let app: AppProtocol
  let scenario: Scenario
  let run: KeptRun
  let judgement: Judgement
  let log: RunLog
  let octets: [UInt8]

  /// - Parameter engine: for all devices of a role.
  init(
    _ path: String, seed: UInt64 = 1, _ overrides: [String] = [], engine: String? = nil, of role: AppRole? = nil,
    app: AppProtocol = .bab
  ) throws {
    self.app = app
    var scenario = try DrawnRun.scenario(path, overrides, of: app)
    if let engine {
      for index in scenario.devices.indices where scenario.devices[index].role == role {
        scenario.devices[index].engine = engine
      }
    }
    self.scenario = scenario
    let judge = [app].judge(of: scenario)
    let (sink, keeper) = (OctetCollector(), RunKeeper())
    _ = try World.run(
      scenario, options: RunOptions(seed: seed), readers: [judge, keeper, TraceLinesReader(sink: sink)],
      engines: [app].engines)
    run = keeper.run
    judgement = try required(judge.judgement)
    octets = sink.octets
    log = try RunLog(octets, file: "trace.jsonl")
  }

  var troubles: [Trouble] { Trouble.all(in: judgement) }

  func story(of trouble: Trouble) -> [StoryEvent] {
    StoryTeller(run, of: app, scenario: scenario).story(of: trouble)
  }
}
