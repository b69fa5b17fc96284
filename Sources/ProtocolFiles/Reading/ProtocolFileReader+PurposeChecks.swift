import AppSeam
import Bench

/// Steps of test purposes that nobody can take, or after which nothing was tested.
extension ProtocolFileReader {
  /// Notes a step that asks what devices of its roles never do.
  func canBe(_ step: ProtocolForm.Purpose.Step, _ role: AppRole) -> Bool {
    guard let problem = problem(with: step.kind, role) else { return true }
    decoder.note(SourceLocation(line: step.line, column: step.column), problem)
    return false
  }

  /// Notes a step that is nothing without a link, before its tester has one.
  func haveLinks(_ steps: [ProtocolForm.Purpose.Step], _ testers: Int) -> Bool {
    for tester in 0..<testers {
      let own = steps.filter { $0.kind.tester == tester }
      guard let place = own.firstIndex(where: { $0.kind.needsLink }), !own[..<place].contains(where: { $0.kind.joins })
      else { continue }
      decoder.note(
        SourceLocation(line: own[place].line, column: own[place].column),
        "“\(own[place].text)” comes before this tester has a link; write tester joins above it")
      return false
    }
    return true
  }

  private func problem(with step: ProtocolForm.Purpose.Kind, _ role: AppRole) -> String? {
    let peers = form.peers(of: role)
    switch step {
    case .sends(_, let name, _):
      guard let packet = form.packets.first(where: { $0.name == name }),
        let characteristic = form.characteristic(packet.characteristic), !form.canSend(peers, on: characteristic)
      else { return nil }
      return
        "a \(peers.rawValue) cannot send “\(name)”: nobody writes to “\(characteristic.name)”, or is notified of it"
    case .sendsOctets(_, let name, _):
      let found = form.services.flatMap(\.characteristics).first { $0.name == name }
      guard let found, !form.canSend(peers, on: found) else { return nil }
      return "a \(peers.rawValue) cannot send on “\(name)”: nobody writes to it, or is notified of it"
    case .hears(_, let event, _), .hearsNext(_, let event, _, _), .hearsNo(_, let event, _):
      var sent = event
      sent.verb = .sends
      return form.problem(with: sent, of: role)
    case .user(let action):
      return form.actions.first { $0.name == action.what }.flatMap { form.problem(with: $0, "done", of: [role]) }
    case .shows(let event, _), .showsNo(let event, _): return form.problem(with: event, of: role)
    case .joins, .leaves, .canJoin, .hearsNothing, .forgets, .isUnlinked, .staysLinked, .showsNothing, .asks, .asksNo,
      .suffers, .advertises, .finds, .screenForgets, .wait:
      return nil
    }
  }
}
