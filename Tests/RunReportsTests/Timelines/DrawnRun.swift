import AppSeam
import BabSuite
import Bench
import Conformance
import Expectations
import Foundation
import Judging
import SimKernel
import Testing
import VirtualNetwork
import VirtualRadio

@testable import RunReports

/// A shipped scenario that was played and drawn.
struct DrawnRun {
  let scenario: Scenario
  let timeline: RunTimeline
  let outcome: RunOutcome
  let judgement: Judgement
  let counter = ArrivalCounter()

  static func scenario(_ path: String, _ overrides: [String] = [], of app: AppProtocol = .bab) throws -> Scenario {
    try ScenarioFile.load(
      Repository.path("Scenarios/\(path).yaml"), language: ScenarioLanguage([app]),
      overrides: overrides.compactMap { ScenarioOverride($0) }
    ).get()
  }

  /// Writes the trace of a run as `babbench run --out` does.
  static func trace(_ path: String, seed: UInt64 = 1, of app: AppProtocol = .bab, to sink: OctetCollector) throws {
    _ = try World.run(
      try scenario(path, of: app), options: RunOptions(seed: seed), readers: [TraceLinesReader(sink: sink)],
      engines: [app].engines)
  }

  init(
    _ path: String, seed: UInt64 = 1, _ overrides: [String] = [],
    limits: RunMemory.Limits = RunMemory.Limits(), of app: AppProtocol = .bab
  ) throws {
    scenario = try Self.scenario(path, overrides, of: app)
    let reader = TimelineReader(of: app, limits: limits)
    let judge = [app].judge(of: scenario)
    outcome = try World.run(
      scenario, options: RunOptions(seed: seed), readers: [reader, judge, counter], engines: [app].engines)
    judgement = try required(judge.judgement)
    timeline = reader.timeline(judgement.findings, scenario: scenario, troubles: Trouble.all(in: judgement))
  }
}

/// What engines themselves say of packets that came whole: the other account of a run.
final class ArrivalCounter: TraceReader {
  private(set) var packets: [Int: Int] = [:]
  private(set) var pdus = 0
  /// When each packet of the network passed its interface.
  private(set) var networkPackets: [SimInstant] = []

  var wantsAir: Bool { true }
  var wantsNetwork: Bool { true }

  func read(_ record: TraceRecord) {
    switch record.event {
    case .report(let report):
      if report.statement.shape.name == "packetReceived" { packets[record.device, default: 0] += 1 }
    case .radio(.air(_)): pdus += 1
    case .network(.packet): networkPackets.append(record.instant)
    default: break
    }
  }
}
