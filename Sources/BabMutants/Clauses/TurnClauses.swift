import AppSeam
import BabOracles
import BabSim
import Conformance

/// Defects of turns and lines.
extension Mutants {
  static let turn: [Mutant] = turnOrder + turnReading + turnEnd + turnMirror + solo

  /// Whose turn it is, which line, and who is told its text.
  private static let turnOrder: [Mutant] = [
    announcing(
      "first-turn-is-a-clients", clause: "BAB 5.4.1", "gives the first turn to the first client"
    ) { mutant, _, player, line in
      guard line.id == "line-1", let first = mutant.recall("first client") else { return }
      (player, line.assignedToPlayerID) = (first, first)
    },
    announcing(
      "turns-back-and-forth", clause: "BAB 5.4.1", "after the last player the turn goes back the way it came"
    ) { mutant, _, player, line in
      guard line.id == "line-4", let first = mutant.recall("first client") else { return }
      (player, line.assignedToPlayerID) = (first, first)
    },
    announcing("lines-are-the-hosts", clause: "BAB 5.4.2", "assigns every line to the host") { mutant, _, _, line in
      line.assignedToPlayerID = mutant.configuration.peerID
    },
    announcing("lines-announced-committed", clause: "BAB 5.4.2", "announces lines as COMMITTED") { _, _, _, line in
      line.visibility = .committed
    },
    announcing("text-to-everybody", clause: "BAB 5.4.3", "sends a client's line with its text to every link") {
      mutant, _, _, line in
      if !line.textNative.isEmpty { mutant.remember("text of " + line.id, line.textNative) }
      guard let text = mutant.recall("text of " + line.id) else { return }
      (line.textNative, line.textTranslated) = (text, text)
    },
    announcing("own-text-told", clause: "BAB 5.4.3", "sends the host's own line with a text") { mutant, _, _, line in
      guard line.assignedToPlayerID == mutant.configuration.peerID else { return }
      (line.textNative, line.textTranslated) = ("Buenos días", "Good morning")
    },
    announcing("text-to-nobody", clause: "BAB 5.4.3", "sends no link the text of its line") { _, _, _, line in
      (line.textNative, line.textTranslated) = ("", "")
    },
    .packets(
      "line-ids-repeat", .host, clause: "BAB 5.4.10", "counts lines from 0 to 3 and over again",
      outgoing: { mutant, _, packet in [.packet(renamed(packet, mutant) { "line-\($0 % 4)" })] },
      incoming: { mutant, _, packet in [namedBack(packet, mutant)] }),
    .packets(
      "line-ids-start-over", .host, clause: "BAB 5.4.10", "starts counting lines again in every session",
      outgoing: { mutant, _, packet in
        let base = mutant.recall("base").flatMap { Int($0) } ?? 0
        return [.packet(renamed(packet, mutant) { "line-\($0 - base)" })]
      },
      incoming: { mutant, _, packet in [namedBack(packet, mutant)] },
      observing: { mutant, input in
        if input == .user(.startHosting), let newest = mutant.recall("newest") { mutant.remember("base", newest) }
      }),
    .packets(
      "leaver-keeps-turn", .host, clause: "BAB 5.4.8", "gives no turn when the player whose turn it is has left",
      outgoing: { mutant, link, packet in
        guard packet.advancedTurn != nil, mutant.isAfterLobby(link) else { return mutant.passed(link, packet) }
        return []
      }),
    afterLeaver("leavers-turn-to-host", "gives the turn of a player who left to the host") { mutant, player, line in
      (player, line.assignedToPlayerID) = (mutant.configuration.peerID, mutant.configuration.peerID)
    },
    afterLeaver("leavers-turn-skips-one", "gives the turn of a player who left to the last client") {
      mutant, player, line in
      let last = mutant.recall("first client") ?? player
      (player, line.assignedToPlayerID) = (last, last)
    },
    afterLeaver("leavers-line-passed-on", "gives the line of a player who left to the next") { _, _, line in
      line.id = "line-\(number(of: line.id) - 1)"
    },
    .packets(
      "turn-moves-with-any-leaver", .host, clause: "BAB 5.4.8", "announces another line whenever anybody leaves",
      outgoing: { mutant, link, packet in
        let key = "turn on \(link.rawValue)"
        if let turn = packet.advancedTurn { mutant.remember(key, turn.player) }
        guard case .lobbyUpdate = packet.payload, let player = mutant.recall(key) else { return [.packet(packet)] }
        let line = DialogLine(
          id: "line-new", speakerID: player, roleName: "", textNative: "", textTranslated: "", timestamp: 0,
          assignedToPlayerID: player, visibility: .isPrivate)
        return [.packet(packet), .packet(packet.saying(.turnAdvanced(nextPlayerID: player, pendingLine: line)))]
      }),
    .packets(
      "generate-ignored", .host, clause: "BAB 5.4.9", "makes no other line on request",
      incoming: { _, _, packet in packet.payload.type == .generateRequest ? [] : [packet] }),
    forAnybody(
      "generate-for-anybody", clause: "BAB 5.4.9", "makes another line whoever asks for it", [.generateRequest]),
  ]

