/// TXT records between the octets that apps have and the strings of DNS.
enum TextRecord {
  /// The strings of a record that is one; an empty record is one empty string (RFC 6763, 6.1).
  static func strings(of octets: [UInt8]) -> [[UInt8]] {
    var strings: [[UInt8]] = []
    var rest = octets[...]
    while let length = rest.popFirst() {
      strings.append(Array(rest.prefix(Int(length))))
      rest = rest.dropFirst(Int(length))
    }
    return strings.isEmpty ? [[]] : strings
  }

  /// Octets of strings that came; none where they are all empty.
  static func octets(of strings: [[UInt8]]) -> [UInt8] {
    if strings.allSatisfy(\.isEmpty) { return [] }
    return strings.flatMap { [UInt8(clamping: $0.count)] + $0.prefix(255) }
  }
}
