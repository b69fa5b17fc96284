import BabSim
import Conformance
package import Judging

/// A role is the scenario's and one player's; readiness needs a role and ends with it; another scenario clears both.
package final class RolesFollowRules: TableOracle {
  package static let id = "RolesFollowRules"
  package static let claim =
    "A host gives a role of the scenario to one player, and only a player with a role is ready."
  package static let clause = "BAB 5.3.2"

  package let ledger = makeLedger()
  let state: BabRunState

  package init(state: BabRunState) { self.state = state }

  func judge(_ told: HostStory.Told) {
    switch told.packet.payload {
    case .roleAssigned(let player, let role): judge(player, role, told)
    case .playerReady(let player, true): judgeReady(player, told)
    default: break
    }
  }

  private func judge(_ player: String, _ role: String, _ told: HostStory.Told) {
    let book = told.before
    let held = book.roles[player]
    if held?.role == role { return }
    if let scenario = book.scenario, let known = GameScenario.presets.first(where: { $0.id == scenario }),
      !known.availableRoles.contains(where: { $0.id == role })
    {
      let isKept = book.clearedRoles[player] == role
      return fail(
        told, isKept ? "BAB 5.2.6" : "BAB 5.3.1", expected: "a role of \(scenario) for \(player)",
        actual: isKept ? "\(role), which it had in the scenario before" : role)
    }
    guard book.areRolesKnown, !book.roster.isEmpty else { return }
    let owner = book.roles.first { $0.key != player && $0.value.role == role && book.roster.contains($0.key) }?.key
    if let owner, !told.mayHaveLeft(owner) {
      return fail(told, expected: "\(role) for \(owner) only, who has it", actual: "\(role) for \(player) too")
    }
    let wish = told.story.wish(player, "role \(role)")
    if book.clearedRoles[player] == role, wish.map({ $0.record < book.scenarioRecord }) ?? true,
      !told.story.host.isCaptured
    {
      return fail(
        told, "BAB 5.2.6", expected: "no role for \(player), since the scenario has changed and nobody has asked",
        actual: role)
    }
    ledger.judged += 1
  }

  private func judgeReady(_ player: String, _ told: HostStory.Told) {
    let book = told.before
    guard book.areRolesKnown, book.roster.contains(player), !told.mayHaveLeft(player) else {
      return
    }
    guard let seat = book.roles[player] else {
      if book.returned.contains(player) { return }
      let wasCleared = book.clearedRoles[player] != nil
      let hasAsked = told.story.wishes.contains { $0.player == player && $0.word.hasPrefix("role ") }
      if !wasCleared, hasAsked { return }
      return fail(
        told, wasCleared ? "BAB 5.2.6" : "BAB 5.3.6", expected: "\(player) not ready, without a role",
        actual: "ready" + (wasCleared ? ", with a role of the scenario before" : ""))
    }
    if seat.isReady { return }
    if let ready = told.story.wish(player, "ready"), let role = told.story.wish(player, "role \(seat.role)"),
      ready.record < role.record, told.story.wish(player, "unready").map({ $0.record < role.record }) ?? true
    {
      return fail(
        told, "BAB 5.3.5", expected: "\(player) not ready, since its new role \(seat.role)", actual: "ready")
    }
    ledger.judged += 1
  }
}
