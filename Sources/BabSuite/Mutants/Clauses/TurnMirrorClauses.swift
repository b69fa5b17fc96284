import BabOracles
import BabSim
import Conformance

/// Defects of clients that mirror turns and lines.
extension Mutants {
  static let turnMirror: [Mutant] = turnMirrorShown + turnMirrorSaid + turnMirrorEnd

  /// What is shown of turns and lines (BAB 1.3, 5.4.4, 5.4.7).
  private static let turnMirrorShown: [Mutant] = [
    .packets(
      "every-turn-its-own", .client, "BAB 1.3", "takes every turn for its own user's",
      showing: { m, report in
        guard case .turn(_?) = report else { return [report] }
        return [.turn(player: m.configuration.peerID)]
      }),
    .whenHearing(
      "turn-moves-with-leavers", .client, "BAB 1.3", "takes the turn itself when the player whose turn it is leaves"
    ) { m, packet in
      if let turn = packet.advancedTurn { m.remember("reader", turn.player) }
      if case .lobbyUpdate(let lobby) = packet.payload, let reader = m.recall("reader"),
        !lobby.connectedPlayers.contains(where: { $0.playerID == reader })
      {
        m.ask(.report(.turn(player: m.configuration.peerID)))
      }
    },
    .packets(
      "own-text-hidden", .client, "BAB 5.4.4", "does not show its own line's text",
      showing: { _, report in
        guard case .screen(let line) = report else { return [report] }
        return [.screen(ScreenLine(lineID: line.lineID, text: nil))]
      }),
    .packets(
      "foreign-text-shown", .client, "BAB 5.4.4", "shows whatever text it was sent",
      whenHearing: { m, packet in
        let line: DialogLine? =
          switch packet.payload {
          case .turnAdvanced(_, let line): line
          case .dialogLineAdded(let line): line
          case .fullStateSnapshot(let state): state.pendingLine
          default: nil
          }
        if let line, !line.textNative.isEmpty { m.remember("text of " + line.id, line.textNative) }
      },
      showing: { m, report in
        guard case .screen(let line) = report else { return [report] }
        return [.screen(ScreenLine(lineID: line.lineID, text: m.recall("text of " + line.lineID)))]
      }),
    .packets(
      "text-stays", .client, "BAB 5.4.4", "leaves its own line's text on the screen while others read",
      showing: { _, report in
        if case .screen(let line) = report, line.text == nil { return [] }
        return [report]
      }),
    .hears("skipped-lines-not-kept", .client, "BAB 5.4.7", "keeps no line that was skipped") { _, packet in
      let isSkip = packet.addedLine?.pronunciationResult?.skipped ?? (packet.payload.type == .lineSkipped)
      return isSkip ? [] : [packet]
    },
    .hears("others-lines-not-kept", .client, "BAB 5.4.7", "keeps its own lines only") { m, packet in
      guard let line = packet.addedLine, line.assignedToPlayerID != m.configuration.peerID else { return [packet] }
      return []
    },
    .packets(
      "repeats-kept", .client, "BAB 5.4.7", "keeps a line as often as it is told",
      incoming: { m, packet in
        guard let id = packet.addedLine?.id ?? packet.endedLineID else { return [packet] }
        let key = packet.payload.type.rawValue + id
        if m.memory.contains(key) { m.ask(.report(.committed(index: m.count, lineID: id, text: ""))) }
        m.memory.append(key)
        return [packet]
      },
      showing: { m, report in
        if case .committed = report { m.count += 1 }
        return [report]
      }),
    .packets(
      "history-by-id", .client, "BAB 5.4.7", "sorts its history by line ids",
      showing: { m, report in
        guard case .committed(_, let id, _) = report else { return [report] }
        m.memory.append(id)
        return [.historyReplaced(m.memory.sorted())]
      }),
  ]

  /// What is said to the host (BAB 1.3, 5.4.12).
  private static let turnMirrorSaid: [Mutant] = [
    .whenSaying("own-line-over-at-once", .client, "BAB 1.3", "takes its own line for committed when it has sent it") {
      m, packet in
      if let id = packet.endedLineID { m.ask(.report(.committed(index: 0, lineID: id, text: ""))) }
    },
    .whenSaying("own-turn-over-at-once", .client, "BAB 1.3", "takes its turn for over when it has sent its line") {
      m, packet in
      if packet.endedLineID != nil { m.ask(.report(.turn(player: nil))) }
    },
    .misspeaks("result-lost", .client, "BAB 5.4.12", "tells every reading as a perfect one") { _, packet in
      guard case .lineCompleted(let lineID, var result) = packet.payload, result.errorCount > 0 else { return }
      (result.accuracy, result.errorCount) = (1, 0)
      packet.payload = .lineCompleted(lineID: lineID, result: result)
    },
    .unsaid("skip-unsaid", .client, "BAB 5.4.12", "does not tell the host that a line is skipped", .lineSkipped),
    .hears("keeps-a-replaced-line", .client, "BAB 5.4.9", "does not take another line while its own is pending") {
      m, packet in
      guard let turn = packet.advancedTurn else { return [packet] }
      let isOwn = turn.player == m.configuration.peerID
      if isOwn, m.recall("reader") == turn.player { return [] }
      m.remember("reader", turn.player)
      return [packet]
    },
    .unsaid("generate-unsaid", .client, "BAB 5.4.9", "does not ask the host for another line", .generateRequest),
  ]

  /// The end of the game (BAB 1.3, 5.8).
  private static let turnMirrorEnd: [Mutant] = [
    .packets(
      "ends-by-itself", .client, "BAB 1.3", "takes the game for over once it has counted the agreed lines",
      showing: { m, report in
        guard case .committed(let index, _, _) = report, index + 1 == m.configuration.totalLines else {
          return [report]
        }
        return [report, .phase("FINISHED")]
      }),
    .unheard("end-unnoticed", .client, "BAB 5.8.2", "does not notice that the game is over") {
      $1.finalSnapshot != nil
    },
    .packets(
      "looks-on-after-the-end", .client, "BAB 5.8.3", "looks for its host also after the end of the game",
      mishearing: { $1.finalSnapshot?.currentPhase = .active },
      showing: { m, report in
        guard case .summary = report else { return [report] }
        return [.phase("FINISHED"), report]
      }),
    .packets(
      "end-of-session-unsaid", .client, "BAB 5.8.3", "does not show the end of the session",
      showing: { _, report in
        if case .sessionEnded = report { return [] }
        return [report]
      }),
  ]
}
