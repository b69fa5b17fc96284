import AppSeam
import BluetoothWire
import SimKernel

/// Sending and receiving whole packets; the authority rules that hold for every packet (BAB 7).
extension HostEngine {
  // MARK: Sending

  /// Encodes once; the packet takes one tick of the host's clock, however many links it goes to.
  func encode(_ payload: PacketPayload) -> EncodedPacket {
    clock.increment(peerID)
    let packet = BabPacket(senderID: peerID, vectorClock: clock, payload: payload)
    report(.vectorClock(clock.entries))
    return EncodedPacket(type: packet.type, json: PacketCoder.encode(packet))
  }

  func send(_ payload: PacketPayload, to link: LinkID) { send(encode(payload), to: link) }

  func send(_ packet: EncodedPacket, to link: LinkID) {
    guard !sender.enqueue(packet, link, &effects) else { return }
    report(.refused(link, reason: "the peer does not keep up: \(PacketSender.queueLimit) packets wait"))
    refuse(link)
  }

  /// To every joined client but one.
  func broadcast(_ payload: PacketPayload, except: LinkID? = nil) {
    guard sessions.contains(where: { $0.hasJoined && $0.link != except }) else { return }
    let packet = encode(payload)
    for session in sessions where session.hasJoined && session.link != except { send(packet, to: session.link) }
  }

  func valueSubmitted(_ link: LinkID, _ accepted: Bool) {
    if let pause = sender.submitted(link, accepted: accepted, &effects) {
      effects.append(.setTimer(EngineTimer.pause(link), at: now + pause))
    }
    endLinksSoon()
  }

  func armHeartbeat() {
    guard configuration.heartbeatInterval > .zero else { return }
    effects.append(.setTimer(EngineTimer.heartbeat, at: now + configuration.heartbeatInterval))
  }

  func sendHeartbeat() {
    guard isHosting else { return }
    broadcast(.heartbeat)
    armHeartbeat()
  }

  // MARK: Receiving

  func valueReceived(_ link: LinkID, _ characteristic: BluetoothUUID, _ octets: [UInt8]) {
    guard characteristic == dialect.command.uuid, let index = sessionIndex(link), !sessions[index].isRefused else {
      return report(.refused(link, reason: "a value that nobody takes"))
    }
    guard let packet = sessions[index].receiver.receive(octets, link: link, now: now, &effects) else { return }
    guard isAllowed(packet, index) else { return }
    mergeClock(packet.vectorClock)
    dispatch(packet, link)
  }

  /// Entries of peers that are not in the roster are left out: nothing a client says may grow without bound.
  private func mergeClock(_ other: VectorClock) {
    var known = VectorClock()
    for entry in other.timestamps.entries where clock.timestamps[entry.key] != nil || isKnown(entry.key) {
      known.timestamps[entry.key] = entry.value
    }
    clock.merge(known)
    report(.vectorClock(clock.entries))
  }

  private func isKnown(_ id: String) -> Bool {
    players.contains { $0.id == id } || sessions.contains { $0.peerID == id }
  }

  /// The rules every packet must keep before it is looked at (BAB 7.1, 7.2, 7.6, 7.8).
  private func isAllowed(_ packet: BabPacket, _ index: Int) -> Bool {
    let link = sessions[index].link
    if !packet.isConsistent {
      let detail = "envelope \(packet.type.rawValue), payload \(packet.payload.type.rawValue)"
      violation(link, BabRule.envelopeDisagrees, detail)
    }
    if case .handshake(let participant) = packet.payload {
      return mayShakeHands(participant, senderID: packet.senderID, index)
    }
    guard let bound = sessions[index].peerID else {
      violation(link, BabRule.handshakeFirst, "\(packet.payload.type.rawValue) before HANDSHAKE")
      return false
    }
    guard packet.senderID == bound else {
      violation(link, BabRule.foreignSender, "senderId \(packet.senderID) on the link of \(bound)")
      return false
    }
    if packet.payload.type.isHostOnly {
      violation(link, BabRule.hostOnlyPacket, "\(packet.payload.type.rawValue) from client \(bound)")
      return false
    }
    return true
  }

  private func mayShakeHands(_ participant: Participant, senderID: String, _ index: Int) -> Bool {
    let link = sessions[index].link
    if let bound = sessions[index].peerID {
      guard participant.id == bound, senderID == bound else {
        violation(link, BabRule.secondHandshake, "HANDSHAKE of \(participant.id) on the link of \(bound)")
        return false
      }
      return true
    }
    guard participant.id == senderID, !participant.id.isEmpty else {
      violation(link, BabRule.foreignSender, "HANDSHAKE of \(participant.id) from senderId \(senderID)")
      return false
    }
    guard !participant.isHost, participant.id != peerID else {
      violation(link, BabRule.secondHost, "HANDSHAKE of \(participant.id) claims to be the host")
      return false
    }
    return true
  }

  private func dispatch(_ packet: BabPacket, _ link: LinkID) {
    switch packet.payload {
    case .handshake(let participant): return shakeHands(participant, link)
    case .clientJoin(let profile): return clientJoins(profile, link)
    case .heartbeat: return
    default: break
    }
    guard let index = sessionIndex(link), sessions[index].hasJoined, let id = sessions[index].peerID else {
      return report(.refused(link, reason: "\(packet.payload.type.rawValue) before CLIENT_JOIN"))
    }
    switch packet.payload {
    case .generateRequest: generateAgain(for: id, link: link)
    case .roleAssigned(let player, let role):
      guard isOwn(player, id, link, .roleAssigned) else { return }
      if !assignRole(id, role) { report(.refused(link, reason: "role \(role) is not free for \(id)")) }
    case .playerReady(let player, let isReady):
      guard isOwn(player, id, link, .playerReady) else { return }
      if !setReady(id, isReady) { report(.refused(link, reason: "\(id) cannot be ready now")) }
    case .voteRequest(let proposer, let action):
      guard isOwn(proposer, id, link, .voteRequest) else { return }
      proposeVote(action.rawValue, by: id)
    case .voteCast(let voter, let yes):
      guard isOwn(voter, id, link, .voteCast) else { return }
      castVote(yes, by: id)
    case .lineCompleted(let lineID, let result): lineCompleted(lineID, result, by: id, link)
    case .lineSkipped(let lineID): lineSkipped(lineID, by: id, link)
    default: break
    }
  }

  private func isOwn(_ named: String, _ id: String, _ link: LinkID, _ type: PacketType) -> Bool {
    if named == id { return true }
    violation(link, BabRule.actingForAnother, "\(type.rawValue) for \(named) from \(id)")
    return false
  }

  func violation(_ link: LinkID, _ rule: String, _ detail: String) {
    report(.violation(link, rule: rule, detail: detail))
  }
}

extension PacketType {
  /// Only the host may send these (BAB 4.2).
  var isHostOnly: Bool {
    switch self {
    case .dialogLineAdded, .fullStateSnapshot, .navigationSync, .gameStarted, .turnAdvanced, .leaderboardUpdate,
      .lobbyUpdate, .startGame:
      true
    default: false
    }
  }

  /// Only a client may send these (BAB 4.2).
  var isClientOnly: Bool { self == .clientJoin || self == .generateRequest }
}
