import AppSeam
import BabSim
import Conformance
import SimKernel

/// Defects of queues and flow control.
extension Mutants {
  static let load: [Mutant] = both(.host, "") + both(.client, "client-") + loadHost + loadClient

  /// What either side can do wrong with its queue; a client's defects are told by the prefix.
  private static func both(_ role: AppRole, _ prefix: String) -> [Mutant] {
    [
      .says(prefix + "packets-overtake", role, "BAB 5.9.1", "sends every second ROLE_ASSIGNED before the first") {
        m, packet in
        guard packet.payload.type == .roleAssigned else { return [packet] }
        let key = "\(m.link.rawValue) "
        guard let held = m.memory.first(where: { $0.hasPrefix(key) }) else {
          m.memory.append(key + String(decoding: packet.encoded(), as: UTF8.self))
          return []
        }
        m.memory.removeAll { $0.hasPrefix(key) }
        return [packet, RawText(Array(held.dropFirst(key.count).utf8))]
      },
      .engine(
        prefix + "packets-interleave", role, "BAB 5.9.1", "begins a packet before the last value of another",
        HoldsLastValues.init),
      .engine(
        prefix + "slow-peer-kept", role, "BAB 8.9", "does not end a link for which too many packets wait",
        KeepsSlowPeers.init),
    ]
  }

  private static let loadHost: [Mutant] = [
    .engine(
      "claims-at-first-value", .host, "BAB 5.9.3", "reports a packet as sent with its first value", ClaimsSent.init),
    .told("notifies-unsubscribed", .host, "BAB 5.9.4", "notifies clients that have not subscribed") { m, input in
      guard case .connected(let link, _) = input else { return [input] }
      return [input, .subscribed(link, characteristic: m.dialect.state.uuid, true)]
    },
    .misses("notifies-on", .host, "BAB 5.9.4", "goes on notifying when a client has unsubscribed") {
      if case .subscribed(_, _, false) = $0 { true } else { false }
    },
    .says("queue-outlives-link", .host, "BAB 5.9.5", "sends what waited for a link on the next one") { m, packet in
      if packet.payload.type == .roleAssigned { m.memory = [String(decoding: packet.encoded(), as: UTF8.self)] }
      guard packet.payload.type == .handshake else { return [packet] }
      return m.memory.map { RawText(Array($0.utf8)) } + [packet]
    },
    .engine(
      "one-silent-client-stops-all", .host, "BAB 5.2.4", "sends nothing while a value waits for its platform",
      WaitsForAll.init),
  ]

  private static let loadClient: [Mutant] = [
    .says("client-queue-outlives-link", .client, "BAB 5.9.5", "sends what waited for a link on the next one") {
      m, packet in
      if packet.payload.type == .roleAssigned { m.memory = [String(decoding: packet.encoded(), as: UTF8.self)] }
      guard packet.payload.type == .clientJoin else { return [packet] }
      return [packet] + m.memory.map { RawText(Array($0.utf8)) }
    },
    .told("write-errors-ignored", .client, "BAB 5.9.6", "takes every answer to a write for a success") { _, input in
      guard case .writeCompleted(let link, let characteristic, .some) = input else { return [input] }
      return [.writeCompleted(link, characteristic: characteristic, error: nil)]
    },
    .told("write-error-is-final", .client, "BAB 5.9.6", "ends its session when a write is answered with an error") {
      _, input in
      if case .writeCompleted(_, _, .some) = input { [input, .user(.leave)] } else { [input] }
    },
    .engine(
      "client-ignores-queue-full", .client, "BAB 5.9.2", "takes a refused write command for a sent one",
      IgnoresQueueFull.init),
  ]
}
