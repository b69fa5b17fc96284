/// Imports, dependencies and names against `ArrowTable`.
enum ArrowRules {
  private static let importKinds = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]

  /// The modules a file imports, with the lines.
  static func imports(of file: SourceFile) -> [Token] {
    var found: [Token] = []
    for (index, token) in file.tokens.enumerated() where token.text == "import" && index + 1 < file.tokens.count {
      if index > 0, file.tokens[index - 1].text == "." { continue }
      let next = file.tokens[index + 1]
      if importKinds.contains(next.text), index + 2 < file.tokens.count {
        found.append(file.tokens[index + 2])
      } else {
        found.append(next)
      }
    }
    return found
  }

  static func importFindings(in file: SourceFile) -> [Finding] {
    let rows = ArrowTable.allowedImports.filter { file.isInside($0.folder) }
    guard let row = rows.max(by: { $0.folder.count < $1.folder.count }) else {
      return [
        Finding(path: file.path, line: 1, message: "\(file.folder) has no line in ArrowTable.allowedImports; add one")
      ]
    }
    return imports(of: file).filter { !row.modules.contains($0.text) }.map { module in
      let allowed = row.modules.isEmpty ? "nothing" : row.modules.joined(separator: ", ")
      return Finding(
        path: file.path, line: module.line, message: "imports \(module.text); \(row.folder) may import \(allowed)")
    }
  }

  /// The dependencies that the text of Package.swift gives its non-test targets, against the table.
  static func packageFindings(in file: SourceFile) -> [Finding] {
    var findings: [Finding] = []
    var seen: [String] = []
    let lines = file.lines.map(String.init)
    var index = 0
    while index < lines.count {
      let line = lines[index]
      guard line.contains(".target(") || line.contains(".executableTarget(") else {
        index += 1
        continue
      }
      var text = ""
      let start = index
      var depth = 0
      repeat {
        text += lines[index] + "\n"
        for character in lines[index] { depth += character == "(" ? 1 : character == ")" ? -1 : 0 }
        index += 1
      } while depth > 0 && index < lines.count
      let quoted = text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
      guard let name = quoted.first else { continue }
      seen.append(name)
      guard let row = ArrowTable.targetDependencies.first(where: { $0.target == name }) else {
        findings.append(
          Finding(path: file.path, line: start + 1, message: "target \(name) has no line in ArrowTable"))
        continue
      }
      let packages = ["swift-argument-parser", "swift-crypto", "swift-mustache", "swift-nio"]
      for dependency in quoted.dropFirst() where !row.dependencies.contains(dependency) {
        // A path of its own is no dependency.
        if packages.contains(dependency) || dependency == "Tests/\(name)" { continue }
        findings.append(
          Finding(
            path: file.path, line: start + 1, message: "target \(name) depends on \(dependency), against the arrows"))
      }
    }
    for row in ArrowTable.targetDependencies where !seen.contains(row.target) {
      findings.append(Finding(path: file.path, line: 1, message: "target \(row.target) is in ArrowTable only"))
    }
    return findings
  }

  /// The names of the top-level types a file declares, the private ones excepted.
  static func topLevelTypes(of file: SourceFile) -> [String] {
    let keywords = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    var names: [String] = []
    var depth = 0
    for (index, token) in file.tokens.enumerated() {
      switch token.text {
      case "{": depth += 1
      case "}": depth -= 1
      default:
        guard depth == 0, keywords.contains(token.text), index + 1 < file.tokens.count else { continue }
        let modifiers = file.tokens[max(0, index - 3)..<index].filter { $0.line == token.line }.map(\.text)
        if modifiers.contains("private") || modifiers.contains("fileprivate") || modifiers.contains("import") {
          continue
        }
        names.append(file.tokens[index + 1].text)
      }
    }
    return names
  }

  /// Nested types and generic parameters that a file declares: inside it they hide others of that name.
  private static func localNames(of file: SourceFile) -> Set<String> {
    let keywords = ["struct", "class", "enum", "protocol", "actor", "typealias", "associatedtype"]
    var names: Set<String> = []
    for (index, token) in file.tokens.enumerated() where index + 2 < file.tokens.count {
      let isType = keywords.contains(token.text)
      if isType { names.insert(file.tokens[index + 1].text) }
      guard isType || token.text == "func" || token.text == "init" else { continue }
      let clause = index + (token.text == "init" ? 1 : 2)
      guard clause < file.tokens.count, file.tokens[clause].text == "<" else { continue }
      var isParameter = true
      for part in file.tokens[(clause + 1)...].prefix(while: { $0.text != ">" }) {
        if isParameter { names.insert(part.text) }
        isParameter = part.text == ","
      }
    }
    return names
  }

  /// Types of the hidden folders that a file behind a wall names.
  static func wallFindings(in files: [SourceFile]) -> [Finding] {
    var findings: [Finding] = []
    for wall in ArrowTable.walls {
      let hidden = files.filter { file in wall.hidden.contains { file.isInside($0) } && !wall.seam.contains(file.path) }
      var declared: Set<String> = []
      for file in hidden { declared.formUnion(topLevelTypes(of: file)) }
      // A namespace that is also declared or extended on this side of the wall is shared vocabulary.
      for file in files where !wall.hidden.contains(where: { file.isInside($0) }) {
        declared.subtract(topLevelTypes(of: file))
      }
      for file in files where file.isInside(wall.folder) {
        let own = localNames(of: file)
        for (index, token) in file.tokens.enumerated() where declared.contains(token.text) {
          if own.contains(token.text) { continue }
          if index > 0, file.tokens[index - 1].text == "." { continue }
          findings.append(
            Finding(path: file.path, line: token.line, message: "names \(token.text): \(wall.reason)"))
        }
      }
    }
    return findings
  }
}
