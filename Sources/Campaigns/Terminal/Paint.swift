import Foundation
import SimKernel

/// Colours for a terminal; plain text anywhere else, and wherever `NO_COLOR` is set (no-color.org).
package struct Paint {
  package var isOn: Bool

  package init(isOn: Bool) { self.isOn = isOn }

  /// For standard output.
  package static let standardOutput = Paint(isOn: isatty(STDOUT_FILENO) == 1 && !isForbidden)

  private static var isForbidden: Bool {
    if let value = getenv("NO_COLOR"), value.pointee != 0 { return true }
    if let terminal = getenv("TERM") { return strcmp(terminal, "dumb") == 0 }
    return false
  }

  /// A text in which everything but colours is written out that must not reach a terminal.
  package static func keepingColours(_ text: String) -> String {
    var result = ""
    for (number, part) in text.split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated() {
      if number == 0 {
        result += ShownText.lines(String(part))
      } else if let sequence = part.prefixMatch(of: #/\[[0-9]{1,2}m/#) {
        result += "\u{1B}" + sequence.output + ShownText.lines(String(part[sequence.range.upperBound...]))
      } else {
        result += ShownText.oneLine("\u{1B}") + ShownText.lines(String(part))
      }
    }
    return result
  }

  package enum Colour: Int {
    case red = 31
    case green = 32
    case yellow = 33
    case dim = 2
    case bold = 1
  }

  package func callAsFunction(_ text: String, _ colour: Colour) -> String {
    isOn ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }
}
