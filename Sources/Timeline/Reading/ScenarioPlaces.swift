import Bench

/// Where the steps and expectations of a scenario stand in its file.
///
/// A trace has them as texts. Of several with one text, each is taken once, in the order of the file, and the last one
/// as often as it comes.
struct ScenarioPlaces {
  private var steps: [String: [Int]] = [:]
  private var expectations: [String: [Int]] = [:]

  init(_ scenario: Scenario?) {
    for step in scenario?.steps ?? [] { steps[step.text, default: []].append(step.source.line) }
    for expectation in scenario?.expectations ?? [] {
      expectations[expectation.text, default: []].append(expectation.source.line)
    }
  }

  mutating func takeStep(_ text: String) -> Int? { Self.take(text, &steps) }

  /// - Parameter text: with what was found after a colon, where it did not hold.
  mutating func takeExpectation(_ text: String) -> Int? {
    if let line = Self.take(text, &expectations) ?? Self.take(text, &steps) { return line }
    let known = expectations.keys.filter { text.hasPrefix($0 + ": ") }.max { $0.count < $1.count }
    return known.flatMap { Self.take($0, &expectations) }
  }

  private static func take(_ text: String, _ lines: inout [String: [Int]]) -> Int? {
    guard let all = lines[text], let first = all.first else { return nil }
    if all.count > 1 { lines[text] = Array(all.dropFirst()) }
    return first
  }
}
