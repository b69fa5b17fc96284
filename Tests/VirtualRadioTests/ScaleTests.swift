import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// The work of a large room, counted: it grows with the devices, not with their pairs.
@Suite("Scale")
struct ScaleTests {
  private struct Work {
    var advertisingPDUs: Int
    var asked: Int
    var judged: Int
  }

  /// Pairs of an advertiser and a scanner, 30 m from the next pair in both directions, for five seconds.
  private func work(columns: Int) -> Work {
    var environment = RadioEnvironment()
    environment.pathLossExponent = 330
    environment.shadowing = 1_500
    let configurations = RadioBench.radios(2 * columns * columns) { configuration, index in
      let pair = index / 2
      configuration.position = Position(x: pair % columns * 3_000 + index % 2 * 200, y: pair / columns * 3_000)
    }
    let bench = RadioBench(configurations, environment: environment)
    for device in configurations.indices {
      if device % 2 == 0 {
        bench.advertise(device, interval: 160)
      } else {
        bench.command(device, .leSetScanParameters(.init(isActive: false, interval: 160, window: 160)))
        bench.command(device, .leSetScanEnable(true, filterDuplicates: true))
      }
    }
    bench.run(for: .seconds(5))
    let statistics = bench.world.statistics
    return Work(
      advertisingPDUs: statistics.advertisingPDUs, asked: statistics.radiosAsked, judged: bench.world.judgedReceptions)
  }

  @Test("In a hall of four, sixteen times as many devices an advertising PDU asks no more radios than can hear it")
  func linear() {
    let works = [6, 12, 24].map { work(columns: $0) }
    for (small, large) in zip(works, works.dropFirst()) {
      expect(large.advertisingPDUs > small.advertisingPDUs * 39 / 10)
      // At the edges of a hall there are fewer neighbours, so a larger one has a little more of them on average.
      expect(large.asked * 10 < small.asked * 4 * 14, "\(small.asked), \(large.asked)")
      expect(large.judged * 10 < small.judged * 4 * 14, "\(small.judged), \(large.judged)")
    }
    // 1 152 devices, half of them scanners: few of them are asked.
    expect(works[2].asked < works[2].advertisingPDUs * 60)
  }

  @Test("Nobody who could hear is left out, wherever the cells end")
  func complete() {
    var environment = RadioEnvironment()
    environment.pathLossExponent = 250
    var stream = RandomStream(seed: 1, component: "test", purpose: "places")
    let count = 80
    let positions = (0..<count).map { _ in
      Position(x: Int(stream.below(60_000)) - 30_000, y: Int(stream.below(60_000)) - 30_000, z: Int(stream.below(500)))
    }
    let medium = Medium(
      environment: environment, seed: 1, names: (0..<count).map { "device-\($0)" }, positions: positions,
      transmitPowers: (0..<count).map { $0 % 3 * 200 }, sensitivities: (0..<count).map { -9_500 + $0 % 2 * 300 })
    let tuning = Tuning(origin: .zero, interval: 16, window: 16, firstChannel: 0)
    let start = SimInstant.zero + .milliseconds(1)
    for radio in 0..<count where radio % 5 != 0 { medium.listeners.set(radio, tuning) }
    for radio in 0..<10 { medium.move(radio, to: positions[79 - radio]) }
    var heard = 0
    for radio in 0..<count {
      var found: [Int] = []
      medium.listeners.collect(
        near: radio, channelIndex: 37, from: start, to: start + .microseconds(200), into: &found)
      expect(found == found.sorted() && Set(found).count == found.count && !found.contains(radio))
      for other in 0..<count where other != radio && other % 5 != 0 {
        guard medium.level(from: radio, to: other) >= medium.sensitivity(of: other, .le1M) else { continue }
        heard += 1
        expect(found.contains(other))
      }
      expect(found.allSatisfy { $0 % 5 != 0 })
    }
    expect(heard > count)
  }

  @Test("The level of a pair is the same whichever pairs were asked for before, and after a move the new one")
  func levels() {
    var environment = RadioEnvironment()
    environment.shadowing = 2_000
    let names = (0..<100).map { "device-\($0)" }
    func medium() -> Medium {
      Medium(
        environment: environment, seed: 5, names: names,
        positions: names.indices.map { Position(x: $0 * 313 % 977, y: $0 * 71 % 577) },
        transmitPowers: names.map { _ in 0 }, sensitivities: names.map { _ in -9_500 })
    }
    let (asked, fresh) = (medium(), medium())
    for round in 0..<3 {
      for a in 0..<100 { for b in 0..<100 where a != b { _ = asked.level(from: (a * 7 + round) % 100, to: b) } }
    }
    for a in 0..<100 {
      for b in 0..<100 where a != b {
        equal(asked.level(from: a, to: b), fresh.level(from: a, to: b))
        equal(asked.level(from: a, to: b), asked.level(from: b, to: a))
      }
    }
    let before = asked.level(from: 3, to: 4)
    asked.move(3, to: Position(x: 90_000, y: 0))
    expect(asked.level(from: 3, to: 4) < before - 1_000)
  }
}
