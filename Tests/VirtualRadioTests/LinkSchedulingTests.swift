import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing
import VirtualRadio

/// Which of two links has the radio where their events overlap. How long that takes, and which links it ends, are laws
/// (`RadioLaw+Overlaps`).
@Suite("Scheduling of links whose anchors coincide")
struct LinkSchedulingTests {
  /// The reason with which each of a central's two links ended, the older one first; nil: it lives.
  private func ends(_ scheduling: LinkScheduling, spacing: SimDuration, at device: Int) throws -> [HCI.ErrorCode?] {
    let bench = RadioBench(
      RadioBench.radios(3) { configuration, _ in
        configuration.anchorOffset = .zero
        configuration.linkSpacing = spacing
        configuration.linkScheduling = scheduling
      })
    for peer in 1...2 { _ = try required(bench.connect(0, to: peer, interval: 24)) }
    bench.run(for: .seconds(20))
    if device > 0 { return (1...2).map { bench.disconnections(of: $0).first?.reason } }
    let ends = bench.disconnections(of: 0)
    return bench.connections(of: 0).map { link in ends.first { $0.handle == link.handle }?.reason }
  }

  @Test("In turns both links of a central live", arguments: [0, 200, 29_800] as [Int64])
  func turns(microseconds: Int64) throws {
    try equal(ends(.turns, spacing: .microseconds(microseconds), at: 0), [nil, nil])
  }

  @Test("The link whose events begin first lives, and the other one ends at both ends", arguments: 0...1)
  func first(device: Int) throws {
    try equal(ends(.first, spacing: .zero, at: device), [nil, .connectionFailedToBeEstablished])
    try equal(ends(.first, spacing: .microseconds(200), at: device), [nil, .connectionFailedToBeEstablished])
    try equal(ends(.first, spacing: .microseconds(29_800), at: device), [.connectionTimeout, nil])
    try equal(ends(.first, spacing: .microseconds(400), at: device), [nil, nil])
  }

  @Test("The oldest link lives, whichever event begins first", arguments: [0, 200, 29_800] as [Int64])
  func oldest(microseconds: Int64) throws {
    for device in 0...1 {
      try equal(
        ends(.oldest, spacing: .microseconds(microseconds), at: device), [nil, .connectionFailedToBeEstablished])
    }
    try equal(ends(.oldest, spacing: .microseconds(400), at: 0), [nil, nil])
  }

  /// Three links of one interval that drift through each other, with some traffic and new links where one was lost.
  private func room(seed: UInt64, scheduling: LinkScheduling, steps: Bool) -> (lost: Int, skipped: Int, told: String) {
    var stream = RandomStream(seed: seed, component: "test", purpose: "drift")
    let bench = RadioBench(
      RadioBench.radios(4) { configuration, _ in
        configuration.clockPartsPerMillion = Int(stream.below(81)) - 40
        configuration.claimedClockAccuracy = 50
        configuration.linkScheduling = scheduling
      }, seed: seed, stepsIdleEvents: steps)
    for _ in 0..<24 {
      for central in 1...3 where bench.openHandles(of: central).isEmpty {
        _ = bench.connect(central, to: 0, interval: 8, timeout: 60)
      }
      bench.run(for: .nanoseconds(Int64(stream.below(30_000_000_000))))
      let device = Int(stream.below(4))
      for handle in bench.openHandles(of: device) {
        bench.send(device, handle, [UInt8](repeating: 1, count: 1 + Int(stream.below(200))))
      }
    }
    bench.run(for: .seconds(20))
    bench.world.settle()
    var told = "\(bench.world.digest)\n"
    for device in 0..<4 {
      told += "\(bench.world.radioTimes(of: device))\n"
      for (at, event) in bench.events[device] { told += "\(device) \(at) \(event)\n" }
      for (at, data) in bench.received[device] { told += "\(device) \(at) \(data.handle) \(data.octets.count)\n" }
    }
    let lost = (0..<4).reduce(0) { sum, device in
      sum + bench.disconnections(of: device).filter { $0.reason == .connectionTimeout }.count
    }
    return (lost, bench.world.statistics.skippedConnectionEvents, told)
  }

  @Test("Skipping idle events changes nothing while links drift through each other", arguments: LinkScheduling.allCases)
  func equalsStepping(scheduling: LinkScheduling) {
    var lost = 0
    for seed in 1...(Part.isAll ? 60 : 6) as ClosedRange<UInt64> {
      let stepped = room(seed: seed, scheduling: scheduling, steps: true)
      let skipped = room(seed: seed, scheduling: scheduling, steps: false)
      equal(stepped.told, skipped.told, "seed \(seed)")
      equal(stepped.skipped, 0)
      expect(skipped.skipped > 1_000)
      lost += skipped.lost
    }
    expect(scheduling == .turns ? lost == 0 : lost > 0, "\(lost)")
  }
}
