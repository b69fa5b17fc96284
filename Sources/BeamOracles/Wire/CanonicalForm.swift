/// How a packet must be written (BEAM 4.1, 4.3, 4.4), found from its octets alone.
///
/// The text is JSON already; this says in what it differs from the one way to write it. It goes through the octets once
/// and keeps the keys of objects that are open.
enum CanonicalForm {
  /// The first thing that is wrong; nil: nothing.
  static func problem(_ body: [UInt8]) -> String? {
    var keys: [ArraySlice<UInt8>?] = []
    var index = 0
    /// A string just read may be a key.
    var latest = body[..<0]
    while index < body.count {
      let octet = body[index]
      switch octet {
      case UInt8(ascii: "\""):
        let start = index + 1
        index = start
        while index < body.count, body[index] != UInt8(ascii: "\"") {
          if body[index] == UInt8(ascii: "\\") {
            if let problem = escape(body, at: index) { return problem }
            index += 1
          }
          index += 1
        }
        latest = body[start..<min(index, body.count)]
      case UInt8(ascii: ":"):
        if let before = keys.last ?? nil, !before.lexicographicallyPrecedes(latest) {
          return "“\(text(latest))” after “\(text(before))”"
        }
        if !keys.isEmpty { keys[keys.count - 1] = latest }
      case UInt8(ascii: "{"): keys.append(nil)
      case UInt8(ascii: "}"): _ = keys.popLast()
      case 0x20, 0x09, 0x0A, 0x0D: return "white space at octet \(index)"
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        let end = body[index...].firstIndex { !isOfNumber($0) } ?? body.count
        let number = body[index..<end]
        if let problem = self.number(number, of: latest) { return problem }
        index = end - 1
      default: break
      }
      index += 1
    }
    return nil
  }

  private static func text(_ octets: some Sequence<UInt8>) -> String { String(decoding: Array(octets), as: UTF8.self) }

  private static func isOfNumber(_ octet: UInt8) -> Bool {
    (0x30...0x39).contains(octet) || "+-.eE".utf8.contains(octet)
  }

  private static func number(_ number: ArraySlice<UInt8>, of key: ArraySlice<UInt8>) -> String? {
    let point = number.firstIndex(of: UInt8(ascii: ".")) ?? number.endIndex
    let (whole, fraction) = (number[..<point], number[point...].dropFirst())
    let hasLeadingZero = number.first == UInt8(ascii: "0") && whole.count > 1
    guard areDigits(whole), !hasLeadingZero else { return "\(text(number)) for “\(text(key))”" }
    if point == number.endIndex { return nil }
    // Only a time has a fraction: at most three digits, the last of them no zero (BEAM 9.1).
    let isTime = key.elementsEqual("sentTimestamp".utf8)
    guard isTime, areDigits(fraction), fraction.count <= 3, fraction.last != UInt8(ascii: "0") else {
      return "\(text(number)) for “\(text(key))”"
    }
    return nil
  }

  private static func areDigits(_ octets: ArraySlice<UInt8>) -> Bool {
    !octets.isEmpty && octets.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// What is wrong with an escape: it has a shorter form, or none is needed.
  private static func escape(_ body: [UInt8], at index: Int) -> String? {
    guard index + 1 < body.count else { return nil }
    let letter = body[index + 1]
    if "\"\\btnfr".utf8.contains(letter) { return nil }
    guard letter == UInt8(ascii: "u"), index + 5 < body.count else {
      return "the escape \(text(body[index...(index + 1)]))"
    }
    let digits = body[(index + 2)...(index + 5)]
    let escape = "the escape \\u\(text(digits))"
    guard let value = Int(text(digits), radix: 16), value < 0x20, ![8, 9, 10, 12, 13].contains(value) else {
      return escape
    }
    return digits.contains { (0x41...0x46).contains($0) } ? escape : nil
  }
}
