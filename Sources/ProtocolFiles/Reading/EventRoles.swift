import AppSeam
import Bench

/// Whose words an event has: what nobody of a role ever does is refused where a file speaks of it.
extension ProtocolForm {
  /// - Returns: nil where devices of the role do such things.
  func problem(with event: EventForm, of role: AppRole) -> String? {
    switch event.verb {
    case .sends:
      let senders = packets.first { $0.name == event.name }?.senders
      return senders.flatMap { problem(event.name, "sent", by: $0, not: role) }
    case .shows:
      return reports.first { $0.name == event.name }.flatMap { problem(with: $0, "shown", of: [role]) }
    case .does:
      return actions.first { $0.name == event.name }.flatMap { problem(with: $0, "done", of: [role]) }
    case .hears, .links, .unlinks, .publishes, .advertises, .scans, .connects, .stops: return nil
    }
  }

  /// What can be wrong with a word that is said of devices of some roles; a word without roles is everybody's.
  func problem(with word: Word, _ deed: String, of roles: [AppRole]) -> String? {
    if word.roles.isEmpty || roles.isEmpty || roles.contains(where: word.roles.contains) { return nil }
    return problem(word.name, deed, by: word.roles, not: roles[0])
  }

  private func problem(_ name: String, _ deed: String, by roles: [AppRole], not role: AppRole) -> String? {
    if roles.isEmpty || roles.contains(role) { return nil }
    return "“\(name)” is \(deed) by \(Suggestion.alternatives(roles.map(\.rawValue))), never by \(role.rawValue)"
  }

  /// The role that testers of an implementation have: whoever publishes nothing speaks to somebody who does, and the
  /// other way round.
  func peers(of role: AppRole) -> AppRole {
    let others = roles.map(\.role).filter { $0 != role }
    return others.first { serves($0) != serves(role) } ?? others.first ?? role
  }

  /// Whether a device of a role can send values of a characteristic to one of another role.
  func canSend(_ sender: AppRole, on characteristic: Characteristic) -> Bool {
    let owner = services.first { $0.characteristics.contains { $0.uuid == characteristic.uuid } }?.role
    return owner == sender
      ? !characteristic.properties.isDisjoint(with: [.notify, .indicate])
      : !characteristic.properties.isDisjoint(with: [.write, .writeWithoutResponse])
  }
}
