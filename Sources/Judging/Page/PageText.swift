import Mustache
import SimKernel

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
        octets += (ShownText.isShown(scalar) ? String(scalar) : ShownText.escape(scalar)).utf8
      }
    }
    return String(decoding: octets, as: UTF8.self)
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
