import AppSeam
package import Bench
import BluetoothWire
import Conformance
package import Judging
package import SimKernel
import VirtualRadio

/// What was seen of a run, as it is drawn.
package struct TimelineMemory: Sendable {
  private let app: AppProtocol
  private var run: RunMemory
  private var states = StateSpans()
  private var network = NetworkStates()
  /// Records that are faults: the chart has them among what lanes do.
  private var faults: Set<Int> = []
  /// Records of services that were found or are gone.
  private var discoveries: [Int] = []
  private var calls = CallLane()
  private var addresses: [String] = []
  private var logs = LogLanes()

  init(of app: AppProtocol, limits: RunMemory.Limits) {
    self.app = app
    run = RunMemory(limits: limits)
  }

  /// How much has been seen: equal numbers are equal pictures.
  package var count: Int { run.count }
  /// The instant of the newest record, and of the end once it is there.
  package internal(set) var end: SimInstant {
    get { run.end }
    set { run.end = newValue }
  }

  mutating func begin(_ header: TraceHeader) {
    run.begin(header)
    addresses = header.devices.map(\.address.description)
  }

  mutating func joins(_ header: TraceHeader) {
    run.joins(header)
    addresses = header.devices.map(\.address.description)
  }

  mutating func read(_ said: TraceRecord) {
    let record = said.plain
    guard run.read(record) else { return }
    network.read(record)
    switch record.event {
    case .report(let report):
      if let word = report.among(CallWord.self) {
        calls.read(word, record, addresses)
      } else if app.chart.isState(report) {
        states.read(report, lane: record.device, at: record.instant)
      }
    case .input(.connected), .input(.disconnected), .input(.launched):
      states.readLink(record.event, lane: record.device, at: record.instant)
    case .fault:
      faults.insert(record.sequence)
      states.readLink(record.event, lane: record.device, at: record.instant)
    case .input(.network(.found)), .input(.network(.changed)), .input(.network(.lost)):
      discoveries.append(record.sequence)
    default: break
    }
  }

  mutating func finish(_ outcome: RunOutcome) {
    end = outcome.endInstant
    logs = LogLanes(outcome.logs)
  }

  private var lanes: [RunTimeline.Lane] {
    run.header.devices.map { device in
      let words = [device.engine, device.dialect, device.phone, device.address.description]
      return RunTimeline.Lane(
        name: device.name, role: device.role.description, about: words.filter { !$0.isEmpty }.joined(separator: ", "),
        addresses: [device.address.description])
    }
  }

  /// The picture of what was seen and judged.
  /// - Parameters:
  ///   - scenario: whose file has the steps and expectations; nil where there is no file.
  ///   - troubles: what is wrong; what led to the first of them is told at its mark.
  package func timeline(
    _ findings: [Finding], scenario: Scenario?, troubles: [Trouble] = []
  ) -> RunTimeline {
    let teller = StoryTeller(KeptRun(run), of: app, scenario: scenario)
    let lanes = lanes
    var timeline = RunTimeline(lanes: lanes, end: end)
    timeline.spans = states.spans(end: end) + network.spans(end: end)
    timeline.calls = calls.calls
    timeline.log = logs.lines
    addPDUs(teller.flows, &timeline)
    let carried = CarriedPackets(teller.flows, timeline)
    var places = ScenarioPlaces(scenario)
    var step: (instant: SimInstant, line: Int?)?
    for entry in teller.chart.entries {
      switch entry.kind {
      case .packet(let packet):
        timeline.packets.append(words(packet, entry.record, carried.pdus(of: packet)))
      case .step(let text):
        let line = places.takeStep(text)
        step = (entry.instant, line)
        timeline.marks.append(RunTimeline.Mark(kind: .step, at: entry.instant, lane: -1, text: text, line: line))
      case .check:
        if let record = teller.run.record(entry.record), let mark = Self.mark(record) { timeline.marks.append(mark) }
      case .action(let lane, let text):
        let isFault = faults.contains(entry.record)
        // A step makes its faults at once.
        let line = isFault && step?.instant == entry.instant ? step?.line : nil
        timeline.marks.append(
          RunTimeline.Mark(kind: isFault ? .fault : .note, at: entry.instant, lane: lane, text: text, line: line))
      case .connected, .disconnected: break
      }
    }
    timeline.marks += discoveries.compactMap(teller.run.record).map { record in
      RunTimeline.Mark(
        kind: .discovery, at: record.instant, lane: record.device, text: teller.words.text(record.event))
    }
    for finding in findings { timeline.marks.append(mark(finding, timeline.packets, lanes: lanes.count)) }
    timeline.marks += troubles.filter(\.isOfMeasures).map(Self.mark)
    StoryMarks(teller, timeline).tell(troubles, in: &timeline.marks)
    if let firstOmittedPDU = run.firstOmittedPDU {
      timeline.omissions.append(
        "\(run.omittedPDUs) PDUs from \(firstOmittedPDU) s on are not shown: a page keeps \(run.limits.pdus)")
    }
    if let firstOmittedPacket = run.firstOmittedPacket {
      timeline.omissions.append(
        "\(run.omittedPackets) packets of the network from \(firstOmittedPacket) s on are not shown: a page keeps"
          + " \(run.limits.packets) and \(run.limits.packetOctets >> 20) MiB of them")
    }
    if let firstOmittedRecord = run.firstOmittedRecord {
      timeline.omissions.append(
        "what apps did from \(firstOmittedRecord) s on is not shown: a page keeps \(run.limits.records) records of it")
    }
    timeline.omissions += logs.omissions(names: lanes.map(\.name))
    return timeline
  }

  /// PDUs of the radio, and packets of the network where there is one.
  private func addPDUs(_ flows: StreamFlows, _ timeline: inout RunTimeline) {
    var airWords = AirWords(app)
    timeline.pdus.reserveCapacity(run.air.count + run.packets.count)
    run.air.forEach { timeline.pdus.append(airWords.words($0, number: timeline.pdus.count + 1)) }
    if run.packets.count > 0 {
      timeline.files.append("network.pcapng")
      timeline.rows.append("network")
      var words = NetworkRecordWords(app, names: run.header.devices.map(\.name))
      run.packets.forEach { timeline.pdus.append(words.words($0, ends: flows.ends(of: $0.number - 1))) }
    }
    timeline.pdus.sort { ($0.start, $0.file, $0.number) < ($1.start, $1.file, $1.number) }
  }

  private func words(_ packet: Chart.Packet, _ record: Int, _ carriers: [Int]) -> RunTimeline.Packet {
    let isText =
      packet.octets.allSatisfy { $0 >= 0x20 || $0 == 0x0A } && String(validating: packet.octets, as: UTF8.self) != nil
    let text =
      packet.isPacket && isText
      ? String(decoding: packet.octets, as: UTF8.self)
      : String(hexadecimal: packet.octets, uppercase: true, separator: " ")
    return RunTimeline.Packet(
      from: packet.from, to: packet.to, sentAt: packet.sentAt, receivedAt: packet.receivedAt, label: packet.label,
      fragments: packet.fragments, isPacket: packet.isPacket, body: text, record: record, note: packet.note,
      head: packet.stream.map { String(hexadecimal: $0.head) }, carriers: carriers)
  }

  /// An expectation, or a step that timed out.
  private static func mark(_ record: TraceRecord) -> RunTimeline.Mark? {
    guard case .expectation(let text, let holds, let detail, let place) = record.event else { return nil }
    return RunTimeline.Mark(
      kind: .expectation, at: record.instant, lane: holds == true ? -1 : place.devices.first ?? -1, text: text,
      details: holds == true || detail.isEmpty ? [] : ["saw \(detail)"], isBad: holds == false, line: place.line)
  }

  /// A claim of measures, at its worst sample.
  private static func mark(_ trouble: Trouble) -> RunTimeline.Mark {
    RunTimeline.Mark(
      kind: .expectation, at: trouble.instant, lane: trouble.devices.first ?? -1, text: trouble.claim,
      details: ["saw \(trouble.actual)"], isBad: !trouble.isInconclusive, line: trouble.line)
  }

  private func mark(_ finding: Finding, _ packets: [RunTimeline.Packet], lanes: Int) -> RunTimeline.Mark {
    let isOfLane = (0..<lanes).contains(finding.device)
    let before = packets.indices.filter { index in
      let packet = packets[index]
      let isHere = !isOfLane || packet.to == finding.device || packet.from == finding.device
      return isHere && (finding.record.map { packet.record <= $0 } ?? (packet.sentAt <= finding.instant))
    }
    return RunTimeline.Mark(
      kind: .finding, at: finding.instant, lane: isOfLane ? finding.device : -1,
      text: "\(finding.verdict.name): \(finding.oracle)",
      details: ["expected \(finding.expected)", "saw \(finding.actual)", finding.clause],
      isBad: finding.verdict > .pass,
      evidence: Array(before.suffix(5)))
  }
}
