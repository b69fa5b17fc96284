@testable import BabOracles
@testable import Conformance
@testable import Judging

/// Verdicts that captures cannot give, with the reason.
enum CapturedRows {
  private struct Group {
    var mutant: String?
    var scenario: String
    var oracles: [String]
    var live: Verdict
    var captured: Verdict
    var views = CapturedRun.View.allCases
    var reason: String
  }

  static let all: [CapturedVerdictTests.Row] = groups.flatMap { group in
    group.oracles.flatMap { oracle in
      group.views.map { view in
        CapturedVerdictTests.Row(
          example: .init(scenario: group.scenario, mutant: group.mutant), view: view, oracle: oracle, live: group.live,
          captured: group.captured, reason: group.reason)
      }
    }
  }

  private static let twoPeers = "lobby/two-peers"
  private static let shown = "done to what the app shows, not to what it sends"
  private static let cut = "packets that their platform has cut cannot be read"
  private static let busy = "on the air nothing shows when a busy host has said all that it had to say"

  private static let damaged = "two damaged PDUs in a row on the air: their content is unknown"
  private static let rare =
    [
      NoGhostsAfterSupervisionTimeout.id, ReconnectedPeersResume.id, NothingOutlivesItsLink.id,
    ] + rolesAndVotes
  private static let rolesAndVotes = [RolesFollowRules.id, RolesAreTold.id, VotesFollowRules.id]
  private static let game = [
    GameStartsWhenReady.id, TurnsGoRound.id, LinesAreToldInOrder.id, SummaryMatchesGame.id,
  ]

  private static let attempt = "an attempt of that client that was no link yet ends on the air after the start"
  private static let vanished = "what a captured host shows is what it sends, and it has vanished"

