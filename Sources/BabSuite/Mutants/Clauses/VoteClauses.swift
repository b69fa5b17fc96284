import AppSeam
import BabSim
import Conformance
import SimKernel

/// Defects of votes.
extension Mutants {
  static let vote: [Mutant] = voteOpening + voteCounting + voteEffects + voteClients

  /// What mutants of votes keep in `count`.
  private enum Game {
    static let none = 0
    static let on = 1
    static let over = 2
  }

  // MARK: Hosts

  private static let voteOpening: [Mutant] = [
    inGameState("vote-before-game", "opens votes before the game", Game.none),
    inGameState("vote-after-game", "opens votes when the game is over", Game.over),
    .packets(
      "second-vote-opened", .host, "BAB 5.5.1", "opens a second vote beside the first",
      whenSaying: { m, packet in if packet.type == .voteRequest { m.count = 1 } },
      whenHearing: { m, packet in
        if packet.type == .voteRequest, m.count == 1 { m.sayToAll(packet.payload) }
      }),
    .untold("vote-not-told-to-proposer", "BAB 5.5.2", "tells everybody of a vote but its proposer", .voteRequest) {
      $0
    },
    .unsaid("own-vote-not-told", .host, "BAB 5.5.2", "opens votes of its own and tells nobody") { m, packet in
      if case .voteRequest(m.configuration.peerID, _) = packet.payload { true } else { false }
    },
    .keeps("voting-not-shown", .host, "BAB 5.5.2", "does not show that a vote is open") {
      $0 == .report(.phase("VOTING"))
    },
    .asks("stays-in-voting", .host, "BAB 5.5.7", "shows VOTING when the vote is over") { m, effect in
      if effect == .report(.phase("VOTING")) { m.count = 1 }
      return m.count == 1 && effect == .report(.phase("ACTIVE")) ? [] : [effect]
    },
    .packets(
      "early-vote-counts", .host, "BAB 5.5.5", "counts a VOTE_CAST that came before the vote",
      whenHearing: { m, packet in
        if packet.type == .voteCast, m.count == 0 { m.memory = ["\(m.link.rawValue)", packet.senderID] }
        if packet.type == .voteRequest { m.count = 1 }
      },
      observing: { m, input in
        guard m.count == 1, input == .user(.castVote(true)), m.memory.count == 2,
          let link = Int(m.memory[0])
        else { return }
        let voter = m.memory[1]
        m.hear(m.packet(.voteCast(voterID: voter, vote: true), as: voter), on: LinkID(link))
      }),
  ]

  /// A host that opens votes while its game is in this state.
  private static func inGameState(_ name: String, _ summary: String, _ state: Int) -> Mutant {
    .packets(
      name, .host, "BAB 5.5.1", summary, whenSaying: { m, packet in m.watchGame(packet) },
      whenHearing: { m, packet in
        if packet.type == .voteRequest, m.count == state { m.sayToAll(packet.payload) }
      })
  }

  private static let voteCounting: [Mutant] = [
    .packets(
      "proposer-must-vote", .host, "BAB 5.5.3", "does not count a proposal as its proposer's yes",
      outgoing: { m, packet in
        if case .voteRequest(let proposer, _) = packet.payload { m.memory = [proposer] }
        return packet.type == .navigationSync && !m.memory.isEmpty ? [] : [packet]
      },
      whenHearing: { m, packet in if packet.type == .voteCast { m.memory.removeAll { $0 == packet.senderID } } }),
    .packets(
      "proposer-may-withdraw", .host, "BAB 5.5.3", "lets a vote fail with its proposer's no",
      outgoing: { m, packet in
        if case .voteRequest(let proposer, _) = packet.payload { m.memory = [proposer] }
        return packet.type == .navigationSync && m.count == 1 ? [] : [packet]
      },
      whenHearing: { m, packet in
        if case .voteCast(let voter, false) = packet.payload, m.memory.contains(voter) { m.count = 1 }
      }),
    .untold("votes-not-passed-on", "BAB 5.5.4", "tells a voter of the vote and nobody else", .voteCast) { !$0 },
    .unsaid("own-cast-not-told", .host, "BAB 5.5.4", "tells nobody how it votes itself") { m, packet in
      if case .voteCast(m.configuration.peerID, _) = packet.payload { true } else { false }
    },
    .packets(
      "last-vote-stands", .host, "BAB 5.5.4", "lets a voter change its mind",
      unsaid: { m, packet in packet.type == .navigationSync && m.count == 1 },
      incoming: { m, packet in
        guard case .voteCast(let voter, let isYes) = packet.payload else { return [packet] }
        if m.memory.contains(voter), !isYes {
          m.count = 1
          m.sayToAll(packet.payload)
        }
        m.memory.append(voter)
        return [packet]
      }),
    .packets(
      "host-decides", .host, "BAB 5.5.5", "takes a vote for passed with its own yes",
      whenSaying: { m, packet in if packet.type == .voteRequest { m.count = 1 } },
      observing: { m, input in
        guard input == .user(.castVote(true)), m.count == 1 else { return }
        m.sayToAll(.navigationSync(screenName: "theater"))
      }),
    .mishears("no-counts-as-yes", .host, "BAB 5.5.5", "counts every VOTE_CAST as a yes") {
      if case .voteCast(let voter, false) = $0.payload { $0.payload = .voteCast(voterID: voter, vote: true) }
    },
    .hears("no-must-be-unanimous", .host, "BAB 5.5.5", "keeps a vote open after a no") { m, packet in
      guard case .voteCast(_, false) = packet.payload else { return [packet] }
      m.sayToAll(packet.payload)
      return []
    },
    .set("vote-of-a-minute", .host, "BAB 5.5.5", "keeps a vote open for a minute") { $0.voteTimeout = .seconds(60) },
    .set("vote-of-twenty-seconds", .host, "BAB 8.4", "closes a vote after twenty seconds") {
      $0.voteTimeout = .seconds(20)
    },
    .packets(
      "waits-for-lost-voters", .host, "BAB 5.5.6", "waits for the votes of players who have left",
      unsaid: { m, packet in packet.type == .navigationSync && m.count == 1 },
      observing: { m, input in if case .disconnected = input { m.count = 1 } }),
  ]

