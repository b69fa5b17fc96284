import Expectations
import NetworkWire
import SimKernel
import Testing
@testable import VirtualNetwork

/// What comes in is of others; what goes out was read by others.
@Suite("Names against messages and readers of others")
struct NameServiceForeignTests {
  private static let type = "_beamscribe._tcp"

  /// dnspython 2.9: a service announced with PTR, SRV, TXT and AAAA, names compressed.
  private static let foreignAnnouncement = [UInt8].hex(
    """
    0000840000000001000000030b5f6265616d736372696265045f746370056c6f63616c00000c000100001194000a074c656374757265c00cc02e
    00210001000000780012000000001b5804686f7374056c6f63616c00c02e0010000100001194000403763d3104686f7374c01d001c0001000000
    780010fe800000000000000000000000000001
    """)
  /// dnspython 2.9: a question for instances of a service type.
  private static let foreignQuestion = [UInt8].hex(
    "0000000000010000000000000b5f6265616d736372696265045f746370056c6f63616c00000c0001")

  // What this target wrote. Scapy 2.8 and tshark 4.0 read each as its comment says, and tshark finds nothing malformed.

  /// A question of any kind for `Room._beamscribe._tcp.local`; SRV and TXT as authorities.
  private static let probe = [UInt8].hex(
    """
    00000000000100000002000004526f6f6d0b5f6265616d736372696265045f746370056c6f63616c0000ff0001c00c0021000100000078001100
    0000001b58086465766963652d30c022c00c0010000100001194000100
    """)
  /// PTR of 4 500 s, and with the cache-flush bit SRV of 120 s (device-0.local, 7000), an empty TXT and A 192.168.4.0.
  private static let announcement = [UInt8].hex(
    """
    0000840000000004000000000b5f6265616d736372696265045f746370056c6f63616c00000c000100001194000704526f6f6dc00cc02e002180
    01000000780011000000001b58086465766963652d30c01dc02e0010800100001194000100c04700018001000000780004c0a80400
    """)
  /// A question for PTR of the type, with the known answer of 4 499 s.
  private static let known = [UInt8].hex(
    """
    0000000000010001000000000b5f6265616d736372696265045f746370056c6f63616c00000c0001c00c000c000100001193000704526f6f6dc0
    0c
    """)
  /// PTR with a time to live of zero.
  private static let goodbye = [UInt8].hex(
    """
    0000840000000001000000000b5f6265616d736372696265045f746370056c6f63616c00000c000100000000000704526f6f6dc00c
    """)

  @Test("A foreign announcement is found, a foreign question is answered")
  func foreign() throws {
    let bus = NameBus(2)
    let announcement = try DNSMessage(decoding: Self.foreignAnnouncement)
    bus.services[1].browse(type: Self.type, at: bus.now)
    bus.services[1].receive(announcement, at: bus.now)
    bus.settle()
    equal(
      bus.events.map(\.event),
      [
        .found(
          type: Self.type, name: "Lecture", hostName: "host.local", port: 7_000, record: Array("\u{3}v=1".utf8))
      ])

    bus.services[0].register(type: Self.type, name: "LECTURE", port: 7_001, at: bus.now)
    bus.run(to: .milliseconds(300))
    // It hears that the name is taken while it probes for it.
    bus.services[0].receive(announcement, at: bus.now)
    bus.run(to: .seconds(5))
    equal(bus.names[0], "LECTURE (2)")

    let count = bus.messages.count
    bus.services[0].receive(try DNSMessage(decoding: Self.foreignQuestion), at: bus.now)
    bus.run(to: .seconds(6))
    let answer = try required(bus.messages[count...].first { $0.device == 0 })
    expect((20...120).contains((answer.instant - SimInstant.seconds(5)).nanoseconds / 1_000_000))
    equal(answer.message.answers.map(\.kind), [.pointer])
    equal(answer.message.additionals.map(\.kind), [.service, .text, .a])
  }

