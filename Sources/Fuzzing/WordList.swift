/// A word list in the form that AFL++ and libFuzzer share: a quoted word a line, with a name and `=` before it or not,
/// `\xAB`, `\\` and `\"` in it, and comments after `#`.
public enum WordList {
  /// A line that is no word.
  public struct Refusal: Error {
    /// Counted from 1.
    public var line: Int
    public var reason: String { "no word of a word list; write \"word\" or name=\"word\", other octets as \\xAB" }
  }

  /// A word is at most so long, octets.
  static let wordLimit = 128

  public static func read(parsing octets: [UInt8]) throws(Refusal) -> [[UInt8]] {
    var words: [[UInt8]] = []
    for (index, line) in octets.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let trimmed = line.drop { $0 == 0x20 || $0 == 0x09 }
      if trimmed.isEmpty || trimmed.first == UInt8(ascii: "#") || trimmed.first == 0x0D { continue }
      guard let word = word(trimmed) else { throw Refusal(line: index + 1) }
      words.append(word)
    }
    return words
  }

  /// The list as such a file.
  public static func text(_ words: [[UInt8]]) -> String {
    words.map { word in
      var line = "\""
      for octet in word {
        switch octet {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
          line += "\\" + String(UnicodeScalar(octet))
        case 0x20...0x7E: line += String(UnicodeScalar(octet))
        default: line += "\\x" + (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: true)
        }
      }
      return line + "\"\n"
    }.joined()
  }

  private static func word(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard let open = line.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    let name = line[..<open]
    guard name.isEmpty || name.contains(UInt8(ascii: "=")) else { return nil }
    var (word, place) = ([UInt8](), open + 1)
    while place < line.endIndex, word.count <= wordLimit {
      let octet = line[place]
      place += 1
      if octet == UInt8(ascii: "\"") {
        return word.isEmpty || word.count > wordLimit ? nil : word
      }
      guard octet == UInt8(ascii: "\\") else {
        word.append(octet)
        continue
      }
      guard place < line.endIndex else { return nil }
      if line[place] == UInt8(ascii: "x") {
        guard place + 2 < line.endIndex,
          let value = UInt8(String(decoding: line[place + 1...place + 2], as: UTF8.self), radix: 16)
        else { return nil }
        word.append(value)
        place += 3
      } else if [UInt8(ascii: "\\"), UInt8(ascii: "\"")].contains(line[place]) {
        word.append(line[place])
        place += 1
      } else {
        return nil
      }
    }
    return nil
  }
}
