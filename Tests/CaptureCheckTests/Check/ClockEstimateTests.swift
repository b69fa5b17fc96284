import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Expectations
import Foundation
import SimKernel
import Testing

@testable import CaptureCheck

@Suite("What clocks are estimated from, and the order that they give")
struct ClockEstimateTests {
  @Test("A clock that runs fast is found to do so")
  func drift() throws {
    let steady: [ClockAlignment.Match] = (0..<100).map { second in
      let time = Int64(second) * 10_000_000_000
      let drift = time / 1_000_000 * 50
      return .init(
        nanoseconds: time, difference: drift + (second % 2 == 0 ? -3_000_000 : 3_000_000),
        order: second % 2 == 0 ? -1 : 1)
    }
    let clock = try required(ClockAlignment.estimate(steady))
    expect((45_000...55_000).contains(clock.driftPPB), "\(clock)")
    for match in steady {
      let error = clock.correction(at: match.nanoseconds) - match.nanoseconds / 1_000_000 * 50
      expect(abs(error) <= clock.uncertainty.nanoseconds, "at \(match.nanoseconds)")
    }
  }

  @Test("An estimator that looks at one direction only is off by more than both directions allow")
  func oneDirection() throws {
    // Sent at 0, 1 … ms, received 4 ms later; the other way it takes 20 ms. The clocks are a second apart.
    let there = (0..<10).map { ClockAlignment.Match(nanoseconds: $0 * 1_000_000, difference: 996_000_000, order: -1) }
    let back = (0..<10).map { ClockAlignment.Match(nanoseconds: $0 * 1_000_000, difference: 1_020_000_000, order: 1) }
    let both = try required(ClockAlignment.estimate(there + back))
    expect(abs(both.offset.nanoseconds - 1_000_000_000) <= both.uncertainty.nanoseconds)
    equal(both.uncertainty, .milliseconds(12))
    equal(both.offset, .milliseconds(1_008))
    expect(both.isCertain)
    let mutant = try required(ClockAlignment.estimate(back + back.map { Self.later($0, by: 100_000_000) }))
    expect(mutant.isOneSided && !mutant.isCertain)
  }

  private static func later(_ match: ClockAlignment.Match, by nanoseconds: Int64) -> ClockAlignment.Match {
    var match = match
    match.difference += nanoseconds
    return match
  }

  @Test("Clocks that may be equal by all bounds are equal, as far as the farther bound is away")
  func isEqual() throws {
    let matches = [(-4, -1), (20, 1), (-7, -1), (30, 1)].map { difference, order in
      ClockAlignment.Match(nanoseconds: 0, difference: difference * 1_000_000, order: order)
    }
    let clock = try required(ClockAlignment.estimate(matches))
    expect(clock.offset == .zero && clock.uncertainty == .milliseconds(20) && clock.isCertain)
    // One that excludes it decides.
    let other = ClockAlignment.Match(nanoseconds: 0, difference: 3_000_000, order: -1)
    try expect(required(ClockAlignment.estimate(matches + [other])).offset > .zero)
  }

  /// A capture with these octets, each seen once on one connection.
  private func capture(_ octets: [[UInt8]], stage: Int, at start: Int64, central: UInt64?) -> WitnessedCapture {
    var sightings = ClockSightings()
    for (index, value) in octets.enumerated() {
      sightings.add(
        FNV1a.hash(value[...]), nanoseconds: start + Int64(index) * 30_000_000, stage: stage, link: 0)
    }
    let link = TrafficLink(
      index: 0, file: 0, handle: 0x40, adapter: nil, accessAddress: nil, viewpoint: .host(.central),
      central: central.map { BluetoothAddress(kind: .random, bits: 0xC000_0000_0000 + $0) },
      peripheral: BluetoothAddress(kind: .random, bits: 0xC000_0000_0001), isFromStart: true, openedAt: .zero,
      openedBy: PacketPlace(file: 0, number: 1))
    return WitnessedCapture(sightings: [sightings.unique()], links: [LinkIdentity(link)])
  }

  @Test("What a server told two clients is no packet that their captures have in common")
  func broadcast() {
    let octets = (0..<12).map { [UInt8](repeating: $0, count: 16) }
    let first = capture(octets, stage: 2, at: 0, central: 7)
    let second = capture(octets, stage: 2, at: 402_903_000, central: 8)
    expect(ClockMatches.find(first, second, kind: 0).isEmpty)
    // At one HCI they are the same packets, and at both ends of a connection.
    let again = capture(octets, stage: 2, at: 402_903_000, central: 7)
    equal(ClockMatches.find(first, again, kind: 0).count, 12)
    let sender = capture(octets, stage: 0, at: 0, central: nil)
    equal(ClockMatches.find(sender, first, kind: 0).count, 12)
  }

  @Test("Records come in the order of the common clock, and those of a file in its own order whatever their times are")
  func order() throws {
    let folder = try CaptureFolder()
    func write(_ name: String, _ milliseconds: [Int64]) throws -> String {
      var octets: [UInt8] = []
      BTSnoop.appendHeader(to: &octets)
      for time in milliseconds {
        BTSnoop.appendRecord(
          [0x01, 0x03, 0x0C, 0x00], nanoseconds: time * 1_000_000, isReceived: false, isCommandOrEvent: true,
          to: &octets)
      }
      let path = folder.path + "/" + name
      try Data(octets).write(to: URL(fileURLWithPath: path))
      return path
    }
    let merged = try MergedCaptures(paths: [try write("a", [10, 40, 20, 50]), try write("b", [10, 30, 45])])
    var order: [String] = []
    while let record = try merged.next() {
      order.append("\(merged.file):\(record.number)@\(merged.instant.nanoseconds / 1_000_000)")
    }
    equal(order, ["0:1@0", "1:1@0", "1:2@20", "0:2@30", "0:3@10", "1:3@35", "0:4@40"])
  }

  @Test("Of a long capture a bounded, fair part of the sightings is kept, the same in two captures")
  func bounded() {
    var first = ClockSightings()
    var second = ClockSightings()
    for number in 0..<300_000 {
      let hash = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
      first.add(hash, nanoseconds: Int64(number), stage: 0)
      if number >= 150_000 { second.add(hash, nanoseconds: Int64(number), stage: 2) }
    }
    let a = first.unique()
    let b = second.unique()
    expect(a.count <= ClockSightings.limit && a.count > ClockSightings.limit / 3)
    expect(!first.isWhole)
    let common = Set(a.map(\.key)).intersection(b.map(\.key))
    expect(common.count > 10_000)
  }
}
