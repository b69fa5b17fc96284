import Expectations
import NetworkWire
import SimKernel
import Testing
@testable import VirtualNetwork

/// NET 7 of Docs/virtual-network-laws.md.
@Suite("DNS-SD over Multicast DNS")
struct NameServiceTests {
  private static let type = "_chat._tcp"

  private func registered(_ seed: UInt64, loss: Bool = false) -> NameBus {
    let bus = NameBus(2, seed: seed)
    bus.services[0].register(type: Self.type, name: "Room", port: 7_000, at: bus.now)
    bus.run(to: .seconds(10))
    return bus
  }

  @Test("A service has its name 750 to 1000 ms after it asked for it, 875 ms in the mean")
  func probing() throws {
    var sum = 0.0
    for seed in 1...400 {
      let bus = registered(UInt64(seed))
      let instant = try required(bus.first(0) { $0.isRegistered })
      expect(instant >= .milliseconds(750) && instant <= .milliseconds(1_000))
      sum += Double(instant.nanoseconds) / 1e6
      let probes = bus.messages.prefix(3).map(\.message)
      expect(probes.allSatisfy { !$0.isResponse && $0.authorities.count == 2 && $0.questions[0].kind == .any })
      expect(bus.messages[3].message.isResponse && bus.messages[4].instant - bus.messages[3].instant == .seconds(1))
      equal(bus.messages.count, 5)
    }
    expect(abs(sum / 400 - 875) < 875 * 0.03)
  }

  @Test("A browser that comes later finds it after two waits of 20 to 120 ms, 140 ms in the mean, and two messages")
  func browsing() throws {
    var sum = 0.0
    for seed in 1...400 {
      let bus = registered(UInt64(seed))
      bus.services[1].browse(type: Self.type, at: bus.now)
      bus.run(to: .seconds(20))
      let wait = try required(bus.first(1) { $0.isFound }) - SimInstant.seconds(10)
      expect(wait >= .milliseconds(42) && wait <= .milliseconds(242))
      sum += Double(wait.nanoseconds) / 1e6
      equal(
        bus.events.last?.event, .found(type: Self.type, name: "Room", hostName: "device-0.local", port: 7_000))
    }
    expect(abs(sum / 400 - 142) < 142 * 0.03)
  }

  @Test("A browser that was there finds it with the first announcement")
  func waitingBrowser() throws {
    let bus = NameBus(2)
    bus.services[1].browse(type: Self.type, at: bus.now)
    bus.services[0].register(type: Self.type, name: "Room", port: 7_000, at: bus.now)
    bus.run(to: .seconds(5))
    let registered = try required(bus.first(0) { $0.isRegistered })
    equal(bus.first(1) { $0.isFound }, registered + bus.delay)
  }

  @Test("A TXT record comes with its service; another one is announced twice, without probes, and told once")
  func records() throws {
    let first = Array("\u{3}v=1".utf8)
    let second = Array("\u{3}v=2\u{4}busy".utf8)
    let bus = NameBus(2)
    bus.services[0].register(type: Self.type, name: "Room", port: 7_000, record: first, at: bus.now)
    bus.services[1].browse(type: Self.type, at: bus.now)
    bus.run(to: .seconds(10))
    let count = bus.messages.count
    bus.services[0].update(record: second, type: Self.type, at: bus.now)
    bus.run(to: .seconds(15))
    let sent = bus.messages[count...].filter { $0.device == 0 }
    equal(sent.map(\.message.isResponse), [true, true])
    equal(sent.map(\.instant), [.seconds(10), .seconds(11)])
    bus.services[0].update(record: second, type: Self.type, at: bus.now)
    bus.services[0].update(record: [], type: Self.type, at: bus.now)
    bus.run(to: .seconds(20))
    let told = bus.events.filter { $0.device == 1 }.map(\.event)
    equal(
      told,
      [
        .found(type: Self.type, name: "Room", hostName: "device-0.local", port: 7_000, record: first),
        .recordChanged(type: Self.type, name: "Room", record: second),
        .recordChanged(type: Self.type, name: "Room", record: []),
      ])
  }

