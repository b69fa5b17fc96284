package import Bench

/// The lines of a scenario's steps and expectations in its file.
///
/// A trace has them as texts. Several with one text are taken one after the other, in the order of the file, and the
/// last one as often as it comes.
package struct ScenarioPlaces {
  private var steps: [String: [Int]] = [:]
  private var expectations: [String: [Int]] = [:]

  package init(_ scenario: Scenario?) {
    for step in scenario?.steps ?? [] { steps[step.text, default: []].append(step.source.line) }
    for expectation in scenario?.expectations ?? [] {
      expectations[expectation.text, default: []].append(expectation.source.line)
    }
  }

  /// - Parameter text: with the lobby in front, where there are several.
  package mutating func takeStep(_ text: String) -> Int? {
    Self.take(text, &steps) ?? Self.take(Self.rest(of: text), &steps)
  }

  /// - Parameter text: with what was found after a colon, where it did not hold.
  package mutating func takeExpectation(_ text: String) -> Int? {
    if let line = Self.take(text, &expectations) ?? Self.take(text, &steps) { return line }
    let known = expectations.keys.filter { text.hasPrefix($0 + ": ") }.max { $0.count < $1.count }
    return known.flatMap { Self.take($0, &expectations) }
  }

  /// What stands after `lobby N: `.
  private static func rest(of text: String) -> String {
    guard text.hasPrefix("lobby "), let colon = text.firstIndex(of: ":") else { return text }
    return String(text[colon...].dropFirst(2))
  }

  private static func take(_ text: String, _ lines: inout [String: [Int]]) -> Int? {
    guard let all = lines[text], let first = all.first else { return nil }
    if all.count > 1 { lines[text] = Array(all.dropFirst()) }
    return first
  }
}
