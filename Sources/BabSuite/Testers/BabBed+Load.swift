import AppSeam
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// Traffic that fills queues, and what the seam shows of them.
extension BabBed {
  /// A client joins, again when its link fails before it has its seat.
  func insist(on client: ClientTester) throws {
    for _ in 0..<10 {
      let links = client.links.count
      client.begin()
      _ = try wait(.seconds(30)) { client.stage == .joined || client.links.count > links && !client.isConnected }
      if client.stage == .joined { return }
    }
    throw blocked("\(client.name) gets a seat", cause: client.missingStep)
  }

  /// The implementation's user takes the roles customer and barista in turn, so many times at one instant: a packet
  /// for each, and none that may be left out (BAB 5.3.3, 5.3.4).
  func toggleRole(_ count: Int) {
    step("IUT's user: the roles customer and barista in turn, \(count) times")
    for number in 1...count { world.act(.requestRole(number % 2 == 1 ? "customer" : "barista"), device: iut.index) }
  }
}

extension UpperTester {
  /// How many notifications it has asked its platform for.
  var notifications: Int { effects.count { if case .notify = $0.effect { true } else { false } } }

  /// It has asked its platform to end a link.
  var hasEndedLink: Bool { effects.contains { if case .disconnect = $0.effect { true } else { false } } }

  /// How many packets it has reported as sent before its platform had taken, or the peer acknowledged, all values of
  /// them (BAB 5.9.3).
  var earlyClaims: Int {
    var early = 0
    for link in 0...(links.map(\.rawValue).max() ?? 0) {
      let taken = inputs.filter { entry in
        switch entry.input {
        case .submitted(let id, _, true), .writeCompleted(let id, _, nil): id.rawValue == link
        default: false
        }
      }
      var claimed = 0
      for entry in babReports {
        guard case .packetSent(let id, _, _, let fragments) = entry.report, id.rawValue == link else { continue }
        claimed += fragments
        if taken.count(where: { $0.record < entry.record }) < claimed { early += 1 }
      }
    }
    return early
  }
}

extension LowerTester {
  /// What is to wait in a queue must be sent at all: the peer's role changes, and comes back.
  func expectRoleNews() throws {
    bed.toggleRole(2)
    try bed.preamble { try expectRoles(2, within: .seconds(30)) }
    forget()
  }

  /// The peer's roles customer and barista in turn must have come so many times since `forget`, in this order.
  func expectRoles(_ count: Int, within limit: SimDuration) throws {
    let player = bed.iut.peerID
    var roles: [String] {
      news(.roleAssigned).compactMap { packet in
        if case .roleAssigned(player, let role) = packet.payload { role } else { nil }
      }
    }
    let isDone = try bed.wait(limit) { roles.count >= count }
    try bed.need(
      "\(name) is sent ROLE_ASSIGNED", actual: "none came", cause: missing(.roleAssigned), !roles.isEmpty)
    try bed.require("\(name) is sent \(count) ROLE_ASSIGNED", actual: "\(roles.count) came", isDone)
    let expected = (1...count).map { $0 % 2 == 1 ? "customer" : "barista" }
    try bed.require("they come in order", actual: "they came as \(roles)", roles == expected)
    let counts = news(.roleAssigned).map { $0.vectorClock[player] }
    try bed.require(
      "their counts grow", actual: "they are \(counts)", zip(counts, counts.dropFirst()).allSatisfy { $0 < $1 })
  }

  /// The packetID of the first packet that another one begins before it is complete; nil when there is none.
  static func mixedPacket(_ values: [[UInt8]]) -> UInt16? {
    var current: (id: UInt16, missing: Int)?
    for value in values {
      guard let header = FragmentHeader(value) else { continue }
      if let open = current, open.missing > 0 {
        guard open.id == header.packetID else { return open.id }
        current?.missing -= 1
      } else {
        current = (header.packetID, Int(header.count) - 1)
      }
    }
    return nil
  }
}

extension ClientTester {
  /// Subscribes to the state characteristic, or no longer; does not wait.
  func switchNotifications(_ isOn: Bool) {
    if let link { ask(.subscribe(link.id, characteristic: dialect.state.uuid, isOn)) }
  }
}