  @Test("A foreign probe with later records makes ours wait for a second, one with earlier ones does not")
  func simultaneousProbes() {
    for (port, wait) in [(UInt16(6_999), SimDuration.zero), (7_000, .zero), (7_001, .seconds(1))] {
      let bus = NameBus(1)
      bus.services[0].register(type: Self.type, name: "Room", port: 7_000, at: bus.now)
      bus.run(to: .seconds(5)) { bus.messages.count == 1 }
      let first = bus.now
      var rival = bus.messages[0].message
      rival.authorities[0].content = .service(port: port, target: "device-0.local")
      bus.services[0].receive(rival, at: bus.now)
      bus.run(to: .seconds(10))
      let ready = bus.first(0) { $0.isRegistered }
      equal(ready, first + wait + .milliseconds(750), "port \(port)")
      equal(bus.names, ["Room"])
    }
  }

  @Test("After fifteen conflicts within ten seconds there are five seconds before each further try")
  func manyConflicts() throws {
    let bus = NameBus(1)
    bus.services[0].register(type: Self.type, name: "Room", port: 7_000, at: bus.now)
    var waits: [SimDuration] = []
    for _ in 0..<18 {
      let before = bus.now
      let count = bus.messages.count
      bus.run(to: .seconds(100)) { bus.messages.count > count }
      waits.append(bus.now - before)
      var rival = bus.messages[count].message
      rival.isResponse = true
      rival.answers = rival.authorities
      rival.answers[0].content = .service(port: 1, target: "rival.local")
      bus.services[0].receive(rival, at: bus.now)
    }
    expect(waits[...15].allSatisfy { $0 <= .milliseconds(250) })
    expect(waits[16...].allSatisfy { $0 >= .seconds(5) })
  }

  @Test("Probes, announcements, questions and goodbyes are the octets that others have read")
  func octets() {
    let bus = NameBus(2)
    bus.services[0].register(type: Self.type, name: "Room", port: 7_000, at: bus.now)
    bus.run(to: .seconds(10))
    bus.services[1].browse(type: Self.type, at: bus.now)
    bus.run(to: .seconds(15))
    bus.services[0].unregister(type: Self.type)
    bus.settle()
    let octets = bus.messages.map(\.message.octets)
    let question = Self.foreignQuestion
    let announcement = Self.announcement
    equal(octets.prefix(5), [Self.probe, Self.probe, Self.probe, announcement, announcement])
    equal(octets[5], question)
    equal(octets[7], Self.known)
    equal(octets.last, Self.goodbye)
    equal(octets.count, 10)
  }

  @Test("Foreign octets with bits flipped stop nothing, and names stay writable and bounded")
  func mutations() {
    var stream = RandomStream(seed: 3, component: "test", purpose: "mutations")
    let bus = NameBus(2)
    bus.services[0].register(type: Self.type, name: "Lecture", port: 7_000, at: bus.now)
    bus.services[1].browse(type: Self.type, at: bus.now)
    var taken = 0
    for _ in 0..<4_000 {
      var octets = stream.below(4) == 0 ? Self.foreignQuestion : Self.foreignAnnouncement
      for _ in 0...stream.below(4) { octets[Int(stream.below(UInt64(octets.count)))] ^= 1 << UInt8(stream.below(8)) }
      bus.run(to: bus.now + .milliseconds(Int64(stream.below(300))))
      guard let message = try? DNSMessage(decoding: octets) else { continue }
      taken += 1
      for service in bus.services { service.receive(message, at: bus.now) }
      bus.settle()
    }
    expect(taken > 1_000)
    for message in bus.messages {
      let octets = message.message.octets
      expect(octets.count <= NameSettings().longestMessage)
      equal((try? DNSMessage(decoding: octets)), message.message)
    }
    // Who was told of an instance is told that it is lost before being told again of another.
    var known: Set<String> = []
    for entry in bus.events where entry.device == 1 {
      switch entry.event {
      case .found(_, let name, _, _, _): known.insert(name)
      case .lost(_, let name): expect(known.remove(name) != nil)
      case .recordChanged(_, let name, _): expect(known.contains(name))
      case .registered: Issue.record("the browser has registered nothing")
      }
    }
    expect(known.count <= NameSettings().instanceLimit)
  }
}
