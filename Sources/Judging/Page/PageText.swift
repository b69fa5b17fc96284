import Mustache

/// How text gets into the page: nothing that came from an implementation may become markup.
///
/// Escapes scalar by scalar. The package's own HTML type goes by `Character`, where a quotation mark with a combining
/// accent after it is another character than a quotation mark, and stays one in the file.
package struct PageText: MustacheContentType {
  /// The name in templates: `{{% CONTENT_TYPE:page}}`.
  static let name = "page"

  /// Must have been called before a template that names it is made.
  package static func register() { MustacheContentTypes.register(PageText(), named: name) }

  func escapeText(_ text: String) -> String { Self.escaped(text) }

  package static func escaped(_ text: String) -> String {
    var octets: [UInt8] = []
    octets.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": octets += "&lt;".utf8
      case ">": octets += "&gt;".utf8
      case "&": octets += "&amp;".utf8
      case "\"": octets += "&quot;".utf8
      case "'": octets += "&#39;".utf8
      case "\n", "\t": octets.append(UInt8(scalar.value))
      default:
        if isShown(scalar) {
          octets += Array(String(scalar).utf8)
        } else {
          octets += "\\u{\(String(scalar.value, radix: 16))}".utf8
        }
      }
    }
    return String(decoding: octets, as: UTF8.self)
  }

  /// The text with everything written out that could hide what is there; for scripts, which put it into the page as
  /// text. Line feeds and tabulators stay.
  package static func visible(_ text: String) -> String {
    if text.utf8.allSatisfy({ ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x0A || $0 == 0x09 }) { return text }
    var visible = ""
    for scalar in text.unicodeScalars {
      if isShown(scalar) || scalar == "\n" || scalar == "\t" {
        visible.unicodeScalars.append(scalar)
      } else {
        visible += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return visible
  }

  /// Controls, and marks that turn the direction of what follows, are written out: they could hide what is there.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  /// A path relative to the report, as a URL: a name with a colon or a question mark stays a name.
  package static func reference(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var octets: [UInt8] = []
    for octet in path.utf8 {
      switch octet {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "/"):
        octets.append(octet)
      default: octets += [UInt8(ascii: "%"), digits[Int(octet >> 4)], digits[Int(octet & 15)]]
      }
    }
    return String(decoding: octets, as: UTF8.self)
  }
}
