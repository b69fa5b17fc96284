import BabOracles
import BabSim
import BabSuite
import Conformance
import Expectations
import Judging
import ProtocolPairs
import Testing

@testable import ProtocolFiles

/// Claims of `bab.yaml` and the oracles of their names judge the same runs of Bab's engines.
@Suite("Oracles of Bab, as claims of a file and in Swift")
struct BabClaimTests {
  /// Of a claim: the oracle that it stands for.
  private static let oracles: [String: String] = Dictionary(
    BabPart.app.oracles.map(\.id).filter { $0 != OnlyPackets.id }.map { id in
      switch id {
      case "EachLineOnce": (id, "CommittedLinesArePrefix")
      case "SentClocksNeverGoBack": (id, "VectorClocksNeverGoBack")
      default: (id, id)
      }
    }, uniquingKeysWith: { $1 })

  static let mutants: [Mutant] = Mutants.all.filter { mutant in
    mutant.oracle.map { oracle in Self.oracles.values.contains(oracle) } ?? false
  }

  @Test("Ten oracles have claims, and each of these oracles a broken engine")
  func names() {
    let known = Set(OracleRegistry.all.map { $0.id })
    expect(Set(Self.oracles.values).count >= 6)
    for oracle in Self.oracles.values {
      expect(known.contains(oracle), "\(oracle)")
      expect(Self.mutants.contains { $0.oracle == oracle }, "\(oracle)")
    }
  }

  @Test("The file's claims pass the reference, and judge it")
  func reference() throws {
    let (file, swift) = try PairedLobby.judge()
    for oracle in file.oracles {
      expect(
        oracle.verdict == .pass && oracle.judged > 0, "\(oracle.id) \(oracle.findings.first.map { "\($0)" } ?? "")")
    }
    equal(swift.verdict, .pass)
  }

  @Test("A broken engine has the same verdicts by claims and oracles", arguments: mutants.map(\.name))
  func verdicts(name: String) throws {
    let mutant = try required(Mutants.named(name))
    let (file, swift) = try PairedLobby.judge(mutant)
    var differences: Set<String> = []
    for oracle in Set(Self.oracles.values) {
      let claims = file.oracles.filter { Self.oracles[$0.id] == oracle }
      let said = claims.contains { $0.verdict == .fail } ? Verdict.fail : .pass
      let other = swift.oracles.first { $0.id == oracle }?.verdict == .fail ? Verdict.fail : .pass
      if said != other { differences.insert("\(oracle) | \(name) | \(said.name) | \(other.name)") }
    }
    let known = try PairTable(under: "Bab: oracles").rows.filter { $0.contains("| \(name) |") }
    equal(differences, known, "\(file.oracles.flatMap(\.findings).prefix(3))")
  }
}
