import AppSeam
import BabSim
import Conformance
import SimKernel

/// VOTE, client: how a client votes, and what it finds out by itself (BAB 5.5).
extension Catalog {
  static let voteClient: [TestPurpose] = [
    TestPurpose(
      "BAB/CLIENT/VOTE/BV-01-C", ["BAB 5.5.2"],
      "A client is in phase VOTING once it is told of a vote.",
      initial: "A game is on; the client shows ACTIVE.", expects: ["VOTING after VOTE_REQUEST of the host"],
      needs: [.votes, .screen]
    ) { t in
      try t.preamble { try t.playIUT() }
      t.hosts[0].propose(.endGame)
      try t.expectPhase("VOTING")
    },
    .client(
      "BAB/CLIENT/VOTE/BV-02-C", ["BAB 5.5.2"],
      "A client proposes with VOTE_REQUEST for itself.",
      initial: "A game is on.", expects: ["for each action the host is sent VOTE_REQUEST: the client's id, the action"],
      needs: [.votes]
    ) { t, host in
      try t.preamble { try t.playIUT() }
      for action in [VoteAction.skipLine, .endGame, .changeScene] {
        t.iut.user(.proposeVote(action.rawValue))
        try host.expectExactly(
          .voteRequest(proposerID: t.iut.peerID, action: action), "proposes \(action.rawValue) for itself")
      }
    },
    .client(
      "BAB/CLIENT/VOTE/BV-03-C", ["BAB 5.5.4"],
      "A client votes with VOTE_CAST for itself.",
      initial: "A game is on, and the host has proposed END_GAME.",
      expects: ["the host is sent VOTE_CAST: the client's id, false"], needs: [.votes]
    ) { t, host in
      try t.preamble {
        try t.playIUT()
        host.propose(.endGame)
        try t.settleAfresh()
      }
      t.iut.user(.castVote(false))
      try host.expectVote(false, of: t.iut.peerID, "says no of itself")
    },
    .client(
      "BAB/CLIENT/VOTE/BV-04-C", ["BAB 1.3", "BAB 5.5.2"],
      "A client's own proposal is no vote until the host says so.",
      initial: "A game is on; the client shows ACTIVE.",
      expects: ["ACTIVE while the host is silent; VOTING after VOTE_REQUEST of the client"], needs: [.votes, .screen]
    ) { t, host in
      try t.preamble { try t.playIUT() }
      t.iut.user(.proposeVote("END_GAME"))
      try t.keepsPhase("ACTIVE", for: .seconds(1))
      host.send(.voteRequest(proposerID: t.iut.peerID, action: .endGame))
      try t.expectPhase("VOTING", clause: "BAB 5.5.2")
    },
    .client(
      "BAB/CLIENT/VOTE/BV-05-C", ["BAB 5.5.5", "BAB 5.5.7"],
      "A client finds that a vote has passed once every player has said yes, and not before.",
      initial: "A game is on with a further player; the host has proposed CHANGE_SCENE; the client shows VOTING.",
      expects: ["VOTING with the further player's yes; ACTIVE with the client's"], needs: [.votes, .screen]
    ) { t, host in
      try t.preamble { try t.openVoteAtIUT() }
      host.tellVote("peer-x", true)
      try t.keepsPhase("VOTING")
      host.tellVote(t.iut.peerID, true)
      try t.expectPhase("ACTIVE")
    },
    .client(
      "BAB/CLIENT/VOTE/BV-06-C", ["BAB 5.5.3"],
      "A client counts the proposer's yes with the proposal.",
      initial: "A game is on with the host and the client only; the client shows ACTIVE.",
      expects: ["VOTING after the host's proposal; ACTIVE after the client's yes, without a VOTE_CAST of the host"],
      needs: [.votes, .screen]
    ) { t, host in
      try t.preamble {
        try t.playIUT(with: [])
        host.propose(.changeScene)
        try t.expectPhase("VOTING")
      }
      host.tellVote(t.iut.peerID, true)
      try t.expectPhase("ACTIVE")
    },
    TestPurpose(
      "BAB/CLIENT/VOTE/BV-07-C", ["BAB 5.5.5"],
      "A client finds that a vote has failed with the first no.",
      initial: "A game is on with a further player; the host has proposed END_GAME; the client shows VOTING.",
      expects: ["ACTIVE after the further player's no"], needs: [.votes, .screen]
    ) { t in
      try t.preamble { try t.openVoteAtIUT() }
      t.hosts[0].tellVote("peer-x", false)
      try t.expectPhase("ACTIVE")
    },
    TestPurpose(
      "BAB/CLIENT/VOTE/BV-08-C", ["BAB 5.5.5", "BAB 8.4"],
      "A client finds that a vote has failed 30 s after it was opened.",
      initial: "A game is on with a further player; the host has proposed END_GAME, and nobody votes.",
      expects: ["VOTING until 29.9 s, ACTIVE at 30.1 s"], needs: [.votes, .screen]
    ) { t in
      let opened = try t.preamble { try t.openVoteAtIUT() }
      try t.keepsPhase("VOTING", for: opened + .milliseconds(29_900) - t.now)
      try t.expectPhase("ACTIVE", within: .milliseconds(200))
    },
    .client(
      "BAB/CLIENT/VOTE/BV-09-C", ["BAB 5.5.6"],
      "A client does not wait for a player who has left the lobby.",
      initial: "A game is on with a further player; the host has proposed END_GAME, the client has said yes.",
      expects: ["ACTIVE after a LOBBY_UPDATE without the further player"], needs: [.votes, .screen]
    ) { t, host in
      try t.preamble {
        try t.openVoteAtIUT()
        host.tellVote(t.iut.peerID, true)
        try t.keepsPhase("VOTING", for: .milliseconds(500))
      }
      host.lobby.connectedPlayers.removeAll { $0.playerID == "peer-x" }
      host.tellLobby()
      try t.expectPhase("ACTIVE")
    },
    .client(
      "BAB/CLIENT/VOTE/BV-10-C", ["BAB 5.5.4"],
      "A client lets a voter's first vote stand.",
      initial: "A game is on with a further player, who has said yes to the host's proposal.",
      expects: ["VOTING after the further player's no; ACTIVE after the client's yes"], needs: [.votes, .screen]
    ) { t, host in
      try t.preamble {
        try t.openVoteAtIUT()
        host.tellVote("peer-x", true)
      }
      try t.ignores {
        host.tellVote("peer-x", false)
        try t.keepsPhase("VOTING", for: .seconds(1))
      }
      host.tellVote(t.iut.peerID, true)
      try t.expectPhase("ACTIVE", clause: "BAB 5.5.5")
    },
    .client(
      "BAB/CLIENT/VOTE/BV-11-C", ["BAB 5.5.7"],
      "Turns go on while a vote is open, and the phase stays VOTING.",
      initial: "A game is on with a further player; the host has proposed END_GAME; the client shows VOTING.",
      expects: ["VOTING after TURN_ADVANCED; the client shows whose turn it is"], needs: [.votes, .turns, .screen]
    ) { t, host in
      try t.preamble { try t.openVoteAtIUT() }
      host.giveTurn(host.line("line-7", for: t.iut.peerID))
      try t.keepsPhase("VOTING", for: .seconds(1))
      try t.expect("the IUT shows that it is its turn") { t.iut.turn == t.iut.peerID }
      t.iut.user(.completeLine(accuracyPermille: 1_000, errorCount: 0, durationMilliseconds: 2_000))
      try host.expect(.lineCompleted, "names line-7") { packet in
        guard case .lineCompleted("line-7", _) = packet.payload else { return false }
        return true
      }
    },
    .client(
      "BAB/CLIENT/VOTE/BI-01-C", ["BAB 5.5.1"],
      "A VOTE_REQUEST before the game opens no vote.",
      initial: "The client is seated.",
      expects: ["what it shows is the same after VOTE_REQUEST, and ACTIVE after START_GAME"], needs: [.votes, .screen]
    ) { t, host in
      try t.preamble { try t.seatWith(["peer-x"]) }
      try t.ignores {
        host.propose(.endGame)
        try t.never("the IUT shows VOTING", for: .seconds(1)) { t.iut.phase == "VOTING" }
      }
      host.send(.startGame)
      try t.expectPhase("ACTIVE", clause: "BAB 5.2.8")
      try t.keepsPhase("ACTIVE", for: .seconds(1))
    },
    .client(
      "BAB/CLIENT/VOTE/BI-02-C", ["BAB 5.5.1"],
      "A second VOTE_REQUEST while a vote is open is ignored, and the first vote counts on.",
      initial: "A game is on with a further player; the host has proposed END_GAME, the client has said yes.",
      expects: ["VOTING after the further player's proposal; ACTIVE after the further player's yes"],
      needs: [.votes, .screen]
    ) { t, host in
      try t.preamble {
        try t.openVoteAtIUT()
        host.tellVote(t.iut.peerID, true)
      }
      try t.ignores {
        host.send(.voteRequest(proposerID: "peer-x", action: .skipLine))
        try t.keepsPhase("VOTING", for: .seconds(1))
      }
      host.tellVote("peer-x", true)
      try t.expectPhase("ACTIVE", clause: "BAB 5.5.5")
    },
  ]
}

extension HostTester {
  /// Opens a vote of its own.
  fileprivate func propose(_ action: VoteAction) {
    send(.voteRequest(proposerID: peerID, action: action), note: "\(name) opens its vote for \(action.rawValue)")
  }

  /// Tells the client under test how somebody has voted.
  fileprivate func tellVote(_ voter: String, _ yes: Bool) {
    send(.voteCast(voterID: voter, vote: yes), note: "\(name) tells that \(voter) has said \(yes ? "yes" : "no")")
  }
}

extension BabBed {
  /// A game is on for the client under test after the plain start, with further players whom nobody plays.
  fileprivate func playIUT(with others: [String] = ["peer-x"]) throws {
    try seatWith(others)
    hosts[0].tellStart()
    try settleAfresh()
    if purpose.needs.contains(.screen) { try expectPhase("ACTIVE") }
  }

  /// The host has opened a vote for END_GAME in a game with one further player, and the client shows it.
  /// - Returns: when the client was told.
  @discardableResult
  fileprivate func openVoteAtIUT() throws -> SimInstant {
    try playIUT()
    hosts[0].propose(.endGame)
    try expectPhase("VOTING")
    return now
  }
}
