import AppSeam
import BeamScribe
import Bench
import Conformance
import SimKernel

/// Situations of a host under test.
extension BeamBed {
  /// The implementation starts an event, and the network knows its service.
  func startEvent(_ name: String = "Keynote") throws {
    iut.user(.startEvent(name: name))
    try expect("the IUT's service is registered", within: .seconds(10)) {
      iut.told { if case .listenerReady = $0 { true } else { false } } != nil
    }
  }

  /// An event is on, with so many guests whose streams are open, all of which have the empty history.
  func seat(_ count: Int) throws {
    try startEvent()
    for guest in guests.prefix(count) { try guest.connect() }
    for guest in guests.prefix(count) {
      guard let stream = guest.newestStream else { continue }
      try guest.expectHistory(on: stream)
    }
  }

  func speak(_ text: String) { iut.user(.speakFinal(text)) }

  /// As many finals at one instant, as one stimulus: `text` and their numbers from `first` on.
  /// - Returns: the texts.
  @discardableResult
  func speak(_ count: Int, from first: Int = 1, octets: Int = 0) -> [String] {
    let texts = (first..<first + count).map { Self.text($0, octets: octets) }
    if gives("IUT's user speaks \(count) finals, from number \(first) on") {
      for text in texts { world.act(AppAction(BeamAction.speakFinal(text)), device: iut.index) }
    }
    return texts
  }

  /// A text that says its number, and is at least so long.
  static func text(_ number: Int, octets: Int = 0) -> String {
    let start = "final \(number)"
    return start + String(repeating: ".", count: max(0, octets - start.utf8.count))
  }

  /// The implementation's side of the newest stream of a guest.
  func connection(_ guest: GuestTester) throws -> (instant: SimInstant, id: ConnectionID) {
    guard let newest = iut.incoming(guest.name).last else {
      throw inconclusive("the IUT is told of \(guest.name)'s stream")
    }
    return newest
  }

  /// Nothing may have been handed over for a stream until now.
  func requireSilence(_ id: ConnectionID, _ text: String, clause: String? = nil) throws {
    let sends = iut.sends(id)
    try require(
      text, record: sends.first?.record, clause: clause,
      actual: sends.first.map { "\($0.octets) octets at \($0.instant)" } ?? "", sends.isEmpty)
  }

  /// What a stream brought must be the finals that were spoken, each once, with their numbers, after one history.
  func requireFinals(_ texts: [String], on stream: TesterStream, of guest: GuestTester, clause: String? = nil) throws {
    let finals = stream.finals
    try require(
      "\(guest.name) is sent the \(texts.count) finals, each once", clause: clause,
      actual: "\(finals.count) of them; \(guest.words(stream))",
      finals.map(\.text) == texts && finals.map(\.sequence) == Array(1..<texts.count + 1))
  }

  /// The implementation must have cancelled a stream at an instant, and say why where it claims to.
  func requireRefusal(
    of id: ConnectionID, at instant: SimInstant, _ reason: RefusalReason, clause: String? = nil
  ) throws {
    try require("the IUT cancels the stream", iut.cancelled(id), is: .zero, after: instant, clause: clause)
    guard ics.claims(.beamScreen) else { return }
    iut.seeks("refused")
    let reported = iut.reports.contains { $0.report.beam == .refused(id, reason: reason.rawValue) }
    try require(
      "the IUT reports \(reason.rawValue)", clause: clause,
      actual: "reported: " + iut.refusals.joined(separator: ", "), reported)
  }
}
