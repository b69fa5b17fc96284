import AppSeam
import BabSim
import Bench
import Conformance
import Expectations
import Foundation
import Judging
import SimKernel
import Testing

@testable import BabSuite

/// Engines of the bench in the place of programs, which leave some reports out.
final class PartialPrograms: WorldPrograms {
  private let engine: String
  private let leftOut: [String]
  private let promises: [String]
  private let keepsPromises: Bool

  /// - Parameters:
  ///   - promises: which reports they say in their hello that they make.
  ///   - keepsPromises: they do not promise what they leave out.
  init(
    _ engine: String = AppProtocol.reference, without leftOut: [String], promises: [String], keepsPromises: Bool = true
  ) {
    self.engine = engine
    self.leftOut = leftOut
    self.promises = promises
    self.keepsPromises = keepsPromises
  }

  func start(_ program: ScenarioProgram, _ configuration: AppConfiguration) -> any AppEngine {
    guard let made = try? [AppProtocol.bab].engines(engine, configuration) else {
      preconditionFailure("there is no engine \(engine)")
    }
    return PartialEngine(
      made, without: leftOut, promises: promises.filter { !keepsPromises || !leftOut.contains($0) })
  }

  var breakdown: AppBreakdown? { nil }
  func end(at now: SimInstant) {}
  var logs: [AppLog] { [] }
}

private final class PartialEngine: PromisingEngine {
  private let engine: any AppEngine
  private let leftOut: [String]
  let promisedReports: [String]

  init(_ engine: any AppEngine, without leftOut: [String], promises: [String]) {
    self.engine = engine
    self.leftOut = leftOut
    promisedReports = promises
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    engine.handle(input, at: now).filter { effect in
      if case .report(let report) = effect { return !leftOut.contains(report.name) }
      return true
    }
  }
}

/// A shipped scenario in which the apps of some devices are such programs.
struct LeftOutReports {
  var scenario: Scenario

  /// - Parameter isProgram: which devices have a program.
  init(_ path: String, isProgram: (Device) -> Bool) throws {
    scenario = try ScenarioFile.load(Repository.path("Scenarios/\(path).yaml"), language: .bab()).get()
    for index in scenario.devices.indices where isProgram(scenario.devices[index]) {
      let launch = ProgramLaunch(command: [], directory: "", environment: [])
      scenario.devices[index].program = ScenarioProgram(words: ["./mine"], launch: launch)
    }
  }

  func judge(
    _ engine: String = AppProtocol.reference, without leftOut: [String], promises: [String] = ["refused", "violation"],
    keepsPromises: Bool = true, seed: UInt64 = 1
  ) throws -> Judgement {
    let judge = [AppProtocol.bab].judge(of: scenario)
    _ = try World.run(
      scenario, options: RunOptions(seed: seed), readers: [judge], engines: [AppProtocol.bab].engines,
      programs: PartialPrograms(engine, without: leftOut, promises: promises, keepsPromises: keepsPromises))
    return try required(judge.judgement)
  }
}

extension Judgement {
  /// What it says of things that were not judged.
  var gaps: [String] { oracles.compactMap(\.openReason) + expectations.filter { $0.answer == nil }.map(\.detail) }
  var failedExpectations: [String] { expectations.filter { $0.answer == false }.map { "\($0.text): \($0.detail)" } }
}
