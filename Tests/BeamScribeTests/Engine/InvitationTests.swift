import AppSeam
import BeamScribe
import Expectations
import SimKernel
import Testing

/// The old transport at both ends.
@Suite("Invitations")
struct InvitationTests {
  private static let type = "_beamscribe-mpc._tcp"
  private static let invitation = Frame(.invitation).encoded(.kindAndLength)

  private func hosting(_ adjust: (inout BeamConfiguration) -> Void = { _ in }) -> DeviceBed {
    let host = DeviceBed.launched(.beamHost, dialect: .beamMPC, adjust: adjust)
    host.feed(.startEvent(name: ""))
    return host
  }

  private func invite(_ host: DeviceBed, _ number: Int) {
    host.feed(.incoming(ConnectionID(number), .peerToPeer, peer: "guest-\(number)"))
    host.feed(.received(ConnectionID(number), octets: Self.invitation))
  }

  private func kinds(_ host: DeviceBed, _ number: Int) throws -> [Frame.Kind] {
    var reader = FrameReader(.kindAndLength)
    var piece = host.taken[ConnectionID(number), default: []][...]
    var kinds: [Frame.Kind] = []
    while let frame = try reader.next(&piece) { kinds.append(frame.kind) }
    return kinds
  }

  private func joined() -> DeviceBed {
    let guest = DeviceBed.launched(.beamGuest, dialect: .beamMPC)
    guest.feed(.join)
    guest.feed(.found(EndpointID(1), type: Self.type, name: "Keynote 2026", interfaces: [.peerToPeer]))
    guest.feed(.ready(ConnectionID(2), .peerToPeer))
    return guest
  }

  private func frames(_ frames: Frame...) -> [UInt8] { frames.flatMap { $0.encoded(.kindAndLength) } }

  @Test("An invitation is accepted at once, and the history comes with the connection, without a gate")
  func accepted() throws {
    let host = hosting()
    host.feed(.speakFinal("One."))
    invite(host, 1)
    try equal(kinds(host, 1), [.accepted])
    host.run(to: at(0, 499))
    try equal(kinds(host, 1), [.accepted])
    host.run(to: at(1, 500))
    try equal(kinds(host, 1), [.accepted, .connected, .message])
    let history = BeamPacket.fullHistory(.init(chunks: [.init(sequence: 1, text: "One.")], upToSequence: 1))
    try equal(host.packets(ConnectionID(1), .kindAndLength), [history])
    host.feed(.endEvent)
    try equal(host.packets(ConnectionID(1), .kindAndLength).last, .alert(.hostDisconnected))
    expect(!host.log.contains { if case .advertise = $0.effect { true } else { false } })
  }

  @Test("With a gate it would be held")
  func gated() throws {
    let host = hosting { $0.gate = .seconds(4) }
    invite(host, 1)
    host.run(to: at(4, 499))
    try equal(kinds(host, 1), [.accepted, .connected])
    host.run(to: at(5, 500))
    try equal(kinds(host, 1), [.accepted, .connected, .message])
  }

  @Test("What goes before the history goes before it on a platform without room, too")
  func withoutRoom() throws {
    let host = hosting()
    host.full = [ConnectionID(1)]
    invite(host, 1)
    host.run(to: at(2))
    host.full = []
    host.feed(.room(ConnectionID(1)))
    try equal(kinds(host, 1), [.accepted, .connected, .message])
  }

  @Test("The eighth peer is declined, those who are only invited counted")
  func declined() throws {
    let host = hosting()
    for number in 0..<7 { invite(host, 2 * number + 1) }
    invite(host, 15)
    try equal(kinds(host, 15), [.declined])
    equal(host.network.last, .finish(ConnectionID(15)))
    expect(host.run(to: at(5)).network.contains(.cancel(ConnectionID(15))))
    expect(host.reports.contains(.guests(count: 7, open: 7)))
    expect(!host.reports.contains(.guests(count: 8, open: 7)))
  }

  @Test("Who opens a stream and does not ask is cancelled after 10 s; who sends anything else, at once")
  func uninvited() {
    let host = hosting()
    host.feed(.incoming(ConnectionID(1), .peerToPeer, peer: "a"))
    equal(host.run(to: at(10)).network, [.cancel(ConnectionID(1))])
    for octets in [[9], [2, 0, 0, 0, 1, 0], [1, 0, 0, 0, 1, 0], [2, 0, 0, 0, 0, 2]] as [[UInt8]] {
      let host = hosting()
      host.feed(.incoming(ConnectionID(1), .peerToPeer, peer: "a"))
      host.feed(.received(ConnectionID(1), octets: [UInt8](octets.prefix(4))))
      host.feed(.received(ConnectionID(1), octets: [UInt8](octets.dropFirst(4))))
      let isHeld = octets.count < 5
      expect(host.reports.contains(.refused(ConnectionID(1), reason: "unexpectedData")) != isHeld)
    }
  }

  @Test("A guest invites what it finds, and is connected when the host says so")
  func guest() throws {
    let guest = joined()
    equal(guest.network.first, .browse(type: Self.type, peerToPeer: true))
    equal(guest.taken[ConnectionID(2)], Self.invitation)
    equal(guest.states, ["LOOKING", "CONNECTING"])
    guest.feed(.received(ConnectionID(2), octets: frames(Frame(.accepted))))
    equal(guest.states.last, "CONNECTING")
    let history = BeamPacket.fullHistory(.init(chunks: [.init(sequence: 1, text: "One.")], upToSequence: 1))
    guest.feed(.received(ConnectionID(2), octets: frames(Frame(.connected), Frame(body: history.encoded()))))
    equal(guest.states.suffix(2), ["CONNECTED", "SHOWING"])
    expect(guest.timers.isEmpty)
    let hasBLE = guest.log.contains { entry in
      switch entry.effect {
      case .scan, .network(.prime): true
      default: false
      }
    }
    expect(!hasBLE)
  }

  @Test("An invitation that is not taken at once is sent when there is room")
  func owedInvitation() {
    let guest = DeviceBed.launched(.beamGuest, dialect: .beamMPC)
    guest.full = [ConnectionID(2)]
    guest.feed(.join)
    guest.feed(.found(EndpointID(1), type: Self.type, name: "x", interfaces: [.peerToPeer]))
    guest.feed(.ready(ConnectionID(2), .peerToPeer))
    expect(guest.taken.isEmpty)
    guest.full = []
    guest.feed(.room(ConnectionID(2)))
    equal(guest.taken[ConnectionID(2)], Self.invitation)
  }

  @Test("Declined it retries after 1, 2 and 4 s")
  func retries() {
    let guest = joined()
    for (number, wait) in [1, 2, 4].enumerated() {
      let id = ConnectionID(2 + 2 * number)
      if number > 0 { guest.feed(.ready(id, .peerToPeer)) }
      guest.feed(.received(id, octets: frames(Frame(.declined))))
      equal(guest.states.last, "LOST")
      guest.run(for: .seconds(Int64(wait)))
    }
    let attempts = guest.log.filter { $0.effect.network?.connected != nil }.map(\.at)
    equal(attempts, [at(0), at(1), at(3), at(7)])
  }

  @Test("An invitation without an answer is given up after 10 s")
  func withoutAnswer() {
    let guest = joined()
    expect(guest.run(to: at(9, 999)).isEmpty)
    equal(guest.run(to: at(10)).network, [.cancel(ConnectionID(2))])
  }
}
