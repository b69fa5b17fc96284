import AppSeam
import BabSuite
import Bench
import Conformance
import Foundation
import Judging
import SimKernel
import Testing
import VirtualRadio

import RunCauses
@testable import RunTimelines

/// A shipped scenario that was played and drawn.
struct DrawnRun {
  let scenario: Scenario
  let timeline: RunTimeline
  let outcome: RunOutcome
  let judgement: Judgement
  let counter = ArrivalCounter()

  static func scenario(_ path: String, _ overrides: [String] = []) throws -> Scenario {
    var folder = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { folder.deleteLastPathComponent() }
    return try ScenarioFile.load(
      folder.appendingPathComponent("Scenarios/\(path).yaml").path, language: ScenarioLanguage([AppProtocol.bab]),
      overrides: overrides.compactMap { ScenarioOverride($0) }
    ).get()
  }

  /// Writes the trace of a run as `babbench run --out` does.
  static func trace(_ path: String, seed: UInt64 = 1, to sink: OctetCollector) throws {
    _ = try World.run(
      try scenario(path), options: RunOptions(seed: seed), readers: [TraceLinesReader(sink: sink)],
      engines: [AppProtocol.bab].engines)
  }

  init(
    _ path: String, seed: UInt64 = 1, _ overrides: [String] = [],
    limits: RunMemory.Limits = RunMemory.Limits()
  ) throws {
    scenario = try Self.scenario(path, overrides)
    let reader = TimelineReader(of: .bab, limits: limits)
    let judge = [AppProtocol.bab].judge(of: scenario)
    outcome = try World.run(
      scenario, options: RunOptions(seed: seed), readers: [reader, judge, counter], engines: [AppProtocol.bab].engines)
    judgement = try #require(judge.judgement)
    timeline = reader.timeline(judgement.findings, scenario: scenario, troubles: Trouble.all(in: judgement))
  }
}

/// What engines themselves say of packets that came whole: the other account of a run.
final class ArrivalCounter: TraceReader {
  private(set) var packets: [Int: Int] = [:]
  private(set) var pdus = 0

  var wantsAir: Bool { true }

  func read(_ record: TraceRecord) {
    switch record.event {
    case .report(let report):
      if report.statement.shape.name == "packetReceived" { packets[record.device, default: 0] += 1 }
    case .radio(.air(_)): pdus += 1
    default: break
    }
  }
}
