import AppSeam
import Expectations
import SimKernel
import Testing

@testable import VirtualNetwork

/// Docs/virtual-network-laws.md, sections 2 and 4: airtime, turns and windows.
@Suite("Laws of Wi-Fi's air")
struct AirLawTests {
  /// AWDL that is awake and always on one channel, so that each frame is sent once.
  static func oneHop(_ rate: WiFiRate, _ channel: WiFiChannel = .social149) -> NetworkRoom {
    var room = NetworkRoom()
    room.accessPoint = nil
    room.peerToPeer.sleeps = false
    room.peerToPeer.rate = rate
    room.peerToPeer.active = Array(repeating: channel, count: 16)
    room.peerToPeer.idle = room.peerToPeer.active
    return room
  }

  /// Devices in pairs, the second of each listening for datagrams of the first.
  static func pairs(_ count: Int, _ room: NetworkRoom, _ interface: NetworkInterface = .peerToPeer) -> NetworkHouse {
    let house = NetworkHouse((0..<2 * count).map { "d\($0)" }, room)
    house.keepsOctets = false
    for pair in 0..<count {
      house.introduce(2 * pair + 1, to: [2 * pair], type: "_a._udp", over: [interface])
      house.connect(2 * pair, interfaces: [interface])
      // Neighbours ask for each other's addresses once.
      house.send([0], 0, 2 * pair)
    }
    house.run(for: .seconds(10))
    for device in house.counts.indices { house.counts[device] = [:] }
    house.spans = []
    return house
  }

  /// Keeps the queues of senders full for a time.
  static func saturate(_ house: NetworkHouse, _ senders: [Int], _ octets: [UInt8], for duration: SimDuration) {
    let end = house.timeline.now + duration
    while house.timeline.now < end {
      for sender in senders {
        for _ in 0..<1_000 {
          house.send(octets, 0, sender)
          if !house.isTaken[sender] { break }
        }
      }
      house.run(to: min(house.timeline.now + .milliseconds(20), end))
    }
  }

  /// Octets that fill an IP packet of 1 500 over IPv6.
  static let full = [UInt8](repeating: 3, count: 1_500 - 40 - 8)

  @Test(
    "One exchange takes DIFS, 67.5 µs, the frame, SIFS and the answer",
    arguments: [
      (WiFiRate.ofdm(megabits: 54), WiFiChannel.social149, 397.5), (.ofdm(megabits: 54), .social6, 397.5),
      (.ofdm(megabits: 6), .social149, 2_237.5), (.ofdm(megabits: 24), .social149, 681.5),
    ])
  func exchange(rate: WiFiRate, channel: WiFiChannel, expected: Double) {
    let house = Self.pairs(1, Self.oneHop(rate, channel))
    Self.saturate(house, [0], Self.full, for: .seconds(2))
    let frames = Double(house.counts[1][1] ?? 0) / Double(Self.full.count)
    // Synchronisation frames take turns as well.
    let idle = 0.004 * 4 / 4
    let measured = 2e6 / frames
    expect(abs(measured / expected - 1) < 0.01 + idle, "measured \(measured), expected \(expected)")
  }

  @Test("n saturated stations share evenly, and the winner's back-off shrinks", arguments: [2, 3, 4, 8])
  func shares(count: Int) {
    let house = Self.pairs(count, Self.oneHop(.ofdm(megabits: 54)))
    Self.saturate(house, (0..<count).map { $0 * 2 }, Self.full, for: .seconds(10))
    let frames = (0..<count).map { Double(house.counts[$0 * 2 + 1][1] ?? 0) / Double(Self.full.count) }
    let sum = frames.reduce(0, +)
    for share in frames { expect(abs(share / sum * Double(count) - 1) < 0.03, "\(frames)") }
    let winner: Double = count == 2 ? 43.59 : count == 3 ? 31.64 : count == 4 ? 24.49 : 11.87
    let expected = 330.0 + winner
    expect(abs(10e6 / sum / expected - 1) < 0.015, "measured \(10e6 / sum), expected \(expected)")
  }

