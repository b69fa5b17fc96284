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
      .packets(
        prefix + "packets-overtake", role, clause: "BAB 5.9.1", "sends every second ROLE_ASSIGNED before the first",
        outgoing: { m, link, packet in
          guard packet.payload.type == .roleAssigned else { return [.packet(packet)] }
          let key = "\(link.rawValue) "
          guard let held = m.memory.first(where: { $0.hasPrefix(key) }) else {
            m.memory.append(key + String(decoding: packet.encoded(), as: UTF8.self))
            return []
          }
          m.memory.removeAll { $0.hasPrefix(key) }
          return [.packet(packet), .text(Array(held.dropFirst(key.count).utf8))]
        }),
      Mutant(
        prefix + "packets-interleave", role, clause: "BAB 5.9.1", "begins a packet before the last value of another",
        wrapped: { engine, _ in HoldsLastValues(wrapping: engine) }),
      Mutant(
        prefix + "slow-peer-kept", role, clause: "BAB 8.9", "does not end a link for which too many packets wait",
        wrapped: { engine, _ in KeepsSlowPeers(wrapping: engine) }),
    ]
  }

  private static let loadHost: [Mutant] = [
    Mutant(
      "claims-at-first-value", .host, clause: "BAB 5.9.3", "reports a packet as sent with its first value",
      wrapped: { engine, _ in ClaimsSent(wrapping: engine) }),
    .seam(
      "notifies-unsubscribed", .host, clause: "BAB 5.9.4", "notifies clients that have not subscribed",
      hearing: { mutant, input in
        guard case .connected(let link, _) = input else { return [input] }
        return [input, .subscribed(link, characteristic: mutant.dialect.state.uuid, true)]
      }),
    .seam(
      "notifies-on", .host, clause: "BAB 5.9.4", "goes on notifying when a client has unsubscribed",
      missing: { if case .subscribed(_, _, false) = $0 { true } else { false } }),
    .packets(
      "queue-outlives-link", .host, clause: "BAB 5.9.5", "sends what waited for a link on the next one",
      outgoing: { m, _, packet in
        if packet.payload.type == .roleAssigned { m.memory = [String(decoding: packet.encoded(), as: UTF8.self)] }
        guard packet.payload.type == .handshake else { return [.packet(packet)] }
        return m.memory.map { .text(Array($0.utf8)) } + [.packet(packet)]
      }),
    Mutant(
      "one-silent-client-stops-all", .host, clause: "BAB 5.2.4", "sends nothing while a value waits for its platform",
      wrapped: { engine, _ in WaitsForAll(wrapping: engine) }),
  ]

  private static let loadClient: [Mutant] = [
    .packets(
      "client-queue-outlives-link", .client, clause: "BAB 5.9.5", "sends what waited for a link on the next one",
      outgoing: { m, _, packet in
        if packet.payload.type == .roleAssigned { m.memory = [String(decoding: packet.encoded(), as: UTF8.self)] }
        guard packet.payload.type == .clientJoin else { return [.packet(packet)] }
        return [.packet(packet)] + m.memory.map { .text(Array($0.utf8)) }
      }),
    .seam(
      "write-errors-ignored", .client, clause: "BAB 5.9.6", "takes every answer to a write for a success",
      hearing: { _, input in
        guard case .writeCompleted(let link, let characteristic, .some) = input else { return [input] }
        return [.writeCompleted(link, characteristic: characteristic, error: nil)]
      }),
    .seam(
      "write-error-is-final", .client, clause: "BAB 5.9.6", "ends its session when a write is answered with an error",
      hearing: { _, input in
        if case .writeCompleted(_, _, .some) = input { [input, .user(.leave)] } else { [input] }
      }),
    Mutant(
      "client-ignores-queue-full", .client, clause: "BAB 5.9.2", "takes a refused write command for a sent one",
      wrapped: { engine, _ in IgnoresQueueFull(wrapping: engine) }),
  ]
}
