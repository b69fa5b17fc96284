import Foundation

/// Help as it is shown: the parser lays it out without a limit, and each line is broken here, once.
///
/// Lines of a text that begin at the left margin are one paragraph until a blank one. A line that is indented has a
/// name and, after two blanks or more, what is said of it: that is broken under itself. One without is an example, and
/// is never broken, so that it can be pasted; the parser's own “See …” is none.
enum HelpText {
  /// Wider than any line.
  static let unbroken = 100_000
  private static let least = 40
  /// Where the parser begins to describe an option.
  private static let parserColumn = 26
  /// Wider lines are hard to read.
  private static let most = 120

  /// The width of the terminal; 80 where there is none.
  static var columns: Int {
    var window = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return 80 }
    return Int(window.ws_col)
  }

  static func broken(_ text: String, columns: Int) -> String {
    let width = min(max(columns, least), most)
    var lines: [String] = []
    var paragraph: [Substring] = []
    func endParagraph() {
      if !paragraph.isEmpty { lines += wrapped(paragraph.joined(separator: " "), hanging: 0, width) }
      paragraph = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let first = line.first, first != " " {
        if line.hasPrefix("USAGE: ") {
          endParagraph()
          // An option stays with its value.
          let whole = line.replacing(#/\[[^\]]*\]/#) { $0.output.replacing(" ", with: "\u{A0}") }
          lines += wrapped(String(whole), hanging: 7, width).map { $0.replacing("\u{A0}", with: " ") }
        } else {
          paragraph.append(line)
          if line.hasSuffix(":") { endParagraph() }
        }
        continue
      }
      endParagraph()
      lines += wrapped(String(line), hanging: line.hasPrefix("  See '") ? 2 : hanging(line), width)
    }
    endParagraph()
    return lines.joined(separator: "\n")
  }

  /// Where the second column of an indented line begins; nil: it has none.
  private static func hanging(_ line: Substring) -> Int? {
    let indent = line.prefix { $0 == " " }.count
    // The parser puts what does not fit beside a long name under it.
    if indent == parserColumn { return indent }
    let rest = line.dropFirst(indent)
    if indent == 2, rest.first == "-" || rest.first == "<" { return parserColumn }
    guard let gap = rest.firstRange(of: "  ") else { return nil }
    return indent + rest[..<gap.lowerBound].count + rest[gap.lowerBound...].prefix { $0 == " " }.count
  }

  private static func wrapped(_ line: String, hanging: Int?, _ width: Int) -> [String] {
    guard let hanging, line.count > width, hanging < width - 20 else { return [line] }
    var lines: [String] = []
    var rest = line[...]
    var room = width
    while rest.count > room {
      let start = lines.isEmpty ? rest.index(rest.startIndex, offsetBy: min(hanging, rest.count)) : rest.startIndex
      let limit = rest.index(rest.startIndex, offsetBy: room)
      // A word that is longer than a line stays whole.
      let end =
        rest[start...limit].lastIndex(of: " ").flatMap { $0 > start ? $0 : nil } ?? rest[limit...].firstIndex(of: " ")
      guard let end else { break }
      lines.append((lines.isEmpty ? "" : String(repeating: " ", count: hanging)) + rest[..<end])
      rest = rest[end...].drop { $0 == " " }
      room = width - hanging
    }
    if !rest.isEmpty { lines.append((lines.isEmpty ? "" : String(repeating: " ", count: hanging)) + rest) }
    return lines
  }
}
