import BabOracles
import BabSim
package import Conformance
import SimKernel

/// Every planted defect. Which form to use for another one: Docs/Decisions/0008.
package enum Mutants {
  package static let all: [Mutant] = games + stoppers + published + clauses + publishedEngines

  /// Those that break a single clause, by the group of the catalogue that finds them.
  static let clauses: [Mutant] = [
    adv, gatt, mtu, frag, wire, lobby, role, start,
    turn, vote, score, sync, link, load, auth, robust, ignored,
  ].flatMap { $0 }.map { mutant in playing[mutant.name].map(mutant.failed) ?? mutant }

  /// Those of them that an oracle finds in a game with roles, votes and an end.
  private static let playing = [
    "role-given-twice": RolesFollowRules.id, "ready-not-passed-on": RolesAreTold.id,
    "starts-unready": GameStartsWhenReady.id, "turns-back-and-forth": TurnsGoRound.id,
    "line-completed-first": LinesAreToldInOrder.id, "no-counts-as-yes": VotesFollowRules.id,
    "final-snapshot-forgotten": GamesGoOn.id, "one-line-less": GamesEndWhenTheyMust.id,
    "summary-of-the-winner": SummaryMatchesGame.id, "final-snapshot-goes-on": SnapshotIsTheGame.id,
    "end-unnoticed": ClientsShowTheGame.id, "one-yes-is-enough": VoteResultsFollowVotes.id,
    "characters-for-octets": FragmentsMakePackets.id, "indicates": OneServicePerHost.id,
    "subscribes-to-state-only": OpeningGoesInOrder.id, "lobby-before-handshake": OpeningGoesInOrder.id,
    "join-before-handshake": OpeningGoesInOrder.id, "speaks-elsewhere": PacketsGoTheirWay.id,
    "scan-left-behind": SessionsLeaveNothing.id, "refused-for-ever": RefusedClientsGiveUp.id,
    "place-not-given-back": RosterKeepsItsOrder.id,
  ]

  /// Those that an oracle finds in a whole game.
  static let games: [Mutant] = [
    Mutant(
      "second-host", .client, clause: "BAB 1.1", failedBy: OneHostPerLobby.id,
      "publishes and advertises the service itself once it has joined",
      wrapped: { SecondHost(wrapping: $0, dialect: $1.dialect) }),
    Mutant(
      "capacity-not-enforced", .host, clause: "BAB 2.3", failedBy: RosterWithinCapacity.id,
      "takes twice as many peers as its dialect allows", adjust: { $0.dialect.capacity *= 2 }),
    Mutant(
      "ghost-kept", .host, clause: "BAB 5.7.1", failedBy: NoGhostsAfterSupervisionTimeout.id,
      "does not notice that a link has ended", wrapped: { engine, _ in GhostKept(wrapping: engine) }),
    Mutant(
      "lobby-update-forgotten", .host, clause: "BAB 5.2.4", failedBy: LobbyStateConverges.id,
      "tells a client the lobby once, and no change of it",
      wrapped: { engine, _ in LobbyUpdateForgotten(wrapping: engine) }),
    Mutant(
      "start-not-sent-to-last", .host, clause: "BAB 5.2.8", failedBy: StartReachesAll.id,
      "starts the game without telling the client that joined last",
      wrapped: { engine, _ in StartNotSentToLast(wrapping: engine) }),
    Mutant(
      "commits-twice", .client, clause: "BAB 5.4.7", failedBy: CommittedLinesArePrefix.id,
      "commits every line twice", wrapped: { engine, _ in CommitsTwice(wrapping: engine) }),
    Mutant(
      "reorders-history", .client, clause: "BAB 5.4.7", failedBy: CommittedLinesArePrefix.id,
      "commits every two lines in the wrong order", wrapped: { engine, _ in ReordersHistory(wrapping: engine) }),
    Mutant(
      "completes-for-another", .host, clause: "BAB 5.4.5", failedBy: OnlyCurrentPlayerCompletes.id,
      "lets the person at the host complete whoever's line is pending",
      wrapped: { CompletesForAnother(wrapping: $0, configuration: $1) }),
    Mutant(
      "private-text-shown", .host, clause: "BAB 5.4.4", failedBy: PrivateTextReachesOnlyItsPlayer.id,
      "shows every generated line on its own screen", wrapped: { engine, _ in PrivateTextShown(wrapping: engine) }),
    Mutant(
      "wrong-formula", .host, clause: "BAB 6.1", failedBy: ScoresFollowFormula.id,
      "counts by the formula of the other dialect",
      adjust: { $0.dialect.scoring = $0.dialect.scoring == .guide ? .sdk : .guide }),
    Mutant(
      "streak-bonus-forgotten", .host, clause: "BAB 6.3", failedBy: ScoresFollowFormula.id,
      "gives no more than fifteen points to a line",
      wrapped: { engine, _ in StreakBonusForgotten(wrapping: engine) }),
    Mutant(
      "ranking-reversed", .host, clause: "BAB 6.7", failedBy: RankingFollowsScores.id,
      "puts the lowest score first", wrapped: { engine, _ in RankingReversed(wrapping: engine) }),
    Mutant(
      "publishes-twice", .host, clause: "BAB 2.1", failedBy: OneServicePerHost.id, "publishes its service twice",
      wrapped: { engine, _ in PublishesTwice(wrapping: engine) }),
    Mutant(
      "oversize-fragment", .host, clause: "BAB 3.4", failedBy: FragmentsFitATTMTU.id,
      "forgets the ATT header when it cuts packets", wrapped: { engine, _ in OversizeFragment(wrapping: engine) }),
    Mutant(
      "ignores-queue-full", .host, clause: "BAB 5.9.2", failedBy: NothingReportedSentThatWasNot.id,
      "takes a refused notification for a sent one", wrapped: { engine, _ in IgnoresQueueFull(wrapping: engine) }),
    Mutant(
      "claims-sent", .client, clause: "BAB 5.9.3", failedBy: NothingReportedSentThatWasNot.id,
      "reports a packet sent before the platform has answered", wrapped: { engine, _ in ClaimsSent(wrapping: engine) }),
    Mutant(
      "ignores-packets", .client, clause: "BAB 3.9", failedBy: NothingSentIsLost.id,
      "loses every third packet between its platform and itself",
      wrapped: { engine, _ in IgnoresPackets(wrapping: engine) }),
    Mutant(
      "clock-goes-back", .client, clause: "BAB 5.6.3", failedBy: VectorClocksNeverGoBack.id,
      "starts its own clock entry over from time to time", wrapped: { engine, _ in ClockGoesBack(wrapping: engine) }),
    Mutant(
      "no-snapshot-on-return", .host, clause: "BAB 5.7.4", failedBy: ReconnectedPeersResume.id,
      "sends no snapshot to a client that comes back", wrapped: { engine, _ in NoSnapshotOnReturn(wrapping: engine) }),
    .packets(
      "says-again-on-return", .host, "BAB 5.9.5", "sends a client that comes back the first turn of the game once more",
      failedBy: NothingOutlivesItsLink.id,
      outgoing: { m, packet in
        if packet.type == .turnAdvanced, m.memory.isEmpty {
          m.memory = [String(decoding: packet.encoded(), as: UTF8.self)]
        }
        guard packet.type == .fullStateSnapshot else { return [packet] }
        return [packet] + m.memory.map { RawText(Array($0.utf8)) }
      }),
    Mutant(
      "never-gives-up", .client, clause: "BAB 5.7.8", failedBy: LostSessionsEnd.id,
      "looks for its lost host for an hour", adjust: { $0.dialect.reconnectWindow = .seconds(3_600) }),
    Mutant(
      "never-rests", .client, clause: "BAB 7.13", failedBy: NoCrashNoHang.id,
      "keeps a timer firing at one instant forever", wrapped: { engine, _ in NeverRests(wrapping: engine) }),
  ]

  package static func named(_ name: String) -> Mutant? { all.first { $0.name == name } }
}
