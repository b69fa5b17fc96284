package import Bench

/// The lines of a scenario's steps in its file.
///
/// A trace has them as texts. Several with one text are taken one after the other, in the order of the file, and the
/// last one as often as it comes.
package struct ScenarioPlaces {
  private var steps: [String: [Int]] = [:]

  package init(_ scenario: Scenario?) {
    for step in scenario?.steps ?? [] { steps[step.text, default: []].append(step.source.line) }
  }

  /// - Parameter text: with the lobby in front, where there are several.
  package mutating func takeStep(_ text: String) -> Int? {
    Self.take(text, &steps) ?? Self.take(Self.rest(of: text), &steps)
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
