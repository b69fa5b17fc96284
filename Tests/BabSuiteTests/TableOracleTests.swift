import AppSeam
import BabOracles
import BabSim
import Bench
import Conformance
import Expectations
import Judging
import SimKernel
import Testing

@Suite("Oracles of what a host tells, by hand-written packets")
struct TableOracleTests {
  /// A host with two clients, whose packets leave as they are written.
  private struct Table {
    var script = TraceScript(clients: 2)
    var count: Int64 = 0
    var fromClients: Int64 = 0
    var packetID: UInt16 = 0
    /// The host says of each packet that it takes it, unless it may ignore it.
    var saysAll = false

    init(saysAll: Bool = false) {
      self.saysAll = saysAll
      for client in 1...2 {
        script.connect(client)
        hear(client, .handshake(Participant(id: "c\(client)", name: "C")))
        hear(client, .clientJoin(LobbyProfile(playerID: "c\(client)", displayName: "C")))
      }
      lobby("coffee-shop", ["h", "c1", "c2"])
    }

    private mutating func values(_ sender: String, _ count: Int64, _ payload: PacketPayload) -> [[UInt8]] {
      var clock = VectorClock()
      clock.timestamps[sender] = count
      packetID += 1
      var fragmenter = Fragmenter(framing: .framed, nextPacketID: packetID)
      let packet = BabPacket(senderID: sender, vectorClock: clock, payload: payload)
      return (try? fragmenter.fragments(of: packet.encoded(), attMTU: 517)) ?? []
    }

    mutating func hear(_ client: Int, _ payload: PacketPayload) {
      fromClients += 1
      for octets in values("c\(client)", fromClients, payload) {
        script.add(
          0, .input(.valueReceived(LinkID(client * 10 + 1), characteristic: TraceScript.characteristic, octets: octets))
        )
      }
      guard saysAll, payload.type == .handshake || payload.type == .clientJoin, fromClients <= 4
      else { return }
      script.report(
        0,
        .packetReceived(
          LinkID(client * 10 + 1), type: payload.type.rawValue, senderID: "c\(client)", json: ""))
    }

    /// To both clients, or to some.
    mutating func say(_ payload: PacketPayload, to clients: [Int] = [1, 2]) {
      count += 1
      for client in clients { for octets in values("h", count, payload) { script.notify(client, octets) } }
    }

    mutating func lobby(_ scenario: String, _ players: [String], to clients: [Int] = [1, 2]) {
      let profiles = players.map { LobbyProfile(playerID: $0, displayName: $0) }
      say(.lobbyUpdate(LobbyState(selectedScenarioID: scenario, connectedPlayers: profiles)), to: clients)
    }

    mutating func turn(_ player: String, _ line: String) {
      say(.turnAdvanced(nextPlayerID: player, pendingLine: Self.line(line, player, .isPrivate)))
    }

    mutating func read(_ player: String, _ line: String) {
      say(.dialogLineAdded(Self.line(line, player, .committed)))
      say(.lineCompleted(lineID: line, result: Self.result))
    }

    static let result = PronunciationResult(errorCount: 0, accuracy: 1, wordErrors: [], skipped: false, duration: 1_000)

    static func line(_ id: String, _ player: String, _ visibility: LineVisibility) -> DialogLine {
      DialogLine(
        id: id, speakerID: player, roleName: "", textNative: "", textTranslated: "", timestamp: 0,
        assignedToPlayerID: player, visibility: visibility, pronunciationResult: visibility == .committed ? result : nil
      )
    }

    func verdict(_ type: any BabOracle.Type) -> Verdict { script.result(type).verdict }
  }

  @Test("Turns go round; one out of turn is wrong, unless its player has left and nobody was told yet")
  func turns() {
    var table = Table()
    table.say(.startGame)
    table.turn("h", "l1")
    table.read("h", "l1")
    table.turn("c1", "l2")
    table.read("c1", "l2")
    equal(table.verdict(TurnsGoRound.self), .pass)
    var skipped = table
    skipped.turn("h", "l3")
    equal(skipped.verdict(TurnsGoRound.self), .fail)
    var left = table
    left.script.disconnect(2)
    left.turn("h", "l3")
    equal(left.verdict(TurnsGoRound.self), .pass)
    table.turn("c2", "l1")
    equal(table.verdict(TurnsGoRound.self), .fail)
  }

