import AppSeam
@preconcurrency import BeamApp
import BeamSuite
import Bench
import Expectations
import Network
import Platform
import SimKernel
import Testing
import VirtualNetwork
import VirtualRadio
import VirtualRoom

@Suite("BeamScribe, written for Network.framework and CoreBluetooth, in a room")
struct BeamRoomTests {
  @Test("Seven guests show what their host speaks, over Wi-Fi that sleeps until somebody asks")
  func seven() throws {
    let beam = try BeamRoom(seed: 5, guests: 7, network: .withoutInfrastructure)
    try beam.join()
    try beam.speak(20)
    try beam.room.wait(within: .seconds(20)) { beam.guests.allSatisfy { $0.app?.finals == beam.spoken } }
    expect(beam.screens.allSatisfy { $0.states == ["LOOKING", "CONNECTING", "CONNECTED", "SHOWING"] })
    equal(beam.room.play().findings, [])
  }

  @Test("The same seed gives the same digest; another one another")
  func digests() throws {
    let digests = try [UInt64(8), 8, 9].map { seed in
      let beam = try BeamRoom(seed: seed, guests: 3, network: .home)
      try beam.join()
      try beam.speak(5)
      return beam.room.finish().digest.hexadecimal
    }
    expect(digests[0] == digests[1] && digests[0] != digests[2])
  }

  @Test("Wi-Fi off for a while: the guest loses its stream, comes back, and has every final once")
  func wifiOff() throws {
    let beam = try BeamRoom(seed: 6, guests: 2, network: .home)
    try beam.join()
    try beam.speak(3)
    try beam.guests[0].apply(.network(.wifiOff))
    try beam.speak(8)
    equal(beam.guests[0].app?.finals.count, 3)
    try beam.guests[0].apply(.network(.wifiOn))
    try beam.room.wait(within: .seconds(60)) { beam.guests.allSatisfy { $0.app?.finals == beam.spoken } }
    expect(beam.screens[0].states.contains("LOST") && !beam.screens[1].states.contains("LOST"))
  }

  @Test("The access point goes: streams are made again from peer to peer")
  func accessPoint() throws {
    let beam = try BeamRoom(seed: 7, guests: 2, network: .home)
    try beam.join()
    for phone in beam.guests { try phone.apply(.network(.leaveNetwork)) }
    try beam.speak(10)
    try beam.room.wait(within: .seconds(60)) { beam.guests.allSatisfy { $0.app?.finals == beam.spoken } }
  }

  @Test("A host that vanishes: its guests notice within twenty seconds, and find it again")
  func vanishes() throws {
    let beam = try BeamRoom(seed: 4, guests: 2, network: .home)
    try beam.join()
    try beam.speak(2)
    try beam.host.apply(.vanish)
    try beam.room.wait(within: .seconds(30)) { beam.screens.allSatisfy { $0.states.contains("LOST") } }
    try beam.host.apply(.appear)
    try beam.speak(2)
    try beam.room.wait(within: .seconds(90)) { beam.guests.allSatisfy { $0.app?.finals == beam.spoken } }
  }

  @Test("With engines of the bench as guests, oracles judge the room")
  func players() throws {
    let room = VirtualRoom(seed: 11, players: .beamScribe, network: .home)
    let host = try room.phone("host", role: "host") { told in
      HostSession(
        displayName: told.displayName, settings: HostSession.Settings(), kept: Data(), wallClock: { 0 },
        screen: { _, _ in }, keep: { _ in })
    }
    for number in 1...3 { try room.player("guest-\(number)", role: "guest") }
    try room.run(for: .seconds(1))
    try host.act { $0.startEvent("Keynote") }
    for number in 1...3 { try room.player(of: "guest-\(number)").act("join") }
    try room.run(for: .seconds(15))
    for number in 1...5 { try host.act { $0.speakFinal("final \(number)") } }
    try room.wait(within: .seconds(5), until: "all guests are SHOWING")
    let result = room.play()
    expect(result.findings == [] && result.judgedCount > 0)
  }
}

/// A host and its guests, all apps of the sample.
private final class BeamRoom {
  let room: VirtualRoom
  let host: RoomPhone<HostSession>
  let guests: [RoomPhone<GuestSession>]
  let screens: [GuestScreen]
  private(set) var spoken: [String] = []

  init(seed: UInt64, guests count: Int, network: RoomNetwork) throws {
    let room = VirtualRoom(seed: seed, environment: .livingRoom, network: network)
    self.room = room
    let screens = (0..<count).map { _ in GuestScreen() }
    self.screens = screens
    host = room.phone("host") {
      HostSession(
        displayName: "host", settings: HostSession.Settings(), kept: Data(),
        wallClock: { Int(Date().timeIntervalSince1970 * 1_000) }, screen: { _, _ in }, keep: { _ in })
    }
    guests = screens.enumerated().map { index, screen in
      room.phone("guest-\(index + 1)", at: Position(x: 100 * (index + 1), y: 0)) {
        GuestSession(wallClock: { Int(Date().timeIntervalSince1970 * 1_000) }) { screen.show($0, $1) }
      }
    }
  }

  /// The event begins, and everyone shows it.
  func join() throws {
    try room.run(for: .seconds(1))
    try host.act { $0.startEvent("Keynote 2026") }
    for guest in guests { try guest.act { $0.join(nil) } }
    try room.wait(within: .seconds(30)) { [screens] in screens.allSatisfy { $0.states.last == "SHOWING" } }
  }

  /// One final a second.
  func speak(_ count: Int) throws {
    for _ in 0..<count {
      let text = "This is sentence number \(spoken.count + 1)."
      spoken.append(text)
      try host.act { $0.speakFinal(text) }
      try room.run(for: .seconds(1))
    }
  }
}

private final class GuestScreen {
  private(set) var states: [String] = []
  func show(_ name: String, _ members: KeyValuePairs<String, any Encodable>) {
    if name == "state", let state = members.first?.value as? String { states.append(state) }
  }
}
