import BabSim
import SimKernel

/// LINK, client: loss and return (BAB 5.7).
extension Catalog {
  static let linkClient: [TestPurpose] = [
    TestPurpose(
      "BAB/CLIENT/LINK/BV-01-C", ["BAB 5.7.7"],
      "A client that loses its link looks for the same host and comes back.",
      initial: "The client is seated.",
      expects: ["a new connection, HANDSHAKE and CLIENT_JOIN with the same id"], needs: [.reconnect]
    ) { t in
      let host = t.hosts[0]
      try t.preamble { try host.seatIUT() }
      host.forget()
      host.suffers(.vanish, "vanishes for 6 s")
      try t.pause(.seconds(6))
      host.suffers(.appear, "is there again")
      try host.expect(.clientJoin, "has the same id", within: .seconds(20)) { $0.senderID == t.iut.peerID }
    }
  ]
}
