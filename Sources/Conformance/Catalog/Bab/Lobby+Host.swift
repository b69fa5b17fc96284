import BabSim
import SimKernel

/// LOBBY, host: joining and leaving, scenario and difficulty (BAB 5.1, 5.2).
extension Catalog {
  static let lobbyHost: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/LOBBY/BV-01-C", ["BAB 5.1.7", "BAB 5.2.4"],
      "A client that joins is given a seat, and every seated client is told.",
      initial: "The host advertises; client-1 is seated.",
      expects: ["client-1 and client-2 are each sent LOBBY_UPDATE that lists the host, client-1 and client-2"],
      testers: 2
    ) { t in
      let (first, second) = (t.clients[0], t.clients[1])
      try t.preamble {
        t.iut.user(.startHosting)
        try first.join()
      }
      first.forget()
      try second.join(upTo: .greeted)
      second.askForSeat()
      let everybody = [t.iut.peerID, first.peerID, second.peerID]
      for client in [first, second] {
        try client.expect(.lobbyUpdate, "lists the host, client-1 and client-2") { packet in
          guard case .lobbyUpdate(let lobby) = packet.payload else { return false }
          return lobby.connectedPlayers.map(\.playerID) == everybody
        }
      }
    }
  ]
}