  @Test("Devices that ask for one name at once, or one after the other, get different ones without a gap")
  func conflicts() {
    for seed in 1...60 as ClosedRange<UInt64> {
      for count in [2, 3, 8] {
        let bus = NameBus(count, seed: seed)
        var stream = RandomStream(seed: seed, component: "test", purpose: "order")
        for device in bus.services.indices {
          bus.services[device].register(type: Self.type, name: "Room", port: 7_000, at: bus.now)
          bus.run(to: bus.now + .milliseconds(Int64(stream.below(400))))
        }
        bus.run(to: bus.now + .seconds(60))
        let expected = (1...count).map { InstanceName.variant($0, of: "Room") }
        equal(bus.names.compactMap(\.self).sorted(), expected.sorted(), "seed \(seed): \(bus.names)")
      }
    }
  }

  @Test("Two networks with one name become one: the later record keeps it, the other device is renamed")
  func joining() {
    for seed in 1...40 as ClosedRange<UInt64> {
      let bus = NameBus(2, seed: seed)
      var isApart = true
      bus.isLost = { _, _ in isApart }
      for device in 0...1 { bus.services[device].register(type: Self.type, name: "Room", port: 7_000, at: bus.now) }
      bus.run(to: .seconds(5))
      equal(bus.names, ["Room", "Room"])
      isApart = false
      for service in bus.services { service.networkChanged(at: bus.now) }
      bus.run(to: .seconds(30))
      equal(Set(bus.names), ["Room", "Room (2)"], "seed \(seed)")
    }
  }

  @Test("A goodbye takes an instance back after a second, a device that vanishes after 120 s without its record")
  func endings() throws {
    let bus = registered(1)
    bus.services[1].browse(type: Self.type, at: bus.now)
    bus.run(to: .seconds(20))
    bus.services[0].unregister(type: Self.type)
    bus.run(to: .seconds(30))
    equal(bus.first(1) { $0.isLost }, SimInstant.seconds(21) + bus.delay)

    let other = registered(2)
    other.services[1].browse(type: Self.type, at: other.now)
    other.run(to: .seconds(20))
    let found = try required(other.first(1) { $0.isFound })
    other.silent = [0]
    other.run(to: .seconds(5_000))
    equal(other.first(1) { $0.isLost }, found + .seconds(120))
    // Four questions for each of the two records before that, and queries.
    let questions = other.messages.filter { $0.device == 1 && $0.message.questions[0].kind == .service }
      .map { ($0.instant - found).nanoseconds / 1_000_000 }
    expect(zip(questions, [96_000, 102_000, 108_000, 114_000]).allSatisfy { ($1...$1 + 2_400).contains($0) })
    // Afterwards it is asked for as a browser asks, while its name is known.
    equal(questions.dropFirst(4).prefix(4).map { $0 - questions[4] }, [0, 1_000, 3_000, 7_000])
    expect((120_020...120_120).contains(questions[4]))
  }

  @Test("While its device is there, an instance stays found, and queries become rare")
  func refreshing() {
    let bus = registered(3)
    bus.services[1].browse(type: Self.type, at: bus.now)
    bus.run(to: .seconds(20_000))
    expect(!bus.events.contains { $0.event.isLost })
    let queries = bus.messages.filter { $0.device == 1 && $0.message.questions[0].kind == .pointer }
    // 1, 2, 4 … 3600 s, and one refresh each 3600 s or so.
    expect((12...25).contains(queries.count), "\(queries.count)")
  }

