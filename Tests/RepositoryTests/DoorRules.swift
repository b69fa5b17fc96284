import Foundation

/// What outsiders see: public declarations in modules of library products only, and a page that shows code that runs.
enum DoorRules {
  /// Modules of no library product in which something is public all the same.
  static let exempt: [(module: String, why: String)] = [
    ("BabbenchMutator", "functions that AFL++ and libFuzzer look for by their names"),
    ("parserfuzz", "functions that libFuzzer calls"),
  ]

  /// - Parameter listed: the modules of library products: those that have a list in `Docs/API`.
  static func findings(in file: SourceFile, listed: [String]) -> [Finding] {
    guard file.path.hasPrefix("Sources/"), let module = file.path.split(separator: "/").dropFirst().first else {
      return []
    }
    if listed.contains(String(module)) || exempt.contains(where: { $0.module == module }) { return [] }
    return zip(file.tokens, file.tokens.dropFirst()).filter { token, next in
      ["public", "open"].contains(token.text) && token.line == next.line && opensDeclaration.contains(next.text)
    }.map { token, _ in
      Finding(
        path: file.path, line: token.line,
        message: "\(module) is in no library product: write package, or add it to one (Docs/API.md)")
    }
  }

  /// What follows the access of a declaration. An import may be public for the sake of a conformance.
  private static let opensDeclaration = [
    "actor", "class", "convenience", "enum", "extension", "final", "func", "indirect", "init", "internal", "let",
    "mutating", "nonisolated", "override", "package", "private", "protocol", "required", "static", "struct",
    "subscript", "typealias", "unowned", "var", "weak",
  ]

  /// The blocks of Swift in a page that no source contains, however far either is indented.
  static func strangeExamples(in page: String, sources: [String]) -> [String] {
    let sources = sources.map(unindented)
    return examples(in: page).filter { example in !sources.contains { $0.contains(unindented(example)) } }
  }

  /// The blocks of Swift in a page, those of a manifest excepted.
  static func examples(in page: String) -> [String] {
    page.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
      .filter { !$0.hasPrefix("dependencies:") }
  }

  private static func unindented(_ text: String) -> String {
    "\n" + text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n") + "\n"
  }
}
