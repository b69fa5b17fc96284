import Foundation

/// Turns of phrase that a reader stumbles on, each with what to write instead. The rule is in Docs/Style.md, “English”.
enum TurnRules {
  struct Turn {
    /// What is banned, as a regular expression that ignores case.
    var banned: String
    /// Phrases that contain it and are plain English.
    var allowed: [String] = []
    var instead: String
  }

  static let turns: [Turn] = [
    Turn(
      banned: word("behind"),
      allowed: [
        #"leav\w+[^.|;]{0,120}?behind"#, #"left[^.|;]{0,40}?behind"#, "behind a pointer",
        "behind the counter", "behind a wall", "from behind", "lies behind", "behind such buffers", "behind the ports",
        "behind the wall", "hidden behind",
      ], instead: "after, following (“behind” is a place)"),
    Turn(banned: word("of no account"), instead: "ignored"),
    Turn(banned: word(#"for\s+ever"#), instead: "forever, or without end"),
    Turn(banned: word("nor"), allowed: [#"neither[^.]{0,160}?\bnor\b"#], instead: "or; “nor” only after “neither”"),
    Turn(
      banned: word("thereby|therein|thereof|wherein|whereof|whereby|hereby|hence|thence|lest|unto|whatsoever|nought"),
      instead: "so, in it, of it, in which, by which, in order not to, nothing"),
    Turn(banned: word("affair|affairs"), instead: "X decides, X is responsible for it"),
    Turn(banned: word("anew"), instead: "again, from the start, new"),
    Turn(banned: word(#"but\s+for"#), instead: "except, except for"),
    Turn(banned: word(#"in\s+vain"#), instead: "without success"),
    Turn(banned: word("mended"), instead: "fixed"),
    Turn(banned: word(#"stands?\s+in"#), allowed: [#"stands?\s+in\s+for"#], instead: "is in"),
    Turn(banned: word("of (?:ours|theirs|yours)"), instead: "our …, your …, one of our …, another's"),
    Turn(banned: word(#"no\s+sooner"#), instead: "not before, only after"),
    Turn(banned: word("reckons?|reckoned|reckoning"), instead: "calculate with, assume"),
    Turn(banned: #"['’]s\s+doing(?![\w-])"#, instead: "caused by"),
    Turn(banned: word(#"as\s+it\s+came"#), instead: "unchanged"),
    Turn(banned: word("kin"), instead: "similar ones, and others like it"),
    Turn(banned: word("of (?:late|old|today)"), instead: "recent, older, current"),
    Turn(banned: word(#"(?:to|can|cannot|could|not)\s+be\s+had"#), instead: "available"),
    Turn(banned: word(#"whatever\s+it\s+be|be\s+it"#), instead: "whatever it is"),
    Turn(banned: word(#"(?:has|have)\s+(?:its|their)\s+face"#), instead: "is shown"),
    Turn(banned: word(#"(?:comes?|becomes?)\s+of"#), instead: "results, happens to"),
    Turn(
      banned: #"(?<![A-Za-z0-9,][ \t]{0,16}\n?[ \t]{0,16})(?<!\w)(?-i:Of)\s(?!Completed)"#,
      instead: "the subject first; a sentence does not begin with “Of”"),
  ]

  private static func word(_ pattern: String) -> String { #"(?<![\w-])(?:"# + pattern + #")(?![\w-])"# }

  /// An allowed phrase is consumed without the group, so that only what is left over is found.
  private static let expressions: [(turn: Turn, expression: NSRegularExpression)] = turns.map { turn in
    let pattern = (turn.allowed.map { "(?:\($0))" } + ["(\(turn.banned))"]).joined(separator: "|")
    do {
      return (turn, try NSRegularExpression(pattern: pattern, options: [.caseInsensitive]))
    } catch {
      preconditionFailure("\(pattern): \(error)")
    }
  }

  /// Pages that are made of strings in `Sources`, where the same turns are found.
  static let generated = ["Docs/kill-matrix.md", "Docs/clause-coverage.md"]

  /// Pages, sources and scenarios. Tests are read by those who write them, and this file names what it bans.
  static func isJudged(_ path: String) -> Bool {
    path.hasSuffix(".md") || path.hasPrefix("Sources/") || path.hasPrefix("Scenarios/")
  }

  /// What people read of a file: everything of a page but code; comments and strings of Swift; comments of YAML.
  static func prose(path: String, text: String) -> String? {
    if generated.contains(path) { return nil }
    if path.hasSuffix(".swift") { return withoutCodeSpans(SourceFile(path: path, text: text).prose) }
    if path.hasSuffix(".md") { return withoutCodeSpans(withoutFences(text)) }
    if path.hasSuffix(".yaml") { return commentsOnly(text) }
    return nil
  }

  static func findings(path: String, prose: String) -> [Finding] {
    let text = prose as NSString
    let whole = NSRange(location: 0, length: text.length)
    var findings: [Finding] = []
    for (turn, expression) in expressions {
      for match in expression.matches(in: prose, range: whole) where match.range(at: 1).location != NSNotFound {
        let range = match.range(at: 1)
        let line = text.substring(to: range.location).utf8.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
        let words = text.substring(with: range).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        findings.append(Finding(path: path, line: line, message: "says “\(words)”; write \(turn.instead)"))
      }
    }
    return findings.sorted { $0.line < $1.line }
  }

  private static func mapLines(_ text: String, _ change: (Substring) -> String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(change).joined(separator: "\n")
  }

  private static func withoutFences(_ text: String) -> String {
    var isFenced = false
    return mapLines(text) { line in
      let isFence = line.drop { $0 == " " }.hasPrefix("```")
      if isFence { isFenced.toggle() }
      return isFenced || isFence ? "" : String(line)
    }
  }

  /// Blanks what stands between two backticks of one line.
  private static func withoutCodeSpans(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "`")) else { return text }
    return mapLines(text) { line in
      let parts = line.split(separator: "`", omittingEmptySubsequences: false)
      guard parts.count > 2 else { return String(line) }
      return parts.enumerated().map { index, part in
        index % 2 == 0 || index == parts.count - 1 ? String(part) : String(repeating: "x", count: part.count)
      }.joined(separator: "`")
    }
  }

  private static func commentsOnly(_ text: String) -> String {
    mapLines(text) { line in
      guard let start = line.firstIndex(of: "#"), start == line.startIndex || line[line.index(before: start)] == " "
      else { return "" }
      return String(line[line.index(after: start)...])
    }
  }
}