  @Test("What the asker knows is not said again, and nothing is said twice within a second")
  func suppression() {
    let bus = registered(4)
    bus.services[1].browse(type: Self.type, at: bus.now)
    bus.run(to: .seconds(60))
    let answers = bus.messages.filter { $0.device == 0 && $0.instant > .seconds(10) }
    equal(answers.count, 1)
    let three = NameBus(3)
    three.services[0].register(type: Self.type, name: "Room", port: 7_000, at: three.now)
    three.run(to: .seconds(10))
    for browser in [1, 2] { three.services[browser].browse(type: Self.type, at: three.now) }
    three.run(to: .seconds(11))
    equal(three.events.filter { $0.event.isFound }.count, 2)
    equal(three.messages.filter { $0.device == 0 && $0.instant >= .seconds(10) }.count, 1)
  }

  @Test(
    "With a loss of q, an instance is found with the i-th message about it in (1 - q) q^(i - 1) of all cases",
    arguments: [20, 50, 80] as [UInt64])
  func loss(percent: UInt64) {
    let runs = 1_000
    var found: [Int] = []
    for seed in 1...UInt64(runs) {
      let bus = NameBus(2, seed: seed)
      var stream = RandomStream(seed: seed, component: "test", purpose: "loss")
      bus.isLost = { from, _ in from == 0 && stream.below(100) < percent }
      bus.services[1].browse(type: Self.type, at: bus.now)
      bus.services[0].register(type: Self.type, name: "Room", port: 7_000, at: bus.now)
      bus.run(to: .seconds(4_000)) { bus.events.contains { $0.event.isFound } }
      found.append(bus.messages.count { $0.device == 0 && $0.message.isResponse })
    }
    let loss = Double(percent) / 100
    var share = 1 - loss
    for number in 1...4 {
      let error = (share * (1 - share) / Double(runs)).squareRoot()
      let measured = Double(found.count { $0 == number }) / Double(runs)
      expect(abs(measured - share) < 4 * error, "message \(number): \(measured), expected \(share)")
      share *= loss
    }
  }

  @Test("Names longer than 63 octets are cut at a character, with their number too")
  func longNames() {
    let long = String(repeating: "é", count: 40)
    equal(InstanceName.variant(1, of: long).utf8.count, 62)
    equal(InstanceName.variant(12, of: long), String(repeating: "é", count: 29) + " (12)")
    equal(InstanceName.variant(1, of: "e" + String(repeating: "\u{301}", count: 40)).utf8.count, 63)
    let bus = NameBus(1)
    bus.services[0].register(type: Self.type, name: long, port: 1, at: bus.now)
    bus.run(to: .seconds(5))
    expect(bus.messages.allSatisfy { (try? DNSMessage(decoding: $0.message.octets)) == $0.message })
  }

  @Test("No message stops it or makes it grow: mutated ones of others, and a flood of instances")
  func hostile() {
    let bus = registered(5)
    bus.services[1].browse(type: Self.type, at: bus.now)
    bus.run(to: .seconds(20))
    let heard = bus.messages.map(\.message.octets)
    var stream = RandomStream(seed: 5, component: "test", purpose: "mutations")
    var taken = 0
    for round in 0..<6_000 {
      var octets = heard[Int(stream.below(UInt64(heard.count)))]
      for _ in 0...stream.below(3) { octets[Int(stream.below(UInt64(octets.count)))] ^= 1 << UInt8(stream.below(8)) }
      guard let message = try? DNSMessage(decoding: octets) else { continue }
      taken += 1
      bus.services[round % 2].receive(message, at: bus.now)
      bus.settle()
    }
    expect(taken > 300)
    for number in 0..<2_000 {
      let pointer = DNSRecord(
        name: .serviceType(Self.type), content: .pointer(.instance("x\(number)", Self.type)), timeToLive: .max,
        isUnique: false)
      bus.services[1].receive(DNSMessage(isResponse: true, answers: [pointer]), at: bus.now)
    }
    equal(bus.services[1].searches[0].instances.count, NameSettings().instanceLimit)
    // They all have the longest life there is, and are asked about so long.
    bus.silent = [0, 1]
    expect(bus.services[1].searches[0].instances.allSatisfy { $0.pointer!.end <= bus.now + .seconds(604_800) })
  }
}
