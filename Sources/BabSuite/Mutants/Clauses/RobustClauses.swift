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
        prefix + "deaf-after-garbage", role, "BAB 7.13", "reads nothing more once it could not read something",
        reading: { m, text in
          if !isPacket(text) { m.count = 1 }
          return m.count == 0 ? text : nil
        }),
      .packets(
        prefix + "ends-links-on-garbage", role, "BAB 7.13", "ends a link over which something unreadable came",
        reading: { m, text in
          if !isPacket(text) { m.ask(.disconnect(m.link)) }
          return text
        }),
    ]
  }

  private static let robustHost: [Mutant] = [
    .packets(
      "tells-of-garbage", .host, "BAB 7.13", "tells everybody an empty lobby when it could not read something",
      reading: { m, text in
        if !isPacket(text) { m.sayToAll(.lobbyUpdate(LobbyState())) }
        return text
      })
  ]

  private static let robustClient: [Mutant] = [
    .packets(
      "garbage-is-an-empty-lobby", .client, "BAB 7.13", "takes what it cannot read for an empty lobby",
      whenHearing: { m, packet in
        m.memory = [packet.senderID]
        m.count = Int(clamping: packet.vectorClock[packet.senderID])
      },
      reading: { m, text in
        guard !isPacket(text), let host = m.memory.first else { return text }
        let clock = VectorClock([host: Int64(m.count)])
        return BabPacket(senderID: host, vectorClock: clock, payload: .lobbyUpdate(LobbyState())).encoded()
      })
  ]
}

private func isPacket(_ octets: [UInt8]) -> Bool { (try? BabPacket(decoding: octets)) != nil }
