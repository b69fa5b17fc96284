import AppSeam
import BabOracles
import BabSuite
import Bench
import Conformance
import Foundation
import Judging
import ProtocolPairs
import SimKernel

/// A game of Bab for eight peers, of the same engines in Swift: as a scenario of Bab in Swift, and as one of the file
/// `Tests/ProtocolPairs/bab.yaml`, each with nobody who judges, and judged by the oracles and claims that stand for
/// each other. What differs is what a protocol file costs: words, facts, packets read, claims.
enum FileBenchmark {
  private static let repetitions = 7

  /// Values that came to apps.
  private final class Counter: TraceReader {
    var deliveries = 0

    func begin(_ header: TraceHeader) { deliveries = 0 }
    func read(_ record: TraceRecord) {
      if case .input(.valueReceived) = record.plain.event { deliveries += 1 }
    }
    func end(_ outcome: RunOutcome) {}
  }

  /// - Parameter rounds: in which everybody taps “complete”.
  static func report(rounds: Int = 600) {
    print("Protocol files: a game of Bab for eight peers, \(rounds) rounds, \(repetitions) times in turn")
    let names = Set(BabPart.app.oracles.map(\.id))
    let types = OracleRegistry.all.filter { names.contains($0.id) }
    for isJudged in [false, true] {
      var rates: [[Double]] = [[], []]
      var counts: [Int] = []
      for _ in 0..<repetitions {
        for (place, isFile) in [false, true].enumerated() {
          let scenario = isFile ? PairedLobby.fileScenario(rounds: rounds) : PairedLobby.scenario(rounds: rounds)
          let judge: any RunJudge = isFile ? BabPart.app.makeOracleReader() : OracleReader(types: types)
          let counter = Counter()
          let apps = isFile ? [BabPart.reworded] : [AppProtocol.bab]
          let before = cpuSeconds()
          guard
            (try? World.run(
              scenario, options: RunOptions(seed: 1), readers: [counter] + (isJudged ? [judge] : []),
              engines: apps.engines)) != nil
          else { fatalError("the run did not end") }
          rates[place].append(Double(counter.deliveries) / (cpuSeconds() - before))
          counts.append(counter.deliveries)
          if isJudged, let judgement = judge.judgement, judgement.verdict != .pass {
            fatalError("the game does not pass: \(judgement.findings.first.map { "\($0)" } ?? "\(judgement.verdict)")")
          }
        }
      }
      if counts.contains(where: { $0 != counts[0] }) { fatalError("not the same deliveries: \(counts)") }
      let medians = rates.map { $0.sorted()[repetitions / 2] }
      print("  " + (isJudged ? "judged by \(types.count) oracles, \(names.count) claims" : "nobody judges"))
      for (place, name) in ["in Swift", "as a file"].enumerated() {
        row(
          "    \(name), \(counts[0]) deliveries", medians[place], "/ CPU s",
          target: "all: " + rates[place].map { String(Int($0)) }.joined(separator: " "))
      }
      row("    Swift over file", medians[0] / medians[1], "", target: "≤ 1.5")
    }
  }
}
