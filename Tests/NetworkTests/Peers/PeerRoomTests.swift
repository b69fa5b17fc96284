import BeamSuite
import Expectations
import MultipeerConnectivity
import Platform
import SimKernel
import Testing
import VirtualNetwork
import VirtualRadio
import VirtualRoom

@Suite("Apps written for Multipeer Connectivity play in a room")
struct PeerRoomTests {
  private static func room(
    guests: Int, accepts: Bool = true, info: [String: String]? = nil, context: Data? = nil, network: RoomNetwork = .home
  ) -> (VirtualRoom, RoomPhone<PeerHost>, [RoomPhone<PeerGuest>]) {
    let room = VirtualRoom(seed: 4, network: network)
    let host = room.phone("host") { PeerHost(accepts: accepts, info: info) }
    let guests = (1...guests).map { number in
      room.phone("guest-\(number)") { PeerGuest("Guest \(number)", context: context) }
    }
    return (room, host, guests)
  }

  @Test("A guest finds, invites and joins; data goes both ways, a message each")
  func joins() throws {
    let (room, host, guests) = Self.room(guests: 1, context: Data("hi".utf8))
    let guest = guests[0]
    try room.wait(within: .seconds(15)) { guest.app?.events.last == "Keynote connected" }
    equal(guest.app?.events, ["found Keynote", "Keynote connecting", "Keynote connected"])
    equal(host.app?.events, ["guest-1 connecting", "guest-1 connected"])
    equal(host.app?.contexts, [Data("hi".utf8)])
    try host.act { try? $0.say("one") }
    try host.act { try? $0.say("two") }
    try guest.act { try? $0.session.send(Data([1, 2]), toPeers: $0.session.connectedPeers, with: .unreliable) }
    try room.run(for: .seconds(1))
    expect(guest.app?.received == ["one", "two"] && host.app?.received == [Data([1, 2])])
  }

  @Test("What an advertiser says of itself comes with the peer; nothing where it says nothing")
  func discoveryInfo() throws {
    for info in [["level": "3", "mode": "coffee=shop"], nil] as [[String: String]?] {
      let (room, _, guests) = Self.room(guests: 1, info: info)
      try room.wait(within: .seconds(15)) { guests[0].app?.infos.isEmpty == false }
      equal(guests[0].app?.infos, [info])
    }
  }

  @Test("Seven guests join over AWDL; an eighth is declined, as a session has eight peers")
  func eight() throws {
    let (room, host, guests) = Self.room(guests: 8, network: .withoutInfrastructure)
    try room.wait(within: .seconds(60)) {
      guests.filter { $0.app?.events.last == "Keynote connected" }.count == 7
        && guests.contains { $0.app?.events.last == "Keynote notConnected" }
    }
    equal(host.app?.session.connectedPeers.count, kMCSessionMaximumNumberOfPeers - 1)
    try host.act { try? $0.say("to all") }
    try room.run(for: .seconds(3))
    equal(guests.filter { $0.app?.received == ["to all"] }.count, 7)
  }

  @Test("A declined invitation is not connected")
  func declined() throws {
    let (room, host, guests) = Self.room(guests: 1, accepts: false)
    try room.wait(within: .seconds(15)) { guests[0].app?.events.last == "Keynote notConnected" }
    equal(guests[0].app?.events, ["found Keynote", "Keynote connecting", "Keynote notConnected"])
    equal(host.app?.events, [])
  }

  @Test("An invitation that nobody answers is over after its timeout")
  func timeout() throws {
    let (room, host, guests) = Self.room(guests: 1)
    let guest = guests[0]
    try room.wait(within: .seconds(15)) { guest.app?.events.last == "Keynote connecting" }
    try host.apply(.vanish)
    try room.run(for: .seconds(9))
    equal(guest.app?.events.last, "Keynote connecting")
    try room.run(for: .seconds(2))
    equal(guest.app?.events.contains("Keynote notConnected"), true)
  }

  @Test("disconnect: both ends are not connected; a peer that vanishes too, some time later")
  func ends() throws {
    let (room, host, guests) = Self.room(guests: 2)
    try room.wait(within: .seconds(20)) { host.app?.session.connectedPeers.count == 2 }
    try guests[0].act { $0.session.disconnect() }
    try room.run(for: .seconds(1))
    equal(host.app?.session.connectedPeers.count, 1)
    equal(guests[0].app?.events.last, "Keynote notConnected")
    try guests[1].apply(.network(.wifiOff))
    try room.run(for: .seconds(30))
    equal(host.app?.session.connectedPeers.isEmpty, true)
  }

  @Test("Data to nobody, without octets, or to a peer that is not connected, is refused")
  func refusals() throws {
    let (room, host, _) = Self.room(guests: 1)
    try room.wait(within: .seconds(20)) { host.app?.session.connectedPeers.count == 1 }
    let codes = try host.ask { app in
      [([], Data([1])), (app.session.connectedPeers, Data()), ([MCPeerID(displayName: "Nobody")], Data([1]))].map {
        peers, data -> MCError.Code? in
        do {
          try app.session.send(data, toPeers: peers, with: .reliable)
          return nil
        } catch { return (error as? MCError)?.code }
      }
    }
    equal(codes, [.invalidParameter, .invalidParameter, .notConnected])
  }

  @Test("A type of service that cannot be is told as an error")
  func wrongType() throws {
    let room = VirtualRoom(seed: 4, network: .home)
    let guest = room.phone("guest") { PeerGuest("Guest", service: "much too long a type") }
    try room.run(for: .seconds(1))
    equal(guest.app?.events, ["error \(MCError.Code.invalidParameter.rawValue)"])
  }

  @Test("Guests of the bench that speak the old transport of BeamScribe join a host of MCSession")
  func benchGuests() throws {
    let room = VirtualRoom(seed: 4, players: .beamScribe, network: .home)
    let host = room.phone("host") { PeerHost("Event", service: "beamscribe") }
    for number in 1...2 { try room.player("guest-\(number)", role: "guest", dialect: "mpc") }
    try room.run(for: .seconds(1))
    try host.act { app in
      app.onConnected = { peer in
        let history = #"{"chunks":[],"type":"fullHistory","upToSequence":0}"#
        try? app.session.send(Data(history.utf8), toPeers: [peer], with: .reliable)
      }
    }
    for number in 1...2 { try room.player(of: "guest-\(number)").act("join") }
    try room.wait(within: .seconds(20), until: "all guests are SHOWING")
    try host.act { try? $0.say(#"{"isFinal":true,"sequence":1,"text":"Hi.","type":"liveChunk"}"#) }
    try room.wait(within: .seconds(2), until: "all guests have exactly 1 finals")
  }

  @Test("A guest of MCSession joins a host of the bench and has its packets")
  func benchHost() throws {
    let room = VirtualRoom(seed: 4, players: .beamScribe, network: .home)
    let host = try room.player("host", role: "host", dialect: "mpc")
    let guest = room.phone("guest") { PeerGuest("Guest", service: "beamscribe") }
    try room.run(for: .seconds(1))
    try host.act("start event: Event")
    try room.wait(within: .seconds(20)) { guest.app?.events.last == "Event connected" }
    try host.act("say: Hello")
    try room.run(for: .seconds(2))
    equal(guest.app?.received.count, 2)
    equal(guest.app?.received.first, #"{"chunks":[],"type":"fullHistory","upToSequence":0}"#)
    equal(guest.app?.received.last?.contains(#""text":"Hello""#), true)
  }
}
