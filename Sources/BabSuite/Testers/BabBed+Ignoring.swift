import BabSim
import Conformance
import SimKernel

/// What an implementation must ignore shows nowhere.
extension BabBed {
  /// What happens in here must be ignored (“ignore” in Docs/Protocol/bab.md): beside what the body itself checks,
  /// nothing that the implementation shows may change, not even for a moment; the reports of a refusal or a violation
  /// are free. An implementation that does not claim `screen` is not judged on this.
  ///
  /// - Parameters:
  ///   - clause: nil: the first of the purpose.
  ///   - body: the stimulus, and the time in which nothing may happen because of it.
  func ignores(clause: String? = nil, _ body: () throws -> Void) throws {
    // What earlier packets still bring about is not the stimulus's.
    try pause(.milliseconds(200))
    let mark = newestRecord
    try body()
    try showsNoChange(after: mark, clause: clause)
  }

  /// What the implementation shows must be as it was at a trace record, and have been so since.
  func showsNoChange(after mark: Int, clause: String? = nil) throws {
    guard ics.claims(.screen) else { return }
    var before = Screen()
    let reports = iut.babReports
    for entry in reports where entry.record <= mark { before.show(entry.report) }
    var screen = before
    for entry in reports where entry.record > mark {
      screen.show(entry.report)
      if let difference = before.difference(to: screen) {
        throw failed(BabBed.unchanged, difference, record: entry.record, clause: clause, isByAct: true)
      }
    }
    passed(BabBed.unchanged)
  }

  /// The check's text.
  static let unchanged = "nothing that the IUT shows changes"
}
