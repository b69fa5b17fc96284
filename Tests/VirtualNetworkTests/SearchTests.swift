import AppSeam
import Expectations
import SimKernel
import Testing

@testable import VirtualNetwork

/// Docs/virtual-network-laws.md, section 4.
@Suite("AWDL asleep and awake")
struct SearchTests {
  private func neighbours(_ house: NetworkHouse) -> [SimInstant] {
    house.events.compactMap { $0.event == .neighbour(1, isThere: true) && $0.device == 0 ? $0.instant : nil }
  }

  @Test("Who leads a cluster does not depend on the order of its devices")
  func election() {
    var names = (0..<8).map { "d\($0)" }
    var random = RandomStream(seed: 1, component: "test", purpose: "order")
    var room = NetworkRoom()
    room.peerToPeer.sleeps = false
    var leaders: Set<String> = []
    for _ in 0..<50 {
      for place in names.indices { names.swapAt(place, Int(random.below(8))) }
      let house = NetworkHouse(names, room)
      let masters = house.network.devices.filter { house.network.isMaster($0) }
      equal(masters.count, 1)
      leaders.formUnion(masters.map(\.station.name))
    }
    equal(leaders.count, 1)
    let house = NetworkHouse(["a", "b", "c"], room) { $0.metric = $0.name == "b" ? 61 : 60 }
    equal(house.network.devices.map { house.network.isMaster($0) }, [false, true, false])
  }

  @Test("Sleeping neighbours see each other 2.0 to 7.6 s after both asked, and a synchronisation frame later")
  func search() {
    var times: [Double] = []
    for seed in 0..<1_000 {
      let house = NetworkHouse(["ada", "bob"], NetworkRoom(), seed: UInt64(seed))
      house.perform(.listen(ListenRequest(type: "_a._tcp", name: "s", peerToPeer: true)), 0)
      house.run(to: .seconds(3))
      equal(neighbours(house), [])
      house.perform(.browse(type: "_a._tcp", peerToPeer: true), 1)
      house.run(to: .seconds(12)) { !neighbours(house).isEmpty }
      times.append(Double((house.timeline.now - SimInstant.seconds(3)).nanoseconds) / 1e9)
    }
    expect(times.allSatisfy { (2.0...7.713).contains($0) })
    let mean = times.reduce(0, +) / 1_000
    expect(abs(mean / 4.856 - 1) < 0.03, "\(mean)")
    expect(Self.distance(times, from: 2.056, to: 7.656) < 0.06)
  }

  @Test("Primed neighbours see each other with the next synchronisation frame")
  func primed() {
    var times: [Double] = []
    for seed in 0..<1_000 {
      let house = NetworkHouse(["ada", "bob"], NetworkRoom(), seed: UInt64(seed))
      house.perform(.listen(ListenRequest(type: "_a._tcp", name: "s", peerToPeer: true)), 0)
      house.perform(.prime(.seconds(10)), 1)
      house.run(to: .seconds(1)) { !neighbours(house).isEmpty }
      times.append(Double((house.timeline.now - SimInstant.zero).nanoseconds) / 1e9)
    }
    expect(times.allSatisfy { (0...0.113).contains($0) })
    expect(Self.distance(times, from: 0, to: 0.112_64) < 0.052)
  }

  /// The greatest distance between the distribution of samples and an even one (Kolmogorov, Smirnov).
  private static func distance(_ samples: [Double], from low: Double, to high: Double) -> Double {
    let sorted = samples.sorted()
    var greatest = 0.0
    for (index, sample) in sorted.enumerated() {
      let expected = min(max((sample - low) / (high - low), 0), 1)
      greatest = max(greatest, abs(expected - Double(index) / Double(sorted.count)))
    }
    return greatest
  }

  @Test("An interface sleeps again when nobody asks and it is not primed")
  func sleep() {
    let house = NetworkHouse(["ada", "bob"], NetworkRoom())
    let device = house.network.devices[0]
    house.perform(.prime(.seconds(2)), 0)
    house.perform(.browse(type: "_a._tcp", peerToPeer: true), 0)
    house.run(to: .seconds(3))
    expect(device.isAwake)
    house.perform(.stopBrowsing(type: "_a._tcp"), 0)
    expect(!device.isAwake)
    house.perform(.prime(.seconds(2)), 0)
    expect(device.isAwake)
    house.run(to: .seconds(6))
    expect(!device.isAwake)
    equal(
      house.events.compactMap { $0.device == 0 ? $0.event : nil },
      [
        .peerToPeer(isAwake: true), .peerToPeer(isAwake: false), .peerToPeer(isAwake: true),
        .peerToPeer(isAwake: false),
      ])
  }

  @Test("What a frame waits for a common window: idle and idle, shared and active")
  func waits() {
    let six: Int8 = 1
    let idle = ChannelSequence([0, -1, -1, -1, -1, -1, -1, -1, six, 0, 0, -1, -1, -1, -1, -1])
    let active = ChannelSequence((0..<16).map { $0 < 8 ? 0 : six })
    let shared = ChannelSequence((0..<16).map { $0 % 4 < 2 ? 2 : $0 < 8 ? 0 : six })
    for (pair, mean, worst) in [(idle.common(idle), 151.55, 458.75), (shared.common(active), 32.77, 131.07)] {
      var sum = 0.0
      var greatest = 0.0
      let count = 10_000
      for index in 0..<count {
        let now = SimInstant.zero + .nanoseconds(1_048_576_000 / Int64(count) * Int64(index))
        guard let opening = pair.opening(from: now) else {
          Issue.record("there is no window")
          continue
        }
        // Without the time of changing the channel, of which the form knows nothing.
        let wait = Double((opening.start - now).nanoseconds) / 1e6
        sum += wait > 1.024 ? wait - 1.024 : 0
        greatest = max(greatest, wait - 1.024)
      }
      expect(abs(sum / Double(count) / mean - 1) < 0.02, "\(sum / Double(count))")
      expect(abs(greatest - worst) < 0.5)
    }
    // A device that shares its radio has no window with one that idles: who has something to say is active.
    expect(shared.common(idle).opening(from: .zero) == nil)
    expect(ChannelSequence(always: 0).common(ChannelSequence(always: 2)).isNever)
  }
}
