import AppSeam
import BeamScribe
import Expectations
import SimKernel
import Testing

@Suite("Reports in digests")
struct ReportDigestTests {
  private static let reports: [BeamReport] =
    BeamReport.words + [
      .finalShown(sequence: 7, text: "e\u{301}tude 🎤"), .latency(sequence: 3, milliseconds: -12),
      .packetSent(ConnectionID(5), type: "liveChunk", octets: 190),
      .packetReceived(ConnectionID(2), type: "fullHistory", octets: 1_048_580),
    ]

  @Test("Every report goes in as its visitor names it")
  func visited() {
    for report in Self.reports {
      var (named, mixed, boxed) = (TraceDigest(), TraceDigest(), TraceDigest())
      named.combine(report)
      report.mix(into: &mixed)
      AppReport(report).mix(into: &boxed)
      equal(named, mixed, "\(report)")
      equal(named, boxed, "\(report)")
    }
  }

  @Test("Every report has a mark of its own")
  func marks() {
    let marks = BeamReport.words.compactMap { AppReport($0).beamMark }
    equal(marks.count, BeamReport.words.count)
    equal(Set(marks).count, marks.count)
    expect(AppReport(NoReport.nothing).beamMark == nil)
  }

  /// A word of another protocol.
  private enum NoReport: AppStatement {
    case nothing
    static let words: [NoReport] = [.nothing]
    mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
      try visitor.word("nothing")
    }
  }
}