  private static let voteEffects: [Mutant] = [
    .packets(
      "no-reading-in-vote", .host, "BAB 5.5.7", "takes no line while a vote is open",
      whenSaying: { m, packet in
        if packet.type == .voteRequest { m.count = 1 }
        if packet.type == .navigationSync { m.count = 0 }
      },
      unheard: { m, packet in m.count == 1 && packet.type == .lineCompleted }),
    .says("reading-closes-vote", .host, "BAB 5.5.7", "drops an open vote with the next line that is read") {
      m, packet in
      if packet.type == .voteRequest { m.count = 1 }
      if packet.type == .lineCompleted, m.count == 1 { m.count = 2 }
      return m.count == 2 && packet.type == .navigationSync ? [] : [packet]
    },
    .unsaid("skip-vote-skips-nothing", .host, "BAB 5.5.8", "leaves the line when SKIP_LINE has passed", .lineSkipped),
    .says("end-vote-ends-nothing", .host, "BAB 5.5.8", "goes on when END_GAME has passed") { m, packet in
      if case .voteRequest(_, .endGame) = packet.payload { m.count = 1 }
      return m.count == 1 && packet.type == .fullStateSnapshot ? [] : [packet]
    },
    .says("end-vote-always-ends", .host, "BAB 5.5.5", "ends the game with every proposal to end it") { m, packet in
      guard case .voteRequest(_, .endGame) = packet.payload else { return [packet] }
      var state = SessionState()
      state.currentPhase = .finished
      return [packet, m.packet(.fullStateSnapshot(state))]
    },
    .misspeaks("same-scene", .host, "BAB 5.5.8", "keeps its scenario when CHANGE_SCENE has passed") { m, packet in
      if packet.type == .voteRequest { m.count = 1 }
      guard let scenario = packet.lobby?.selectedScenarioID else { return }
      if m.count == 0 { m.memory = [scenario] }
      packet.lobby?.selectedScenarioID = m.memory.first ?? scenario
    },
    .unsaid("no-theater", .host, "BAB 5.5.8", "changes the scene and leads nobody to the theater", .navigationSync),
    .says("theater-first", .host, "BAB 5.5.8", "leads to the theater before it tells the new scene") { m, packet in
      if packet.type == .voteRequest { m.count = 1 }
      guard m.count == 1 else { return [packet] }
      if packet.type == .navigationSync { return [] }
      guard packet.type == .lobbyUpdate else { return [packet] }
      return [m.packet(.navigationSync(screenName: "theater")), packet]
    },
    .says("scene-change-takes-turn", .host, "BAB 5.5.8", "starts the turns over with another scene") { m, packet in
      guard packet.type == .navigationSync else { return [packet] }
      let me = m.configuration.peerID
      return [packet, m.packet(.turnAdvanced(nextPlayerID: me, pendingLine: nil))]
    },
    .packets(
      "roles-outlive-scene-vote", .host, "BAB 5.5.8", "keeps the roles when a vote changes the scene",
      whenSaying: { m, packet in if packet.type == .navigationSync { m.count = 1 } },
      incoming: { m, packet in
        guard packet.type == .clientJoin, m.count == 1 else { return [packet] }
        let role = PacketPayload.roleAssigned(playerID: m.configuration.peerID, roleID: "role-1")
        m.say(m.packet(role), to: m.link)
        return [packet]
      }),
  ]

  // MARK: Clients

