import AppSeam
import BabSim
import Conformance

/// Apps whose screens show what was ignored.
extension Mutants {
  static let ignored: [Mutant] =
    shownByHosts.map { .shows($0, .host, $1) } + shownByClients.map { .shows($0, .client, $1) }
    + [.host, .client].flatMap { role in
      [
        .shows(
          "\(role.rawValue)-shows-ignored-actions", role, "BAB 5.2.2",
          "shows what its user may not do as done, and sends nothing because of it"
        ) { if case .action = $0 { true } else { false } },
        .shows(
          "\(role.rawValue)-ended-by-garbage", role, "BAB 7.13",
          "shows the end of the session after a text that is no packet, and serves on"
        ) { if case .text = $0 { true } else { false } },
        .shows(
          "\(role.rawValue)-ended-by-fragments", role, "BAB 3.12",
          "shows the end of the session after fragments that it drops, and serves on"
        ) { if case .drop = $0 { true } else { false } },
        .shows(
          "\(role.rawValue)-shows-fragments", role, "BAB 3.13",
          "shows every fragment of a packet that is not whole yet"
        ) { if case .part = $0 { true } else { false } },
      ]
    }
    + [
      .shows(
        "shows-refused-links", .host, "BAB 5.1.10", "shows a player for every link that it ends at once"
      ) { if case .link = $0 { true } else { false } }
    ]

  /// What hosts ignore, with the clause that says so.
  private static let shownByHosts: [(PacketType, String)] = [
    (.lobbyUpdate, "BAB 7.1"), (.startGame, "BAB 7.1"), (.gameStarted, "BAB 7.1"), (.turnAdvanced, "BAB 7.1"),
    (.dialogLineAdded, "BAB 7.1"), (.leaderboardUpdate, "BAB 7.1"), (.navigationSync, "BAB 7.1"),
    (.fullStateSnapshot, "BAB 7.1"), (.handshake, "BAB 7.4"), (.clientJoin, "BAB 7.7"), (.roleAssigned, "BAB 5.3.3"),
    (.playerReady, "BAB 5.3.6"), (.voteRequest, "BAB 5.5.1"), (.voteCast, "BAB 5.5.4"), (.lineCompleted, "BAB 5.4.11"),
    (.lineSkipped, "BAB 7.3"), (.generateRequest, "BAB 5.4.9"),
  ]

  /// What clients ignore.
  private static let shownByClients: [(PacketType, String)] = [
    (.handshake, "BAB 7.5"), (.lobbyUpdate, "BAB 7.5"), (.startGame, "BAB 7.5"), (.gameStarted, "BAB 7.5"),
    (.fullStateSnapshot, "BAB 7.5"), (.clientJoin, "BAB 7.12"), (.generateRequest, "BAB 7.12"),
    (.voteRequest, "BAB 5.5.1"), (.voteCast, "BAB 5.5.4"), (.lineCompleted, "BAB 5.4.7"),
    (.dialogLineAdded, "BAB 5.4.7"),
  ]
}
