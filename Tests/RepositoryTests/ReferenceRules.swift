/// Files that nothing names and no rule finds.
enum ReferenceRules {
  /// Kinds of files that a tool finds by where they stand and how they end.
  static let foundByPattern: [(folder: String, ending: String, by: String)] = [
    ("Sources", ".swift", "the build"), ("Sources", ".h", "the build"), ("Sources", ".c", "the build"),
    ("Sources", "module.modulemap", "the build"), ("Tests", "Tests.swift", "the build"),
    ("Tests", ".swift", "the build"),
    ("Benchmarks", ".swift", "the build"), ("Examples", ".swift", "the build"),
    ("Scenarios", ".yaml", "babbench list --scenarios"), ("Tests/VM/guest/tests", "", "Tests/VM/guest/tests-all"),
    ("Tests/VM/guest/victims", "", "Tests/VM/attack"), ("Tests/Foreign", ".py", "Tests/Foreign/runner.py"),
    ("Examples", "__init__.py", "Python"), ("Examples", ".c", "the build"),
    ("Examples/apple-shims/Tests/without-objc", ".py", "python3 -m unittest discover"),
    ("Android/src", ".java", "Android/build"), ("Android/tests", ".java", "Android/run-tests"),
    ("Examples/iut-android/src", ".java", "Examples/iut-android/compile"),
    ("Examples/iut-kotlin/src", ".kt", "Examples/iut-kotlin/compile"),
    ("Examples/iut-python/tests", ".py", "python3 -m unittest"),
    ("Distributed/ray/tests", ".py", "python3 -m unittest discover"),
    ("Python/tests", ".py", "pytest"), ("Python/babbench", ".py", "Python"),
    ("Distributed/ray/src", "__init__.py", "Python"), ("Distributed/ray/src", "__main__.py", "python3 -m"),
    ("Docs/API", ".txt", "Docs/API/generate, and the tests of this folder"),
    ("Docs/Decisions", ".md", "the number of the decision"),
    ("LICENSES", ".txt", "the SPDX identifier of a licence, as REUSE.toml names it"),
    ("Tests/Regressions/fuzz", "", "babbench fuzz replay"),
    ("Tests/Regressions/worlds", ".yaml", "WorldRegressionTests"),
    ("Tests/Regressions/captured", ".yaml", "CaptureRegressionTests"),
  ]

  /// Files of the root that tools or readers look for by name.
  static let foundByName = [
    ".editorconfig", ".gitignore", ".swift-format", "LICENSE", "Package.swift", "README.md", ".ci/run",
    "REUSE.toml",
  ]

  /// - Parameters:
  ///   - paths: every tracked file.
  ///   - text: its text, nil for one that is no text.
  static func findings(paths: [String], text: (String) -> String?) -> [Finding] {
    var open = paths.filter { path in
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return !foundByName.contains(path) && !foundByName.contains(name)
        && !foundByPattern.contains { path.hasPrefix($0.folder + "/") && path.hasSuffix($0.ending) }
    }
    for path in paths where !open.isEmpty {
      guard let text = text(path) else { continue }
      open.removeAll { $0 != path && mentions(text, $0) }
    }
    return open.map { Finding(path: $0, line: 1, message: "nothing refers to this file; delete it, or link it") }
  }

  /// Whether a text has the name of a file as a word of its own. A name of signs only is none.
  static func mentions(_ text: String, _ path: String) -> Bool {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard name.contains(where: \.isLetter) else { return false }
    let module = name.hasSuffix(".py") ? String(name.dropLast(3)) : name
    return hasWord(text, name) || (module != name && hasWord(text, module))
  }

  private static func hasWord(_ text: String, _ word: String) -> Bool {
    guard text.mentions(word) else { return false }
    let octets = Array(text.utf8)
    let wanted = Array(word.utf8)
    guard octets.count >= wanted.count else { return false }
    var start = 0
    while start + wanted.count <= octets.count {
      if octets[start] == wanted[0], octets[start..<start + wanted.count].elementsEqual(wanted) {
        let before = start == 0 ? UInt8(ascii: " ") : octets[start - 1]
        let end = start + wanted.count
        let after = end == octets.count ? UInt8(ascii: " ") : octets[end]
        if !isWordPart(before), !isWordPart(after) { return true }
      }
      start += 1
    }
    return false
  }

  private static func isWordPart(_ octet: UInt8) -> Bool {
    octet == UInt8(ascii: "_") || octet == UInt8(ascii: "-") || Character(UnicodeScalar(octet)).isLetter
      || Character(UnicodeScalar(octet)).isNumber
  }
}
