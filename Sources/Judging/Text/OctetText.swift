/// Octets for people: a dump with offsets, and JSON with line breaks.
package enum OctetText {
  /// Lines of 16 octets: offset, digits, and what is printable in ASCII.
  /// - Parameter limit: octets shown at most; a last line says how many more there are.
  package static func dump(_ octets: [UInt8], limit: Int = 1_024) -> String {
    var lines: [String] = []
    let shown = octets.prefix(limit)
    for start in stride(from: 0, to: shown.count, by: 16) {
      let row = shown[start..<min(start + 16, shown.count)]
      var digits = row.map { hexadecimal(Int($0), width: 2) }.joined(separator: " ")
      digits += String(repeating: " ", count: 47 - digits.count)
      let text = String(decoding: row.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
      lines.append("\(hexadecimal(start, width: 4))  \(digits)  \(text)")
    }
    if octets.count > limit { lines.append("… \(octets.count - limit) more octets") }
    return lines.joined(separator: "\n")
  }

  private static func hexadecimal(_ number: Int, width: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  /// JSON laid out with two spaces per level. Whatever is no JSON is laid out as far as its brackets go: the reader
  /// must see what came, not what should have come.
  package static func layout(_ octets: [UInt8], limit: Int = 12_000) -> String {
    var result: [UInt8] = []
    var depth = 0
    var isInString = false
    var isEscaped = false
    func newLine() {
      result.append(0x0A)
      result.append(contentsOf: repeatElement(0x20, count: 2 * min(depth, 40)))
    }
    for (index, octet) in octets.enumerated() {
      if result.count > limit {
        newLine()
        result += "… \(octets.count - index) more octets".utf8
        break
      }
      if isInString {
        result.append(octet)
        if isEscaped {
          isEscaped = false
        } else if octet == 0x5C {
          isEscaped = true
        } else {
          isInString = octet != 0x22
        }
        continue
      }
      switch octet {
      case 0x22:
        isInString = true
        result.append(octet)
      case 0x7B, 0x5B:
        result.append(octet)
        let closes = octet == 0x7B ? 0x7D : 0x5D as UInt8
        if index + 1 < octets.count, octets[index + 1] == closes { continue }
        depth += 1
        newLine()
      case 0x7D, 0x5D:
        let opens = octet == 0x7D ? 0x7B : 0x5B as UInt8
        if index == 0 || octets[index - 1] != opens {
          depth = max(0, depth - 1)
          newLine()
        }
        result.append(octet)
      case 0x2C:
        result.append(octet)
        newLine()
      case 0x3A: result += ": ".utf8
      default: result.append(octet)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
