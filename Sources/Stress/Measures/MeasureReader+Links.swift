import AppSeam
import Bench
import BluetoothWire
import Conformance
import SimKernel

/// What passes between an app and its Bluetooth: searches, links, values.
extension MeasureReader {
  func read(_ effect: AppEffect, _ device: Int, _ now: SimInstant) {
    switch effect {
    case .scan:
      pages[device].scanBegun = now
      seek(device, now)
    case .stopScanning: pages[device].scanBegun = nil
    case .connect(let address):
      pages[device].connectsBegun.removeAll { $0.to == address }
      pages[device].connectsBegun.append((address, now))
      seek(device, now)
    case .disconnect(let link): run.link(link, of: device)?.isEndedByOrder = true
    case .notify(let link, _, let octets), .write(let link, _, let octets),
      .writeWithoutResponse(let link, _, let octets):
      guard let part = pages[device].place?(octets), part.index == 0 else { return }
      run.link(link, of: device)?.begin(part.packetID, at: now)
    default: break
    }
  }

  func read(_ input: AppInput, _ device: Int, _ now: SimInstant) {
    switch input {
    case .launched: launch(device, now)
    case .radioPower(false):
      loseLinks(device, now)
      settleLinks(at: now)
    case .discovered(let advertisement): discover(advertisement.address, device, now)
    case .connected(_, let address):
      guard let index = pages[device].connectsBegun.firstIndex(where: { $0.to == address }) else { return }
      let begun = pages[device].connectsBegun.remove(at: index).at
      note(.link, since: begun, now, device: device, peer: place(of: address))
    case .connectFailed(let address, _): pages[device].connectsBegun.removeAll { $0.to == address }
    case .disconnected(let id, let reason):
      if let link = run.link(id, of: device), !link.isEndedByOrder, !reason.isOrdered {
        lostLinks += 1
        if !pages[device].leads { loseLinks(device, now) }
      } else if pages[device].meter == nil {
        pages[device].isSeated = false
      }
      settleLinks(at: now)
    case .submitted(let id, _, let isTaken):
      guard let link = run.link(id, of: device) else { return }
      link.hasRefused = !isTaken
      if !isTaken, link.fullSince == nil { link.fullSince = now }
    case .readyToSend(let id):
      guard let link = run.link(id, of: device), let since = link.fullSince else { return }
      link.fullSince = nil
      note(.queueFull, since: since, now, device: device, peer: link.peer?.index ?? -1)
    case .valueReceived(let id, _, let octets): receive(octets, id, device, now)
    default: break
    }
  }

  private func launch(_ device: Int, _ now: SimInstant) {
    loseSeat(device, now)
    pages[device].sought = nil
    pages[device].hasBeenSeated = false
    pages[device].scanBegun = nil
    pages[device].connectsBegun = []
    pages[device].browsesBegun = []
    pages[device].services = []
    streams.endAll(of: device)
    settleLinks(at: now)
  }

  private func place(of address: BluetoothAddress) -> Int {
    run.header.device(at: address) ?? -1
  }

  private func receive(_ octets: [UInt8], _ id: LinkID, _ device: Int, _ now: SimInstant) {
    guard let link = run.link(id, of: device) else { return }
    link.octetsReceived += octets.count
    // A value is read as its sender has made it.
    guard let sender = link.peer?.index, let part = pages[sender].place?(octets), part.index + 1 == part.count,
      let begun = (link.partner as? MeasuredLink)?.arrive(part.packetID)
    else { return }
    note(.delivery, since: begun, now, device: device, peer: link.peer?.index ?? -1)
  }

  private func discover(_ address: BluetoothAddress, _ device: Int, _ now: SimInstant) {
    guard let begun = pages[device].scanBegun, let leader = leader(of: device),
      run.header.device(at: address) == leader
    else { return }
    pages[device].scanBegun = nil
    note(.discovery, since: begun, now, device: device, peer: leader)
  }

  /// Counts links that have ended.
  func settleLinks(at now: SimInstant) {
    for link in run.takeEnded() { settle(link, end: link.closedAt ?? now) }
  }

  func settle(_ link: MeasuredLink, end: SimInstant) {
    undelivered += link.isUp ? 0 : Int64(link.underWay.count)
    let span = (end - link.openedAt).nanoseconds
    guard link.octetsReceived > 0, span > 0 else { return }
    let rate = Int64(clamping: link.octetsReceived).multipliedFullWidth(by: 8_000_000_000)
    note(
      .goodput, span.dividingFullWidth(rate).quotient, device: link.owner.index, peer: link.peer?.index ?? -1)
  }
}
