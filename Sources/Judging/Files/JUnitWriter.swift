/// An XML 1.0 file of elements, attributes and text, two spaces to a level.
///
/// Names are part of the program; everything else comes in through `escaped`, so that the file is well-formed whatever
/// an implementation said.
struct JUnitWriter {
  typealias Attribute = (name: StaticString, value: String?)

  private(set) var octets = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
  private var depth = 0

  /// An element that holds what `content` writes, if anything. Attributes without a value are left out.
  mutating func element(_ name: StaticString, _ attributes: [Attribute] = [], content: (inout Self) -> Void) {
    begin(name, attributes)
    let start = octets.count
    octets += ">\n".utf8
    let inside = octets.count
    depth += 1
    content(&self)
    depth -= 1
    if octets.count == inside {
      octets.replaceSubrange(start..., with: "/>\n".utf8)
    } else {
      indent()
      end(name)
    }
  }

  /// An element that holds text, or nothing.
  mutating func element(_ name: StaticString, _ attributes: [Attribute] = [], text: String = "") {
    begin(name, attributes)
    if text.isEmpty {
      octets += "/>\n".utf8
    } else {
      octets += ">".utf8
      octets += Self.escaped(text, inAttribute: false).utf8
      end(name)
    }
  }

  private mutating func begin(_ name: StaticString, _ attributes: [Attribute]) {
    indent()
    octets += "<\(name)".utf8
    for case (let name, let value?) in attributes {
      octets += " \(name)=\"\(Self.escaped(value, inAttribute: true))\"".utf8
    }
  }

  private mutating func end(_ name: StaticString) { octets += "</\(name)>\n".utf8 }
  private mutating func indent() { octets += repeatElement(UInt8(ascii: " "), count: 2 * depth) }

  /// Text as XML 1.0 carries it. Scalar by scalar: a quotation mark with an accent on it is still one in the file.
  ///
  /// Readers turn a tab or the end of a line in an attribute into a space (3.3.3), unless they are written as numbers.
  static func escaped(_ text: String, inAttribute: Bool) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in JUnitDocument.clean(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;".unicodeScalars
      case "<": escaped += "&lt;".unicodeScalars
      // In text because of `]]>` (2.4).
      case ">": escaped += "&gt;".unicodeScalars
      case "\"" where inAttribute: escaped += "&quot;".unicodeScalars
      case "\n" where inAttribute: escaped += "&#10;".unicodeScalars
      case "\t" where inAttribute: escaped += "&#9;".unicodeScalars
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}
