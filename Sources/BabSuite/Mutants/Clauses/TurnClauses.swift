import AppSeam
import BabOracles
import BabSim
import Conformance

/// Defects of turns and lines.
extension Mutants {
  static let turn: [Mutant] = turnOrder + turnReading + turnEnd + turnMirror + solo

  /// Whose turn it is, which line, and who is told its text.
  private static let turnOrder: [Mutant] = [
    announcing("first-turn-is-a-clients", "BAB 5.4.1", "gives the first turn to the first client") { m, player, line in
      guard line.id == "line-1", let first = m.recall("first client") else { return }
      (player, line.assignedToPlayerID) = (first, first)
    },
    announcing("turns-back-and-forth", "BAB 5.4.1", "after the last player the turn goes back the way it came") {
      m, player, line in
      guard line.id == "line-4", let first = m.recall("first client") else { return }
      (player, line.assignedToPlayerID) = (first, first)
    },
    announcing("lines-are-the-hosts", "BAB 5.4.2", "assigns every line to the host") { m, _, line in
      line.assignedToPlayerID = m.configuration.peerID
    },
    announcing("lines-announced-committed", "BAB 5.4.2", "announces lines as COMMITTED") { _, _, line in
      line.visibility = .committed
    },
    announcing("text-to-everybody", "BAB 5.4.3", "sends a client's line with its text to every link") {
      m, _, line in
      if !line.textNative.isEmpty { m.remember("text of " + line.id, line.textNative) }
      guard let text = m.recall("text of " + line.id) else { return }
      (line.textNative, line.textTranslated) = (text, text)
    },
    announcing("own-text-told", "BAB 5.4.3", "sends the host's own line with a text") { m, _, line in
      guard line.assignedToPlayerID == m.configuration.peerID else { return }
      (line.textNative, line.textTranslated) = ("Buenos días", "Good morning")
    },
    announcing("text-to-nobody", "BAB 5.4.3", "sends no link the text of its line") { _, _, line in
      (line.textNative, line.textTranslated) = ("", "")
    },
    .packets(
      "line-ids-repeat", .host, "BAB 5.4.10", "counts lines from 0 to 3 and over again",
      outgoing: { m, packet in [renamed(packet, m) { "line-\($0 % 4)" }] },
      incoming: { m, packet in [namedBack(packet, m)] }),
    .packets(
      "line-ids-start-over", .host, "BAB 5.4.10", "starts counting lines again in every session",
      outgoing: { m, packet in
        let base = m.recall("base").flatMap { Int($0) } ?? 0
        return [renamed(packet, m) { "line-\($0 - base)" }]
      },
      incoming: { m, packet in [namedBack(packet, m)] },
      observing: { m, input in
        if input == .user(.startHosting), let newest = m.recall("newest") { m.remember("base", newest) }
      }),
    .unsaid("leaver-keeps-turn", .host, "BAB 5.4.8", "gives no turn when the player whose turn it is has left") {
      m, packet in
      if m.isLeaversTurn(packet) { return true }
      m.noteLast(packet)
      return false
    },
    afterLeaver("leavers-turn-to-host", "gives the turn of a player who left to the host") { m, player, line in
      (player, line.assignedToPlayerID) = (m.configuration.peerID, m.configuration.peerID)
    },
    afterLeaver("leavers-turn-skips-one", "gives the turn of a player who left to the last client") {
      m, player, line in
      let last = m.recall("first client") ?? player
      (player, line.assignedToPlayerID) = (last, last)
    },
    afterLeaver("leavers-line-passed-on", "gives the line of a player who left to the next") { _, _, line in
      line.id = "line-\(number(of: line.id) - 1)"
    },
    .says("turn-moves-with-any-leaver", .host, "BAB 5.4.8", "announces another line whenever anybody leaves") {
      m, packet in
      let key = "turn on \(m.link.rawValue)"
      if let turn = packet.advancedTurn { m.remember(key, turn.player) }
      guard case .lobbyUpdate = packet.payload, let player = m.recall(key) else { return [packet] }
      let line = DialogLine(
        id: "line-new", speakerID: player, roleName: "", textNative: "", textTranslated: "", timestamp: 0,
        assignedToPlayerID: player, visibility: .isPrivate)
      return [packet, packet.saying(.turnAdvanced(nextPlayerID: player, pendingLine: line))]
    },
    .unheard("generate-ignored", .host, "BAB 5.4.9", "makes no other line on request") {
      $1.payload.type == .generateRequest
    },
    forAnybody("generate-for-anybody", "BAB 5.4.9", "makes another line whoever asks for it", [.generateRequest]),
  ]

