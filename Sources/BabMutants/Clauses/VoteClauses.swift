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
    .packets(
      "vote-before-game", .host, clause: "BAB 5.5.1", "opens votes before the game",
      outgoing: { mutant, _, packet in mutant.watchGame(packet) },
      incoming: { mutant, _, packet in
        if packet.type == .voteRequest, mutant.count == Game.none { mutant.sayToAll(packet.payload) }
        return [packet]
      }),
    .packets(
      "vote-after-game", .host, clause: "BAB 5.5.1", "opens votes when the game is over",
      outgoing: { mutant, _, packet in mutant.watchGame(packet) },
      incoming: { mutant, _, packet in
        if packet.type == .voteRequest, mutant.count == Game.over { mutant.sayToAll(packet.payload) }
        return [packet]
      }),
    .packets(
      "second-vote-opened", .host, clause: "BAB 5.5.1", "opens a second vote beside the first",
      outgoing: { mutant, _, packet in
        if packet.type == .voteRequest { mutant.count = 1 }
        return [.packet(packet)]
      },
      incoming: { mutant, _, packet in
        if packet.type == .voteRequest, mutant.count == 1 { mutant.sayToAll(packet.payload) }
        return [packet]
      }),
    .packets(
      "vote-not-told-to-proposer", .host, clause: "BAB 5.5.2", "tells everybody of a vote but its proposer",
      outgoing: { mutant, link, packet in
        guard case .voteRequest(let proposer, _) = packet.payload else { return [.packet(packet)] }
        return mutant.memory.contains("\(link.rawValue) \(proposer)") ? [] : [.packet(packet)]
      },
      incoming: { mutant, link, packet in
        mutant.memory.append("\(link.rawValue) \(packet.senderID)")
        return [packet]
      }),
    .packets(
      "own-vote-not-told", .host, clause: "BAB 5.5.2", "opens votes of its own and tells nobody",
      outgoing: { mutant, _, packet in
        if case .voteRequest(mutant.configuration.peerID, _) = packet.payload { return [] }
        return [.packet(packet)]
      }),
    .seam(
      "voting-not-shown", .host, clause: "BAB 5.5.2", "does not show that a vote is open",
      asking: { _, effect in effect == .report(.phase("VOTING")) ? [] : [effect] }),
    .seam(
      "stays-in-voting", .host, clause: "BAB 5.5.7", "shows VOTING when the vote is over",
      asking: { mutant, effect in
        if effect == .report(.phase("VOTING")) { mutant.count = 1 }
        return mutant.count == 1 && effect == .report(.phase("ACTIVE")) ? [] : [effect]
      }),
    .packets(
      "early-vote-counts", .host, clause: "BAB 5.5.5", "counts a VOTE_CAST that came before the vote",
      incoming: { mutant, link, packet in
        if packet.type == .voteCast, mutant.count == 0 { mutant.memory = ["\(link.rawValue)", packet.senderID] }
        if packet.type == .voteRequest { mutant.count = 1 }
        return [packet]
      },
      observing: { mutant, input in
        guard mutant.count == 1, input == .user(.castVote(true)), mutant.memory.count == 2,
          let link = Int(mutant.memory[0])
        else { return }
        let voter = mutant.memory[1]
        mutant.hear(mutant.packet(.voteCast(voterID: voter, vote: true), as: voter), on: LinkID(link))
      }),
  ]

  private static let voteCounting: [Mutant] = [
    .packets(
      "proposer-must-vote", .host, clause: "BAB 5.5.3", "does not count a proposal as its proposer's yes",
      outgoing: { mutant, _, packet in
        if case .voteRequest(let proposer, _) = packet.payload { mutant.memory = [proposer] }
        return packet.type == .navigationSync && !mutant.memory.isEmpty ? [] : [.packet(packet)]
      },
      incoming: { mutant, _, packet in
        if packet.type == .voteCast { mutant.memory.removeAll { $0 == packet.senderID } }
        return [packet]
      }),
    .packets(
      "proposer-may-withdraw", .host, clause: "BAB 5.5.3", "lets a vote fail with its proposer's no",
      outgoing: { mutant, _, packet in
        if case .voteRequest(let proposer, _) = packet.payload { mutant.memory = [proposer] }
        return packet.type == .navigationSync && mutant.count == 1 ? [] : [.packet(packet)]
      },
      incoming: { mutant, _, packet in
        if case .voteCast(let voter, false) = packet.payload, mutant.memory.contains(voter) { mutant.count = 1 }
        return [packet]
      }),
    .packets(
      "votes-not-passed-on", .host, clause: "BAB 5.5.4", "tells a voter of the vote and nobody else",
      outgoing: { mutant, link, packet in
        guard case .voteCast(let voter, _) = packet.payload else { return [.packet(packet)] }
        return mutant.memory.contains("\(link.rawValue) \(voter)") ? [.packet(packet)] : []
      },
      incoming: { mutant, link, packet in
        mutant.memory.append("\(link.rawValue) \(packet.senderID)")
        return [packet]
      }),
    .packets(
      "own-cast-not-told", .host, clause: "BAB 5.5.4", "tells nobody how it votes itself",
      outgoing: { mutant, _, packet in
        if case .voteCast(mutant.configuration.peerID, _) = packet.payload { return [] }
        return [.packet(packet)]
      }),
    .packets(
      "last-vote-stands", .host, clause: "BAB 5.5.4", "lets a voter change its mind",
      outgoing: { mutant, _, packet in packet.type == .navigationSync && mutant.count == 1 ? [] : [.packet(packet)] },
      incoming: { mutant, _, packet in
        guard case .voteCast(let voter, let isYes) = packet.payload else { return [packet] }
        if mutant.memory.contains(voter), !isYes {
          mutant.count = 1
          mutant.sayToAll(packet.payload)
        }
        mutant.memory.append(voter)
        return [packet]
      }),
    .packets(
      "host-decides", .host, clause: "BAB 5.5.5", "takes a vote for passed with its own yes",
      outgoing: { mutant, _, packet in
        if packet.type == .voteRequest { mutant.count = 1 }
        return [.packet(packet)]
      },
      observing: { mutant, input in
        guard input == .user(.castVote(true)), mutant.count == 1 else { return }
        mutant.sayToAll(.navigationSync(screenName: "theater"))
      }),
    .packets(
      "no-counts-as-yes", .host, clause: "BAB 5.5.5", "counts every VOTE_CAST as a yes",
      incoming: { _, _, packet in
        guard case .voteCast(let voter, false) = packet.payload else { return [packet] }
        return [packet.saying(.voteCast(voterID: voter, vote: true))]
      }),
    .packets(
      "no-must-be-unanimous", .host, clause: "BAB 5.5.5", "keeps a vote open after a no",
      incoming: { mutant, _, packet in
        guard case .voteCast(_, false) = packet.payload else { return [packet] }
        mutant.sayToAll(packet.payload)
        return []
      }),
    Mutant(
      "vote-of-a-minute", .host, clause: "BAB 5.5.5", "keeps a vote open for a minute",
      adjust: { $0.voteTimeout = .seconds(60) }),
    Mutant(
      "vote-of-twenty-seconds", .host, clause: "BAB 8.4", "closes a vote after twenty seconds",
      adjust: { $0.voteTimeout = .seconds(20) }),
    .packets(
      "waits-for-lost-voters", .host, clause: "BAB 5.5.6", "waits for the votes of players who have left",
      outgoing: { mutant, _, packet in packet.type == .navigationSync && mutant.count == 1 ? [] : [.packet(packet)] },
      observing: { mutant, input in if case .disconnected = input { mutant.count = 1 } }),
  ]

  private static let voteEffects: [Mutant] = [
    .packets(
      "no-reading-in-vote", .host, clause: "BAB 5.5.7", "takes no line while a vote is open",
      outgoing: { mutant, _, packet in
        if packet.type == .voteRequest { mutant.count = 1 }
        if packet.type == .navigationSync { mutant.count = 0 }
        return [.packet(packet)]
      },
      incoming: { mutant, _, packet in mutant.count == 1 && packet.type == .lineCompleted ? [] : [packet] }),
    .packets(
      "reading-closes-vote", .host, clause: "BAB 5.5.7", "drops an open vote with the next line that is read",
      outgoing: { mutant, _, packet in
        if packet.type == .voteRequest { mutant.count = 1 }
        if packet.type == .lineCompleted, mutant.count == 1 { mutant.count = 2 }
        return mutant.count == 2 && packet.type == .navigationSync ? [] : [.packet(packet)]
      }),
    .packets(
      "skip-vote-skips-nothing", .host, clause: "BAB 5.5.8", "leaves the line when SKIP_LINE has passed",
      outgoing: { _, _, packet in packet.type == .lineSkipped ? [] : [.packet(packet)] }),
    .packets(
      "end-vote-ends-nothing", .host, clause: "BAB 5.5.8", "goes on when END_GAME has passed",
      outgoing: { mutant, _, packet in
        if case .voteRequest(_, .endGame) = packet.payload { mutant.count = 1 }
        return mutant.count == 1 && packet.type == .fullStateSnapshot ? [] : [.packet(packet)]
      }),
    .packets(
      "end-vote-always-ends", .host, clause: "BAB 5.5.5", "ends the game with every proposal to end it",
      outgoing: { mutant, _, packet in
        guard case .voteRequest(_, .endGame) = packet.payload else { return [.packet(packet)] }
        var state = SessionState()
        state.currentPhase = .finished
        return [.packet(packet), .packet(mutant.packet(.fullStateSnapshot(state)))]
      }),
    .packets(
      "same-scene", .host, clause: "BAB 5.5.8", "keeps its scenario when CHANGE_SCENE has passed",
      outgoing: { mutant, _, packet in
        if packet.type == .voteRequest { mutant.count = 1 }
        return packet.withLobby { lobby in
          if mutant.count == 0 { mutant.memory = [lobby.selectedScenarioID] }
          if mutant.count == 1, let scenario = mutant.memory.first { lobby.selectedScenarioID = scenario }
        }
      }),
    .packets(
      "no-theater", .host, clause: "BAB 5.5.8", "changes the scene and leads nobody to the theater",
      outgoing: { _, _, packet in packet.type == .navigationSync ? [] : [.packet(packet)] }),
    .packets(
      "theater-first", .host, clause: "BAB 5.5.8", "leads to the theater before it tells the new scene",
      outgoing: { mutant, _, packet in
        if packet.type == .voteRequest { mutant.count = 1 }
        guard mutant.count == 1 else { return [.packet(packet)] }
        if packet.type == .navigationSync { return [] }
        guard packet.type == .lobbyUpdate else { return [.packet(packet)] }
        return [.packet(mutant.packet(.navigationSync(screenName: "theater"))), .packet(packet)]
      }),
    .packets(
      "scene-change-takes-turn", .host, clause: "BAB 5.5.8", "starts the turns over with another scene",
      outgoing: { mutant, _, packet in
        guard packet.type == .navigationSync else { return [.packet(packet)] }
        let me = mutant.configuration.peerID
        return [.packet(packet), .packet(mutant.packet(.turnAdvanced(nextPlayerID: me, pendingLine: nil)))]
      }),
    .packets(
      "roles-outlive-scene-vote", .host, clause: "BAB 5.5.8", "keeps the roles when a vote changes the scene",
      outgoing: { mutant, _, packet in
        if packet.type == .navigationSync { mutant.count = 1 }
        return [.packet(packet)]
      },
      incoming: { mutant, link, packet in
        guard packet.type == .clientJoin, mutant.count == 1 else { return [packet] }
        let role = PacketPayload.roleAssigned(playerID: mutant.configuration.peerID, roleID: "role-1")
        mutant.say(.packet(mutant.packet(role)), to: link)
        return [packet]
      }),
  ]

  // MARK: Clients

  private static let voteClients: [Mutant] = [
    .packets(
      "vote-unseen", .client, clause: "BAB 5.5.2", "does not know VOTE_REQUEST",
      incoming: { _, _, packet in packet.type == .voteRequest ? [] : [packet] }),
    .packets(
      "proposes-for-another", .client, clause: "BAB 5.5.2", "proposes votes in another's name",
      outgoing: { _, _, packet in
        guard case .voteRequest(let proposer, let action) = packet.payload else { return [.packet(packet)] }
        return [.packet(packet.saying(.voteRequest(proposerID: proposer + "-2", action: action)))]
      }),
    .packets(
      "votes-for-another", .client, clause: "BAB 5.5.4", "casts its votes in another's name",
      outgoing: { _, _, packet in
        guard case .voteCast(let voter, let yes) = packet.payload else { return [.packet(packet)] }
        return [.packet(packet.saying(.voteCast(voterID: voter + "-2", vote: yes)))]
      }),
    .packets(
      "always-yes", .client, clause: "BAB 5.5.4", "says yes whatever its user says",
      outgoing: { _, _, packet in
        guard case .voteCast(let voter, false) = packet.payload else { return [.packet(packet)] }
        return [.packet(packet.saying(.voteCast(voterID: voter, vote: true)))]
      }),
    .seam(
      "own-proposal-is-a-vote", .client, clause: "BAB 1.3", "shows VOTING before the host has opened the vote",
      hearing: { mutant, input in
        if case .proposeVote? = input.bab { mutant.added.append(.report(.phase("VOTING"))) }
        return [input]
      }),
    .packets(
      "one-yes-is-enough", .client, clause: "BAB 5.5.5", "takes a vote for passed with the first yes",
      incoming: { mutant, _, packet in
        if case .voteCast(_, true) = packet.payload { mutant.ask(.report(.phase("ACTIVE"))) }
        return [packet]
      }),
    .packets(
      "no-is-not-the-end", .client, clause: "BAB 5.5.5", "waits for all votes although one is no",
      incoming: { _, _, packet in
        if case .voteCast(_, false) = packet.payload { return [] }
        return [packet]
      }),
    .packets(
      "own-proposer-must-vote", .client, clause: "BAB 5.5.3", "waits for the proposer's VOTE_CAST",
      incoming: { mutant, _, packet in
        if case .voteRequest(let proposer, _) = packet.payload { mutant.memory = [proposer] }
        if case .voteCast(let voter, _) = packet.payload { mutant.memory.removeAll { $0 == voter } }
        return [packet]
      },
      showing: { mutant, report in report == .phase("ACTIVE") && !mutant.memory.isEmpty ? [] : [report] }),
    Mutant(
      "client-vote-of-a-minute", .client, clause: "BAB 5.5.5", "takes a vote for open for a minute",
      adjust: { $0.voteTimeout = .seconds(60) }),
    Mutant(
      "client-vote-of-twenty-seconds", .client, clause: "BAB 8.4", "takes a vote for closed after twenty seconds",
      adjust: { $0.voteTimeout = .seconds(20) }),
    .packets(
      "lost-voters-awaited", .client, clause: "BAB 5.5.6", "waits for the votes of players who have left",
      incoming: { mutant, _, packet in
        guard packet.type == .lobbyUpdate, mutant.count == 1 else {
          if packet.type == .voteRequest { mutant.count = 1 }
          return [packet]
        }
        return []
      }),
    .packets(
      "last-vote-counts", .client, clause: "BAB 5.5.4", "ends a vote when a voter's second vote is no",
      incoming: { mutant, _, packet in
        guard case .voteCast(let voter, let yes) = packet.payload else { return [packet] }
        if mutant.memory.contains(voter), !yes { mutant.ask(.report(.phase("ACTIVE"))) }
        mutant.memory.append(voter)
        return [packet]
      }),
    .packets(
      "turn-ends-vote", .client, clause: "BAB 5.5.7", "shows ACTIVE with every turn, a vote open or not",
      incoming: { mutant, _, packet in
        if packet.type == .turnAdvanced { mutant.ask(.report(.phase("ACTIVE"))) }
        return [packet]
      }),
    .packets(
      "no-turn-in-vote", .client, clause: "BAB 5.5.7", "takes no turn while a vote is open",
      incoming: { mutant, _, packet in
        if packet.type == .voteRequest { mutant.count = 1 }
        return mutant.count == 1 && packet.type == .turnAdvanced ? [] : [packet]
      }),
    .packets(
      "votes-before-game", .client, clause: "BAB 5.5.1", "shows VOTING although no game is on",
      incoming: { mutant, _, packet in
        if packet.type == .startGame || packet.type == .gameStarted { mutant.count = 1 }
        if packet.type == .voteRequest, mutant.count == 0 { mutant.ask(.report(.phase("VOTING"))) }
        return [packet]
      }),
    .packets(
      "second-vote-replaces", .client, clause: "BAB 5.5.1", "forgets a vote's ballots when another is proposed",
      incoming: { mutant, _, packet in
        if packet.type == .voteRequest { mutant.count += 1 }
        return [packet]
      },
      showing: { mutant, report in report == .phase("ACTIVE") && mutant.count > 1 ? [] : [report] }),
  ]
}

extension PacketMutant {
  /// Books in `count` whether a game is on (1) or over (2); changes nothing.
  fileprivate func watchGame(_ packet: BabPacket) -> [Speech] {
    switch packet.payload {
    case .startGame, .gameStarted: count = 1
    case .fullStateSnapshot(let state) where state.currentPhase == .finished: count = 2
    default: break
    }
    return [.packet(packet)]
  }
}
