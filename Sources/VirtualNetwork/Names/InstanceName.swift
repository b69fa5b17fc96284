/// Names of services as people read them (RFC 6763, 4.1.1): 1 … 63 octets of UTF-8.
enum InstanceName {
  static let longest = 63

  /// The start of a text that fits, cut at a character, or within the first one if that is too long by itself.
  static func cut(_ text: String, to limit: Int = longest) -> String {
    if text.utf8.count <= limit { return text }
    var result = ""
    var count = 0
    for character in text {
      count += character.utf8.count
      if count > limit { break }
      result.append(character)
    }
    if !result.isEmpty { return result }
    count = 0
    for scalar in text.unicodeScalars {
      count += scalar.utf8.count
      if count > limit { break }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  /// The n-th name that a service tries: `Name`, `Name (2)`, `Name (3)` … (RFC 6763, appendix D).
  static func variant(_ number: Int, of name: String) -> String {
    if number == 1 { return cut(name) }
    let suffix = " (\(number))"
    return cut(name, to: longest - suffix.utf8.count) + suffix
  }
}
