import Conformance
import SimKernel

/// Who takes part, and what is shown.
extension MeasureReader {
  func leader(of device: Int) -> Int? { pages[device].lobby.flatMap { lobbies[$0].leader } }

  func seek(_ device: Int, _ now: SimInstant) {
    guard !pages[device].leads, let lobby = pages[device].lobby else { return }
    if pages[device].sought == nil { pages[device].sought = now }
    lobbies[lobby].seek(at: now)
  }

  func loseSeat(_ device: Int, _ now: SimInstant) {
    guard pages[device].isSeated else { return }
    pages[device].isSeated = false
    pages[device].lost = now
    pages[device].lags = now
  }

  func read(_ milestone: AppMilestone, _ device: Int, _ now: SimInstant) {
    guard let place = pages[device].lobby, let app = pages[device].app else { return }
    switch milestone {
    case .seated: seat(device, place, now)
    case .unseated(isOrdered: false): loseSeat(device, now)
    case .unseated(isOrdered: true): leave(device)
    case .shows(let kind, let thing): show(thing, kind, device, place, app, now)
    case .restored(let kind, let things): lobbies[place].restore(things, kind: kind, by: device)
    }
    guard let begun = pages[device].lags, pages[device].isSeated else { return }
    let histories = protocols[app].milestones.kinds.indices.filter { protocols[app].milestones.kinds[$0].isHistory }
    if histories.allSatisfy({ lobbies[place].isUpToDate(device, kind: $0) }) {
      pages[device].lags = nil
      note(.catchUp, since: begun, now, device: device)
    }
  }

  /// Whoever goes by order is not awaited.
  private func leave(_ device: Int) {
    pages[device].isSeated = false
    pages[device].lost = nil
    pages[device].lags = nil
  }

  private func seat(_ device: Int, _ place: Int, _ now: SimInstant) {
    if pages[device].leads || pages[device].isSeated { return }
    pages[device].isSeated = true
    if let lost = pages[device].lost {
      note(.comeback, since: lost, now, device: device)
      pages[device].lost = nil
    }
    if let sought = pages[device].sought, !pages[device].hasBeenSeated {
      note(.seat, since: sought, now, device: device)
    }
    pages[device].hasBeenSeated = true
    let lobby = lobbies[place]
    if !lobby.wasWhole, let sought = lobby.sought, lobby.followers.allSatisfy({ pages[$0].isSeated }) {
      lobbies[place].wasWhole = true
      note(.lobby, since: sought, now, device: lobby.leader ?? device)
    }
  }

  private func show(_ thing: String, _ kind: Int, _ device: Int, _ place: Int, _ app: Int, _ now: SimInstant) {
    guard let shown = lobbies[place].show(thing, kind: kind, by: device, at: now) else { return }
    note(
      of: list.places(of: kind, app: app).lag, (now - shown).nanoseconds, device: device,
      peer: lobbies[place].leader ?? -1)
  }
}
