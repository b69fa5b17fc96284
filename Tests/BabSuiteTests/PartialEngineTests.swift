import AppSeam
import BabSim
import Bench
import Judging
import SuiteTestSupport
import Testing

@testable import BabMutants
@testable import BabSuite
@testable import Conformance

/// Engines that are less than whole: the reference, without packets of some types. What they do not send is all that
/// they can be accused of.
@Suite("Engines that leave packets out")
struct PartialEngineTests {
  /// In the order in which a session sends them first.
  static let ofHosts: [PacketType] = [
    .handshake, .lobbyUpdate, .roleAssigned, .playerReady, .startGame, .gameStarted, .turnAdvanced, .dialogLineAdded,
    .lineCompleted, .lineSkipped, .leaderboardUpdate, .voteRequest, .voteCast, .navigationSync, .fullStateSnapshot,
    .heartbeat,
  ]
  static let ofClients: [PacketType] = [
    .handshake, .clientJoin, .roleAssigned, .playerReady, .lineCompleted, .lineSkipped, .voteRequest, .voteCast,
    .generateRequest, .heartbeat,
  ]

  /// All but one, and all before one.
  static func parts(_ types: [PacketType]) -> [[PacketType]] {
    types.map { [$0] } + types.indices.dropFirst().dropLast().map { Array(types[$0...]) }
  }

  @Test("A host is accused of what it leaves out, and of nothing else", arguments: parts(ofHosts))
  func hosts(_ types: [PacketType]) { check(types, "host") }

  @Test("A client is accused of what it leaves out, and of nothing else", arguments: parts(ofClients))
  func clients(_ types: [PacketType]) { check(types, "client") }

  private func check(_ types: [PacketType], _ role: String) {
    let mutant = Mutant.packets(
      "partial", AppRole(rawValue: role), clause: "BAB 4.2", "leaves packets out",
      outgoing: { _, _, packet in types.contains(packet.type) ? [] : [.packet(packet)] })
    let implementation = ImplementationUnderTest(
      of: .bab, name: "partial", role: AppRole(rawValue: role), makeEngine: { mutant.makeEngine($0) })
    for purpose in Catalog.all(role: AppRole(rawValue: role)) {
      let id = CaseID(purpose: purpose.id, dialect: AppProtocol.bab.dialect(for: purpose), seed: purpose.seeds[0])
      let result = CaseRunner.run(purpose, id, on: implementation)
      if result.verdict != Verdict.fail { continue }
      let words = [result.cause?.text ?? "", result.finding?.expected ?? "", result.finding?.actual ?? ""]
      let told = words.joined(separator: "; ")
      let isOwn = types.contains { told.contains($0.rawValue) }
      #expect(isOwn, "\(types.map(\.rawValue)) \(purpose.id): \(told)")
    }
  }
}