  @Test("A count of which no packet is seen leaves turns and roles unjudged")
  func gap() {
    var table = Table()
    table.say(.startGame)
    table.turn("h", "l1")
    table.count += 1
    table.script.wait(10_000)
    table.turn("c2", "l2")
    table.say(.roleAssigned(playerID: "c1", roleID: "barista"))
    table.say(.roleAssigned(playerID: "c2", roleID: "barista"))
    equal(table.script.result(TurnsGoRound.self).judged, 1, "the first turn")
    equal(table.verdict(RolesFollowRules.self), .none)
  }

  @Test("A role is one player's and the scenario's; another scenario clears it")
  func roles() {
    var table = Table()
    table.hear(1, .roleAssigned(playerID: "c1", roleID: "barista"))
    table.say(.roleAssigned(playerID: "c1", roleID: "barista"))
    equal(table.verdict(RolesFollowRules.self), .pass)
    for (role, player) in [("barista", "c2"), ("thief", "c2")] {
      var wrong = table
      wrong.say(.roleAssigned(playerID: player, roleID: role))
      equal(wrong.verdict(RolesFollowRules.self), .fail)
    }
    table.lobby("the-heist", ["h", "c1", "c2"])
    table.say(.playerReady(playerID: "c1", isReady: true))
    equal(table.script.result(RolesFollowRules.self).findings.first?.clause, "BAB 5.2.6")
  }

  @Test("A vote passes with every yes, and with those of the players who are left")
  func votes() {
    var table = Table()
    table.say(.startGame)
    table.turn("h", "l1")
    table.hear(1, .voteRequest(proposerID: "c1", action: .changeScene))
    table.say(.voteRequest(proposerID: "c1", action: .changeScene))
    table.hear(2, .voteCast(voterID: "c2", vote: true))
    table.say(.voteCast(voterID: "c2", vote: true))
    var early = table
    early.lobby("the-heist", ["h", "c1", "c2"])
    equal(early.verdict(VotesFollowRules.self), .fail)
    table.say(.voteCast(voterID: "h", vote: true))
    equal(table.verdict(VotesFollowRules.self), .fail, "nobody at the host has said so")
  }

  @Test("A host need say nothing of what it may ignore; of everything else it must")
  func ignored() {
    var table = Table()
    func isAsked(_ payload: PacketPayload) -> Bool {
      var asked = table
      for word in [payload, .heartbeat] { asked.hear(1, word) }
      asked.script.report(0, .packetReceived(LinkID(11), type: "HEARTBEAT", senderID: "c1", json: ""))
      // What the clients have not handed over is found, too.
      return asked.script.result(NothingSentIsLost.self).findings.contains {
        $0.expected == "the whole packet taken or refused"
      }
    }
    expect(isAsked(.heartbeat), "it has said nothing of what came at the beginning")
    table = Table(saysAll: true)
    table.say(.startGame)
    table.turn("c1", "l1")
    expect(!isAsked(.lineCompleted(lineID: "l0", result: Table.result)), "it is not pending")
    expect(isAsked(.lineCompleted(lineID: "l1", result: Table.result)), "it is")
    expect(!isAsked(.voteCast(voterID: "c1", vote: true)), "there is no vote")
    expect(!isAsked(.playerReady(playerID: "c1", isReady: true)), "it has no role")
    expect(isAsked(.clientJoin(LobbyProfile(playerID: "c1", displayName: "C"))))
    table.hear(2, .voteRequest(proposerID: "c2", action: .endGame))
    table.say(.voteRequest(proposerID: "c2", action: .endGame))
    expect(isAsked(.voteCast(voterID: "c1", vote: true)), "its vote is waited for")
  }

  @Test("A role that a later packet of the same link has overtaken was not sent")
  func untold() {
    var table = Table()
    table.say(.roleAssigned(playerID: "h", roleID: "barista"))
    equal(table.verdict(RolesAreTold.self), .pass)
    table.say(.roleAssigned(playerID: "c1", roleID: "customer"), to: [1])
    equal(table.verdict(RolesAreTold.self), .pass)
    table.say(.heartbeat)
    equal(table.verdict(RolesAreTold.self), .fail)
  }
}
