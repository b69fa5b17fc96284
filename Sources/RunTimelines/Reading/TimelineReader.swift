import AppSeam
package import Bench
import BluetoothWire
package import Conformance
package import Judging
package import RunCauses
import SimKernel
import VirtualRadio

/// Watches a run and draws it afterwards.
///
/// Memory grows with the run up to the limits of `RunKeeper`.
package final class TimelineReader: TraceReader {
  private let limits: RunKeeper.Limits
  private let app: AppProtocol
  private let keeper: RunKeeper

  /// - Parameter app: the protocol whose packets and reports are put into words.
  package init(of app: AppProtocol, limits: RunKeeper.Limits = RunKeeper.Limits()) {
    self.limits = limits
    self.app = app
    keeper = RunKeeper(limits: limits)
  }

  package var wantsAir: Bool { keeper.wantsAir }
  package func begin(_ header: TraceHeader) { keeper.begin(header) }
  package func read(_ record: TraceRecord) { keeper.read(record) }
  package func end(_ outcome: RunOutcome) { keeper.end(outcome) }

  private var lanes: [RunTimeline.Lane] {
    keeper.header.devices.map { device in
      let words = [device.engine, device.dialect, device.phone, device.address.description]
      return RunTimeline.Lane(
        name: device.name, role: device.role.description, about: words.filter { !$0.isEmpty }.joined(separator: ", "))
    }
  }

  private var spans: [StateSpan] {
    var states = StateSpans()
    for record in keeper.records {
      switch record.event {
      case .report(let report): states.read(report, lane: record.device, at: record.instant)
      case .input(.connected), .input(.disconnected), .input(.launched):
        states.readLink(record.event, lane: record.device, at: record.instant)
      default: break
      }
    }
    return states.spans(end: keeper.end)
  }

  /// Whether a record is a fault: the chart has it among what lanes do.
  private func isFault(_ record: Int) -> Bool {
    if case .fault? = keeper.record(record)?.event { true } else { false }
  }

  /// The picture of what was seen and judged.
  /// - Parameter scenario: whose file has the steps and expectations; nil where there is no file.
  package func timeline(_ findings: [Finding], scenario: Scenario?) -> RunTimeline {
    var timeline = RunTimeline(lanes: lanes, end: keeper.end)
    timeline.spans = spans
    var airWords = AirWords(app)
    timeline.pdus = keeper.air.enumerated().map { airWords.words($1, number: $0 + 1) }
    var places = ScenarioPlaces(scenario)
    for entry in keeper.chart(of: app).entries {
      switch entry.kind {
      case .packet(let packet): timeline.packets.append(words(packet, entry.record))
      case .step(let text):
        timeline.marks.append(
          RunTimeline.Mark(kind: .step, at: entry.instant, lane: -1, text: text, line: places.takeStep(text)))
      case .check(let text, let holds):
        timeline.marks.append(
          RunTimeline.Mark(
            kind: .expectation, at: entry.instant, lane: -1, text: text, isBad: !holds,
            line: places.takeExpectation(text)))
      case .action(let lane, let text):
        timeline.marks.append(
          RunTimeline.Mark(
            kind: isFault(entry.record) ? .fault : .note, at: entry.instant, lane: lane, text: text))
      case .connected, .disconnected: break
      }
    }
    for finding in findings { timeline.marks.append(mark(finding, timeline.packets, lanes.count)) }
    if let firstOmittedPDU = keeper.firstOmittedPDU {
      timeline.omissions.append(
        "\(keeper.omittedPDUs) PDUs from \(firstOmittedPDU) s on are not shown: a page keeps \(limits.pdus)")
    }
    if let firstOmittedRecord = keeper.firstOmittedRecord {
      timeline.omissions.append(
        "what apps did from \(firstOmittedRecord) s on is not shown: a page keeps \(limits.records) records of it")
    }
    return timeline
  }

  private func words(_ packet: Chart.Packet, _ record: Int) -> RunTimeline.Packet {
    let isText =
      packet.octets.allSatisfy { $0 >= 0x20 || $0 == 0x0A } && String(validating: packet.octets, as: UTF8.self) != nil
    let text =
      packet.isPacket && isText
      ? String(decoding: packet.octets, as: UTF8.self)
      : String(hexadecimal: packet.octets, uppercase: true, separator: " ")
    return RunTimeline.Packet(
      from: packet.from, to: packet.to, sentAt: packet.sentAt, receivedAt: packet.receivedAt, label: packet.label,
      fragments: packet.fragments, isPacket: packet.isPacket, text: text, record: record)
  }

  private func mark(_ finding: Finding, _ packets: [RunTimeline.Packet], _ laneCount: Int) -> RunTimeline.Mark {
    let isOfLane = finding.device >= 0 && finding.device < laneCount
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
