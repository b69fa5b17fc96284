package import AppSeam
package import Bench
package import SimKernel

/// Keeps what platforms, stacks and links of a run know.
package final class CircumstanceReader: TraceReader {
  private var book = CircumstanceBook()

  package init() {}

  /// What is known so far.
  package var circumstances: Circumstances { book.circumstances }

  package func begin(_ header: TraceHeader) { book.begin(header) }
  package func read(_ record: TraceRecord) {
    // What it says does not depend on what other readers want.
    if case .radio = record.event { return }
    book.read(record)
  }

  package func ignores(_ report: AppReport, device: Int, at instant: SimInstant) -> Bool {
    report.among(CallWord.self)?.isMisuse != true
  }
}
