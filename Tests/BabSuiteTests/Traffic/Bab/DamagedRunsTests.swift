import BabSim
import BabSuite
import Bench
import Bystanders
import CaptureFormats
import CaptureTestSupport
import Expectations
import Foundation
import SimKernel
import Testing

@testable import BabOracles
@testable import CaptureCheck
@testable import Conformance
@testable import Judging

/// Captures of our own conforming runs, damaged as sniffers damage them: neither a rule nor an oracle of Bab accuses
/// anybody. 200 captures with `BABBENCH_PROOFS=1`.
@Suite("Damaged captures of whole games accuse nobody")
struct DamagedRunsTests {
  private static let scenarios = [
    "lobby/two-peers", "faults/client-vanishes-and-returns", "faults/out-of-range-and-back", "rooms/two-lobbies",
    "lobby/late-joiner", "crowds/come-and-go",
  ]

  @Test("No finding, whatever a sniffer does to the capture", arguments: 1...UInt64(Part.isAll ? 200 : 6))
  func damaged(seed: UInt64) throws {
    var random = RandomStream(seed: seed, component: "test", purpose: "damaged runs")
    let all = SnifferDamage.allCases.filter { $0 != .missingDecryption }
    let name = Self.scenarios[Int(seed) % Self.scenarios.count]
    // Few runs, much damage: a run takes longer than a capture of it.
    let whole = try Self.records(try CapturedRun.scenario(name), seed: 1 + seed / UInt64(Self.scenarios.count) % 4)
    let damages = (0...random.next() % 2).map { _ in all[Int(random.next() % UInt64(all.count))] }
    var records = whole
    for damage in damages { records = damage.apply(to: records, &random) }
    let found = Self.findings(records)
    equal(found, [], "seed \(seed), \(name), \(damages)")
  }

  @Test("People who leave and come at once accuse nobody on the air", arguments: 1...UInt64(Part.isAll ? 20 : 2))
  func leaving(seed: UInt64) throws {
    let text = try Repository.text("Scenarios/crowds/come-and-go.yaml")
    let words = "leaving: vanish, returning: appear"
    try require(text.contains(words))
    let folder = try CaptureFolder()
    let path = folder.path + "/leave-and-join.yaml"
    try text.replacingOccurrences(of: words, with: "leaving: leave, returning: join").write(
      toFile: path, atomically: true, encoding: .utf8)
    let scenario = try ScenarioFile.load(path, language: ScenarioLanguage([.bab, .bystander])).get()
    let found = Self.findings(try Self.records(scenario, seed: seed))
    equal(found, [])
  }

  // MARK: Pieces

  private static func records(_ scenario: Scenario, seed: UInt64) throws -> [CaptureRecord] {
    let folder = try CaptureFolder()
    let air = try AirCaptureReader(path: folder.path + "/air.pcapng")
    _ = try World.run(
      scenario, options: RunOptions(seed: seed), readers: [air],
      engines: [AppProtocol.bab, .bystander].engines)
    try air.close()
    let merged = try MergedCaptures(paths: [folder.path + "/air.pcapng"])
    var records: [CaptureRecord] = []
    while let record = try merged.next() { records.append(record) }
    return records
  }

  private static func findings(_ records: [CaptureRecord]) -> [String] {
    let rules = RuleBook()
    let bab = BabTraffic(dialect: nil, session: TrafficSession(captures: ["air"]))
    let reader = TrafficReader(observers: [rules, bab])
    let start = records.first?.nanoseconds ?? 0
    for record in records {
      reader.read(record, file: 0, at: SimInstant(nanoseconds: record.nanoseconds - start))
    }
    reader.finish()
    return (rules.results() + bab.results.oracles).flatMap(\.findings).filter { $0.verdict == .fail }.map {
      "\($0.oracle): expected \($0.expected), \($0.actual) at \($0.instant)"
    }
  }
}