  /// What ends a line, and what is then told.
  private static let turnReading: [Mutant] = [
    forAnybody(
      "takes-completion-of-anybody", clause: "BAB 5.4.5", "takes a completion of the pending line from any client",
      [.lineCompleted]),
    forAnybody(
      "takes-skip-of-anybody", clause: "BAB 5.4.5", "takes a skip of the pending line from any client", [.lineSkipped]),
    .packets(
      "host-skips-any-line", .host, clause: "BAB 5.4.5", "lets the person at the host skip whoever's line is pending",
      outgoing: { mutant, link, packet in mutant.noting(link, packet) },
      incoming: { mutant, link, packet in mutant.knowing(link, packet) },
      observing: { mutant, input in
        guard input == .user(.skipLine), let line = mutant.recall("line") else { return }
        mutant.hearFromReader { $0.saying(.lineSkipped(lineID: line)) }
      }),
    .packets(
      "host-skip-forgotten", .host, clause: "BAB 5.4.6", "tells nobody of a line that it has skipped itself",
      outgoing: { mutant, link, packet in
        if let line = packet.addedLine, line.assignedToPlayerID == mutant.configuration.peerID,
          line.pronunciationResult?.skipped == true
        {
          return []
        }
        return [.packet(packet)]
      }),
    .packets(
      "takes-any-line-id", .host, clause: "BAB 5.4.11",
      "takes a completion of whatever line for one of the pending line",
      outgoing: { mutant, link, packet in mutant.noting(link, packet) },
      incoming: { mutant, link, packet in
        guard let line = mutant.recall("line") else { return [packet] }
        switch packet.payload {
        case .lineCompleted(_, let result): return [packet.saying(.lineCompleted(lineID: line, result: result))]
        case .lineSkipped: return [packet.saying(.lineSkipped(lineID: line))]
        default: return [packet]
        }
      }),
    .packets(
      "late-completion-is-violation", .host, clause: "BAB 5.4.11", "takes a late completion for an attack",
      showing: { _, report in
        guard case .refused(let link, let reason) = report, reason.hasSuffix("not pending") else { return [report] }
        return [.violation(link, rule: "BAB 7.3", detail: reason)]
      }),
    silent("committed-line-forgotten", .dialogLineAdded, "tells no client the committed line"),
    silent("line-completed-forgotten", .lineCompleted, "tells no client that a line is completed"),
    silent("line-skipped-forgotten", .lineSkipped, "tells no client that a line is skipped"),
    swapping("line-completed-first", .dialogLineAdded, .lineCompleted, "sends LINE_COMPLETED before the line itself"),
    swapping("line-skipped-first", .dialogLineAdded, .lineSkipped, "sends LINE_SKIPPED before the line itself"),
    swapping("ranking-before-turn", .turnAdvanced, .leaderboardUpdate, "sends the ranking before the next turn"),
    .packets(
      "turn-after-last-line", .host, clause: "BAB 5.4.6", "gives another turn after the last line",
      outgoing: { mutant, _, packet in
        guard case .fullStateSnapshot(let state) = packet.payload, state.currentPhase == .finished else {
          return [.packet(packet)]
        }
        let turn = PacketPayload.turnAdvanced(nextPlayerID: mutant.configuration.peerID, pendingLine: nil)
        return [.packet(packet.saying(turn)), .packet(packet)]
      }),
    committing("committed-as-private", "sends the committed line as a private one") { $0.visibility = .isPrivate },
    committing("committed-without-text", "sends the committed line without its texts") {
      ($0.textNative, $0.textTranslated) = ("", "")
    },
    committing("committed-without-result", "sends the committed line without its result") {
      $0.pronunciationResult = nil
    },
    .packets(
      "completed-result-rounded", .host, clause: "BAB 5.4.6", "tells every completed line as a perfect one",
      outgoing: { _, _, packet in
        guard case .lineCompleted(let lineID, var result) = packet.payload else { return [.packet(packet)] }
        (result.accuracy, result.errorCount) = (1, 0)
        return [.packet(packet.saying(.lineCompleted(lineID: lineID, result: result)))]
      }),
    .packets(
      "end-of-line-not-told-to-reader", .host, clause: "BAB 5.4.6", "tells the end of a line to all but its reader",
      outgoing: { mutant, link, packet in
        if let line = packet.addedLine, mutant.recall("link of " + line.assignedToPlayerID) == "\(link.rawValue)" {
          return []
        }
        return [.packet(packet)]
      },
      incoming: { mutant, link, packet in mutant.knowing(link, packet) }),
    .packets(
      "skipped-result-counts", .host, clause: "BAB 5.4.13", "takes a skipped result for a reading",
      incoming: { _, _, packet in
        guard case .lineCompleted(let lineID, var result) = packet.payload else { return [packet] }
        result.skipped = false
        return [packet.saying(.lineCompleted(lineID: lineID, result: result))]
      }),
  ]

