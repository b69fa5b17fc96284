import AppSeam
import Bench
import SimKernel
import VirtualRadio

@testable import BabSim

/// Two worlds on two sides of one HCI seam, and the wire between them: the guest's host stack and app are in one world,
/// its controller is in the other. The wire holds each packet up for as long as a random stream says, never changing
/// their order.
struct SessionPair {
  /// A recorded line is appended here.
  final class Tape {
    var octets: [UInt8] = []
  }

  /// Holds a packet for a while.
  private struct Wire {
    var stream: RandomStream
    var packets: [(due: SimInstant, octets: [UInt8])] = []

    mutating func send(_ octets: [UInt8], at now: SimInstant) {
      let delay = SimDuration.nanoseconds(stream.within(20_000...2_000_000))
      packets.append((max(now + delay, packets.last?.due ?? .zero), octets))
    }

    mutating func take(at now: SimInstant) -> [UInt8]? {
      guard let first = packets.first, first.due <= now else { return nil }
      packets.removeFirst()
      return first.octets
    }
  }

  static let engines: EngineFactory = { _, configuration in
    let bab = BabConfiguration(configuration)
    return configuration.role == .host ? HostEngine(configuration: bab) : ClientEngine(configuration: bab)
  }

  /// A guest's phone: a client over a controller from outside, and a host that does nothing.
  static let guestText = """
    name: the guest's phone
    duration: 9min
    devices:
      host: {}
      guest: {}
    game: { autoplay: { think: 300ms..900ms } }
    steps: [ { guest: join } ]
    """

  static func header(_ text: String, _ device: String, _ seat: Seat, seed: UInt64) -> SessionRecording.Header {
    SessionRecording.Header(
      bench: "test", file: "test.yaml", scenario: text, settings: [], seed: seed,
      seats: [SessionRecording.NamedSeat(device: device, seat: seat)])
  }

  static func scenario(_ header: SessionRecording.Header) throws -> Scenario {
    try SessionRecording(header: header).scenario(.bab()).get()
  }

  var outcome: RunOutcome
  var guestOutcome: RunOutcome
  var recording: [UInt8]
  /// What the guest's side recorded.
  var guestRecording: [UInt8]

  /// Plays a scenario with a device called `guest` to its end.
  /// - Parameters:
  ///   - step: the session is looked at no less often than this, as by a clock that ticks; nothing may depend on it.
  init(
    _ text: String, seed: UInt64 = 1, readers: [any TraceReader] = [], deadline: SimInstant? = nil,
    step: SimDuration? = nil
  ) throws {
    let header = Self.header(text, "guest", .foreignHost, seed: seed)
    let lobbyScenario = try Self.scenario(header)
    let guestHeader = Self.header(Self.guestText, "guest", .foreignController, seed: seed)
    let tape = Tape()
    let guestTape = Tape()
    let lobby = try LiveSession(
      header, scenario: lobbyScenario, readers: readers, engines: Self.engines, deadline: deadline,
      record: { tape.octets += $0 })
    let guest = try LiveSession(
      guestHeader, scenario: try Self.scenario(guestHeader), engines: Self.engines,
      record: { guestTape.octets += $0 })
    let seat = lobbyScenario.devices.firstIndex { $0.name == "guest" }!
    var up = Wire(stream: RandomStream(seed: seed, component: "wire", purpose: "up"))
    var down = Wire(stream: RandomStream(seed: seed, component: "wire", purpose: "down"))
    lobby.enter(.attached, device: seat)
    guest.enter(.attached, device: 1)
    var now = SimInstant.zero
    while !lobby.isOver {
      while let packet = lobby.popOutward() { up.send(packet.packet, at: now) }
      while let packet = guest.popOutward() { down.send(packet.packet, at: now) }
      let due = [
        lobby.nextInstant, guest.nextInstant, up.packets.first?.due, down.packets.first?.due, step.map { now + $0 },
      ]
      now = max(now, due.compactMap { $0 }.min() ?? .distantFuture)
      lobby.advance(to: now)
      guest.advance(to: now)
      while let packet = up.take(at: now) { guest.enter(.packet(packet), device: 1) }
      while let packet = down.take(at: now) { lobby.enter(.packet(packet), device: seat) }
    }
    outcome = lobby.finish()
    guestOutcome = guest.finish()
    recording = tape.octets
    guestRecording = guestTape.octets
  }
}
