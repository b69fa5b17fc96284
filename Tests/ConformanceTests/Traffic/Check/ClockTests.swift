import BabSim
import BluetoothWire
import CaptureFormats
import Foundation
import SimKernel
import Testing
import VirtualRadio

@testable import Conformance

/// Captures of one run of our own, whose clocks are known to be one: what is found between shifted copies must be the
/// shift.
@Suite("Clocks of several captures")
struct ClockTests {
  private static let text = """
    name: clocks
    radio: living-room
    devices:
      host: {}
      client: { count: 2, around: host, radius: 3 m }
    game:
      lines: 4
      autoplay: { think: 300ms..900ms, accuracy: 80%..100% }
    steps:
      - host: start hosting
      - all clients: join
      - when: all clients in lobby
        within: 20s
        host: start lobby game
      - after: 6s
        client-2: vanish
        label: gone
    """

  /// The captures of one run, written once for all tests.
  private nonisolated(unsafe) static let run: Result<CaptureFolder, any Error> = Result {
    let folder = try CaptureFolder()
    let scenario = try ScenarioReader.read(text: text, file: "clocks.yaml", engines: ["reference"]).get()
    let air = try AirCaptureReader(path: folder.path + "/air.pcapng")
    let hci = try HCICaptureReader(folder: folder.path)
    _ = try World.run(scenario, options: RunOptions(seed: 5), readers: [air, hci]) {
      (_, role, configuration) -> any AppEngine in
      if role == .host { return HostEngine(configuration: configuration) }
      return ClientEngine(configuration: configuration)
    }
    try air.close()
    try hci.close()
    return folder
  }

  /// A copy of an HCI capture whose clock is `microseconds` ahead.
  private func shifted(_ name: String, by microseconds: Int64) throws -> String {
    let folder = try Self.run.get()
    var reader = CaptureReader()
    reader.append(try folder.octets(name + ".btsnoop"))
    var octets: [UInt8] = []
    BTSnoop.appendHeader(to: &octets)
    while let record = try reader.next() {
      guard case .hci(_, let indicator, let isToHost) = record.body else { continue }
      let time = record.nanoseconds - CaptureEpoch.unixSeconds * 1_000_000_000 + microseconds * 1_000
      BTSnoop.appendRecord(
        [indicator] + record.octets, nanoseconds: time, isReceived: isToHost ?? false, isCommandOrEvent: indicator != 2,
        to: &octets)
    }
    let path = folder.path + "/\(name)-\(microseconds).log"
    try Data(octets).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func path(_ name: String) throws -> String { try Self.run.get().path + "/" + name }

  @Test(
    "Between two HCI captures the shift is found within the stated uncertainty", arguments: [0, 123_456, -2_500_000])
  func betweenHosts(shift: Int64) throws {
    let clocks = try ClockAlignment.clocks(
      [try path("host.btsnoop"), try shifted("client-1", by: shift)], given: [])
    let clock = try #require(clocks[1])
    #expect(clocks[0] == nil)
    let error = clock.offset + .microseconds(shift)
    #expect(abs(error.nanoseconds) <= clock.uncertainty.nanoseconds, "\(clock)")
    #expect(clock.uncertainty < .milliseconds(40), "\(clock)")
    #expect(clock.matches > 10)
    #expect(clock.driftPPB == 0)
    #expect(!clock.isOneSided)
  }

  @Test("Between the air and an HCI capture the shift is found within the stated uncertainty")
  func betweenAirAndHost() throws {
    let clocks = try ClockAlignment.clocks(
      [try path("air.pcapng"), try shifted("client-1", by: 123_456), try shifted("host", by: -77_000)], given: [])
    for (clock, shift) in [(clocks[1], 123_456), (clocks[2], -77_000)] as [(CheckReport.ClockOffset?, Int64)] {
      let clock = try #require(clock)
      let error = clock.offset + .microseconds(shift)
      #expect(abs(error.nanoseconds) <= clock.uncertainty.nanoseconds, "\(clock)")
      #expect(clock.uncertainty < .milliseconds(40), "\(clock)")
    }
  }

  @Test("A clock that runs fast is found to do so")
  func drift() throws {
    let steady: [ClockAlignment.Match] = (0..<100).map { second in
      let time = Int64(second) * 10_000_000_000
      let drift = time / 1_000_000 * 50
      return .init(
        nanoseconds: time, difference: drift + (second % 2 == 0 ? -3_000_000 : 3_000_000),
        order: second % 2 == 0 ? -1 : 1)
    }
    let clock = try #require(ClockAlignment.estimate(steady))
    #expect((45_000...55_000).contains(clock.driftPPB), "\(clock)")
    for match in steady {
      let error = clock.correction(at: match.nanoseconds) - match.nanoseconds / 1_000_000 * 50
      #expect(abs(error) <= clock.uncertainty.nanoseconds, "at \(match.nanoseconds)")
    }
  }

  @Test("An estimator that looks at one direction only is off by more than both directions allow")
  func oneDirection() throws {
    // Sent at 0, 1 … ms, received 4 ms later; the other way it takes 20 ms. The clocks are one.
    let there = (0..<10).map { ClockAlignment.Match(nanoseconds: $0 * 1_000_000, difference: -4_000_000, order: -1) }
    let back = (0..<10).map { ClockAlignment.Match(nanoseconds: $0 * 1_000_000, difference: 20_000_000, order: 1) }
    let both = try #require(ClockAlignment.estimate(there + back))
    #expect(abs(both.offset.nanoseconds) <= both.uncertainty.nanoseconds)
    #expect(both.uncertainty == .milliseconds(12))
    #expect(both.offset == .milliseconds(8))
    let mutant = try #require(ClockAlignment.estimate(back))
    #expect(mutant.isOneSided)
    #expect(abs(mutant.offset.nanoseconds) > both.uncertainty.nanoseconds)
  }

  @Test("Captures without anything in common keep their own clocks, and the report says so")
  func nothingInCommon() throws {
    let folder = try CaptureFolder()
    var octets: [UInt8] = []
    BTSnoop.appendHeader(to: &octets)
    BTSnoop.appendRecord(
      [0x01, 0x03, 0x0C, 0x00], nanoseconds: 0, isReceived: false, isCommandOrEvent: true, to: &octets)
    let path = folder.path + "/reset.log"
    try Data(octets).write(to: URL(fileURLWithPath: path))
    let report = try Checker(paths: [try self.path("host.btsnoop"), path]).report()
    #expect(report.captures[1].clock == nil)
    #expect(report.notes.contains { $0.text.contains("nothing in common") })
  }

  @Test("A given offset is used as it is")
  func given() throws {
    var checker = Checker(paths: [try path("host.btsnoop"), try shifted("client-1", by: 123_456)])
    checker.clocks = [nil, .microseconds(-123_456)]
    let clock = try #require(try checker.report().captures[1].clock)
    #expect(clock.offset == .microseconds(-123_456))
    #expect(clock.matches == 0)
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
    #expect(order == ["0:1@0", "1:1@0", "1:2@20", "0:2@30", "0:3@10", "1:3@35", "0:4@40"])
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
    #expect(a.count <= ClockSightings.limit && a.count > ClockSightings.limit / 3)
    #expect(!first.isWhole)
    let common = Set(a.map(\.key)).intersection(b.map(\.key))
    #expect(common.count > 10_000)
  }
}
