/// Sizes and wording of files: what keeps a file readable in one sitting.
enum ShapeRules {
  static let maximumFileLines = 600
  static let maximumFunctionLines = 120
  static let maximumColumns = 120

  static func sizeFindings(in file: SourceFile) -> [Finding] {
    var findings: [Finding] = []
    let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
    if count > maximumFileLines {
      findings.append(
        Finding(path: file.path, line: maximumFileLines + 1, message: "\(count) lines; at most \(maximumFileLines)"))
    }
    for (index, line) in file.lines.enumerated() where line.count > maximumColumns && !isLiteral(line) {
      findings.append(
        Finding(path: file.path, line: index + 1, message: "\(line.count) columns; at most \(maximumColumns)"))
    }
    for function in functions(of: file) where function.lines > maximumFunctionLines {
      findings.append(
        Finding(
          path: file.path, line: function.line,
          message: "\(function.name) has \(function.lines) lines; at most \(maximumFunctionLines)"))
    }
    return findings
  }

  /// A noun that gets its “s” by hand: `count == 1 ? "" : "s"`, `count == 1 ? "1 seed" : "\(count) seeds"`; and in what
  /// commands and reports say, `\(seeds.count) seeds`, unless the line asks whether there are several.
  static func pluralFindings(in file: SourceFile) -> [Finding] {
    guard file.path.hasPrefix("Sources/"), file.path != "Sources/SimKernel/CountedNoun.swift" else { return [] }
    let byHand = #/== 1 \? (?:"" : "s"|"1 [^"]*" : "|"(?<noun>[a-zA-Z]+)[ ,.]*" : "\k<noun>s)/#
    let always = #/\.count\) (?!is\b|has\b|was\b|pass\b|times\b)[a-z]+s\b/#
    let isSaid = ["Sources/Commands/", "Sources/Stress/", "Sources/CaptureCheck/Stats/"].contains {
      file.path.hasPrefix($0)
    }
    let asks = #/count (?:> 1|== 1|< 2)|octets/#
    return file.lines.enumerated().filter { _, line in
      let text = String(line)
      return text.contains(byHand) || (isSaid && text.contains(always) && !text.contains(asks))
    }.map {
      Finding(path: file.path, line: $0.offset + 1, message: "a plural by hand; write CountedNoun.text(count, noun)")
    }
  }

  /// `print` in commands: what it cannot write is lost, and the command passes.
  static func printFindings(in file: SourceFile) -> [Finding] {
    guard file.path.hasPrefix("Sources/Commands/") else { return [] }
    let tokens = file.tokens
    return tokens.indices.filter { index in
      tokens[index].text == "print" && index + 1 < tokens.count && tokens[index + 1].text == "("
        && (index == 0 || ![".", "func", "try"].contains(tokens[index - 1].text))
    }.map {
      Finding(
        path: file.path, line: tokens[$0].line,
        message: "print loses what it cannot write; write Console.resultOrEnd, or tell the audience")
    }
  }

  /// Imports that follow each other without a line between them and are not in the order of their modules, which the
  /// formatter holds only where none says its access.
  static func importFindings(in file: SourceFile) -> [Finding] {
    let form = #/^(?:public |package )?import (?<module>\w+)$/#
    var last: (line: Int, module: Substring)?
    return file.lines.enumerated().compactMap { index, line in
      guard let module = line.wholeMatch(of: form)?.module else { return nil }
      defer { last = (index, module) }
      guard let last, last.line == index - 1, last.module > module else { return nil }
      return Finding(path: file.path, line: index + 1, message: "\(module) comes before \(last.module)")
    }
  }

  /// A line that is one string literal cannot be broken; golden packets are such lines.
  private static func isLiteral(_ line: some StringProtocol) -> Bool {
    let text = line.drop { $0 == " " }
    return text.hasPrefix("#\"") || text.hasPrefix("\"")
  }

  struct Function: Equatable {
    var name: String
    var line: Int
    var lines: Int
  }

  /// Functions and initialisers that have a body, with the lines between their braces, both included.
  static func functions(of file: SourceFile) -> [Function] {
    let tokens = file.tokens
    var found: [Function] = []
    for index in tokens.indices where index + 1 < tokens.count {
      let text = tokens[index].text
      let isInitializer = text == "init" && ["(", "?", "<"].contains(tokens[index + 1].text)
      guard text == "func" || text == "deinit" || isInitializer else { continue }
      if index > 0, [".", "`"].contains(tokens[index - 1].text) { continue }
      guard let open = bodyStart(tokens, after: index) else { continue }
      var depth = 0
      for close in open..<tokens.count {
        if tokens[close].text == "{" { depth += 1 }
        if tokens[close].text == "}" { depth -= 1 }
        if depth == 0 {
          let name = text == "func" ? tokens[index + 1].text : text
          found.append(
            Function(name: name, line: tokens[index].line, lines: tokens[close].line - tokens[open].line + 1))
          break
        }
      }
    }
    return found
  }

  /// The brace that opens a body, or nil for a requirement of a protocol.
  private static func bodyStart(_ tokens: [Token], after index: Int) -> Int? {
    var depth = 0
    var line = tokens[index].line
    for position in (index + 1)..<tokens.count {
      let token = tokens[position]
      if depth == 0, token.text == "{" { return position }
      if depth == 0, token.line > line, !["-", "where", "throws", "async", ")"].contains(token.text) { return nil }
      if ["(", "["].contains(token.text) { depth += 1 }
      if [")", "]"].contains(token.text) { depth -= 1 }
      if depth < 0 || (depth == 0 && token.text == "}") { return nil }
      line = token.line
    }
    return nil
  }

  /// Paths of somebody's machine, and notes to oneself. Split, so that this file passes.
  static let bannedText: [(text: String, why: String)] = [
    ("/wo" + "rk/", "a path of one machine; write it relative to the package root"),
    ("/ho" + "me/", "a path of one machine; write it relative to the package root"),
    ("/ro" + "ot/", "a path of one machine; write it relative to the package root"),
    ("/Us" + "ers/", "a path of one machine; write it relative to the package root"),
    ("TO" + "DO", "open an issue, or do it"),
    ("FIX" + "ME", "open an issue, or do it"),
  ]

  static func wordingFindings(path: String, text: String) -> [Finding] {
    let banned = bannedText.filter { text.mentions($0.text) }
    if banned.isEmpty { return [] }
    var findings: [Finding] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      for ban in banned where line.mentions(ban.text) {
        findings.append(Finding(path: path, line: index + 1, message: "contains \(ban.text): \(ban.why)"))
      }
    }
    return findings
  }
}
