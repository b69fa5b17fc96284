import BabOracles
import BabSim
import Conformance

/// Defects of clients that mirror turns and lines.
extension Mutants {
  static let turnMirror: [Mutant] = turnMirrorShown + turnMirrorSaid + turnMirrorEnd

  /// What is shown of turns and lines (BAB 1.3, 5.4.4, 5.4.7).
  private static let turnMirrorShown: [Mutant] = [
    .packets(
      "every-turn-its-own", .client, clause: "BAB 1.3", "takes every turn for its own user's",
      showing: { mutant, report in
        guard case .turn(_?) = report else { return [report] }
        return [.turn(player: mutant.configuration.peerID)]
      }),
    .packets(
      "turn-moves-with-leavers", .client, clause: "BAB 1.3",
      "takes the turn itself when the player whose turn it is leaves",
      incoming: { mutant, _, packet in
        if let turn = packet.advancedTurn { mutant.remember("reader", turn.player) }
        if case .lobbyUpdate(let lobby) = packet.payload, let reader = mutant.recall("reader"),
          !lobby.connectedPlayers.contains(where: { $0.playerID == reader })
        {
          mutant.ask(.report(.turn(player: mutant.configuration.peerID)))
        }
        return [packet]
      }),
    .packets(
      "own-text-hidden", .client, clause: "BAB 5.4.4", "does not show its own line's text",
      showing: { _, report in
        guard case .screen(let line) = report else { return [report] }
        return [.screen(ScreenLine(lineID: line.lineID, text: nil))]
      }),
    .packets(
      "foreign-text-shown", .client, clause: "BAB 5.4.4", "shows whatever text it was sent",
      incoming: { mutant, _, packet in
        let line: DialogLine? =
          switch packet.payload {
          case .turnAdvanced(_, let line): line
          case .dialogLineAdded(let line): line
          case .fullStateSnapshot(let state): state.pendingLine
          default: nil
          }
        if let line, !line.textNative.isEmpty { mutant.remember("text of " + line.id, line.textNative) }
        return [packet]
      },
      showing: { mutant, report in
        guard case .screen(let line) = report else { return [report] }
        return [.screen(ScreenLine(lineID: line.lineID, text: mutant.recall("text of " + line.lineID)))]
      }),
    .packets(
      "text-stays", .client, clause: "BAB 5.4.4", "leaves its own line's text on the screen while others read",
      showing: { _, report in
        if case .screen(let line) = report, line.text == nil { return [] }
        return [report]
      }),
    .packets(
      "skipped-lines-not-kept", .client, clause: "BAB 5.4.7", "keeps no line that was skipped",
      incoming: { _, _, packet in
        let isSkip = packet.addedLine?.pronunciationResult?.skipped ?? (packet.payload.type == .lineSkipped)
        return isSkip ? [] : [packet]
      }),
    .packets(
      "others-lines-not-kept", .client, clause: "BAB 5.4.7", "keeps its own lines only",
      incoming: { mutant, _, packet in
        guard let line = packet.addedLine, line.assignedToPlayerID != mutant.configuration.peerID else {
          return [packet]
        }
        return []
      }),
    .packets(
      "repeats-kept", .client, clause: "BAB 5.4.7", "keeps a line as often as it is told",
      incoming: { mutant, _, packet in
        guard let id = packet.addedLine?.id ?? packet.endedLineID else { return [packet] }
        let key = packet.payload.type.rawValue + id
        if mutant.memory.contains(key) { mutant.ask(.report(.committed(index: mutant.count, lineID: id, text: ""))) }
        mutant.memory.append(key)
        return [packet]
      },
      showing: { mutant, report in
        if case .committed = report { mutant.count += 1 }
        return [report]
      }),
    .packets(
      "history-by-id", .client, clause: "BAB 5.4.7", "sorts its history by line ids",
      showing: { mutant, report in
        guard case .committed(_, let id, _) = report else { return [report] }
        mutant.memory.append(id)
        return [.historyReplaced(mutant.memory.sorted())]
      }),
  ]

  /// What is said to the host (BAB 1.3, 5.4.12).
  private static let turnMirrorSaid: [Mutant] = [
    .packets(
      "own-line-over-at-once", .client, clause: "BAB 1.3", "takes its own line for committed when it has sent it",
      outgoing: { mutant, _, packet in
        if let id = packet.endedLineID { mutant.ask(.report(.committed(index: 0, lineID: id, text: ""))) }
        return [.packet(packet)]
      }),
    .packets(
      "own-turn-over-at-once", .client, clause: "BAB 1.3", "takes its turn for over when it has sent its line",
      outgoing: { mutant, _, packet in
        if packet.endedLineID != nil { mutant.ask(.report(.turn(player: nil))) }
        return [.packet(packet)]
      }),
    .packets(
      "result-lost", .client, clause: "BAB 5.4.12", "tells every reading as a perfect one",
      outgoing: { _, _, packet in
        guard case .lineCompleted(let lineID, var result) = packet.payload, result.errorCount > 0 else {
          return [.packet(packet)]
        }
        (result.accuracy, result.errorCount) = (1, 0)
        return [.packet(packet.saying(.lineCompleted(lineID: lineID, result: result)))]
      }),
    .packets(
      "skip-unsaid", .client, clause: "BAB 5.4.12", "does not tell the host that a line is skipped",
      outgoing: { _, _, packet in packet.payload.type == .lineSkipped ? [] : [.packet(packet)] }),
    .packets(
      "keeps-a-replaced-line", .client, clause: "BAB 5.4.9", "does not take another line while its own is pending",
      incoming: { mutant, _, packet in
        guard let turn = packet.advancedTurn else { return [packet] }
        let isOwn = turn.player == mutant.configuration.peerID
        if isOwn, mutant.recall("reader") == turn.player { return [] }
        mutant.remember("reader", turn.player)
        return [packet]
      }),
    .packets(
      "generate-unsaid", .client, clause: "BAB 5.4.9", "does not ask the host for another line",
      outgoing: { _, _, packet in packet.payload.type == .generateRequest ? [] : [.packet(packet)] }),
  ]

  /// The end of the game (BAB 1.3, 5.8).
  private static let turnMirrorEnd: [Mutant] = [
    .packets(
      "ends-by-itself", .client, clause: "BAB 1.3", "takes the game for over once it has counted the agreed lines",
      showing: { mutant, report in
        guard case .committed(let index, _, _) = report, index + 1 == mutant.configuration.totalLines else {
          return [report]
        }
        return [report, .phase("FINISHED")]
      }),
    .packets(
      "end-unnoticed", .client, clause: "BAB 5.8.2", "does not notice that the game is over",
      incoming: { _, _, packet in
        guard case .fullStateSnapshot(let state) = packet.payload, state.currentPhase == .finished else {
          return [packet]
        }
        return []
      }),
    .packets(
      "looks-on-after-the-end", .client, clause: "BAB 5.8.3", "looks for its host also after the end of the game",
      incoming: { _, _, packet in
        guard case .fullStateSnapshot(var state) = packet.payload, state.currentPhase == .finished else {
          return [packet]
        }
        state.currentPhase = .active
        return [packet.saying(.fullStateSnapshot(state))]
      },
      showing: { mutant, report in
        guard case .summary = report else { return [report] }
        return [.phase("FINISHED"), report]
      }),
    .packets(
      "end-of-session-unsaid", .client, clause: "BAB 5.8.3", "does not show the end of the session",
      showing: { _, report in
        if case .sessionEnded = report { return [] }
        return [report]
      }),
  ]
}
