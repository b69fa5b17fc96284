import AppSeam
import BeamScribe
import Bench
import CaptureCheck
import SimKernel

/// Octets, from their sender to their receiver.
extension BeamStory {
  // MARK: The host's

  func sent(_ octets: [UInt8], at offset: Int, _ place: Int, _ moment: BeamMoment) {
    guard wires[place].isReady, !wires[place].isHostOver else { return }
    if hostStreams[place].openedAt == nil { hostStreams[place].openedAt = moment.instant }
    wires[place].sentAt.append(moment.instant)
    if offset > wires[place].next { lose(place) }
    wires[place].next = offset + octets.count
    guard let (known, isNew) = wires[place].find(octets) else { return }
    let wire = wires[place]
    if isNew {
      state.devices[wire.hostDevice].stream(wire.hostID)?.loseSent()
      hostStreams[place].lose()
    }
    wires[place].underWay.append((offset + octets.count, known, isNew))
    for packet in wires[place].packetsSent(known) { tell(packet, place, moment) }
    add(.effect(.network(.send(wire.hostID, octets: known))), wire.hostDevice, moment)
    add(.input(.network(.submitted(wire.hostID, accepted: true))), wire.hostDevice, moment)
  }

  /// Octets of the host are missing.
  func lose(_ place: Int) {
    wires[place].lose()
    hostStreams[place].lose()
  }

  /// What a packet says of its host, before it is sent.
  private func tell(_ packet: BeamPacket, _ place: Int, _ moment: BeamMoment) {
    let device = wires[place].hostDevice
    let own = wires.indices.filter { wires[$0].hostDevice == device }
    guard let index = own.firstIndex(of: place) else { return }
    var streams = own.map { hostStreams[$0] }
    let isCertain = !own.contains { wires[$0].hasGap || wires[$0].isReady && !connections[$0].isFromStart }
    let events = hosts[device].take(
      packet, index, &streams, isCertain: isCertain, isSlow: { [self] in isSlow(own[$0], at: moment.instant) },
      at: moment.instant)
    for (stream, other) in zip(streams, own) { hostStreams[other] = stream }
    for event in events {
      switch event {
      case .report(let report):
        landmarks.append((moment.instant, moment.place))
        add(report, device, moment)
      case .newSession:
        add(.endEvent, device, moment)
        add(.startEvent(name: ""), device, moment)
      case .spoken(let count): state.devices[device].know(finals: count)
      case .text(let number, let text): state.devices[device].know(text, of: number)
      }
    }
  }

  /// Whether a stream may be later than others for a reason that is not its host's: its guest does not read, or one of
  /// the ends is not heard any more.
  private func isSlow(_ place: Int, at now: SimInstant) -> Bool {
    let (host, guest) = (connections[place].hostHeard, connections[place].guestHeard)
    return guest.narrowedAt != nil || [host, guest].contains { $0.last.map { $0 <= now } ?? true }
  }

  func arrived(_ upTo: Int, _ place: Int, _ moment: BeamMoment) {
    while let next = wires[place].underWay.first, next.end <= upTo {
      wires[place].underWay.removeFirst()
      if wires[place].isGuestOver || wires[place].badAtGuest != nil { continue }
      let (guestID, device) = (wires[place].guestID, wires[place].guestDevice)
      if next.isNew {
        state.devices[device].stream(guestID)?.loseReceived()
        wires[place].loseReceived()
      }
      let packets = wires[place].packetsReceived(next.octets)
      if wires[place].isGuestBroken {
        wires[place].badAtGuest = (next.octets, moment.instant)
      } else {
        add(.input(.network(.received(guestID, octets: next.octets))), device, moment)
      }
      for packet in packets { show(packet, place, moment) }
    }
    endGuestWhenEmpty(place, moment)
  }

  private func show(_ packet: BeamPacket, _ place: Int, _ moment: BeamMoment) {
    let device = wires[place].guestDevice
    let others = wires.indices.filter {
      $0 != place && wires[$0].guestDevice == device && wires[$0].isReady && !wires[$0].isGuestOver
    }
    let events = guests[device].take(
      packet, &wires[place].story, hasOther: others.contains { wires[$0].story.isComplete })
    for event in events {
      switch event {
      case .report(let report): add(report, device, moment)
      case .shown(let count): state.devices[device].shown = count
      }
    }
  }

  // MARK: The guest's

  func saidByGuest(_ octets: [UInt8], at offset: Int, _ place: Int, _ moment: BeamMoment) {
    let wire = wires[place]
    guard wire.isReady, !wire.isGuestOver, wire.connection.dialect == .beamNetwork else { return }
    // The first octet of a capture may be one that asks whether the other end is there (RFC 9293, 3.8.4).
    let isQuestion = offset == 0 && octets.count == 1 && !wire.connection.connection.isFromStart(wire.connection.guest)
    if isQuestion { return }
    wires[place].fromGuest.append((offset + octets.count, octets))
    add(.effect(.network(.send(wire.guestID, octets: octets))), wire.guestDevice, moment)
    add(.input(.network(.submitted(wire.guestID, accepted: true))), wire.guestDevice, moment)
  }

  func cameFromGuest(_ upTo: Int, _ place: Int, _ moment: BeamMoment) {
    while let next = wires[place].fromGuest.first, next.end <= upTo {
      wires[place].fromGuest.removeFirst()
      if wires[place].isHostOver || wires[place].badAtHost != nil { continue }
      wires[place].badAtHost = (next.octets, moment.instant)
    }
  }
}
