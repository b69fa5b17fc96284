import AppSeam
import BabSim
import Conformance

/// What a tester misses, in words that many cases share, with the clause that asks for it.
extension LowerTester {
  /// Why no packet of a type has come as it was expected; nil when one has, and what is judged is what it says.
  func missing(_ type: PacketType) -> Cause? {
    let lacking = lacking(type)
    if let untaken = bed.untaken { return untaken }
    if bed.overlongValue != nil { return Cause("sends values that do not fit the ATT_MTU", clause: "BAB 3.4") }
    if hearing.contains(where: { $0.type == type }) {
      // What it should have said differs from case to case; that it did not is one cause.
      guard bed.inPreamble else { return nil }
      return Cause(lacking.text + " that says what is due", clause: lacking.clause, step: lacking.step)
    }
    if !values.isEmpty, !hearing.contains(where: { $0.packet != nil && !$0.isAssumed }) {
      let broken = hearing.last { $0.problem != nil }
      if let broken, broken.isUnreadable, let cause = FramingDiagnosis.cause(ofText: broken.octets) { return cause }
      if dialect.framing == .framed, let link = values.first?.link,
        let cause = FramingDiagnosis.cause(values.filter { $0.link == link }.map(\.octets))
      {
        return cause
      }
      guard let broken else {
        return Cause("sends values of which no packet becomes whole", clause: "BAB 3.1", step: BabStep.framing)
      }
      return Cause(
        "sends what is no packet", clause: broken.isUnreadable ? "BAB 4.1" : "BAB 3.1",
        step: broken.isUnreadable ? nil : BabStep.framing)
    }
    return lacking
  }

  /// That a packet does not come at all.
  func lacking(_ type: PacketType) -> Cause {
    Cause(
      "sends no \(type.rawValue)", clause: firstPackets.first { $0.type == type }?.clause ?? "",
      step: BabStep.name(for: type, role: bed.iut.role))
  }

  /// Why no packet of a type has come; nil when one has.
  func missingAtAll(_ type: PacketType) -> Cause? {
    hearing.contains { $0.type == type } ? nil : missing(type)
  }

  /// How a text that cannot be decoded is told.
  static let noPacket = "not a packet: "
}

extension Cause {
  static let connectsToNoHost = Cause("connects to no host", clause: "BAB 2.5")
  static let doesNotSubscribe = Cause("does not subscribe to what its host notifies", clause: "BAB 5.1.4")
}

extension ClientTester {
  /// The clause that makes a host send its first packet of each type.
  static let clausesOfHosts: [(type: PacketType, clause: String)] = [
    (.handshake, "BAB 5.1.6"), (.lobbyUpdate, "BAB 5.1.7"), (.roleAssigned, "BAB 5.3.4"), (.playerReady, "BAB 5.3.6"),
    (.startGame, "BAB 5.2.8"), (.gameStarted, "BAB 5.3.9"), (.turnAdvanced, "BAB 5.4.6"),
    (.dialogLineAdded, "BAB 5.4.6"), (.lineCompleted, "BAB 5.4.6"), (.lineSkipped, "BAB 5.4.6"),
    (.voteRequest, "BAB 5.5.2"), (.voteCast, "BAB 5.5.4"), (.navigationSync, "BAB 5.5.8"),
    (.fullStateSnapshot, "BAB 5.7.4"), (.leaderboardUpdate, "BAB 6.8"), (.heartbeat, "BAB 8.8"),
  ]

  /// The first step of joining that has not come about.
  var missingStep: Cause? {
    if let untaken = bed.untaken { return untaken }
    switch stage {
    case .idle, .scanning:
      return advertisements.contains { heard in
        heard.instant >= soughtSince && dialect.isHost(heard.advertisement) && heard.advertisement.address == target
      }
        ? Cause("takes no connection", clause: "BAB 1.1")
        : Cause("is not found: it does not advertise as its dialect says", clause: "BAB 5.1.2")
    case _ where !isConnected: return Cause("ends the link of a client that joins", clause: "BAB 5.1.7")
    case .connected: return Cause("does not exchange the ATT_MTU", clause: "")
    case .attMTU: return Cause("has not published the service of its dialect", clause: "BAB 2.1")
    case .discovered: return Cause("takes no subscription to what its dialect notifies", clause: "BAB 2.1")
    case .subscribed, .greeted:
      return missingAtAll(.handshake) ?? missingAtAll(.lobbyUpdate)
        ?? Cause(
          "sends no LOBBY_UPDATE that lists a client who has asked for a seat", clause: "BAB 5.1.7", step: "seat")
    case .joined: return nil
    }
  }
}

extension HostTester {
  /// The clause that makes a client send its first packet of each type. The documents tell of the others only what the
  /// host has to do with them.
  static let clausesOfClients: [(type: PacketType, clause: String)] = [
    (.handshake, "BAB 5.1.5"), (.clientJoin, "BAB 5.1.5"), (.roleAssigned, "BAB 5.3.3"), (.heartbeat, "BAB 8.8"),
    (.lineCompleted, "BAB 5.4.12"), (.lineSkipped, "BAB 5.4.12"),
  ]

  /// The first step of joining that the client under test has not done.
  var missingStep: Cause? {
    if let untaken = bed.untaken { return untaken }
    guard let newestLink else { return .connectsToNoHost }
    if !newestLink.isUp { return Cause("ends its link before it has a seat", clause: "BAB 5.1.5") }
    if !newestLink.isSubscribed { return .doesNotSubscribe }
    return missingAtAll(.handshake) ?? missingAtAll(.clientJoin)
  }
}
