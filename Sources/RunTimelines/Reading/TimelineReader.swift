import AppSeam
package import Bench
import BluetoothWire
package import Conformance
import Judging
import SimKernel
import VirtualRadio

/// Watches a run and draws it afterwards.
///
/// What passes the app seam is kept whole until then, because what matters is known only at the end; PDUs on the air
/// are kept in words up to `pduLimit`.
package final class TimelineReader: TraceReader {
  private let pduLimit: Int
  private let chart: ChartReader
  private var lanes: [RunTimeline.Lane] = []
  private var states = StateSpans()
  private var air: AirWords
  /// Records that are faults: the chart has them among what lanes do.
  private var faults: Set<Int> = []
  private var omittedPDUs = 0
  private var end = SimInstant.zero

  /// - Parameters:
  ///   - app: the protocol whose packets and reports are put into words.
  ///   - pduLimit: PDUs that are kept at most; the first ones.
  package init(of app: AppProtocol, pduLimit: Int = 200_000) {
    self.pduLimit = pduLimit
    chart = ChartReader(of: app)
    air = AirWords(app)
  }

  package var wantsAir: Bool { true }

  package func begin(_ header: TraceHeader) {
    chart.begin(header)
    lanes = header.devices.map { device in
      let words = [device.engine, device.dialect, device.phone, device.address.description]
      return RunTimeline.Lane(
        name: device.name, role: device.role.description, about: words.filter { !$0.isEmpty }.joined(separator: ", "))
    }
  }

  package func read(_ record: TraceRecord) {
    chart.read(record)
    switch record.event {
    case .radio(.air(let pdu)):
      if air.pdus.count < pduLimit { air.read(pdu) } else { omittedPDUs += 1 }
    case .report(let report): states.read(report, lane: record.device, at: record.instant)
    case .input(.connected), .input(.disconnected), .input(.launched):
      states.readLink(record.event, lane: record.device, at: record.instant)
    case .fault: faults.insert(record.sequence)
    default: break
    }
  }

  package func end(_ outcome: RunOutcome) {
    chart.end(outcome)
    end = outcome.endInstant
  }

  /// The picture of what was seen and judged.
  /// - Parameter scenario: where steps and expectations stand; nil where there is no file.
  package func timeline(_ judgement: Judgement, scenario: Scenario?) -> RunTimeline {
    var timeline = RunTimeline(lanes: lanes, end: end)
    timeline.spans = states.spans(end: end)
    timeline.pdus = air.pdus
    var places = ScenarioPlaces(scenario)
    for entry in chart.chart(nil).entries {
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
            kind: faults.contains(entry.record) ? .fault : .note, at: entry.instant, lane: lane, text: text))
      case .connected, .disconnected: break
      }
    }
    for finding in judgement.findings { timeline.marks.append(mark(finding, timeline.packets)) }
    if omittedPDUs > 0, let last = air.pdus.last {
      timeline.omissions.append(
        "\(omittedPDUs) PDUs after \(last.start) s are not shown: a page keeps \(pduLimit)")
    }
    return timeline
  }

  private func words(_ packet: Chart.Packet, _ record: Int) -> RunTimeline.Packet {
    let isText =
      packet.octets.allSatisfy { $0 >= 0x20 || $0 == 0x0A } && String(validating: packet.octets, as: UTF8.self) != nil
    let text =
      packet.isPacket && isText
      ? String(decoding: packet.octets, as: UTF8.self)
      : packet.octets.map { hexNumber($0, digits: 2).dropFirst(2) }.joined(separator: " ")
    return RunTimeline.Packet(
      from: packet.from, to: packet.to, sentAt: packet.sentAt, receivedAt: packet.receivedAt, label: packet.label,
      fragments: packet.fragments, isPacket: packet.isPacket, text: text, record: record)
  }

  private func mark(_ finding: Finding, _ packets: [RunTimeline.Packet]) -> RunTimeline.Mark {
    let isOfLane = lanes.indices.contains(finding.device)
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
