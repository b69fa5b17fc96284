import Judging
import SimKernel

/// A timeline in the Trace Event Format, which https://ui.perfetto.dev opens.
///
/// A process for each device and one for the whole run; threads for the states, the packets and each row of PDUs, and
/// for calls of CoreBluetooth and for standard error where there are any. PDUs and states are complete events (`X`),
/// packets two of them with a flow between (`s`, `f`), marks, calls and lines instant events (`i`). Times are
/// microseconds with three decimals, so that no nanosecond is lost.
///
/// Spec: "Trace Event Format" of the Chromium project,
/// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
package struct TraceEvents {
  private static let packets = 1
  private static let rows = 2
  private static let calls = 8
  private static let log = 9
  private static let tracks = 10

  private let timeline: RunTimeline
  private var json: JSONText
  private let trackNames: [String]

  private init(_ timeline: RunTimeline) {
    self.timeline = timeline
    json = JSONText(capacity: 256 * (timeline.pdus.count + timeline.packets.count))
    var names: [String] = []
    for span in timeline.spans where !names.contains(span.track) { names.append(span.track) }
    trackNames = names
  }

  /// The whole file.
  package static func octets(_ timeline: RunTimeline) -> [UInt8] {
    var events = TraceEvents(timeline)
    events.write()
    return events.json.octets
  }

  /// The process of a lane; what belongs to no device is in that of the run.
  private func process(_ lane: Int) -> Int { timeline.lanes.indices.contains(lane) ? lane + 2 : 1 }

  private mutating func write() {
    json.beginObject()
    json.key("displayTimeUnit")
    json.value("ns")
    json.key("otherData")
    json.beginObject()
    for (number, omission) in timeline.omissions.enumerated() {
      json.key(named: "left out \(number + 1)")
      json.value(ShownText.lines(omission))
    }
    json.endObject()
    json.key("traceEvents")
    json.beginArray()
    writeNames()
    for span in timeline.spans {
      let thread = Self.tracks + (trackNames.firstIndex(of: span.track) ?? 0)
      event("X", span.text, span.track, at: span.from, process(span.lane), thread, lasting: span.to - span.from)
    }
    for pdu in timeline.pdus { write(pdu) }
    writePackets()
    for mark in timeline.marks { write(mark) }
    for call in timeline.calls { write(call) }
    for line in timeline.log {
      event("i", line.text, "stderr", at: line.at, process(line.lane), Self.log, isOfThread: true)
    }
    json.endArray()
    json.endObject()
  }

  // MARK: Names

  private mutating func writeNames() {
    name("process_name", 1, 0, "steps and findings")
    for (lane, device) in timeline.lanes.enumerated() {
      let process = process(lane)
      name("process_name", process, 0, "\(device.name) (\(device.role))")
      name("thread_name", process, Self.packets, "packets")
      for (row, text) in timeline.rows.enumerated() { name("thread_name", process, Self.rows + row, text) }
      if timeline.calls.contains(where: { $0.lane == lane }) {
        name("thread_name", process, Self.calls, "CoreBluetooth")
      }
      if timeline.log.contains(where: { $0.lane == lane }) { name("thread_name", process, Self.log, "stderr") }
      for (track, text) in trackNames.enumerated() { name("thread_name", process, Self.tracks + track, text) }
    }
  }

  private mutating func name(_ kind: String, _ process: Int, _ thread: Int, _ text: String) {
    json.beginObject()
    json.key("ph")
    json.value("M")
    json.key("name")
    json.value(kind)
    place(process, thread)
    json.key("args")
    json.beginObject()
    json.key("name")
    json.value(ShownText.lines(text))
    json.endObject()
    json.endObject()
  }

  // MARK: Events

  private mutating func write(_ pdu: RunTimeline.PDU) {
    let words = ["received", "destroyed", "unheard", "did not arrive"]
    event(
      "X", pdu.words, timeline.rows.indices.contains(pdu.row) ? timeline.rows[pdu.row] : "", at: pdu.start,
      process(pdu.transmitter), Self.rows + pdu.row, lasting: pdu.duration,
      arguments: [
        ("packet", "\(file(pdu.file)) packet \(pdu.number)"), ("fate", words[pdu.fate.rawValue]),
        ("layers", pdu.tree),
      ])
  }

  /// A slice where a packet is sent and one where it is received, with an arrow from one to the other. A packet that
  /// never came has the first one only.
  ///
  /// An arrow needs slices that last: a microsecond, or up to the next one of the same device.
  private mutating func writePackets() {
    let lasting = slices()
    for (number, packet) in timeline.packets.enumerated() {
      var arguments = [
        ("fragments", "\(packet.fragments)"), ("text", packet.text),
        ("came", packet.receivedAt.map { "after \($0 - packet.sentAt) s" } ?? "never"),
      ]
      if !packet.note.isEmpty { arguments.append(("number", packet.note)) }
      if let first = packet.carriers.first, let last = packet.carriers.last {
        let numbers = [first, last].map { timeline.pdus[$0].number }
        arguments.append(("carried by", "\(file(timeline.pdus[first].file)) packets \(numbers[0]) to \(numbers[1])"))
      }
      let isArrow = packet.receivedAt != nil && packet.from >= 0 && packet.to >= 0
      for (lane, instant, phase) in [(packet.from, packet.sentAt, "s"), (packet.to, packet.receivedAt, "f")] {
        guard let instant, isArrow || phase == "s" else { continue }
        let process = process(lane)
        event(
          "X", packet.label, "packet", at: instant, process, Self.packets,
          lasting: lasting[process].duration(at: instant),
          arguments: arguments)
        if isArrow { event(phase, packet.label, "packet", at: instant, process, Self.packets, flow: number + 1) }
      }
    }
  }

  /// By process.
  private func slices() -> [Starts] {
    var starts = Array(repeating: Starts(), count: timeline.lanes.count + 2)
    for packet in timeline.packets {
      starts[process(packet.from)].instants.append(packet.sentAt)
      if let receivedAt = packet.receivedAt { starts[process(packet.to)].instants.append(receivedAt) }
    }
    for index in starts.indices { starts[index].instants.sort() }
    return starts
  }

  /// When the slices of one thread begin.
  private struct Starts {
    var instants: [SimInstant] = []

    func duration(at instant: SimInstant) -> SimDuration {
      var low = 0
      var high = instants.count
      while low < high {
        let middle = (low + high) / 2
        if instants[middle] <= instant { low = middle + 1 } else { high = middle }
      }
      return low < instants.count ? min(.microseconds(1), instants[low] - instant) : .microseconds(1)
    }
  }

  private mutating func write(_ mark: RunTimeline.Mark) {
    let details = mark.details.isEmpty ? [] : [("details", mark.details.joined(separator: "\n"))]
    let place = mark.place.map { [("place", $0)] } ?? mark.line.map { [("line", "\($0)")] } ?? []
    event(
      "i", mark.text, mark.kind.rawValue, at: mark.at, process(mark.lane), Self.packets, arguments: details + place)
  }

  private mutating func write(_ call: RunTimeline.Call) {
    let category = ["call", "callback", "remark"][call.kind.rawValue]
    let peer = timeline.lanes.indices.contains(call.peer) ? [("about", timeline.lanes[call.peer].name)] : []
    event(
      "i", call.text, category, at: call.at, process(call.lane), Self.calls,
      arguments: peer + [("trace record", "\(call.record)")], isOfThread: true)
  }

  private func file(_ index: Int) -> String {
    timeline.files.indices.contains(index) ? timeline.files[index] : "capture \(index)"
  }

  private mutating func event(
    _ phase: String, _ name: String, _ category: String, at instant: SimInstant, _ process: Int, _ thread: Int,
    lasting duration: SimDuration? = nil, flow: Int? = nil, arguments: [(String, String)] = [], isOfThread: Bool = false
  ) {
    json.beginObject()
    json.key("ph")
    json.value(phase)
    json.key("name")
    json.value(ShownText.lines(name))
    json.key("cat")
    json.value(category)
    json.key("ts")
    json.value(microsecondsOf: instant.nanoseconds)
    if let duration {
      json.key("dur")
      json.value(microsecondsOf: duration.nanoseconds)
    }
    place(process, thread)
    if let flow {
      json.key("id")
      json.value(flow)
      // The arrow ends at the slice around its instant, not at the next one.
      if phase == "f" {
        json.key("bp")
        json.value("e")
      }
    }
    if phase == "i" {
      // A flag over the process; over everything where it belongs to no device.
      json.key("s")
      json.value(isOfThread ? "t" : process == 1 ? "g" : "p")
    }
    if !arguments.isEmpty {
      json.key("args")
      json.beginObject()
      for (key, value) in arguments {
        json.key(named: key)
        json.value(ShownText.lines(value))
      }
      json.endObject()
    }
    json.endObject()
  }

  private mutating func place(_ process: Int, _ thread: Int) {
    json.key("pid")
    json.value(process)
    json.key("tid")
    json.value(thread)
  }
}