  /// What ends a line, and what is then told.
  private static let turnReading: [Mutant] = [
    forAnybody(
      "takes-completion-of-anybody", "BAB 5.4.5", "takes a completion of the pending line from any client",
      [.lineCompleted]),
    forAnybody(
      "takes-skip-of-anybody", "BAB 5.4.5", "takes a skip of the pending line from any client", [.lineSkipped]),
    .packets(
      "host-skips-any-line", .host, "BAB 5.4.5", "lets the person at the host skip whoever's line is pending",
      whenSaying: { m, packet in m.noteTurn(packet) },
      whenHearing: { m, packet in m.noteSender(packet) },
      observing: { m, input in
        guard input == .user(.skipLine), let line = m.recall("line") else { return }
        m.hearFromReader { $0.saying(.lineSkipped(lineID: line)) }
      }),
    .unsaid("host-skip-forgotten", .host, "BAB 5.4.6", "tells nobody of a line that it has skipped itself") {
      m, packet in
      packet.addedLine?.assignedToPlayerID == m.configuration.peerID
        && packet.addedLine?.pronunciationResult?.skipped == true
    },
    .packets(
      "takes-any-line-id", .host, "BAB 5.4.11", "takes a completion of whatever line for one of the pending line",
      whenSaying: { m, packet in m.noteTurn(packet) },
      mishearing: { m, packet in if let line = m.recall("line") { packet.endedLineID = line } }),
    .packets(
      "late-completion-is-violation", .host, "BAB 5.4.11", "takes a late completion for an attack",
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
    .says("turn-after-last-line", .host, "BAB 5.4.6", "gives another turn after the last line") { m, packet in
      guard packet.finalSnapshot != nil else { return [packet] }
      return [packet.saying(.turnAdvanced(nextPlayerID: m.configuration.peerID, pendingLine: nil)), packet]
    },
    committing("committed-as-private", "sends the committed line as a private one") { $0.visibility = .isPrivate },
    committing("committed-without-text", "sends the committed line without its texts") {
      ($0.textNative, $0.textTranslated) = ("", "")
    },
    committing("committed-without-result", "sends the committed line without its result") {
      $0.pronunciationResult = nil
    },
    .misspeaks("completed-result-rounded", .host, "BAB 5.4.6", "tells every completed line as a perfect one") {
      $0.result?.accuracy = 1
      $0.result?.errorCount = 0
    },
    .packets(
      "end-of-line-not-told-to-reader", .host, "BAB 5.4.6", "tells the end of a line to all but its reader",
      unsaid: { m, packet in
        guard let line = packet.addedLine else { return false }
        return m.recall("link of " + line.assignedToPlayerID) == "\(m.link.rawValue)"
      },
      whenHearing: { m, packet in m.noteSender(packet) }),
    .mishears("skipped-result-counts", .host, "BAB 5.4.13", "takes a skipped result for a reading") {
      $0.result?.skipped = false
    },
  ]

  /// The end of the game.
  private static let turnEnd: [Mutant] = [
    .set("one-line-more", .host, "BAB 5.8.1", "plays one line more than agreed") {
      if $0.totalLines > 0 { $0.totalLines += 1 }
    },
    .set("one-line-less", .host, "BAB 5.8.1", "plays one line less than agreed") {
      if $0.totalLines > 1 { $0.totalLines -= 1 }
    },
    .misses("end-ignored", .host, "BAB 5.8.1", "does not end the game when its user wants to") {
      $0 == .user(.endGame)
    },
    .unsaid("final-snapshot-forgotten", .host, "BAB 5.8.2", "tells nobody that the game is over") {
      $1.finalSnapshot != nil
    },
    .unsaid("final-snapshot-to-first-only", .host, "BAB 5.8.2", "tells only the first client that the game is over") {
      $1.finalSnapshot != nil && $0.link != $0.links.first
    },
    .misspeaks("final-snapshot-goes-on", .host, "BAB 5.8.2", "says in the final snapshot that the game is on") {
      $0.finalSnapshot?.currentPhase = .active
    },
    .misspeaks("finished-without-summary", .host, "BAB 5.8.2", "leaves the summary out of the final snapshot") {
      $0.finalSnapshot?.sessionSummary = nil
    },
    .packets(
      "final-snapshot-always-whole", .host, "BAB 5.7.5",
      "puts the whole history into the final snapshot, whatever the link carries",
      whenSaying: { m, packet in
        guard let line = packet.addedLine else { return }
        m.remember("line \(line.id)", String(decoding: packet.encoded(), as: UTF8.self))
      },
      misspeaking: { m, packet in
        guard packet.snapshot?.committedHistory.isEmpty ?? false else { return }
        packet.snapshot?.committedHistory = m.recallAll("line line-").compactMap {
          (try? BabPacket(decoding: Array($0.utf8)))?.addedLine
        }
      }),
    .packets(
      "leaves-without-ending", .host, "BAB 5.8.4", "leaves a running game without ending it",
      unsaid: { m, packet in packet.type == .fullStateSnapshot && m.count == 1 },
      observing: { m, input in if input == .user(.leave) { m.count = 1 } }),
    .packets(
      "leaves-at-once", .host, "BAB 5.8.4", "ends its links with the end of the game still to be sent",
      observing: { m, input in
        guard input == .user(.leave) else { return }
        for link in m.links { m.ask(.disconnect(link)) }
      }),
    .seam(
      "leaves-and-stays-linked", .host, "BAB 5.8.4", "leaves without ending its links",
      whenTold: { m, input in if input == .user(.leave) { m.count = 1 } },
      asking: { m, effect in
        if case .disconnect = effect, m.count == 1 { return [] }
        return [effect]
      }),
    .packets(
      "end-not-shown", .host, "BAB 5.8.1", "shows a game that is over as going on",
      showing: { _, report in report == .phase("FINISHED") || report == .turn(player: nil) ? [] : [report] }),
  ]
}
