import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// A game goes on: after a line or a leaver comes a turn, after the last line the end, after a vote its effect.
package final class GamesGoOn: BabOracle {
  package static let id = "GamesGoOn"
  package static let claim = "After a line, a reader who leaves, the last line or a passed vote, the game continues."
  package static let clause = "BAB 5.4.8"
  package static let nature = OracleNature.liveness
  package static let interests: [TraceKind] = [.transmit, .link, .launched]

  private struct Debt {
    var clause: String
    var expected: String
    var link: LinkState
    var record: Int
    var lines: Int
    var obligation: Obligation
  }

  /// A host that has had so many lines read since has had its time.
  private static let patience = 3

  package let ledger = makeLedger()
  private let state: BabRunState
  /// By device: what it still has to say of its game.
  private var debts: [Debt?]

  package init(state: BabRunState) {
    self.state = state
    debts = Array(repeating: nil, count: state.devices.count)
  }

  package var deadline: SimInstant { debts.lazy.map { $0?.obligation }.deadline }

  package func observe(_ record: TraceRecord) {
    for told in state.news { take(told) }
    guard let device = state.device(of: record), let debt = debts[device.index], !debt.link.isUp else { return }
    debts[device.index] = nil
  }

  private func take(_ told: HostStory.Told) {
    let host = told.story.host
    let was = debts[host.index]
    guard let (clause, expected) = next(told) else {
      if was != nil { ledger.judged += 1 }
      debts[host.index] = nil
      return
    }
    if let was, was.expected == expected {
      let isLate = told.after.areLinesKnown && told.after.lines.count >= was.lines + Self.patience
      if isLate, !was.obligation.isReported { fail(was, host.index, at: told.instant) }
      return
    }
    guard let link = host.link(told.link), link.isUp else { return }
    debts[host.index] = Debt(
      clause: clause, expected: expected, link: link, record: told.record, lines: told.after.lines.count,
      obligation: Obligation(link.chance, within: Bounds.hostGoesOn, from: told.instant))
  }

  private func next(_ told: HostStory.Told) -> (clause: String, expected: String)? {
    let book = told.after
    guard book.phase == .on, !book.roster.isEmpty, !told.story.host.isCaptured else { return nil }
    let agreed = state.agreedLines
    if book.areLinesKnown, let agreed, agreed > 0, book.lines.count >= agreed {
      return ("BAB 5.8.1", "the end of the game after \(agreed) lines")
    }
    if let vote = book.vote, book.isUnanimous(vote),
      let wish = told.story.proposal(of: vote),
      vote.hasPassed || told.instant - wish.at < Bounds.voteIsOpen, vote.action != .skipLine || book.turn?.line != nil
    {
      return ("BAB 5.5.8", "\(vote.action.rawValue), since every player has said yes")
    }
    guard book.isTurnKnown, let turn = book.turn else { return nil }
    if !book.roster.contains(turn.player) { return ("BAB 5.4.8", "the next turn, since \(turn.player) has left") }
    guard book.areLinesKnown, agreed != nil, book.lines.contains(where: { $0.id == turn.line }) else { return nil }
    return ("BAB 5.4.1", "the next turn after \(turn.line ?? "the line")")
  }

  package func expire(at now: SimInstant) {
    for (index, debt) in debts.enumerated() {
      guard let debt, debt.obligation.isDue(at: now) else { continue }
      if state.stories[index]?.isWaiting ?? true {
        debts[index]?.obligation = Obligation(debt.link.chance, within: Bounds.hostGoesOn, from: now)
        continue
      }
      fail(debt, index, at: debt.obligation.deadline)
    }
  }

  private func fail(_ debt: Debt, _ index: Int, at instant: SimInstant) {
    debts[index]?.obligation.report()
    ledger.fail(
      at: instant, device: index, record: debt.record, since: debt.obligation.since, clause: debt.clause,
      expected: debt.expected, actual: "nothing of it")
  }

  package func finish(_ outcome: RunOutcome) { ledger.open = debts.lazy.map { $0?.obligation }.openCount }
}
