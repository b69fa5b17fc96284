/// Text of others as it may be shown: names from the air, words of a program, lines of its log.
///
/// Controls drive a terminal, and marks that turn the direction of what follows hide what is there. Each is written out
/// as `\u{…}`; everything else stays as it is.
package enum ShownText {
  /// Whether a scalar can be shown as it is.
  package static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE, 0xFFFF:
      false
    default: true
    }
  }

  /// What is written in the place of a scalar that is not shown.
  package static func escape(_ scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }

  /// A text that stays in its line.
  package static func oneLine(_ text: String) -> String { escaped(text, keeping: { _ in false }) }

  /// Some texts in a row, in their order; “none” where there is none.
  package static func list(_ texts: [String]) -> String { texts.isEmpty ? "none" : texts.joined(separator: ", ") }

  /// A text of several lines: line feeds and tabs stay.
  package static func lines(_ text: String) -> String { escaped(text, keeping: { $0 == "\n" || $0 == "\t" }) }

  private static func escaped(_ text: String, keeping isKept: (Unicode.Scalar) -> Bool) -> String {
    if text.unicodeScalars.allSatisfy({ isShown($0) || isKept($0) }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isShown(scalar) || isKept(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += escape(scalar)
      }
    }
    return result
  }
}
