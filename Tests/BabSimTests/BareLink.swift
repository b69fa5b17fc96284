import AppSeam
import Bench
import Bystanders
import SimKernel
import Testing

/// Rooms of bystanders: what a scenario says of a link on which no game is played.
enum BareLink {
  static let language = ScenarioLanguage(apps: [BystanderApp()])

  /// What expectations came to.
  final class Notes: TraceReader {
    var held: [String] = []
    var failed: [String] = []

    func read(_ record: TraceRecord) {
      guard case .expectation(let text, let holds, let detail, _) = record.event else { return }
      if holds == true { held.append("\(text): \(detail)") } else { failed.append("\(text): \(detail)") }
    }
  }

  static func scenario(_ text: String) throws -> Scenario {
    try ScenarioReader.read(text: text, file: "a.yaml", language: language).get()
  }

  static func problems(_ text: String) -> [String] {
    guard case .failure(let problems) = ScenarioReader.read(text: text, file: "a.yaml", language: language) else {
      return []
    }
    return problems.list.map(\.description)
  }

  static func play(
    _ text: String, seed: UInt64 = 1, stepsIdleEvents: Bool = false
  ) throws -> (outcome: RunOutcome, notes: Notes) {
    let notes = Notes()
    var options = RunOptions(seed: seed)
    options.stepsIdleEvents = stepsIdleEvents
    let outcome = try World.run(try scenario(text), options: options, readers: [notes]) {
      BystanderApp.makeEngine($1)
    }
    return (outcome, notes)
  }

  /// A phone and a sensor on one link.
  /// - Parameters:
  ///   - flow: the keys of the flow from the sensor to the phone.
  ///   - phone: further keys of both phones.
  static func pair(
    _ flow: String, phone: String = "data length: 27", radio: String = "ideal", duration: String = "5s",
    steps: String = "", expect: [String]
  ) -> String {
    """
    radio: \(radio)
    duration: \(duration)
    devices:
      phone: { role: central, phone: { preset: ideal, \(phone) } }
      sensor: { role: peripheral, phone: { preset: ideal, \(phone) } }
    traffic:
      - { from: sensor, to: phone, \(flow) }
    steps:
      - when: phone has 1 link
        within: 1min
        label: linked
      - after: 1s
    \(steps)
    expect:
    \(expect.map { "  - \($0)" }.joined(separator: "\n"))
    """
  }
}
