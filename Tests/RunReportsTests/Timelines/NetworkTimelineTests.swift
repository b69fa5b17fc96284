import AppSeam
import BeamSuite
import Bench
import BluetoothWire
import CaptureFormats
import Conformance
import Foundation
import Judging
import NetworkWire
@testable import RunReports
import Expectations
import SimKernel
import Testing
import VirtualNetwork

@Suite("A run with a network over time")
struct NetworkTimelineTests {
  private func spans(_ run: DrawnRun, _ lane: String, _ track: String) throws -> [StateSpan] {
    let place = try required(run.timeline.lanes.firstIndex { $0.name == lane })
    return run.timeline.spans.filter { $0.lane == place && $0.track == track }
  }

  @Test(
    "Frames are arrows: as many as guests say that they have read, with what they say",
    arguments: ["one-guest", "seven-guests", "path-switch", "gate-and-retry"])
  func frames(_ path: String) throws {
    let run = try DrawnRun("beamscribe/\(path)", of: .beamscribe)
    let arrows = run.timeline.packets.filter { $0.head != nil && $0.receivedAt != nil }
    for (lane, device) in run.judgement.header.devices.enumerated() where device.role.rawValue == "guest" {
      equal(arrows.count { $0.to == lane }, run.counter.packets[lane] ?? 0, "\(device.name)")
    }
    let labels = Set(arrows.map(\.label))
    expect(labels.contains("fullHistory") && labels.contains("liveChunk final"))
    for arrow in arrows {
      expect(arrow.isPacket && (arrow.receivedAt ?? .zero) >= arrow.sentAt)
      let tree = try required(try JSONSerialization.jsonObject(with: Data(arrow.body.utf8)) as? [String: Any])
      expect(arrow.label.hasPrefix(try required(tree["type"] as? String)))
      if let sequence = tree["sequence"] as? Int { equal(arrow.note, "\(sequence)") }
    }
  }

  @Test("Packets have the numbers and instants of network.pcapng, and a frame leads to those that carried it")
  func carriers() throws {
    let run = try DrawnRun("beamscribe/path-switch", of: .beamscribe)
    let pdus = run.timeline.pdus.filter { run.timeline.files[$0.file] == "network.pcapng" }
    equal(pdus.sorted { $0.number < $1.number }.map(\.start), run.counter.networkPackets)
    expect(pdus.allSatisfy { $0.words.hasPrefix("in ") || $0.words.hasPrefix("out ") })
    var frames = 0
    for packet in run.timeline.packets where packet.head != nil && packet.receivedAt != nil {
      let carriers = packet.carriers.map { run.timeline.pdus[$0] }
      equal(carriers.map(\.start), carriers.map(\.start).sorted())
      let sent = carriers.filter { $0.words.hasPrefix("out ") && $0.transmitter == packet.from }
      expect(!sent.isEmpty && carriers.contains { $0.transmitter == packet.to })
      let whole = (packet.head ?? "") + packet.body.utf8.map { String(hexadecimal: $0, digits: 2) }.joined()
      let octets = sent.map { $0.octets.map { String(hexadecimal: $0, digits: 2) }.joined() }
      // A frame is in one segment, or its end is in the last one.
      expect(octets.contains { $0.contains(whole) } || (octets.last ?? "").contains(whole.suffix(20)))
      frames += 1
    }
    expect(frames > 30)
  }

  @Test("Lanes show paths, AWDL, BLE and streams")
  func states() throws {
    let run = try DrawnRun("beamscribe/path-switch", of: .beamscribe)
    try equal(spans(run, "guest", "path").map(\.text).last, "infrastructure, peer to peer")
    try expect(spans(run, "guest", "path").contains { $0.text == "peer to peer" })
    try equal(Set(spans(run, "guest", "AWDL").map(\.text)), ["awake", "asleep"])
    try expect(spans(run, "guest", "BLE").contains { $0.text == "scans" })
    try expect(spans(run, "host", "BLE").contains { $0.text == "advertises" })
    let streams = try spans(run, "guest", "stream")
    equal(streams.map(\.text).prefix(2), ["connecting", "ready, peer to peer"])
    expect(streams.contains { $0.text == "closed" })
    try expect(spans(run, "guest", "stream (2)").map(\.text).contains("ready, infrastructure"))
    try expect(spans(run, "host", "guest stream").contains { $0.text == "ready, peer to peer" })
    for lane in run.timeline.lanes.indices {
      for track in Set(run.timeline.spans.filter { $0.lane == lane }.map(\.track)) {
        let own = run.timeline.spans.filter { $0.lane == lane && $0.track == track }
        expect(zip(own, own.dropFirst()).allSatisfy { $0.to <= $1.from }, "\(track) in order, one at a time")
      }
    }
  }

