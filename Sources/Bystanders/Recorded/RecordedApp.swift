package import AppSeam
package import Bench
import SimKernel

/// Devices that a capture shows, in a room with an app of which nothing is claimed: the app talks with what was
/// recorded of a real one.
package struct RecordedApp: UnjudgedApp {
  /// The protocol as scenarios write it.
  static let word = "recorded"

  package init() {}

  package var name: String { Self.word }
  package let roles = [
    RoleDescription(.central, plural: "centrals", leads: false),
    RoleDescription(.peripheral, plural: "peripherals", leads: false),
  ]
  package var takesPrograms: Bool { true }
  package var reports: any AppStatement.Type { RecordedReport.self }
  package let words: AppWords = {
    var words = AppWords()
    words.deviceKeys = [
      KeyTable.Key("recording", .text, "a capture of the real device, from the file's folder; protocol recorded"),
      KeyTable.Key("peer", .text, "the address of the device, where the capture shows several"),
      KeyTable.Key("link", .integer(0, 1_000_000), "the link, where the capture does not show addresses"),
    ]
    words.predicates = [RecordedFact.spelling]
    return words
  }()

  package func settings(_ tree: YAMLTree?, _ decoder: ScenarioDecoder) -> AppSettings { AppSettings(Played.empty) }
  package func settings(
    of device: inout Device, _ fields: ScenarioDecoder.Fields, _ decoder: ScenarioDecoder
  ) -> AppSettings? { decoder.recording(of: &device, fields) }
  package func remarks(on settings: AppSettings) -> [String] {
    guard let recording = (settings.record as? Played)?.recording else { return [] }
    return [recording.summary] + recording.notes
  }
  package func fact(_ words: [String]) -> AppFact? { RecordedFact(words).map { AppFact($0) } }
  package func makeFacts(_ cast: AppCast, settings: AppSettings) -> any AppFacts { RecordedFacts(cast) }

  /// The app of a device, by its role; one without a recording does nothing.
  package static func makeEngine(_ configuration: AppConfiguration) -> any AppEngine {
    guard let recording = (configuration.settings.record as? Played)?.recording else { return SilentApp() }
    return configuration.role == .central ? RecordedCentral(recording) : RecordedPeripheral(recording)
  }
}

/// Does nothing: the place of an app that a test puts there.
private final class SilentApp: AppEngine {
  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] { [] }
}

/// The recording of one device, as its engine is told.
struct Played: WordRecord {
  static let empty = Played()
  /// As the scenario writes it.
  var file = ""
  var recording: Recording?

  mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    try visitor.field("file", &file)
  }
}

extension Recording {
  /// What is played, in one line.
  var summary: String {
    let characteristics = services.reduce(0) { $0 + $1.characteristics.count }
    return "plays \(peer)" + (name.map { ", “\($0)”" } ?? "") + ": " + CountedNoun.text(services.count, "service")
      + ", " + CountedNoun.text(characteristics, "characteristic")
  }
}