  private static let groups: [Group] = [
    Group(
      mutant: nil, scenario: "rooms/two-lobbies", oracles: rare, live: .none, captured: .inconclusive, views: [.air],
      reason: damaged),
    Group(
      mutant: nil, scenario: "crowds/come-and-go",
      oracles: [
        PrivateTextReachesOnlyItsPlayer.id, ScoresFollowFormula.id, StartReachesAll.id, OnlyCurrentPlayerCompletes.id,
        CommittedLinesArePrefix.id,
      ] + rolesAndVotes + game, live: .none, captured: .inconclusive, views: [.air], reason: damaged),
    Group(
      mutant: nil, scenario: "radio/crowded-subway",
      oracles: rare + [
        OnlyCurrentPlayerCompletes.id, CommittedLinesArePrefix.id, PrivateTextReachesOnlyItsPlayer.id,
        StartReachesAll.id, RankingFollowsScores.id, ScoresFollowFormula.id,
      ] + game + [SnapshotIsTheGame.id], live: .none, captured: .inconclusive, views: [.air], reason: damaged),
    Group(
      mutant: nil, scenario: "faults/client-vanishes-and-returns", oracles: [NoGhostsAfterSupervisionTimeout.id],
      live: .pass, captured: .none, views: [.air], reason: busy),
    Group(
      mutant: nil, scenario: "faults/out-of-range-and-back", oracles: [NoGhostsAfterSupervisionTimeout.id],
      live: .pass, captured: .none, views: [.air], reason: busy),
    Group(
      mutant: "says-again-on-return", scenario: "faults/client-vanishes-and-returns",
      oracles: [NoGhostsAfterSupervisionTimeout.id], live: .pass, captured: .none, views: [.air], reason: busy),
    Group(
      mutant: "never-gives-up", scenario: "faults/host-vanishes", oracles: [NoGhostsAfterSupervisionTimeout.id],
      live: .pass, captured: .none, reason: vanished),
    Group(
      mutant: "start-not-sent-to-last", scenario: "lobby/eight-peer-lobby", oracles: [StartReachesAll.id], live: .fail,
      captured: .pass, views: [.air], reason: attempt),
    Group(
      mutant: nil, scenario: "dialects/dialect-sdk", oracles: rare, live: .none, captured: .inconclusive,
      views: [.air], reason: damaged),
    Group(
      mutant: nil, scenario: "crowds/soak", oracles: rare, live: .none, captured: .inconclusive, views: [.air],
      reason: damaged),
    Group(
      mutant: nil, scenario: "limits/lobby-in-a-room", oracles: rare, live: .none, captured: .inconclusive,
      views: [.air], reason: damaged),
    Group(
      mutant: nil, scenario: "radio/noisy-convention-hall", oracles: rare, live: .none, captured: .inconclusive,
      views: [.air], reason: damaged),
    Group(
      mutant: nil, scenario: "faults/host-vanishes", oracles: [NoGhostsAfterSupervisionTimeout.id], live: .pass,
      captured: .none, reason: vanished),
    Group(
      mutant: nil, scenario: "faults/broken-stack", oracles: [StartReachesAll.id], live: .none, captured: .pass,
      reason: "the bench breaks values between app and platform, which excuses live; what was sent and came is whole"),
    Group(
      mutant: "commits-twice", scenario: twoPeers, oracles: [CommittedLinesArePrefix.id], live: .fail, captured: .pass,
      reason: shown),
    Group(
      mutant: "reorders-history", scenario: twoPeers, oracles: [CommittedLinesArePrefix.id], live: .fail,
      captured: .pass, reason: shown),
    Group(
      mutant: "private-text-shown", scenario: twoPeers, oracles: [PrivateTextReachesOnlyItsPlayer.id], live: .fail,
      captured: .pass, reason: shown),
    Group(
      mutant: "streak-bonus-forgotten", scenario: twoPeers, oracles: [ScoresFollowFormula.id, RankingFollowsScores.id],
      live: .fail, captured: .pass, reason: shown),
    Group(
      mutant: "ranking-reversed", scenario: twoPeers, oracles: [RankingFollowsScores.id], live: .fail, captured: .pass,
      reason: shown),
    Group(
      mutant: "clock-goes-back", scenario: twoPeers, oracles: [VectorClocksNeverGoBack.id], live: .fail,
      captured: .pass, reason: shown),
    Group(
      mutant: "claims-sent", scenario: twoPeers, oracles: [NothingReportedSentThatWasNot.id], live: .fail,
      captured: .pass, reason: "what an app reports of its sending is not sent"),
    Group(
      mutant: "ignores-packets", scenario: twoPeers,
      oracles: [NothingSentIsLost.id, LobbyStateConverges.id, CommittedLinesArePrefix.id], live: .fail, captured: .pass,
      reason: "what an app does with a packet that came is not sent"),
    Group(
      mutant: "oversize-fragment", scenario: twoPeers, oracles: [LobbyStateConverges.id], live: .none, captured: .pass,
      reason: cut),
    Group(
      mutant: "oversize-fragment", scenario: twoPeers,
      oracles: [
        CommittedLinesArePrefix.id, OnlyCurrentPlayerCompletes.id, PrivateTextReachesOnlyItsPlayer.id,
        ScoresFollowFormula.id, RankingFollowsScores.id, TurnsGoRound.id, LinesAreToldInOrder.id,
      ], live: .pass, captured: .none, reason: cut),
    Group(
      mutant: "no-snapshot-on-return", scenario: "faults/client-vanishes-and-returns",
      oracles: [ReconnectedPeersResume.id], live: .fail, captured: .inconclusive, views: [.hci],
      reason: "the captures end with the last packet, before 15 s are over"),
    Group(
      mutant: "no-snapshot-on-return", scenario: "faults/client-vanishes-and-returns",
      oracles: [NoGhostsAfterSupervisionTimeout.id], live: .pass, captured: .none, views: [.air], reason: busy),
    Group(
      mutant: "ignores-queue-full", scenario: "faults/client-vanishes-and-returns",
      oracles: [NoGhostsAfterSupervisionTimeout.id], live: .pass, captured: .inconclusive, views: [.air], reason: busy),
    Group(
      mutant: "ignores-queue-full", scenario: "faults/client-vanishes-and-returns",
      oracles: [SnapshotIsTheGame.id], live: .pass, captured: .none,
      reason: "a value that was refused was not sent, so the packets before it are not known"),
    Group(
      mutant: "never-gives-up", scenario: "faults/host-vanishes", oracles: [LostSessionsEnd.id], live: .fail,
      captured: .inconclusive, views: [.hci], reason: "a scan does not say which app wants it"),
    Group(
      mutant: "never-rests", scenario: twoPeers, oracles: [OneHostPerLobby.id, RosterWithinCapacity.id], live: .pass,
      captured: .none, reason: "nothing is ever sent"),
  ]
}
