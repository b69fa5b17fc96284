import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// VOTE, host: how votes are opened, counted and ended (BAB 5.5.1 to 5.5.7, 8.4).
///
/// Most count a vote for CHANGE_SCENE: NAVIGATION_SYNC "theater" says that it has passed (5.5.8).
extension Catalog {
  static let voteHost: [TestPurpose] = voteHostOpening + voteHostCounting + voteHostEffects

  private static let voteHostOpening: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/VOTE/BV-01-C", ["BAB 5.5.2"],
      "A client's proposal opens a vote, and every client is told, its proposer too.",
      initial: "A game is on with client-1 and client-2.",
      expects: ["both clients are sent VOTE_REQUEST: client-1, CHANGE_SCENE"], needs: [.votes], testers: 2
    ) { t, one in
      try t.preamble { try t.playPlainly(with: 2) }
      one.propose(.changeScene)
      try t.clients.expectProposal(.changeScene, of: one.peerID, "proposes CHANGE_SCENE for client-1")
    },
    TestPurpose(
      "BAB/HOST/VOTE/BV-02-C", ["BAB 5.5.2"],
      "The host's own proposal opens a vote, and every client is told.",
      initial: "A game is on with client-1 and client-2.",
      expects: ["both clients are sent VOTE_REQUEST: the host, END_GAME"], needs: [.votes], testers: 2
    ) { t in
      try t.preamble { try t.playPlainly(with: 2) }
      t.iut.user(.proposeVote("END_GAME"))
      try t.clients.expectProposal(.endGame, of: t.iut.peerID, "proposes END_GAME for the host")
    },
    TestPurpose(
      "BAB/HOST/VOTE/BV-03-C", ["BAB 5.5.2", "BAB 5.5.7"],
      "The host is in phase VOTING while a vote is open, and in ACTIVE again after it.",
      initial: "A game is on with client-1 and client-2; the host shows ACTIVE.",
      expects: ["VOTING after client-1's proposal and client-2's yes; ACTIVE after the host's no"],
      needs: [.votes, .screen], testers: 2
    ) { t, one, two in
      try t.preamble {
        try t.playPlainly(with: 2)
        try t.expectPhase("ACTIVE")
      }
      one.propose(.endGame)
      try t.expectPhase("VOTING")
      two.vote(true)
      try t.keepsPhase("VOTING", for: .seconds(1))
      t.iut.user(.castVote(false))
      try t.expectPhase("ACTIVE", clause: "BAB 5.5.7")
    },
    TestPurpose(
      "BAB/HOST/VOTE/BI-01-C", ["BAB 5.5.1"],
      "No vote is opened before the game.",
      initial: "client-1 and client-2 are seated; no game is on.",
      expects: [
        "client-1's and the host's proposals are ignored: nobody is sent VOTE_REQUEST",
        "in the game that follows, client-1's opens a vote",
      ],
      needs: [.votes], testers: 2
    ) { t in
      try t.preamble { try t.seatClients(2) }
      try t.ignores {
        t.clients[0].propose(.changeScene)
        t.iut.user(.proposeVote("CHANGE_SCENE"))
        try t.clients.expectNone(of: [.voteRequest, .navigationSync])
      }
      t.iut.user(.startLobbyGame)
      try t.clients.expect(.startGame, clause: "BAB 5.2.8")
      try t.settleAfresh()
      t.clients[0].propose(.changeScene)
      try t.clients.expect(.voteRequest, clause: "BAB 5.5.2")
    },
    TestPurpose(
      "BAB/HOST/VOTE/BI-02-C", ["BAB 5.5.1"],
      "No vote is opened after the game.",
      initial: "A game with client-1 and client-2 has been ended by the host.",
      expects: ["client-1's proposal is ignored: nobody is sent VOTE_REQUEST"], needs: [.votes], testers: 2
    ) { t in
      try t.preamble {
        try t.playPlainly(with: 2)
        t.iut.user(.endGame)
        try t.settleAfresh(.seconds(1))
      }
      try t.ignores {
        t.clients[0].propose(.changeScene)
        try t.clients.expectNone(of: [.voteRequest, .navigationSync])
      }
    },
    TestPurpose(
      "BAB/HOST/VOTE/BI-03-C", ["BAB 5.5.1"],
      "No second vote is opened while one is open, and the first one goes on.",
      initial: "A game is on with client-1 and client-2; client-1 has proposed CHANGE_SCENE.",
      expects: [
        "client-2's proposal of END_GAME is ignored; CHANGE_SCENE passes with the yes of client-2 and the host"
      ],
      needs: [.votes], testers: 2
    ) { t, one, two in
      try t.preamble { try t.openVote(.changeScene, by: one, playingWith: 2) }
      try t.ignores {
        two.propose(.endGame)
        t.iut.user(.proposeVote("END_GAME"))
        try t.clients.expectNone(of: [.voteRequest], for: .seconds(1))
      }
      two.vote(true)
      t.iut.user(.castVote(true))
      try t.clients.expectSceneChange()
    },
    TestPurpose(
      "BAB/HOST/VOTE/BI-04-C", ["BAB 5.5.5", "BAB 5.5.1"],
      "A VOTE_CAST while no vote is open counts for none.",
      initial: "A game is on with client-1 and client-2; no vote is open.",
      expects: ["client-2's early yes is not passed on, and the vote that follows waits for client-2"],
      needs: [.votes], testers: 2
    ) { t, one, two in
      try t.preamble { try t.playPlainly(with: 2) }
      try t.ignores {
        two.vote(true)
        try one.expectNone(of: [.voteCast], for: .seconds(1), clause: "BAB 5.5.4")
      }
      one.propose(.changeScene)
      try two.expect(.voteRequest, clause: "BAB 5.5.2")
      t.iut.user(.castVote(true))
      try t.clients.expectNone(of: [.navigationSync])
    },
  ]

  private static let voteHostCounting: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/VOTE/BV-04-C", ["BAB 5.5.4"],
      "Every vote that the host takes is sent to every client, its own too.",
      initial: "A game is on with client-1, client-2 and client-3; client-1 has proposed CHANGE_SCENE.",
      expects: ["all clients are sent VOTE_CAST: client-2, true; and VOTE_CAST: the host, true"], needs: [.votes],
      testers: 3
    ) { t in
      let two = t.clients[1]
      try t.preamble { try t.openVote(.changeScene, by: t.clients[0], playingWith: 3) }
      two.vote(true)
      try t.clients.expectVote(true, of: two.peerID, "says yes of client-2")
      t.iut.user(.castVote(true))
      try t.clients.expectVote(true, of: t.iut.peerID, "says yes of the host")
    },
    TestPurpose(
      "BAB/HOST/VOTE/BV-05-C", ["BAB 5.5.3", "BAB 5.5.5"],
      "The proposer's yes is cast with the proposal.",
      initial: "A game is on with client-1; client-1 has proposed CHANGE_SCENE.",
      expects: ["the vote passes with the host's yes alone"], needs: [.votes]
    ) { t, client in
      try t.preamble { try t.openVote(.changeScene, by: client, playingWith: 1) }
      t.iut.user(.castVote(true))
      try client.expectSceneChange()
    },
    TestPurpose(
      "BAB/HOST/VOTE/BV-06-C", ["BAB 5.5.3", "BAB 5.5.4"],
      "The proposer's yes stands: a no of the proposer changes nothing.",
      initial: "A game is on with client-1; client-1 has proposed CHANGE_SCENE.",
      expects: ["after client-1's no the vote still passes with the host's yes"], needs: [.votes]
    ) { t, client in
      try t.preamble { try t.openVote(.changeScene, by: client, playingWith: 1) }
      try t.ignores {
        client.vote(false)
        try t.pause(.seconds(1))
      }
      t.iut.user(.castVote(true))
      try client.expectSceneChange()
    },
    TestPurpose(
      "BAB/HOST/VOTE/BV-07-C", ["BAB 5.5.5"],
      "A vote passes once every player has said yes, and not before.",
      initial: "A game is on with client-1 and client-2; client-1 has proposed CHANGE_SCENE.",
      expects: ["nothing with the host's yes; the scene changes with client-2's"], needs: [.votes], testers: 2
    ) { t, one, two in
      try t.preamble { try t.openVote(.changeScene, by: one, playingWith: 2) }
      t.iut.user(.castVote(true))
      try t.clients.expectNone(of: [.navigationSync])
      two.vote(true)
      try t.clients.expectSceneChange()
    },
    TestPurpose(
      "BAB/HOST/VOTE/BV-08-C", ["BAB 5.5.4"],
      "A voter's first vote stands.",
      initial: "A game is on with client-1 and client-2; client-1 has proposed CHANGE_SCENE; client-2 has said yes.",
      expects: ["client-2's later no is not passed on, and the vote passes with the host's yes"], needs: [.votes],
      testers: 2
    ) { t, one, two in
      try t.preamble {
        try t.openVote(.changeScene, by: one, playingWith: 2)
        two.vote(true)
        try one.expectVote(true, of: two.peerID, "says yes of client-2")
        try t.settleAfresh()
      }
      try t.ignores {
        two.vote(false)
        try one.expectNone(of: [.voteCast], for: .seconds(1))
      }
      t.iut.user(.castVote(true))
      try t.clients.expectSceneChange()
    },
    TestPurpose(
      "BAB/HOST/VOTE/BV-09-C", ["BAB 5.5.5"],
      "A vote fails with the first no, and another can be opened at once.",
      initial: "A game is on with client-1 and client-2; client-1 has proposed CHANGE_SCENE.",
      expects: ["after client-2's no the host's yes changes nothing; client-2's own proposal is sent to every client"],
      needs: [.votes], testers: 2
    ) { t, one, two in
      try t.preamble { try t.openVote(.changeScene, by: one, playingWith: 2) }
      two.vote(false)
      try one.expectVote(false, of: two.peerID, "says no of client-2", clause: "BAB 5.5.4")
      try t.ignores {
        t.iut.user(.castVote(true))
        try t.clients.expectNone(of: [.navigationSync], for: .seconds(1))
      }
      two.propose(.endGame)
      try t.clients.expectProposal(.endGame, of: two.peerID, "proposes END_GAME for client-2")
    },
    TestPurpose(
      "BAB/HOST/VOTE/BV-10-C", ["BAB 5.5.5", "BAB 8.4"],
      "A vote is open for 30 s: the last yes at 29.9 s is in time.",
      initial: "A game is on with client-1; client-1 has proposed CHANGE_SCENE.",
      expects: ["the vote passes with the host's yes 29.9 s after it was opened"], needs: [.votes]
    ) { t, client in
      let opened = try t.preamble { try t.openVote(.changeScene, by: client, playingWith: 1) }
      try t.pause(until: opened + .milliseconds(29_900))
      t.iut.user(.castVote(true))
      try client.expectSceneChange()
    },
    TestPurpose(
      "BAB/HOST/VOTE/BV-11-C", ["BAB 5.5.5", "BAB 8.4"],
      "A vote fails 30 s after it was opened: the last yes at 30.1 s is too late.",
      initial: "A game is on with client-1; client-1 has proposed CHANGE_SCENE.",
      expects: ["nothing with the host's yes after 30.1 s; then another vote can be opened"], needs: [.votes]
    ) { t, client in
      let opened = try t.preamble { try t.openVote(.changeScene, by: client, playingWith: 1) }
      try t.pause(until: opened + .milliseconds(30_100))
      try t.ignores {
        t.iut.user(.castVote(true))
        try client.expectNone(of: [.navigationSync])
      }
      t.iut.user(.proposeVote("END_GAME"))
      try client.expectProposal(.endGame, of: t.iut.peerID, "proposes END_GAME for the host")
    },
    TestPurpose(
      "BAB/HOST/VOTE/BV-12-C", ["BAB 5.5.6"],
      "A player who has lost the seat is not waited for.",
      initial: "A game is on with client-1 and client-2; client-1 has proposed CHANGE_SCENE, the host has said yes.",
      expects: ["the vote passes when client-2's link ends"], needs: [.votes], testers: 2
    ) { t, one, two in
      try t.preamble {
        try t.openVote(.changeScene, by: one, playingWith: 2)
        t.iut.user(.castVote(true))
        try t.settleAfresh()
      }
      two.disconnect()
      try one.expectSceneChange()
    },
    TestPurpose(
      "BAB/HOST/VOTE/BV-13-C", ["BAB 5.5.6"],
      "A player who lost the seat before the vote is not waited for, one who is there is.",
      initial: "A game is on with client-1, client-2 and client-3; client-3's link has ended.",
      expects: ["client-1's vote does not pass with the host's yes alone, and does with client-2's"],
      needs: [.votes], testers: 3
    ) { t, one, two, three in
      try t.preamble {
        try t.playPlainly(with: 3)
        three.disconnect()
        try one.expectLobby("lists the host, client-1 and client-2") { $0.playerIDs == t.roster(one, two) }
        try t.openVote(.changeScene, by: one)
      }
      t.iut.user(.castVote(true))
      try one.expectNone(of: [.navigationSync], for: .seconds(1))
      two.vote(true)
      try [one, two].expectSceneChange()
    },
  ]
}

