import AppSeam
import BabOracles
import BabSim
import Conformance

/// What purposes about a game of a host under test have in common.
extension TestPurpose {
  /// A purpose whose procedure begins in a game with roles, at the host's turn (BAB 5.4.1).
  ///
  /// - Parameters:
  ///   - needs: on top of roles and turns.
  ///   - lines: the game ends after so many; 0: it does not by itself.
  ///   - script: the lines to be read, over and over; none: the implementation's own.
  static func inGame(
    _ id: String, _ clauses: [String], _ purpose: String, expects expectedOutcomes: [String],
    needs: [ICS.Item] = [], dialects: [DialectName] = DialectName.bab, testers: Int = 1, lines: Int = 12,
    script: [String] = [], procedure: @escaping @Sendable (BabBed) throws -> Void
  ) -> TestPurpose {
    let clients = testers == 1 ? "one client" : "\(testers) clients"
    let length = lines > 0 ? " of \(lines) lines" : ""
    return TestPurpose(
      id, clauses, purpose,
      initial: "A game with roles\(length) has been started with the host and \(clients); it is the host's turn.",
      expects: expectedOutcomes, needs: [.roles, .turns] + needs, excludes: script.isEmpty ? [] : [.ownScenarios],
      dialects: dialects, testers: testers,
      arrange: {
        $0.playGame(lines: lines)
        $0.scenario.game.script = script.map { GameSettings.ScriptLine(role: nil, native: $0, translated: $0) }
      },
      procedure: { t in
        try t.preamble { try t.startGame() }
        for client in t.clients { client.forget() }
        try procedure(t)
      })
  }
}

extension TestPurpose {
  /// As above, with a procedure that is handed the first client.
  static func inGame(
    _ id: String, _ clauses: [String], _ purpose: String, expects expectedOutcomes: [String],
    needs: [ICS.Item] = [], dialects: [DialectName] = DialectName.bab, testers: Int = 1, lines: Int = 12,
    script: [String] = [], procedure: @escaping @Sendable (BabBed, ClientTester) throws -> Void
  ) -> TestPurpose {
    inGame(
      id, clauses, purpose, expects: expectedOutcomes, needs: needs, dialects: dialects, testers: testers, lines: lines,
      script: script, procedure: { t in try procedure(t, t.clients[0]) })
  }

  /// … the first two clients.
  static func inGame(
    _ id: String, _ clauses: [String], _ purpose: String, expects expectedOutcomes: [String],
    needs: [ICS.Item] = [], dialects: [DialectName] = DialectName.bab, testers: Int = 1, lines: Int = 12,
    script: [String] = [], procedure: @escaping @Sendable (BabBed, ClientTester, ClientTester) throws -> Void
  ) -> TestPurpose {
    inGame(
      id, clauses, purpose, expects: expectedOutcomes, needs: needs, dialects: dialects, testers: testers, lines: lines,
      script: script, procedure: { t in try procedure(t, t.clients[0], t.clients[1]) })
  }
}

extension ClientTester {
  /// The types heard since `forget`, in order, of those given.
  func newsTypes(_ types: [PacketType]) -> [PacketType] { news.compactMap(\.type).filter(types.contains) }

  /// Every turn it was told since `forget`, in order.
  var newTurns: [(player: String, line: DialogLine?)] { news.compactMap { $0.packet?.advancedTurn } }
}
