import AppSeam
import BluetoothWire
import SimKernel

/// Sending and receiving whole packets (BAB 5.6, 5.9, 7).
extension ClientEngine {
  // MARK: Sending

  func send(_ payload: PacketPayload) {
    guard let link else { return }
    clock.increment(peerID)
    let packet = BabPacket(senderID: peerID, vectorClock: clock, payload: payload)
    report(.vectorClock(clock.entries))
    let encoded = EncodedPacket(type: packet.type, json: PacketCoder.encode(packet))
    guard !sender.enqueue(encoded, link, &effects) else { return }
    report(.refused(link, reason: "the host does not keep up: \(PacketSender.queueLimit) packets wait"))
    effects.append(.disconnect(link))
  }

  func valueSubmitted(_ link: LinkID, _ accepted: Bool) {
    if let pause = sender.submitted(link, accepted: accepted, &effects) {
      effects.append(.setTimer(EngineTimer.pause(link), at: now + pause))
    }
  }

  /// A host that refuses a value has lost a packet; the link starts over (BAB 5.9.6).
  func writeCompleted(_ link: LinkID, _ error: UInt8?) {
    guard link == self.link else { return }
    if let error {
      report(.refused(link, reason: "the host refused a write with ATT error \(error)"))
      return effects.append(.disconnect(link))
    }
    if let pause = sender.writeCompleted(link, &effects) {
      effects.append(.setTimer(EngineTimer.pause(link), at: now + pause))
    }
  }

  func armHeartbeat() {
    guard configuration.heartbeatInterval > .zero else { return }
    effects.append(.setTimer(EngineTimer.heartbeat, at: now + configuration.heartbeatInterval))
  }

  func sendHeartbeat() {
    guard stage == .joined else { return }
    send(.heartbeat)
    armHeartbeat()
  }

  // MARK: Receiving

  func valueReceived(_ link: LinkID, _ characteristic: BluetoothUUID, _ octets: [UInt8]) {
    guard link == self.link, isNotifying(characteristic) else {
      return report(.refused(link, reason: "a value that nobody takes"))
    }
    guard let packet = receiver.receive(octets, link: link, now: now, &effects), isAllowed(packet, link) else { return }
    mergeClock(packet.vectorClock)
    mirror(packet.payload)
  }

  private func isNotifying(_ characteristic: BluetoothUUID) -> Bool {
    characteristic == dialect.state.uuid
      || dialect.others.contains { $0.uuid == characteristic && $0.properties.contains(.notify) }
  }

  /// The host's clock is taken whole; a list longer than any lobby is cut (BAB 5.6.5).
  private func mergeClock(_ other: VectorClock) {
    if other.timestamps.count + clock.timestamps.count <= Self.clockLimit {
      clock.merge(other)
    } else {
      var known = VectorClock()
      for entry in other.timestamps.entries where clock.timestamps[entry.key] != nil {
        known.timestamps[entry.key] = entry.value
      }
      clock.merge(known)
    }
    report(.vectorClock(clock.entries))
  }

  private static var clockLimit: Int { 64 }

  /// Only the host speaks on this link, and only as the host (BAB 7.5, 7.8, 7.12).
  private func isAllowed(_ packet: BabPacket, _ link: LinkID) -> Bool {
    let type = packet.payload.type
    if !packet.isConsistent {
      let detail = "envelope \(packet.type.rawValue), payload \(type.rawValue)"
      violation(link, BabRule.envelopeDisagrees, detail)
    }
    guard packet.senderID == (hostID ?? packet.senderID), packet.senderID != peerID else {
      violation(link, BabRule.notTheHost, "\(type.rawValue) from \(packet.senderID), the host is \(hostID ?? "?")")
      return false
    }
    if case .handshake(let participant) = packet.payload, !participant.isHost || participant.id != packet.senderID {
      violation(link, BabRule.notTheHost, "HANDSHAKE of \(participant.id), who is not the host")
      return false
    }
    if type.isClientOnly {
      violation(link, BabRule.clientOnlyPacket, "\(type.rawValue) from the host")
      return false
    }
    hostID = packet.senderID
    return true
  }

  func violation(_ link: LinkID, _ rule: String, _ detail: String) {
    report(.violation(link, rule: rule, detail: detail))
  }
}
