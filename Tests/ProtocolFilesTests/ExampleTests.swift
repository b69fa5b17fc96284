import AppSeam
import Bench
import Conformance
import Expectations
import Foundation
import Judging
import SimKernel
import Testing

@testable import ProtocolFiles

/// The protocols of Examples/protocols, which nobody here designed, played by the reference that follows from each
/// file.
@Suite("Example protocols")
struct ExampleTests {
  static let names = ["heart-rate", "nordic-uart", "glucose", "bitchat", "jbd-bms"]
  private static let folder = "Examples/protocols"

  private func app(_ name: String) throws -> AppProtocol {
    try ProtocolFile(Repository.path(Self.folder + "/\(name).yaml"), spellings: ["./\(name).yaml"]).app
  }

  private func judge(_ name: String, _ app: AppProtocol, role: AppRole? = nil, engine: String = "reference") throws
    -> Judgement
  {
    let path = Repository.path(Self.folder + "/\(name)-room.yaml")
    var scenario = try ScenarioFile.load(path, language: ScenarioLanguage([app])).get()
    for place in scenario.devices.indices where scenario.devices[place].role == role {
      scenario.devices[place].engine = engine
    }
    let oracles = app.makeOracleReader()
    _ = try World.run(scenario, options: RunOptions(seed: 1), readers: [oracles], engines: [app].engines)
    return try required(oracles.judgement)
  }

  @Test("A file has at most 250 lines", arguments: names)
  func length(name: String) throws {
    let text = try Repository.text(Self.folder + "/\(name).yaml")
    expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 250)
  }

  @Test("Its scenario passes", arguments: names)
  func scenario(name: String) throws {
    let judgement = try judge(name, try app(name))
    equal(judgement.verdict, .pass, "\(judgement.findings) \(judgement.expectations)")
  }

  @Test("Every claim of its scenario fails the engines that break it", arguments: names)
  func mutants(name: String) throws {
    let app = try app(name)
    let judged = try judge(name, app).oracles.filter { $0.judged > 0 }.map(\.id)
    for mutant in app.mutants where judged.contains(mutant.oracle ?? "") {
      let judgement = try judge(name, app, role: mutant.role, engine: mutant.name)
      equal(judgement.oracles.first { $0.id == mutant.oracle }?.verdict, .fail, "\(mutant.name)")
    }
  }

  @Test("The reference passes every purpose, and the silent mutants of its role fail one", arguments: names)
  func purposes(name: String) throws {
    let app = try app(name)
    for purpose in app.purposes {
      let id = CaseID(purpose: purpose.id, dialect: app.dialect(for: purpose), seed: 1)
      let sound = ImplementationUnderTest(of: app, name: "reference", role: purpose.role, makeEngine: app.makeReference)
      let result = CaseRunner.run(purpose, id, on: sound)
      equal(result.verdict, .pass, "\(purpose.id): \(String(describing: result.finding))")
    }
    let roles = Set(app.purposes.map(\.role))
    for role in roles {
      let failed = app.mutants.filter { $0.role == role && $0.name.hasPrefix("silent-") }.filter { mutant in
        app.purposes(role: role).contains { purpose in
          let id = CaseID(purpose: purpose.id, dialect: app.dialect(for: purpose), seed: 1)
          let broken = ImplementationUnderTest(of: app, name: mutant.name, role: role, makeEngine: mutant.makeEngine)
          return CaseRunner.run(purpose, id, on: broken).verdict == .fail
        }
      }
      expect(!failed.isEmpty, "\(name), \(role.rawValue)")
    }
  }
}
