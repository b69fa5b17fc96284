/// One piece of Swift source: an identifier, a number, or a punctuation character, with its line.
///
/// Comments and the text of string literals leave no token but a quotation mark; code inside an interpolation does.
struct Token: Equatable {
  var text: String
  /// 1-based.
  var line: Int
}

/// A Swift file as the rules see it.
struct SourceFile {
  /// Relative to the package root, with `/` between folders.
  var path: String
  var lines: [Substring]
  var tokens: [Token]
  /// The text with all but comments and string literals blanked: same lines, same columns counted in octets.
  var prose: String

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    (tokens, prose) = Tokenizer.read(text)
  }

  /// The folder of the file, for example `Sources/BabSim/Wire`.
  var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }

  func isInside(_ prefix: String) -> Bool { path == prefix || path.hasPrefix(prefix + "/") }
}

/// What a rule found: where, and what to do instead.
struct Finding: Equatable, CustomStringConvertible {
  var path: String
  var line: Int
  var message: String
  var description: String { "\(path):\(line): \(message)" }
}

/// Cuts Swift source into tokens; knows nested comments, raw strings, multi-line strings and interpolation.
struct Tokenizer {
  private let octets: [UInt8]
  private var offset = 0
  private var line = 1
  private var tokens: [Token] = []
  /// As many octets as the text has: line feeds, comments and literals as they are, spaces elsewhere.
  private var prose: [UInt8]

  static func read(_ text: String) -> (tokens: [Token], prose: String) {
    var tokenizer = Tokenizer(octets: Array(text.utf8))
    tokenizer.readCode(untilClosingParenthesis: false)
    return (tokenizer.tokens, String(decoding: tokenizer.prose, as: UTF8.self))
  }

  private init(octets: [UInt8]) {
    self.octets = octets
    prose = octets.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
  }

  private func peek(_ ahead: Int = 0) -> UInt8 {
    offset + ahead < octets.count ? octets[offset + ahead] : 0
  }

  private mutating func advance(_ count: Int = 1, isProse: Bool = false) {
    for _ in 0..<count where offset < octets.count {
      if octets[offset] == UInt8(ascii: "\n") { line += 1 }
      if isProse { prose[offset] = octets[offset] }
      offset += 1
    }
  }

  /// Reads code up to the end, or up to the parenthesis that ends an interpolation.
  private mutating func readCode(untilClosingParenthesis: Bool) {
    var depth = 0
    while offset < octets.count {
      let octet = peek()
      if octet == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "/") {
        while peek() == UInt8(ascii: "/") { advance() }
        while offset < octets.count, peek() != UInt8(ascii: "\n") { advance(isProse: true) }
      } else if octet == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        skipBlockComment()
      } else if octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "#") {
        readLiteralOrPound()
      } else if Self.isIdentifierPart(octet) {
        readWord()
      } else if octet <= 0x20 {
        advance()
      } else {
        if octet == UInt8(ascii: "(") { depth += 1 }
        if octet == UInt8(ascii: ")") {
          if depth == 0, untilClosingParenthesis { return advance() }
          depth -= 1
        }
        tokens.append(Token(text: String(UnicodeScalar(octet)), line: line))
        advance()
      }
    }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if peek() == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        depth += 1
        advance(2)
      } else if peek() == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        depth -= 1
        advance(2)
      } else {
        advance(isProse: true)
      }
    } while depth > 0 && offset < octets.count
  }

  private mutating func readWord() {
    let start = offset
    while Self.isIdentifierPart(peek()), offset < octets.count { offset += 1 }
    tokens.append(Token(text: String(decoding: octets[start..<offset], as: UTF8.self), line: line))
  }

  private mutating func readLiteralOrPound() {
    var pounds = 0
    while peek(pounds) == UInt8(ascii: "#") { pounds += 1 }
    guard peek(pounds) == UInt8(ascii: "\"") else {
      tokens.append(Token(text: "#", line: line))
      return advance()
    }
    advance(pounds)
    let isMultiline = peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"")
    let quotes = isMultiline ? 3 : 1
    tokens.append(Token(text: "\"", line: line))
    advance(quotes, isProse: true)
    while offset < octets.count {
      if peek() == UInt8(ascii: "\\"), hasPounds(pounds, at: 1) {
        advance(1 + pounds)
        if peek() == UInt8(ascii: "(") {
          advance()
          readCode(untilClosingParenthesis: true)
        } else {
          advance()
        }
      } else if (0..<quotes).allSatisfy({ peek($0) == UInt8(ascii: "\"") }), hasPounds(pounds, at: quotes) {
        return advance(quotes + pounds)
      } else if !isMultiline, peek() == UInt8(ascii: "\n") {
        return
      } else {
        advance(isProse: true)
      }
    }
  }

  private func hasPounds(_ count: Int, at ahead: Int) -> Bool {
    (0..<count).allSatisfy { peek(ahead + $0) == UInt8(ascii: "#") }
  }

  private static func isIdentifierPart(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
