import Bench
import Campaigns
import Conformance
import Judging
import SimKernel
import Stress

/// The answer to `finish`.
struct RoomOutcome {
  let report: RunReport
  let outcome: RunOutcome
  let names: [String]
  let seed: UInt64
  let wantsFigures: Bool

  var octets: [UInt8] {
    var text = JSONText(capacity: 4_096)
    text.beginObject()
    text.member("name", "outcome")
    text.member("at", outcome.endInstant.nanoseconds)
    text.member("ending", outcome.ending.rawValue)
    text.member("verdict", report.verdict.name)
    text.member("digest", outcome.digest.hexadecimal)
    text.member("seed", String(seed))
    expectations(&text)
    findings(&text)
    devices(&text)
    statistics(&text)
    text.member("troubles", report.reasons)
    if wantsFigures, let measures = report.measures { text.measures(measures, names: names) }
    text.endObject()
    return text.octets
  }

  private func expectations(_ text: inout JSONText) {
    text.objects("expectations", report.judgement.expectations) { text, expectation in
      text.member("text", expectation.text)
      text.member("holds", expectation.answer)
      text.member("detail", expectation.detail)
      text.member("at", expectation.instant.nanoseconds)
    }
  }

  private func findings(_ text: inout JSONText) {
    text.objects("findings", report.judgement.findings) { text, finding in
      text.member("oracle", finding.oracle)
      text.member("clause", finding.clause)
      text.member("verdict", finding.verdict.name)
      text.member("device", names.indices.contains(finding.device) ? names[finding.device] : "")
      text.member("at", finding.instant.nanoseconds)
      text.member("expected", finding.expected)
      text.member("actual", finding.actual)
    }
  }

  private func devices(_ text: inout JSONText) {
    text.objects("devices", outcome.devices) { text, device in
      text.member("name", device.name)
      text.member("links", device.links)
      text.member("attMTU", device.attMTU)
      text.member("valuesSent", device.valuesSent)
      text.member("valuesReceived", device.valuesReceived)
    }
  }

  private func statistics(_ text: inout JSONText) {
    let counts = outcome.statistics
    text.key("statistics")
    text.beginObject()
    text.member("connectionEvents", counts.connectionEvents)
    text.member("missedConnectionEvents", counts.missedConnectionEvents)
    text.member("pdusSent", counts.pdusSent)
    text.member("pdusLost", counts.pdusLost)
    text.member("collisions", counts.collisions)
    text.endObject()
  }
}
