import AppSeam
import BeamScribe
import Conformance
import Platform
import SimKernel
import VirtualNetwork

/// Situations of a guest under test.
extension BeamBed {
  /// What the implementation shows must be these texts, in order.
  func requireTexts(_ texts: [String], clause: String? = nil) throws {
    try require(
      "the IUT shows \(CountedNoun.text(texts.count, "final")): \(Self.brief(texts))", clause: clause,
      actual: "it shows \(Self.brief(iut.texts))",
      iut.texts == texts && iut.transcript.map(\.sequence) == Array(1..<texts.count + 1))
  }

  func expectTexts(_ texts: [String], within limit: SimDuration = .seconds(1), clause: String? = nil) throws {
    try expect(
      "the IUT shows \(CountedNoun.text(texts.count, "final")): \(Self.brief(texts))", within: limit, clause: clause,
      actual: { "it shows \(Self.brief(self.iut.texts))" }
    ) { iut.texts == texts }
    try requireTexts(texts, clause: clause)
  }

  private static func brief(_ texts: [String]) -> String {
    texts.count > 8
      ? "\(texts.count) finals, the last “\(texts[texts.count - 1].prefix(30))”"
      : "\(texts.map { String($0.prefix(30)) })"
  }

  func expectState(_ state: BeamState, within limit: SimDuration = .seconds(2), clause: String? = nil) throws {
    try expect(
      "the IUT shows \(state.rawValue)", within: limit, clause: clause, actual: { self.iut.words }
    ) { iut.shows(state) }
  }

  /// The implementation must cancel its newest stream at once, for this reason where it says so, and retry.
  ///
  /// - Parameter count: how many refusals it has reported with this one.
  func expectRefusal(
    _ reason: RefusalReason, of stream: TesterStream, count: Int = 1, within limit: SimDuration = .milliseconds(200),
    clause: String? = nil
  ) throws {
    try expect(
      "the IUT ends the stream", within: limit, clause: clause, actual: { "it is up" }
    ) { stream.end.map { $0.how != .own } ?? false }
    guard ics.claims(.beamScreen) else { return }
    let refusals = iut.refusals
    try require(
      "the IUT reports \(reason.rawValue)", clause: clause,
      actual: refusals.isEmpty ? "nothing is reported" : "reported: " + refusals.joined(separator: ", "),
      refusals.count == count && refusals.last == reason.rawValue)
  }

  /// Attempts of the implementation that began after an instant.
  func attempts(after instant: SimInstant) -> [SimInstant] { iut.attempts.map(\.instant).filter { $0 > instant } }

  /// The implementation's newest attempt or stream is over, as it was told or decided; when.
  func endOfNewest() throws -> SimInstant {
    guard let newest = iut.attempts.last, let end = iut.end(newest.id) else {
      throw inconclusive("the IUT's newest attempt is over")
    }
    return end
  }

  /// From now on nothing passes between the implementation and the first host, and neither is told.
  func partHost() {
    suffers(
      .network(.partition(from: iut.index)), device: host.index, "nothing passes between the IUT and host-1 any more")
  }

  func joinHostAgain() {
    suffers(.network(.endPartition(from: iut.index)), device: host.index, "the IUT and host-1 reach each other again")
  }
}
