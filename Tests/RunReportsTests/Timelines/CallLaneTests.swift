import AppSeam
import BabSuite
import Bench
import BluetoothWire
import Conformance
import Expectations
import Foundation
import Judging
import SimKernel
import Testing

@testable import RunReports

@Suite("Calls of CoreBluetooth in a timeline")
struct CallLaneTests {
  /// What a room of two phones said when a guest wrote to its host and the host fell silent, cut to what matters.
  private static let recorded: [(instant: Int64, device: Int, word: CallWord)] = [
    (0, 0, .callback(method: "peripheralManagerDidUpdateState(_:)", arguments: ["poweredOn"])),
    (0, 0, .call(method: "CBPeripheralManager.add(_:)", arguments: ["FFE0 [FFE1]"])),
    (
      70_000_000, 1,
      .call(
        method: "CBPeripheral.writeValue(_:for:type:)", peer: "00:F0:00:00:00:01",
        arguments: ["12 octets 676F6F64206576656E696E67", "FFE1", "withResponse"])
    ),
    (
      90_000_000, 0,
      .callback(
        method: "peripheralManager(_:didReceiveWrite:)", peer: "00:F0:00:00:00:02",
        arguments: ["[FFE1 12 octets 676F6F64206576656E696E67]"])
    ),
    (
      95_000_000, 0,
      .call(
        method: "CBPeripheralManager.updateValue(_:for:onSubscribedCentrals:)",
        arguments: ["1 octet 01", "FFE1", "nil"],
        result: "false")
    ),
    (96_000_000, 0, .remark(kind: "misuse", id: "request.unanswered", text: "a request was not answered")),
    (
      99_000_000, 1,
      .callback(
        method: "peripheral(_:didWriteValueFor:error:)", peer: "00:F0:00:00:00:01",
        arguments: ["FFE1", "CBATTError.unlikelyError"])
    ),
  ]

  private static func play(_ reader: some TraceReader) {
    reader.begin(
      TraceHeader(
        scenario: "chat", seed: 1,
        devices: ["host", "guest"].enumerated().map { index, name in
          TraceHeader.Device(
            name: name, role: AppRole(rawValue: "phone"), phone: "iphone", dialect: "", engine: "",
            address: BluetoothAddress(kind: .random, bits: 0xF0_0000_0001 + UInt64(index)))
        }, options: []))
    for (number, (instant, device, word)) in recorded.enumerated() {
      reader.read(
        TraceRecord(
          sequence: number, instant: SimInstant(nanoseconds: instant), device: device, event: .report(AppReport(word))))
    }
  }

  private static var timeline: RunTimeline {
    let reader = TimelineReader(of: .bab)
    play(reader)
    return reader.timeline([], scenario: nil)
  }

  @Test("Each call is in its lane with its arguments; none is a state or a note")
  func lanes() {
    let timeline = Self.timeline
    equal(timeline.calls.map(\.kind), [.callback, .call, .call, .callback, .call, .remark, .callback])
    equal(timeline.calls.map(\.lane), [0, 0, 1, 0, 0, 0, 1])
    equal(timeline.calls.map(\.peer), [-1, -1, 0, 1, -1, -1, 0])
    equal(timeline.calls.map(\.isBad), [false, false, false, false, false, true, true])
    equal(
      timeline.calls[2].text,
      "CBPeripheral.writeValue(12 octets 676F6F64206576656E696E67, for: FFE1, type: withResponse)")
    expect(timeline.calls[4].text.hasSuffix("updateValue(1 octet 01, for: FFE1, onSubscribedCentrals: nil) → false"))
    expect(timeline.spans.isEmpty && timeline.marks.isEmpty)
  }

  @Test("A folder's trace has the same calls, without the names of their parameters")
  func folder() throws {
    let sink = OctetCollector()
    let reader = TraceLinesReader(sink: sink)
    Self.play(reader)
    reader.end(
      RunOutcome(ending: .stopped, endInstant: .zero, digest: TraceDigest(), statistics: .init(), devices: []))
    let timeline = RunTimeline(try RunLog(sink.octets, file: "trace.jsonl"), captured: nil)
    let live = Self.timeline
    equal(timeline.calls.map(\.at), live.calls.map(\.at))
    equal(timeline.calls.map(\.kind), live.calls.map(\.kind))
    equal(timeline.calls.map(\.peer), live.calls.map(\.peer))
    equal(timeline.calls.map(\.isBad), live.calls.map(\.isBad))
    equal(timeline.calls[5].text, live.calls[5].text)
    equal(timeline.calls[6].text, "peripheral(_:didWriteValueFor:error:): FFE1, CBATTError.unlikelyError")
    expect(timeline.spans.isEmpty)
  }

  @Test("The page has a list for each device and columns for the picture; a page without calls has neither")
  func pages() throws {
    let page = try TimelinePage.text(of: Self.timeline)
    expect(page.contains("<summary>host: 2 calls, 2 callbacks, 1 remark</summary>"))
    expect(page.contains("<summary>guest: 1 call, 1 callback</summary>"))
    expect(page.contains("data-show=\"calls\""))
    let picture = try required(try PageBlock.read("picture", page) as? [String: Any])
    let columns = try required(picture["calls"] as? [[Int]])
    expect(columns.count == 7 && columns.allSatisfy { $0.count == 7 })
    equal(columns[1], [0, 0, 1, 0, 0, 0, 1])
    var without = Self.timeline
    without.calls = []
    let other = try TimelinePage.text(of: without)
    expect(!other.contains("data-show=\"calls\"") && !other.contains("Calls of CoreBluetooth"))
    let plain = try required(try PageBlock.read("picture", other) as? [String: Any])
    expect(plain["calls"] == nil)
  }

  @Test("Trace events have a thread for them in the process of each device")
  func events() throws {
    let file = try JSONSerialization.jsonObject(with: Data(TraceEvents.octets(Self.timeline))) as? [String: Any]
    let list = try required(file?["traceEvents"] as? [[String: Any]])
    let calls = list.filter { $0["ph"] as? String == "i" && $0["tid"] as? Int == 8 }
    equal(
      calls.map { $0["cat"] as? String }, ["callback", "call", "call", "callback", "call", "remark", "callback"])
    equal(calls.map { $0["pid"] as? Int }, [2, 2, 3, 2, 2, 2, 3])
    expect(calls.allSatisfy { $0["s"] as? String == "t" })
    let names = list.filter { ($0["args"] as? [String: Any])?["name"] as? String == "CoreBluetooth" }
    equal(names.count, 2)
  }
}