  private static let voteClients: [Mutant] = [
    .unheard("vote-unseen", .client, "BAB 5.5.2", "does not know VOTE_REQUEST", .voteRequest),
    .misspeaks("proposes-for-another", .client, "BAB 5.5.2", "proposes votes in another's name") {
      guard case .voteRequest(let proposer, let action) = $0.payload else { return }
      $0.payload = .voteRequest(proposerID: proposer + "-2", action: action)
    },
    .misspeaks("votes-for-another", .client, "BAB 5.5.4", "casts its votes in another's name") {
      if case .voteCast(let voter, let yes) = $0.payload { $0.payload = .voteCast(voterID: voter + "-2", vote: yes) }
    },
    .misspeaks("always-yes", .client, "BAB 5.5.4", "says yes whatever its user says") {
      if case .voteCast(let voter, false) = $0.payload { $0.payload = .voteCast(voterID: voter, vote: true) }
    },
    .whenTold("own-proposal-is-a-vote", .client, "BAB 1.3", "shows VOTING before the host has opened the vote") {
      m, input in
      if case .proposeVote? = input.bab { m.added.append(.report(.phase("VOTING"))) }
    },
    .whenHearing("one-yes-is-enough", .client, "BAB 5.5.5", "takes a vote for passed with the first yes") { m, packet in
      if case .voteRequest(_, let action) = packet.payload { m.memory = [action.rawValue] }
      guard case .voteCast(_, true) = packet.payload, let action = m.memory.first else { return }
      m.ask(.report(.voteResult(action: action, passed: true)))
      m.ask(.report(.phase("ACTIVE")))
    },
    .unheard("no-is-not-the-end", .client, "BAB 5.5.5", "waits for all votes although one is no") { _, packet in
      if case .voteCast(_, false) = packet.payload { true } else { false }
    },
    .packets(
      "own-proposer-must-vote", .client, "BAB 5.5.3", "waits for the proposer's VOTE_CAST",
      whenHearing: { m, packet in
        if case .voteRequest(let proposer, _) = packet.payload { m.memory = [proposer] }
        if case .voteCast(let voter, _) = packet.payload { m.memory.removeAll { $0 == voter } }
      },
      showing: { m, report in report == .phase("ACTIVE") && !m.memory.isEmpty ? [] : [report] }),
    .set("client-vote-of-a-minute", .client, "BAB 5.5.5", "takes a vote for open for a minute") {
      $0.voteTimeout = .seconds(60)
    },
    .set("client-vote-of-twenty-seconds", .client, "BAB 8.4", "takes a vote for closed after twenty seconds") {
      $0.voteTimeout = .seconds(20)
    },
    .hears("lost-voters-awaited", .client, "BAB 5.5.6", "waits for the votes of players who have left") { m, packet in
      guard packet.type == .lobbyUpdate, m.count == 1 else {
        if packet.type == .voteRequest { m.count = 1 }
        return [packet]
      }
      return []
    },
    .hears("last-vote-counts", .client, "BAB 5.5.4", "ends a vote when a voter's second vote is no") { m, packet in
      guard case .voteCast(let voter, let yes) = packet.payload else { return [packet] }
      if m.memory.contains(voter), !yes { m.ask(.report(.phase("ACTIVE"))) }
      m.memory.append(voter)
      return [packet]
    },
    .whenHearing("turn-ends-vote", .client, "BAB 5.5.7", "shows ACTIVE with every turn, a vote open or not") {
      m, packet in
      if packet.type == .turnAdvanced { m.ask(.report(.phase("ACTIVE"))) }
    },
    .hears("no-turn-in-vote", .client, "BAB 5.5.7", "takes no turn while a vote is open") { m, packet in
      if packet.type == .voteRequest { m.count = 1 }
      return m.count == 1 && packet.type == .turnAdvanced ? [] : [packet]
    },
    .whenHearing("votes-before-game", .client, "BAB 5.5.1", "shows VOTING although no game is on") { m, packet in
      if packet.type == .startGame || packet.type == .gameStarted { m.count = 1 }
      if packet.type == .voteRequest, m.count == 0 { m.ask(.report(.phase("VOTING"))) }
    },
    .packets(
      "second-vote-replaces", .client, "BAB 5.5.1", "forgets a vote's ballots when another is proposed",
      whenHearing: { m, packet in if packet.type == .voteRequest { m.count += 1 } },
      showing: { m, report in report == .phase("ACTIVE") && m.count > 1 ? [] : [report] }),
  ]
}

extension PacketMutant {
  /// Books in `count` whether a game is on (1) or over (2).
  fileprivate func watchGame(_ packet: BabPacket) {
    switch packet.payload {
    case .startGame, .gameStarted: count = 1
    case .fullStateSnapshot(let state) where state.currentPhase == .finished: count = 2
    default: break
    }
  }
}
