import AppSeam
import BeamOracles
import BeamScribe
import Bench
import Conformance
import Expectations
import SimKernel
import Testing

/// Reports that no oracle reads are handed to nobody when there is no other reader; nothing may depend on that.
@Suite("Reports that nobody reads")
struct UnreadReportsTests {
  /// Wants everything.
  private final class Notes: TraceReader {
    var records: [TraceRecord] = []
    func read(_ record: TraceRecord) { records.append(record) }
  }

  /// An engine at the host and one at the guests; with some of them there are findings.
  private static let casts = [
    (AppProtocol.reference, AppProtocol.reference), ("gate-skipped", AppProtocol.reference),
    ("never-advertises-again", AppProtocol.reference), ("whole-event-name", AppProtocol.reference),
  ]

  @Test("A judgement is the same whether somebody else reads them or not", arguments: casts)
  func same(_ host: String, _ guest: String) throws {
    for text in [JudgedWorld.talk, JudgedWorld.vanishing, JudgedWorld.outage, JudgedWorld.crowd, JudgedWorld.flaky] {
      let notes = Notes()
      let alone = try JudgedWorld.judge(text, host: host, guest: guest)
      let beside = try JudgedWorld.judge(text, host: host, guest: guest, readers: [notes])
      equal(alone, beside)
      // No number is left out where everything is read.
      let numbers = notes.records.filter(\.event.counts).map(\.sequence)
      equal(numbers, Array(0..<numbers.count))
    }
  }

  @Test("What a judge ignores, it does nothing with")
  func ignored() throws {
    let notes = Notes()
    _ = try JudgedWorld.judge(JudgedWorld.talk, readers: [notes])
    let judge = OracleReader.beamScribe()
    judge.begin(
      World.header(
        try ScenarioReader.read(
          text: JudgedWorld.talk.replacing("HOST", with: "reference").replacing("GUEST", with: "reference"),
          file: "a.yaml", language: .beamScribe()
        ).get(), seed: 1))
    var ignored = 0
    for record in notes.records {
      if case .report(let report) = record.event,
        judge.ignores(report, device: record.device, at: record.instant)
      {
        ignored += 1
        switch report.beamMark {
        case .packetSent, .packetReceived, .latency: break
        default: Issue.record("ignored: \(report)")
        }
      } else {
        judge.read(record)
      }
    }
    expect(ignored > 10)
  }
}
