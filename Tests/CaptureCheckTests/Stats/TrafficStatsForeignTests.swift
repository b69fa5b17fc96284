import CaptureCheck
import CaptureTestSupport
import Expectations
import Foundation
import SimKernel
import Testing

/// Real captures, measured by us and by tshark.
@Suite(
  "Statistics of real captures", .enabled(if: CaptureTool.tsharkPath != nil && !SharedTraffic.files.isEmpty))
struct TrafficStatsForeignTests {
  /// Captures at the HCI of phones, a Mac and a Linux machine, some with connections that never came about.
  static let names = [
    "03-code-byter-temperature_sensor.pcapng", "04-csacca-btsnoop_hci.log", "10-syssi-btsnoop-settings.log",
    "15-corbanvilla-btsnoop_hci.log", "34-wangdalian-btsnoop_hci.log", "36-wcbonner-20230221-GVH5074_5C0F.pcapng",
    "16-fotonick-test00.pklg",
  ]

  @Test("Intervals of connections are those that tshark reads from the events", arguments: names)
  func intervals(_ name: String) throws {
    let path = SharedTraffic.folder + "/" + name
    let report = try StatsReport.read([path])
    let rows = try CaptureTool.fields(
      path, ["bthci_evt.connection_handle", "bthci_evt.le_con_interval", "bthci_evt.status"],
      filter: "bthci_evt.le_con_interval")
    // An interval that came into force and is not the one in force already.
    var expected: [UInt16] = []
    var last: [Substring: UInt16] = [:]
    for row in rows where row.count == 3 && row[2] == "0x00" {
      let handle = Substring(row[0])
      let interval = try required(UInt16(row[1]))
      // LE Connection Complete gives a handle a new life; an update of it comes with another interval in all of these.
      if last[handle] != interval { expected.append(interval) }
      last[handle] = interval
    }
    let seen = report.stats.links.flatMap { link in link.intervals.map { ($0.instant, $0.interval) } }
      .sorted { $0.0 < $1.0 }.map(\.1)
    equal(seen, expected, "\(name)")
  }

  @Test("ATT answers come as long behind their requests as tshark's times say", arguments: names)
  func requests(_ name: String) throws {
    let path = SharedTraffic.folder + "/" + name
    let report = try StatsReport.read([path])
    let requests: Set = [0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20]
    let rows = try CaptureTool.fields(
      path, ["frame.time_epoch", "bthci_acl.chandle", "btatt.opcode", "hci_h4.direction"],
      filter: "btatt.opcode && bthci_acl")
    // By connection and by who asked: each end may have a request open at the same time (Vol 3, Part F, 3.3.2), and in
    // capture 34 both do, twice.
    var open: [[String]: Int64] = [:]
    var samples = Histogram()
    for row in rows where row.count >= 4 {
      guard let opcode = Int(row[2].dropFirst(2), radix: 16) else { continue }
      let time = try nanoseconds(row[0])
      let isAnswer = opcode % 2 == 1 && opcode < 0x1B || opcode == 0x21
      if requests.contains(opcode) {
        open[[row[1], row[3]]] = time
      } else if isAnswer, let begun = open.removeValue(forKey: [row[1], row[3] == "0x00" ? "0x01" : "0x00"]),
        time >= begun
      {
        samples.record(time - begun)
      }
    }
    var ours = Histogram()
    for link in report.stats.links {
      for times in [link.central, link.peripheral] {
        ours.merge(times.requestTimes)
        ours.merge(times.answerTimes)
      }
    }
    equal(ours.count, samples.count, "\(name)")
    expect(ours.sum == samples.sum && ours.maximum == samples.maximum, "\(name)")
  }

  private func nanoseconds(_ text: String) throws -> Int64 {
    let parts = text.split(separator: ".")
    let seconds = try required(Int64(parts[0]))
    let fraction = parts.count > 1 ? String(parts[1].prefix(9)) : "0"
    let digits = fraction + String(repeating: "0", count: 9 - fraction.count)
    return seconds * 1_000_000_000 + (try required(Int64(digits)))
  }

  @Test("Every shared capture is measured to its end or refused, with the same octets twice")
  func all() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: SharedTraffic.folder).sorted().filter {
      $0.first!.isNumber
    }
    var measured = 0
    for name in names {
      guard let report = try? StatsReport.read([SharedTraffic.folder + "/" + name]) else { continue }
      measured += 1
      let again = try StatsReport.read([SharedTraffic.folder + "/" + name])
      equal(StatsJSON.octets(report), StatsJSON.octets(again))
      _ = StatsTable.text(report)
      _ = try StatsPage.octets(report, version: "0")
    }
    expect(measured > 30)
  }
}
