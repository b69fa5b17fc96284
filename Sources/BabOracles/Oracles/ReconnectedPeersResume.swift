import AppSeam
import BabSim
package import Bench
import BluetoothWire
package import Conformance
package import Judging
import Platform
package import SimKernel

/// A client that lost its link and is linked again within the window takes its session up where it was.
package final class ReconnectedPeersResume: BabOracle {
  package static let id = "ReconnectedPeersResume"
  package static let claim = "A client that is linked again within 30 s of losing its host resumes its session."
  package static let clause = "BAB 5.7.9"
  package static let nature = OracleNature.liveness
  package static let restsOn = ["resumed", "packetReceived"]
  package static let interests: [TraceKind] = [.link, .session, .roster, .launched, .user, .fault, .packetReceived]

  private struct Loss {
    var host: BabDevice
    var hostGeneration: Int
    var instant: SimInstant
    /// What must happen on the new link; nil while there is none.
    var due: Obligation?
    /// The client has been sent a snapshot on it.
    var hasSnapshot = false
  }

  package let ledger = makeLedger()
  private let state: BabRunState
  private var losses: [Loss?]
  /// By device: the host that had the client in its lobby while the link was up.
  private var membership: [BabDevice?]

  package init(state: BabRunState) {
    self.state = state
    losses = Array(repeating: nil, count: state.devices.count)
    membership = Array(repeating: nil, count: state.devices.count)
  }

  package var deadline: SimInstant { losses.lazy.map { $0?.due }.deadline }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record) else { return }
    switch record.bab {
    case .input(.launched), .fault(.kill), .fault(.reclaim), .action(.leave), .report(.sessionEnded): forget(device)
    case .action(.endGame), .action(.startHosting):
      if device.role == .host { forgetClients(of: device) }
    case .input(.connected):
      if device.role == .client { linked(device, record) }
    case .input(.disconnected(let id, let reason)) where device.isCaptured && reason.isOrdered:
      // Who ends a link leaves, as far as a capture can show (BAB 5.1.14).
      device.link(id).map(endedByHost)
      if device.role == .client { forget(device) } else { endedAlone(device) }
    case .input(.disconnected(let id, _)):
      if device.role == .client { lost(device, id, record) } else { endedAlone(device) }
    case .input(.radioPower(false)):
      if device.role == .client { lost(device, nil, record) }
    case .report(.packetReceived(let link, let type, _, _)):
      // The one that comes before its seat; the end of the game has one for everybody.
      if type == PacketType.fullStateSnapshot.rawValue, !state.isToldItsSeat(device, on: link) {
        losses[device.index]?.hasSnapshot = true
      }
    case .report(.resumed):
      if losses[device.index]?.due != nil { ledger.judged += 1 }
      losses[device.index] = nil
    case .fault(.vanish), .fault(.radioOff), .fault(.background):
      // What the bench breaks again while the session is being resumed is not caused by the app.
      for client in state.devices where client === device || losses[client.index]?.host === device {
        losses[client.index]?.due = nil
      }
    case .report(.linkState), .report(.phase), .report(.lobby): join(device)
    default: break
    }
  }

  /// A client counts as a member once the host shows it in its lobby while the two are linked.
  private func join(_ device: BabDevice) {
    for client in state.devices where client.role == .client && (client === device || device.role == .host) {
      guard let host = state.host(of: client), state.isMember(client, of: host) else { continue }
      membership[client.index] = host
    }
  }

  /// A captured host without any link may leave its session and begin another one, and no packet shows it.
  private func endedAlone(_ host: BabDevice) {
    // Where no capture was taken at the host, only the client's end shows that a link is over.
    if host.isCaptured, !host.links.contains(where: { $0.isUp && $0.partner?.isUp ?? true }) { forgetClients(of: host) }
  }

  /// A captured host that has asked for the end of a member's link may have left its session, and have begun another
  /// one since: whoever comes back to it has perhaps nothing to resume. A link that its client has replaced may end.
  private func endedByHost(_ link: LinkState) {
    guard let partner = link.partner else { return }
    let (atHost, atClient) = link.owner.role == .host ? (link, partner) : (partner, link)
    guard atHost.isEnding, atHost.owner.isCaptured, membership[atClient.owner.index] === atHost.owner,
      !atClient.owner.links.contains(where: { $0.isUp && $0 !== atClient && $0.peer === atHost.owner })
    else { return }
    forgetClients(of: atHost.holder)
  }

  private func lost(_ client: BabDevice, _ id: LinkID?, _ record: TraceRecord) {
    if let link = id.flatMap({ client.link($0) }) { endedByHost(link) }
    let peer = id.flatMap { client.link($0)?.other } ?? membership[client.index]
    guard !client.hasEnded, let host = membership[client.index], host === peer else { return }
    let first = losses[client.index]?.instant ?? record.instant
    // The end that notices first starts its window first.
    let noticed = id.flatMap { client.link($0)?.partner?.closedAt } ?? first
    losses[client.index] = Loss(
      host: host, hostGeneration: host.generation, instant: min(first, noticed), due: nil)
  }

  private func linked(_ client: BabDevice, _ record: TraceRecord) {
    guard let loss = losses[client.index], loss.host === state.host(of: client) else { return }
    let isInTime = record.instant - loss.instant <= Bounds.promptReturn
    if isInTime, loss.hostGeneration == loss.host.generation, !loss.host.hasEnded {
      losses[client.index]?.hasSnapshot = false
      losses[client.index]?.due = state.link(of: client).map {
        Obligation($0.chance, within: Bounds.resumes, from: record.instant)
      }
    } else {
      forget(client)
    }
  }

  private func forget(_ device: BabDevice) {
    losses[device.index] = nil
    membership[device.index] = nil
    if device.role == .host { forgetClients(of: device) }
  }

  private func forgetClients(of host: BabDevice) {
    for client in state.devices where membership[client.index] === host {
      losses[client.index] = nil
      membership[client.index] = nil
    }
  }

  package func expire(at now: SimInstant) {
    for client in state.devices {
      guard let loss = losses[client.index], let due = loss.due, due.isDue(at: now) else { continue }
      losses[client.index] = nil
      if client.isDamaged { continue }
      guard state.host(of: client).map({ state.areJoined(client, $0) }) ?? false else { continue }
      // What a client resumes from is its host's to send.
      if !loss.hasSnapshot {
        ledger.fail(
          at: due.deadline, device: loss.host.index, since: due.since, clause: "BAB 5.7.4",
          unless: client.unsaid("resumed") + client.unsaid("packetReceived"),
          expected: "FULL_STATE_SNAPSHOT for \(client.name), which is back",
          actual: "no snapshot came to it on its new link")
        continue
      }
      ledger.fail(
        at: due.deadline, device: client.index, since: due.since, unless: client.unsaid("resumed"),
        expected: "the session resumed",
        actual: "linked again, link state \(client.linkState), not resumed")
    }
  }

  package func finish(_ outcome: RunOutcome) { ledger.open = losses.filter { $0?.due != nil }.count }
}
