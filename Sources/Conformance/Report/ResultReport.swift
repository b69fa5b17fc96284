import AppSeam
import Bench
import BluetoothWire
package import Judging
import Platform
import SimKernel
import VirtualNetwork
import VirtualRadio

/// `result.json`: how a run went and what was said about it; Docs/Formats/result.md.
public enum ResultReport {
  /// Grows when a member's meaning changes or one goes away; new members do not count.
  public static let version = 1

  /// The whole file, indented, ending in a line feed.
  /// - Parameters:
  ///   - verdict: where more was judged than the judgement has.
  ///   - repeatLine: the command that repeats the run, as a POSIX shell takes it.
  ///   - more: writes the members that come after those of a judgement.
  package static func octets(
    _ judgement: Judgement, verdict: Verdict? = nil, repeatLine: String, more: (inout JSONText) -> Void = { _ in }
  ) -> [UInt8] {
    let verdict = verdict ?? judgement.verdict
    var text = JSONText(isIndented: true)
    text.beginObject()
    text.member("version", version)
    text.member("scenario", judgement.header.scenario)
    text.member("seed", String(judgement.header.seed))
    text.member("verdict", verdict.name)
    text.member("exitCode", ExitCode(verdict).rawValue)
    text.member("digest", judgement.outcome.digest.hexadecimal)
    text.member("repeat", repeatLine)
    text.member("ending", judgement.outcome.ending.rawValue)
    text.member("endInstant", judgement.outcome.endInstant.nanoseconds)
    if let breakdown = judgement.outcome.breakdown { text.breakdown(breakdown, judgement.header) }
    text.options(judgement.header.options)
    text.statistics(judgement.outcome.statistics)
    if let network = judgement.outcome.networkUse { text.network(network) }
    text.devices(judgement)
    text.oracles(judgement)
    text.expectations(judgement)
    text.remarks(judgement)
    more(&text)
    text.endObject()
    text.endLine()
    return text.octets
  }
}

extension JSONText {
  fileprivate mutating func breakdown(_ breakdown: AppBreakdown, _ header: TraceHeader) {
    key("breakdown")
    beginObject()
    member("device", header.name(of: breakdown.device))
    member("program", breakdown.program)
    member("started", breakdown.hasStarted)
    member("instant", breakdown.instant.nanoseconds)
    member("cause", breakdown.cause)
    member("detail", breakdown.detail)
    member("log", breakdown.lines)
    endObject()
  }

  fileprivate mutating func statistics(_ statistics: RunOutcome.Statistics) {
    key("statistics")
    beginObject()
    member("queueEvents", statistics.queueEvents)
    member("connectionEvents", statistics.connectionEvents)
    member("skippedConnectionEvents", statistics.skippedConnectionEvents)
    member("missedConnectionEvents", statistics.missedConnectionEvents)
    member("pdusSent", statistics.pdusSent)
    member("pdusLost", statistics.pdusLost)
    member("collisions", statistics.collisions)
    endObject()
  }

  fileprivate mutating func devices(_ judgement: Judgement) {
    key("devices")
    beginArray()
    for (index, device) in judgement.header.devices.enumerated() {
      beginObject()
      member("name", device.name)
      member("role", device.role.rawValue)
      member("phone", device.phone)
      member("dialect", device.dialect)
      member("engine", device.engine)
      member("address", device.address.description)
      if device.isHostile { member("hostile", true) }
      if judgement.outcome.devices.indices.contains(index) {
        let summary = judgement.outcome.devices[index]
        member("links", summary.links)
        radio(summary.radio)
        if let use = summary.network { network(use) }
        if judgement.header.isForeign(index) {
          for unknown in ["attMTU", "valuesSent", "valuesReceived"] as [StaticString] {
            key(unknown)
            null()
          }
          for column in summary.columns {
            key(named: column.key)
            null()
          }
          endObject()
          continue
        }
        member("attMTU", summary.attMTU)
        member("valuesSent", summary.valuesSent)
        member("valuesReceived", summary.valuesReceived)
        for column in summary.columns {
          key(named: column.key)
          value(column.value)
        }
      }
      endObject()
    }
    endArray()
  }

  private mutating func radio(_ use: RunOutcome.RadioUse?) {
    key("radio")
    guard let use else { return null() }
    beginObject()
    member("transmit", use.times.transmit.nanoseconds)
    member("receive", use.times.receive.nanoseconds)
    member("scan", use.times.scan.nanoseconds)
    member("charge", use.charge)
    endObject()
  }

  fileprivate mutating func network(_ use: RunOutcome.NetworkUse) {
    key("network")
    beginObject()
    member("streamsOpened", use.streamsOpened)
    member("streamsAccepted", use.streamsAccepted)
    member("streamsFailed", use.streamsFailed)
    member("servicesFound", use.servicesFound)
    member("octetsSent", use.traffic.octetsSent)
    member("octetsReceived", use.traffic.octetsReceived)
    member("packetsSent", use.traffic.packets)
    member("packetsLost", use.traffic.losses)
    member("segmentsSent", use.traffic.segments)
    member("segmentsRepeated", use.traffic.retransmissions)
    member("airtime", use.traffic.airtime.nanoseconds)
    endObject()
  }

  fileprivate mutating func oracles(_ judgement: Judgement) {
    objects("oracles", judgement.oracles) { json, oracle in
      json.member("id", oracle.id)
      json.member("claim", oracle.claim)
      json.member("clause", oracle.clause)
      json.member("verdict", oracle.verdict.name)
      json.member("judged", oracle.judged)
      json.member("open", oracle.open)
      if let reason = oracle.openReason { json.member("openReason", reason) }
      json.list("findings", oracle.findings) { $0.finding($1, judgement.header) }
      json.member("suppressedFindings", oracle.suppressedFindings)
    }
  }

  private mutating func finding(_ finding: Finding, _ header: TraceHeader) {
    beginObject()
    member("verdict", finding.verdict.name)
    member("instant", finding.instant.nanoseconds)
    member("device", header.name(of: finding.device))
    member("clause", finding.clause)
    member("expected", finding.expected)
    member("actual", finding.actual)
    member("record", finding.record)
    endObject()
  }

  fileprivate mutating func remarks(_ judgement: Judgement) {
    objects("remarks", judgement.remarks) { json, remark in
      json.member("kind", remark.remark.kind.rawValue)
      json.member("instant", remark.instant.nanoseconds)
      json.member("device", judgement.header.name(of: remark.device))
      json.member("text", remark.remark.text)
      json.member("record", remark.record)
      json.member("count", remark.count)
    }
  }

  fileprivate mutating func expectations(_ judgement: Judgement) {
    objects("expectations", judgement.expectations) { json, expectation in
      json.member("text", expectation.text)
      json.member("verdict", expectation.verdict.name)
      json.member("detail", expectation.detail)
      json.member("record", expectation.record)
    }
  }
}

extension TraceHeader {
  /// The name of a device; `world` for the world itself.
  package func name(of device: Int) -> String { devices.indices.contains(device) ? devices[device].name : "world" }

  /// Whether a device's host stack and app are not ours: little is known of it.
  func isForeign(_ device: Int) -> Bool {
    devices.indices.contains(device) && devices[device].engine == Self.foreignEngine
  }
}
