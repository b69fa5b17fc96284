public import BabSim
import BluetoothWire
public import SimKernel

/// Who is who in a run, and what each app shows now: built from the trace, shared by the oracles that read it.
public final class RunState {
  public let header: TraceHeader
  /// By dense device index.
  public let devices: [DeviceState]
  /// The supervision timeout that ghosts are judged by: the option of that name, else the bound.
  public let supervisionTimeout: SimDuration

  init(header: TraceHeader) {
    self.header = header
    devices = header.devices.enumerated().map { DeviceState(index: $0.offset, device: $0.element) }
    let option = header.options.first { $0.key == "supervisionTimeout" }
    supervisionTimeout = option.flatMap { Self.duration($0.value) } ?? Bounds.supervisionTimeout
  }

  /// The device of a record, nil for the world itself.
  func device(of record: TraceRecord) -> DeviceState? {
    devices.indices.contains(record.device) ? devices[record.device] : nil
  }

  /// The device that calls itself `peerID`, nil when nobody does.
  func device(peerID: String) -> DeviceState? { devices.first { $0.peerID == peerID } }

  func device(address: BluetoothAddress) -> DeviceState? { devices.first { $0.address == address } }

  /// The host a client is linked to now, nil for a host or a client without such a link.
  func host(of client: DeviceState) -> DeviceState? {
    guard client.role == .client else { return nil }
    return client.links.last { $0.isUp && $0.peer?.role == .host }?.peer
  }

  /// Whether both ends of a link between the two are up and neither end is under a fault.
  func areJoined(_ client: DeviceState, _ host: DeviceState) -> Bool {
    guard client.isReachable, host.isReachable, !client.hasEnded else { return false }
    return client.links.contains { link in
      link.isUp && link.peer === host && link.partner.map { $0.isUp } ?? false
    }
  }

  /// Whether the host shows the client in its lobby, and the two are joined by a link that nothing was done to.
  func isMember(_ client: DeviceState, of host: DeviceState) -> Bool {
    guard let lobby = host.lobby, let peerID = client.peerID, !client.isDamaged else { return false }
    return lobby.players.contains(peerID) && areJoined(client, host)
  }

  /// Whether the host that a client has, or had last, is none of ours: what it shows it was told from outside.
  func isLedFromOutside(_ client: DeviceState) -> Bool {
    client.role == .client && client.links.last?.leadsOutside ?? false
  }

  /// For findings about what an app shows: who told it, when that was not us.
  func hearsay(_ device: DeviceState) -> String {
    isLedFromOutside(device) ? ", as its host from outside may have told it" : ""
  }

  /// The clients of ours, this one among them, that have a link to the same host from outside; empty when this one has
  /// none. That host shows us nothing, but what it must show to each of its clients is the same.
  func siblings(of client: DeviceState) -> [DeviceState] {
    guard client.role == .client, let link = client.links.last, link.isUp, link.leadsOutside else { return [] }
    return devices.filter { other in
      guard other.role == .client, let theirs = other.links.last else { return false }
      return theirs.isUp && theirs.leadsOutside && theirs.peerAddress == link.peerAddress
    }
  }

  /// Takes one record in. - Complexity: O(1) but for links (O(number of links of the device)).
  func apply(_ record: TraceRecord, kind: TraceKind) {
    guard let device = device(of: record) else { return }
    switch record.event {
    case .input(let input):
      device.take(input)
      switch kind {
      case .launched: device.relaunch(at: record.instant)
      case .link, .otherInput: apply(input, to: device, at: record.instant)
      default: break
      }
    case .report(let report): device.apply(report, kind: kind, at: record.instant)
    case .fault(let fault): apply(fault, to: device, at: record.instant)
    default: break
    }
  }

  private func apply(_ input: AppInput, to device: DeviceState, at instant: SimInstant) {
    switch input {
    case .connected(let id, let address):
      let link = LinkState(
        id: id, owner: device, peer: self.device(address: address), address: address, openedAt: instant)
      device.append(link)
      device.isDamaged = false
      pair(link)
    case .disconnected(let id, _): device.link(id)?.close(at: instant)
    case .attMTU(let id, let attMTU): device.link(id)?.attMTU = attMTU
    case .subscribed(let id, _, true): device.link(id)?.isSubscribed = true
    case .radioPower(let isOn):
      device.isRadioOff = !isOn
      if !isOn { device.closeLinks(at: instant) }
    case .background(let isSuspended): device.isInBackground = isSuspended
    default: break
    }
  }

  /// Finds the other end: the newest link of the peer to this device that is up and has no other end yet.
  private func pair(_ link: LinkState) {
    guard let peer = link.peer else { return }
    let other = peer.links.last { $0.isUp && $0.partner == nil && $0.peer === link.owner }
    link.partner = other
    other?.partner = link
  }

  private func apply(_ fault: FaultEvent, to device: DeviceState, at instant: SimInstant) {
    switch fault {
    case .vanish: device.isVanished = true
    case .appear: device.isVanished = false
    case .radioOff:
      device.isRadioOff = true
      device.closeLinks(at: instant)
    case .radioOn: device.isRadioOff = false
    case .kill:
      device.isKilled = true
      device.closeLinks(at: instant)
    case .relaunch: device.isKilled = false
    case .background: device.isInBackground = true
    case .foreground: device.isInBackground = false
    case .message(let fault, let id, _, _):
      // An identical repeat is recognised and ignored (BAB 3.13, 3.17).
      if fault == .duplicate { return }
      device.isDamaged = true
      device.link(id)?.peer?.isDamaged = true
    case .disconnect, .move: break
    }
  }

  /// A number of milliseconds or seconds as options print it (`720 ms`, `4 s`, `4s`, `4.000000000`).
  static func duration(_ text: String) -> SimDuration? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let count = Int64(digits), count < 1_000_000 else { return nil }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    if unit == "ms" { return .milliseconds(count) }
    return unit == "s" || unit.hasPrefix(".") || unit.isEmpty ? .seconds(count) : nil
  }
}