  @Test("A frame is tried 7 times, with a window that doubles", arguments: [0.1, 0.5])
  func attempts(loss: Double) {
    var room = Self.oneHop(.ofdm(megabits: 54))
    room.path.loss = .independent(Ratio(UInt64(loss * 100), 100))
    let house = Self.pairs(1, room)
    let before = house.network.statistics.devices[0].losses
    Self.saturate(house, [0], Self.full, for: .seconds(20))
    let received = Double(house.counts[1][1] ?? 0) / Double(Self.full.count)
    let lost = Double(house.network.statistics.devices[0].losses - before)
    let power = (0..<7).reduce(1.0) { product, _ in product * loss }
    let attempts = (1 - power) / (1 - loss)
    // Back-off before attempt i, each of which all earlier ones led to.
    let means = [67.5, 139.5, 283.5, 571.5, 1_147.5, 2_299.5, 4_603.5]
    var probability = 1.0
    var expected = 0.0
    for mean in means {
      expected += probability * (330 + mean)
      probability *= loss
    }
    let measured = 20e6 / (received + lost)
    expect(abs(measured / expected - 1) < 0.02, "\(attempts): measured \(measured), expected \(expected)")
    let share = lost / (received + lost)
    let deviation = (power / (received + lost)).squareRoot()
    expect(abs(share - power) < 5 * deviation + 1e-9, "lost \(share), expected \(power)")
  }

  @Test("Through an access point every frame is on the air twice, and frames are aggregated with HT")
  func throughAccessPoint() {
    var room = NetworkRoom()
    room.peerToPeer.sleeps = true
    let house = Self.pairs(1, room, .infrastructure)
    Self.saturate(house, [0], [UInt8](repeating: 1, count: 1_472), for: .seconds(5))
    let frames = Double(house.counts[1][1] ?? 0) / 1_472
    // Two saturated stations take turns: device and access point.
    let expected = 2 * (330 + 43.59)
    expect(abs(5e6 / frames / expected - 1) < 0.03, "measured \(5e6 / frames), expected \(expected)")

    let fast = Self.pairs(1, Self.oneHop(.ht(index: 7)))
    Self.saturate(fast, [0], Self.full, for: .seconds(2))
    let rate = Double(fast.counts[1][1] ?? 0) / Double(Self.full.count) * 1_500 * 8 / 2
    // 23 frames of 1 544 octets fill 5 484 µs at 65 Mb/s: 5 410 µs, and 101.5 + 16 + 32 beside it.
    expect(rate > 55e6 && rate < 65e6, "\(rate)")
  }

  @Test(
    "Windows of AWDL: a share of the time of an always common channel",
    arguments: [("idle", 4, 3), ("active", 16, 2), ("shared", 8, 8)])
  func windows(name: String, slots: Int, changes: Int) {
    func measure(_ change: (inout NetworkRoom) -> Void) -> Double {
      var room = Self.oneHop(.ofdm(megabits: 54))
      change(&room)
      let house = Self.pairs(1, room)
      Self.saturate(house, [0], Self.full, for: .nanoseconds(12 * 1_048_576_000))
      return Double(house.counts[1][1] ?? 0)
    }
    let always = measure { _ in }
    let measured = measure { room in
      let (six, upper) = (WiFiChannel.social6, WiFiChannel.social149)
      switch name {
      case "idle":
        // Always active while there are connections: so idle's own sequence is given as that.
        room.peerToPeer.active =
          [upper] + Array(repeating: nil, count: 7) + [six, upper, upper]
          + Array(repeating: nil, count: 5)
      case "active": room.peerToPeer.active = nil
      default:
        room.peerToPeer.active = (0..<16).map { $0 % 4 < 2 ? nil : upper }
      }
    }
    let turns = name == "shared" ? 4 : changes
    let expected = (Double(slots) - Double(turns) / 64) / 16
    expect(abs(measured / always / expected - 1) < 0.03, "measured \(measured / always), expected \(expected)")
  }
}
