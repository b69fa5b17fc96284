import AppSeam
import BabSim
import Conformance
import SimKernel

/// Defects that octets from outside bring out.
extension Mutants {
  static let robust: [Mutant] = robust(.host) + robust(.client) + robustHost + robustClient

  private static func robust(_ role: AppRole) -> [Mutant] {
    let prefix = role.rawValue + "-"
    return [
      .crasher(prefix + "crashes-on-half-packets", role, "stops at a text that is not JSON") { !WireText.isJSON($0) },
      .crasher(prefix + "crashes-on-wrong-kinds", role, "stops at JSON that is no packet") {
        WireText.isJSON($0) && !isPacket($0)
      },
      .packets(
        prefix + "deaf-after-garbage", role, clause: "BAB 7.13", "reads nothing more once it could not read something",
        reading: { engine, _, text in
          if !isPacket(text) { engine.count = 1 }
          return engine.count == 0 ? text : nil
        }),
      .packets(
        prefix + "ends-links-on-garbage", role, clause: "BAB 7.13", "ends a link over which something unreadable came",
        reading: { engine, link, text in
          if !isPacket(text) { engine.ask(.disconnect(link)) }
          return text
        }),
    ]
  }

  private static let robustHost: [Mutant] = [
    .packets(
      "tells-of-garbage", .host, clause: "BAB 7.13", "tells everybody an empty lobby when it could not read something",
      reading: { engine, _, text in
        if !isPacket(text) {
          for link in engine.links { engine.say(.packet(engine.packet(.lobbyUpdate(LobbyState()))), to: link) }
        }
        return text
      })
  ]

  private static let robustClient: [Mutant] = [
    .packets(
      "garbage-is-an-empty-lobby", .client, clause: "BAB 7.13", "takes what it cannot read for an empty lobby",
      incoming: { engine, _, packet in
        engine.memory = [packet.senderID]
        engine.count = Int(clamping: packet.vectorClock[packet.senderID])
        return [packet]
      },
      reading: { engine, _, text in
        guard !isPacket(text), let host = engine.memory.first else { return text }
        let clock = VectorClock([host: Int64(engine.count)])
        return BabPacket(senderID: host, vectorClock: clock, payload: .lobbyUpdate(LobbyState())).encoded()
      })
  ]
}

private func isPacket(_ octets: [UInt8]) -> Bool { (try? BabPacket(decoding: octets)) != nil }
