import BabSim
import Conformance

/// GATT, host: how writes are taken and answered (BAB 5.9.7, 5.9.8).
extension Catalog {
  static let gattHostWrites: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/GATT/BV-10-C", ["BAB 5.9.7"],
      "What a client's phone writes in parts is one value.",
      initial: "client-1 has an ATT_MTU of 23 and no seat.",
      expects: ["a packet in one value of many parts is taken"]
    ) { t, client in
      client.wishedATTMTU = nil
      let probe = try FragProbe(t)
      let value = probe.cut(into: 1, id: probe.takeID())
      try probe.deliver(value, "the packet in one value, which its phone writes in parts")
      try probe.expectTaken()
    },
    TestPurpose(
      "BAB/HOST/GATT/BV-11-C", ["BAB 5.9.8"],
      "Writes of packets are answered without an error.",
      initial: "client-1 has subscribed, and writes with response.",
      expects: ["each value of HANDSHAKE and CLIENT_JOIN is answered, and none with an error"]
    ) { t, client in
      t.iut.user(.startHosting)
      try t.preamble { try client.join(upTo: .subscribed) }
      client.greet()
      client.askForSeat()
      try client.flush()
      let errors = client.newestLink?.writeErrors ?? []
      let sent = client.newestLink?.valuesSent ?? 0
      try t.require(
        "\(client.name)'s writes are answered without an error",
        actual: sent == 0
          ? "none was answered" : errors.map { "error 0x" + String($0, radix: 16) }.joined(separator: ", "),
        errors.isEmpty && sent > 0)
    },
  ]
}
