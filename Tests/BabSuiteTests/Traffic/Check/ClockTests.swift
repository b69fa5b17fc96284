import AppSeam
import BabSim
import Bench
import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Expectations
import Foundation
import SimKernel
import Testing
import VirtualRadio

@testable import CaptureCheck
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
    let scenario = try ScenarioReader.read(text: text, file: "clocks.yaml", language: .bab()).get()
    let air = try AirCaptureReader(path: folder.path + "/air.pcapng")
    let hci = try HCICaptureReader(folder: folder.path)
    _ = try World.run(scenario, options: RunOptions(seed: 5), readers: [air, hci]) { BabEngines.reference($1) }
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
    // Tests that run side by side want the same one.
    try Data(octets).write(to: URL(fileURLWithPath: path), options: .atomic)
    return path
  }

  private func path(_ name: String) throws -> String { try Self.run.get().path + "/" + name }

  @Test(
    "Between two HCI captures the shift is found within the stated uncertainty", arguments: [0, 123_456, -2_500_000])
  func betweenHosts(shift: Int64) throws {
    let clocks = try ClockAlignment.clocks(
      [try path("host.btsnoop"), try shifted("client-1", by: shift)], given: [])
    let clock = try required(clocks[1])
    expect(clocks[0] == nil)
    let error = clock.offset + .microseconds(shift)
    expect(abs(error.nanoseconds) <= clock.uncertainty.nanoseconds, "\(clock)")
    expect(clock.uncertainty < .milliseconds(40), "\(clock)")
    expect(clock.matches > 10)
    equal(clock.driftPPB, 0)
    expect(!clock.isOneSided)
  }

  @Test("Between the air and an HCI capture the shift is found within the stated uncertainty")
  func betweenAirAndHost() throws {
    let clocks = try ClockAlignment.clocks(
      [try path("air.pcapng"), try shifted("client-1", by: 123_456), try shifted("host", by: -77_000)], given: [])
    for (clock, shift) in [(clocks[1], 123_456), (clocks[2], -77_000)] as [(ClockOffset?, Int64)] {
      let clock = try required(clock)
      let error = clock.offset + .microseconds(shift)
      expect(abs(error.nanoseconds) <= clock.uncertainty.nanoseconds, "\(clock)")
      expect(clock.uncertainty < .milliseconds(40), "\(clock)")
    }
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
    expect(report.captures[1].clock == nil)
    expect(report.notes.contains { $0.text.contains("nothing in common") })
  }

  @Test("A given offset is used as it is")
  func given() throws {
    var checker = Checker(paths: [try path("host.btsnoop"), try shifted("client-1", by: 123_456)])
    checker.clocks = [nil, .microseconds(-123_456)]
    let clock = try required(try checker.report().captures[1].clock)
    equal(clock.offset, .microseconds(-123_456))
    equal(clock.matches, 0)
  }
}