extension ClientTester {
  func propose(_ action: VoteAction) {
    send(.voteRequest(proposerID: peerID, action: action), note: "\(name) proposes \(action.rawValue)")
  }

  func vote(_ yes: Bool) {
    send(.voteCast(voterID: peerID, vote: yes), note: "\(name) says \(yes ? "yes" : "no")")
  }

  /// A vote for CHANGE_SCENE has passed (BAB 5.5.8).
  func expectSceneChange(clause: String? = nil) throws {
    try expectExactly(.navigationSync(screenName: "theater"), "leads to the theater", clause: clause)
  }
}

extension Sequence<ClientTester> {
  func expectSceneChange() throws {
    for client in self { try client.expectSceneChange() }
  }
}

extension BabBed {
  /// A game is on after the plain start with so many clients, and a client's proposal has opened a vote.
  /// - Returns: when the host was handed the proposal.
  @discardableResult
  func openVote(_ action: VoteAction, by proposer: ClientTester, playingWith count: Int) throws -> SimInstant {
    try playPlainly(with: count)
    return try openVote(action, by: proposer)
  }

  /// A client's proposal has been taken and told to everybody.
  /// - Returns: when the host was handed the proposal.
  @discardableResult
  func openVote(_ action: VoteAction, by proposer: ClientTester) throws -> SimInstant {
    proposer.propose(action)
    try proposer.expectExactly(.voteRequest(proposerID: proposer.peerID, action: action), "opens the vote")
    let opened = try newestValueInstant()
    try settleAfresh()
    return opened
  }
}
