import BluetoothWire
import CaptureFormats
import Judging
import SimKernel

/// The JSON of `babbench check`: everything a report says, described in Docs/check.md.
public enum CheckJSONReport {
  /// - Parameter repeatLine: the command that repeats the check.
  public static func octets(_ report: CheckReport, repeatLine: String) -> [UInt8] {
    let names = CheckNames(report)
    var text = JSONText(isIndented: true)
    text.beginObject()
    text.member("version", 1)
    text.member("verdict", report.verdict.name)
    text.member("exitCode", ExitCode(report.verdict).rawValue)
    text.member("repeat", repeatLine)
    text.member("protocol", report.protocolName)
    text.member("dialect", report.judgement?.dialect)
    text.member("endInstant", report.end.nanoseconds)
    text.list("captures", report.captures) { $0.capture($1) }
    text.list("links", report.links) { $0.link($1) }
    text.list("streams", report.streams) { $0.stream($1) }
    text.list("services", report.services) { $0.service($1) }
    text.list("rules", report.rules) { json, result in
      json.result(result, names.reason(result)) { $0.member("link", $1.device) }
    }
    text.objects("devices", report.judgement?.participants ?? []) { json, participant in
      json.member("name", participant.name)
      json.member("role", participant.role)
      json.member("address", participant.address)
    }
    text.list("oracles", report.judgement?.oracles ?? []) { json, result in
      json.result(result, names.reason(result)) { $0.member("device", report.judgement?.name(of: $1.device)) }
    }
    text.objects("notes", report.notes + (report.judgement?.notes ?? [])) { json, note in
      json.place(note.place)
      json.member("text", note.text)
    }
    text.endObject()
    text.endLine()
    return text.octets
  }
}

extension JSONText {
  fileprivate mutating func place(_ place: PacketPlace?) {
    member("capture", place?.file)
    member("packet", place?.number)
  }

  fileprivate mutating func capture(_ capture: ReadCapture) {
    beginObject()
    member("path", capture.path)
    member("format", capture.format?.rawValue)
    objects("linkTypes", capture.links) { json, entry in
      json.member("name", entry.link.words)
      json.member("records", entry.records)
    }
    member("records", capture.records)
    if case .truncated(let offset) = capture.ending {
      member("truncatedAt", offset)
    } else {
      member("truncatedAt", nil as Int?)
    }
    member("first", capture.firstNanoseconds.map { String($0) })
    member("last", capture.lastNanoseconds.map { String($0) })
    member("drops", capture.drops)
    key("clock")
    if let clock = capture.clock {
      beginObject()
      member("offset", clock.offset.nanoseconds)
      member("uncertainty", clock.uncertainty.nanoseconds)
      member("matches", clock.matches)
      member("driftPPB", clock.driftPPB)
      member("isOneSided", clock.isOneSided)
      endObject()
    } else {
      null()
    }
    endObject()
  }

  fileprivate mutating func link(_ link: CheckReport.Link) {
    beginObject()
    member("index", link.index)
    member("capture", link.file)
    member("handle", link.handleOrAccessAddress)
    member("central", link.central)
    member("peripheral", link.peripheral)
    member("opened", link.openedAt.nanoseconds)
    member("closed", link.closedAt?.nanoseconds)
    member("isFromStart", link.isFromStart)
    member("isEncrypted", link.isEncrypted)
    member("attMTU", link.attMTU)
    member("attPDUs", link.attPDUs)
    member("gaps", link.gaps)
    endObject()
  }

  fileprivate mutating func stream(_ stream: CheckReport.Stream) {
    beginObject()
    member("index", stream.index)
    member("capture", stream.file)
    member("interface", stream.interfaceName)
    member("client", stream.client)
    member("server", stream.server)
    member("opened", stream.openedAt.nanoseconds)
    member("ended", stream.endedAt?.nanoseconds)
    member("ending", stream.ending)
    member("isFromStart", stream.isFromStart)
    member("clientOctets", stream.clientOctets)
    member("serverOctets", stream.serverOctets)
    member("gaps", stream.gaps)
    endObject()
  }

  fileprivate mutating func service(_ service: CheckReport.Service) {
    beginObject()
    member("capture", service.file)
    member("interface", service.interfaceName)
    member("name", service.name)
    member("host", service.host)
    member("port", service.port)
    member("addresses", service.addresses)
    member("isAnnounced", service.isThere)
    endObject()
  }

  fileprivate mutating func result(
    _ result: OracleResult, _ reason: String?, _ culprit: (inout JSONText, Finding) -> Void
  ) {
    beginObject()
    member("id", result.id)
    member("claim", result.claim)
    member("clause", result.clause)
    member("verdict", result.verdict.name)
    member("judged", result.judged)
    member("open", result.open)
    member("openAtEdges", result.openAtEdges)
    member("reason", reason)
    objects("findings", result.findings) { json, finding in
      json.member("verdict", finding.verdict.name)
      json.member("instant", finding.instant.nanoseconds)
      json.place(finding.record.map { PacketPlace(record: $0) })
      culprit(&json, finding)
      json.member("clause", finding.clause)
      json.member("expected", finding.expected)
      json.member("actual", finding.actual)
    }
    member("suppressedFindings", result.suppressedFindings)
    endObject()
  }
}
