/// One title per page, and links that lead somewhere.
enum MarkdownRules {
  /// - Parameter exists: whether a path relative to the package root is there.
  static func findings(path: String, text: String, exists: (String) -> Bool) -> [Finding] {
    var findings: [Finding] = []
    var titles: [Int] = []
    var slugs: [String] = []
    var links: [(target: String, line: Int)] = []
    var isFenced = false
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("```") { isFenced.toggle() }
      if isFenced || line.hasPrefix("```") { continue }
      if line.hasPrefix("# ") { titles.append(index + 1) }
      if line.hasPrefix("#") { slugs.append(slug(of: line.drop { $0 == "#" || $0 == " " })) }
      for target in targets(in: line) { links.append((target, index + 1)) }
    }
    if titles.count != 1 {
      findings.append(
        Finding(path: path, line: titles.dropFirst().first ?? 1, message: "\(titles.count) titles (`# `); one per page")
      )
    }
    for link in links where !leads(link.target, from: path, slugs: slugs, exists: exists) {
      findings.append(Finding(path: path, line: link.line, message: "link leads nowhere: \(link.target)"))
    }
    return findings
  }

  private static func leads(_ target: String, from path: String, slugs: [String], exists: (String) -> Bool) -> Bool {
    if target.contains("://") || target.hasPrefix("mailto:") { return true }
    if target.hasPrefix("#") { return slugs.contains(String(target.dropFirst())) }
    var parts = path.split(separator: "/").dropLast().map(String.init)
    for part in (target.split(separator: "#").first ?? "").split(separator: "/") {
      if part == ".." {
        if parts.isEmpty { return false }
        parts.removeLast()
      } else if part != "." {
        parts.append(String(part))
      }
    }
    return exists(parts.joined(separator: "/"))
  }

  /// The targets of `[text](target)`, code spans left out.
  private static func targets(in line: Substring) -> [String] {
    var found: [String] = []
    var isCode = false
    var rest = line[...]
    while let character = rest.first {
      if character == "`" { isCode.toggle() }
      if !isCode, rest.hasPrefix("]("), let close = rest.firstIndex(of: ")") {
        found.append(String(rest[rest.index(rest.startIndex, offsetBy: 2)..<close]))
        rest = rest[close...]
      }
      rest = rest.dropFirst()
    }
    return found
  }

  /// The anchor a heading gets: lower case, words joined by hyphens, other signs dropped.
  static func slug(of heading: Substring) -> String {
    var slug = ""
    for character in heading.lowercased() {
      if character.isLetter || character.isNumber || character == "-" || character == "_" {
        slug.append(character)
      } else if character == " " {
        slug.append("-")
      }
    }
    return slug
  }
}