  @Test("A run without a network has no lane of one")
  func without() throws {
    let run = try DrawnRun("lobby/two-peers")
    expect(run.timeline.rows == ["radio"] && run.timeline.files == ["air.pcapng"])
    expect(!run.timeline.spans.contains { ["path", "AWDL", "BLE"].contains($0.track) })
    expect(!run.timeline.marks.contains { $0.kind == .discovery })
  }

  @Test("Faults have the line of their step, and services that are found or gone are marks")
  func marks() throws {
    let run = try DrawnRun("beamscribe/gate-and-retry", of: .beamscribe)
    let faults = run.timeline.marks.filter { $0.kind == .fault }
    expect(faults.map(\.line).filter { $0 != nil }.count == faults.count && faults.count == 6)
    let step = try required(run.timeline.marks.first { $0.kind == .step && $0.text.contains("wifi off") })
    expect(step.line != nil && faults.first?.line == step.line && faults.first?.at == step.at)
    equal(faults.first?.text, "Wi-Fi is switched off")
    let found = run.timeline.marks.filter { $0.kind == .discovery }
    expect(found.count >= 3 && found.allSatisfy { $0.lane > 0 && $0.text.contains("endpoint") })
  }

  @Test("A trace has the same states as its run")
  func traced() throws {
    for path in ["beamscribe/path-switch", "beamscribe/gate-and-retry"] {
      let run = try DrawnRun(path, of: .beamscribe)
      let sink = OctetCollector()
      try DrawnRun.trace(path, of: .beamscribe, to: sink)
      let log = try RunLog(sink.octets, file: "trace.jsonl")
      let read = RunTimeline(log, captured: nil)
      func own(_ timeline: RunTimeline) -> [String] {
        timeline.spans.filter { $0.track.contains("stream") || ["path", "AWDL", "BLE"].contains($0.track) }
          .map { "\($0.lane) \($0.track) \($0.from) \($0.text)" }
      }
      equal(own(read), own(run.timeline))
      expect(own(read).count > 10)
    }
  }

  @Test("Watching the network changes nothing")
  func harmless() throws {
    let run = try DrawnRun("beamscribe/one-guest", of: .beamscribe)
    let bare = try World.run(
      run.scenario, options: RunOptions(seed: 1), engines: [AppProtocol.beamscribe].engines)
    equal(bare.digest, run.outcome.digest)
  }

  @Test("A finding is at its place, and leads to the frame that shows it")
  func finding() throws {
    let run = try DrawnRun(
      "beamscribe/one-guest", ["devices.host.engine=gate-of-three-seconds"], of: .beamscribe)
    let mark = try required(run.timeline.marks.first { $0.kind == .finding })
    expect(mark.isBad && mark.lane == 0)
    let line = try required(mark.story.first { $0.packet != nil })
    let packet = run.timeline.packets[try required(line.packet)]
    expect(packet.label == "fullHistory" && packet.from == 0 && !packet.carriers.isEmpty)
  }

  @Test("Trace events have frames as arrows, and threads of the network")
  func events() throws {
    let run = try DrawnRun("beamscribe/one-guest", of: .beamscribe)
    let tree = try JSONSerialization.jsonObject(with: Data(TraceEvents.octets(run.timeline))) as? [String: Any]
    let events = try required(tree?["traceEvents"] as? [[String: Any]])
    let threads = events.filter { $0["name"] as? String == "thread_name" }
      .compactMap { ($0["args"] as? [String: Any])?["name"] as? String }
    for thread in ["network", "path", "BLE", "stream"] { expect(threads.contains(thread), "\(thread)") }
    let arrows = events.filter { $0["ph"] as? String == "s" }
    equal(arrows.count, run.timeline.packets.count { $0.receivedAt != nil })
    let carried = events.compactMap { ($0["args"] as? [String: Any])?["carried by"] as? String }
    expect(carried.count > 1 && carried.allSatisfy { $0.hasPrefix("network.pcapng packets ") })
  }
}
