import AppSeam
import BabSim
import Bench
import Expectations
import Judging
import Testing

@testable import BabSuite
@testable import Conformance

/// Engines that are less than whole. What they leave out is all that they can be accused of, and what they never did is
/// no ground to praise them; `babbench selftest` plays all of them through all purposes.
@Suite("Engines that leave something out")
struct PartialEngineTests {
  static let purposes = [
    "BAB/HOST/LOBBY/BV-01-C", "BAB/HOST/FRAG/BI-16-C", "BAB/HOST/TURN/BV-06-C", "BAB/HOST/ROLE/BI-10-C",
    "BAB/CLIENT/WIRE/BV-07-C", "BAB/CLIENT/LOBBY/BV-02-C", "BAB/CLIENT/SYNC/BI-05-C", "BAB/CLIENT/ROLE/BV-01-C",
  ]

  @Test("They are accused of what they leave out only, and passed for what they did only", arguments: purposes)
  func founded(_ id: String) throws {
    let purpose = try required(Catalog.named(id))
    let outcome = Selftest.run(purpose, AppProtocol.bab.partials, of: .bab)
    expect(outcome.cases > 20)
    expect(!outcome.failed.isEmpty || outcome.inconclusive > 0)
    let told = outcome.unfounded.map { "\($0.engine): \($0.result.cause?.text ?? "")" }
    expect(told.isEmpty)
  }

  @Test("An accusation by something else is found, and so is a praise for nothing")
  func unfounded() throws {
    let purpose = try required(Catalog.named("BAB/HOST/LOBBY/BV-16-C"))
    let mute = Mutant.withholding(PacketType.allCases, .host).makeEngine
    let innocent = PartialEngine("innocent", .host, own: ["VOTE_CAST"], makeEngine: mute)
    equal(Selftest.run(purpose, [innocent], of: .bab).unfounded.map(\.engine), ["innocent"])
    let whole = PartialEngine(
      "idle", .host, own: [], mayPass: ["BAB/HOST/SOLO/**"], makeEngine: { BabEngines.reference($0) })
    let praised = Selftest.run(purpose, [whole], of: .bab)
    expect(praised.passed == ["idle"] && praised.unfounded.map(\.engine) == ["idle"])
  }

  @Test("A report that an engine never says is the cause where it is missed, and no ground to pass")
  func unsaid() throws {
    func run(_ id: String, without word: String, _ role: AppRole) throws -> CaseResult {
      let purpose = try required(Catalog.named(id))
      let engine = PartialEngine.unsaid(word, role) { BabEngines.reference($0) }
      let dialect = AppProtocol.bab.dialect(for: purpose)
      return CaseRunner.run(
        purpose, CaseID(purpose: id, dialect: dialect, seed: purpose.seeds[0]), on: engine.implementation(of: .bab))
    }
    let missed = try run("BAB/HOST/FRAG/BI-16-C", without: "refused", .host)
    expect(missed.verdict == .fail && missed.cause == Cause("never reports refused", clause: ""))
    let silent = try run("BAB/HOST/TURN/BV-06-C", without: "screen", .host)
    expect(silent.verdict == .inconclusive && silent.cause == Cause("never reports screen", clause: ""))
  }

  @Test("The first step that an app never takes is the cause of what comes after it")
  func steps() throws {
    let purpose = try required(Catalog.named("BAB/HOST/LOBBY/BV-16-C"))
    let id = CaseID(purpose: purpose.id, dialect: AppProtocol.bab.dialect(for: purpose), seed: purpose.seeds[0])
    func cause(before step: SeamStep) -> Cause? {
      let engine = PartialEngine.stops(before: step, .host, own: [], mayPass: []) { BabEngines.reference($0) }
      return CaseRunner.run(purpose, id, on: engine.implementation(of: .bab)).cause
    }
    equal(cause(before: .publish), Cause("never publishes its service", clause: "BAB 2.1"))
    equal(cause(before: .advertise), Cause("never advertises", clause: "BAB 5.1.2"))
  }
}
