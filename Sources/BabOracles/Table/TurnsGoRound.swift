import BabSim
import Conformance
package import Judging

/// The first turn is the first player's, each next one the next player's, with a line that was not there before.
package final class TurnsGoRound: TableOracle {
  package static let id = "TurnsGoRound"
  package static let claim = "Turns follow the order of the roster from the first player on, each with a new line."
  package static let clause = "BAB 5.4.1"

  package let ledger = makeLedger()
  let state: BabRunState

  package init(state: BabRunState) { self.state = state }

  func judge(_ told: HostStory.Told) {
    let book = told.before
    if let line = kept(told.packet), let turn = book.turn, turn.isOrphan, turn.line == line {
      return fail(
        told, "BAB 5.4.8", expected: "\(line) dropped, since \(turn.player) had left",
        actual: "\(told.packet.payload.type.rawValue) with it")
    }
    guard let (player, line) = told.packet.advancedTurn else { return }
    if let line {
      if line.id == book.newestLine { return }
      if book.usedLines.contains(line.id) {
        return fail(told, "BAB 5.4.10", expected: "a line that was not there before", actual: "\(line.id) again")
      }
      if line.assignedToPlayerID != player {
        return fail(
          told, "BAB 5.4.2", expected: "a line for \(player), whose turn it is",
          actual: "\(line.id) for \(line.assignedToPlayerID)")
      }
    }
    guard book.isTurnKnown, book.phase == .on, !book.roster.isEmpty else { return }
    if let turn = book.turn { judge(player, after: turn, told) } else { judgeFirst(player, told) }
  }

  /// The line that a packet says is still there, or was read.
  private func kept(_ packet: BabPacket) -> String? {
    switch packet.payload {
    case .fullStateSnapshot(let state): state.currentPhase == .finished ? nil : state.pendingLine?.id
    case .dialogLineAdded(let line): line.visibility == .committed ? line.id : nil
    default: nil
    }
  }

  private func judgeFirst(_ player: String, _ told: HostStory.Told) {
    let book = told.before
    let first = book.roster.first { $0 == player || !told.mayHaveLeft($0) }
    if first == player { return ledger.judged += 1 }
    fail(told, expected: "the first turn for \(first ?? "the host"), the first of the roster", actual: "for \(player)")
  }

  private func judge(_ player: String, after turn: TableBook.Turn, _ told: HostStory.Told) {
    let book = told.before
    let isCommitted = book.lines.contains { $0.id == turn.line }
    let isRead =
      isCommitted || told.story.isRead(turn)
      || book.vote.map { $0.action == .skipLine && book.isUnanimous($0) { told.mayHaveLeft($0) } }
        ?? false
    func isThere(_ player: String) -> Bool { book.roster.contains(player) && !told.mayHaveLeft(player) }
    if isThere(turn.player), !isRead || !isCommitted && player == turn.player {
      return judgePending(player, turn, told)
    }
    // Where somebody comes who was not there with the reader is not known.
    guard let next = book.cycle(after: turn.player).first(where: { $0 == player || isThere($0) }),
      book.turnRoster.contains(player)
    else { return }
    if next == player { return ledger.judged += 1 }
    let hasLeft = !book.roster.contains(turn.player)
    fail(
      told, hasLeft ? "BAB 5.4.8" : nil,
      expected: "the turn for \(next), who comes after \(turn.player)\(hasLeft ? ", who has left" : "")",
      actual: "for \(player)")
  }

  /// The turn is still somebody's: only another line for the same player may come, when that player asks for it.
  private func judgePending(_ player: String, _ turn: TableBook.Turn, _ told: HostStory.Told) {
    guard player == turn.player else {
      if !told.story.hears(turn.player) { return }
      return fail(
        told, expected: "the turn with \(turn.player), whose line \(turn.line ?? "") is pending",
        actual: "for \(player)")
    }
    let wishes = told.story.wishes.filter { $0.word == "generate" && $0.record > turn.record }
    guard let other = wishes.last, told.story.hears(player), told.story.wish(player, "generate") == nil else {
      return ledger.judged += 1
    }
    fail(
      told, "BAB 5.4.9", expected: "\(turn.line ?? "the line") of \(turn.player), who has not asked for another",
      actual: "another line, as \(other.player) has asked")
  }
}