  /// The end of the game.
  private static let turnEnd: [Mutant] = [
    Mutant(
      "one-line-more", .host, clause: "BAB 5.8.1", "plays one line more than agreed",
      adjust: { if $0.totalLines > 0 { $0.totalLines += 1 } }),
    Mutant(
      "one-line-less", .host, clause: "BAB 5.8.1", "plays one line less than agreed",
      adjust: { if $0.totalLines > 1 { $0.totalLines -= 1 } }),
    .seam(
      "end-ignored", .host, clause: "BAB 5.8.1", "does not end the game when its user wants to",
      hearing: { _, input in input == .user(.endGame) ? [] : [input] }),
    final("final-snapshot-forgotten", "tells nobody that the game is over") { _, _, _ in false },
    final("final-snapshot-to-first-only", "tells only the first client that the game is over") { mutant, link, _ in
      link == mutant.links.first
    },
    final("final-snapshot-goes-on", "says in the final snapshot that the game is on") { _, _, state in
      state.currentPhase = .active
      return true
    },
    final("finished-without-summary", "leaves the summary out of the final snapshot") { _, _, state in
      state.sessionSummary = nil
      return true
    },
    .packets(
      "final-snapshot-always-whole", .host, clause: "BAB 5.7.5",
      "puts the whole history into the final snapshot, whatever the link carries",
      outgoing: { mutant, link, packet in
        if let line = packet.addedLine {
          mutant.remember("line \(line.id)", String(decoding: packet.encoded(), as: UTF8.self))
        }
        guard case .fullStateSnapshot(var state) = packet.payload, state.committedHistory.isEmpty else {
          return [.packet(packet)]
        }
        state.committedHistory = mutant.recallAll("line line-").compactMap {
          (try? BabPacket(decoding: Array($0.utf8)))?.addedLine
        }
        return [.packet(packet.saying(.fullStateSnapshot(state)))]
      }),
    .packets(
      "leaves-without-ending", .host, clause: "BAB 5.8.4", "leaves a running game without ending it",
      outgoing: { mutant, _, packet in
        if case .fullStateSnapshot = packet.payload, mutant.count == 1 { return [] }
        return [.packet(packet)]
      },
      observing: { mutant, input in if input == .user(.leave) { mutant.count = 1 } }),
    .packets(
      "leaves-at-once", .host, clause: "BAB 5.8.4", "ends its links with the end of the game still to be sent",
      observing: { mutant, input in
        guard input == .user(.leave) else { return }
        for link in mutant.links { mutant.ask(.disconnect(link)) }
      }),
    .seam(
      "leaves-and-stays-linked", .host, clause: "BAB 5.8.4", "leaves without ending its links",
      hearing: { mutant, input in
        if input == .user(.leave) { mutant.count = 1 }
        return [input]
      },
      asking: { mutant, effect in
        if case .disconnect = effect, mutant.count == 1 { return [] }
        return [effect]
      }),
    .packets(
      "end-not-shown", .host, clause: "BAB 5.8.1", "shows a game that is over as going on",
      showing: { _, report in report == .phase("FINISHED") || report == .turn(player: nil) ? [] : [report] }),
  ]
}
