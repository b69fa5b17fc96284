import Bench
import Conformance
import Foundation

/// A slip on the command line that only shows when it is looked at closely: exit 64.
struct UsageProblem: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }

  /// The octets of a file of an earlier run.
  /// - Throws: that it is not there.
  static func contents(of path: String) throws(UsageProblem) -> Data {
    guard let octets = FileManager.default.contents(atPath: path) else {
      throw UsageProblem("\(path): no such file, or it cannot be read")
    }
    return octets
  }

  /// What to say of the first of `names` that is not among those known; nil: all are.
  /// - Parameter noun: what such a name is of, "law".
  static func unknown(_ noun: String, in names: [String], known: [String]) -> UsageProblem? {
    guard let name = names.first(where: { !known.contains($0) }) else { return nil }
    return UsageProblem("no \(noun) is called “\(name)”; " + Suggestion.advice(for: name, in: known, within: 2))
  }

  /// What to say of the first pattern that matches nothing; nil: each matches something.
  /// - Parameters:
  ///   - noun: what is selected, "test purpose".
  ///   - list: the option of `babbench list` that shows them.
  static func idle(_ selection: CaseSelection, _ noun: String, _ known: [String], list: String) -> UsageProblem? {
    guard let pattern = selection.idle(among: known).first else { return nil }
    let hint = CaseSelection.nearest(to: pattern, among: known).map { "did you mean “\($0)”?" }
    return UsageProblem("no \(noun) matches \(pattern); " + (hint ?? "babbench list \(list) shows them"))
  }
}

extension Array {
  /// Those that have one of these names, in their own order; all, when no name is given.
  /// - Parameter noun: what such a name is of, "law".
  func named(_ names: [String], _ noun: String, by name: (Element) -> String) throws -> [Element] {
    if let problem = UsageProblem.unknown(noun, in: names, known: map(name)) { throw problem }
    return names.isEmpty ? self : filter { names.contains(name($0)) }
  }
}
