import AppSeam
import BabSuite
import Bench
import Conformance
import Expectations
import Judging
import SimKernel
import Testing

@testable import Shrink

@Suite("Shrinking a failing case of the suite")
struct CaseShrinkerTests {
  private static let app = AppProtocol.bab

  private static func shrink(_ engine: String, _ purpose: String, limit: Int = 5_000) throws -> CaseShrinkResult? {
    let (purpose, id) = try named(purpose)
    let engine = try ImplementationUnderTest.builtIn(engine, of: app, role: purpose.role)
    let first = CaseRunner.run(purpose, id, on: engine)
    return CaseShrinker(purpose, first: first, of: engine, limit: limit)?.run()
  }

  private static func named(_ purpose: String) throws -> (TestPurpose, CaseID) {
    let purpose = try required(app.purpose(purpose))
    return (purpose, CaseID(purpose: purpose.id, dialect: app.dialect(for: purpose), seed: purpose.seeds[0]))
  }

  /// Mutants with the case that fails them, and the smallest that is known of it.
  static let smallest = [
    ("start-not-sent-to-last", "BAB/HOST/START/BV-01-C", ["peers=1"]),
    ("commits-twice", "BAB/CLIENT/TURN/BV-10-C", ["without=3-7,11-13,15-17,19-21,23-24"]),
    ("lobby-update-forgotten", "BAB/HOST/LOBBY/BV-01-C", []),
  ]

  @Test("A case becomes the known smallest, which fails for the same reason and repeats", arguments: smallest)
  func known(engine: String, purpose: String, words: [String]) throws {
    let result = try required(try Self.shrink(engine, purpose))
    expect(result.last.id.cut.words == words && result.isSmallest && result.isRepeatable && result.hasControl)
    var (purpose, id) = try Self.named(purpose)
    equal(CaseReason(result.last, of: purpose), CaseReason(result.first, of: purpose))
    let areRead = words.map { id.cut.add(word: $0) }
    expect(!areRead.contains(false))
    let again = CaseRunner.run(
      purpose, id, on: try ImplementationUnderTest.builtIn(engine, of: Self.app, role: purpose.role))
    expect(again.digest == result.last.digest && again.verdict == .fail)
    let reference = CaseRunner.run(purpose, id, on: .reference(purpose.role, of: Self.app))
    equal(reference.verdict, .pass)
    // Each stimulus that is left is needed, and it says why.
    equal(result.needs.compactMap(\.stimulus), result.last.givenStimuli.map(\.number))
    expect(result.needs.allSatisfy { !$0.words.isEmpty })
  }

  @Test("What the reference passes is not made smaller")
  func passes() throws { try expect(Self.shrink("reference", "BAB/CLIENT/TURN/BV-10-C") == nil) }

  @Test("A budget ends it with what was reached, which still fails")
  func budget() throws {
    let result = try required(try Self.shrink("commits-twice", "BAB/CLIENT/TURN/BV-10-C", limit: 20))
    // The attempt under way takes two runs, the last look one.
    expect(!result.isSmallest && result.executions <= 23)
    expect(result.last.verdict == .fail && !result.last.id.cut.without.isEmpty)
  }

  @Test("A case that names a peer which takes no part is inconclusive, and no trap")
  func absent() throws {
    let (purpose, id) = try Self.named("BAB/HOST/LOBBY/BV-01-C")
    var alone = id
    alone.cut.peers = 1
    let result = CaseRunner.run(purpose, alone, on: .reference(purpose.role, of: Self.app))
    expect(result.verdict == .inconclusive && result.finding?.expected == "client-2 takes part")
    equal(result.header.devices.count, 2)
  }
}
