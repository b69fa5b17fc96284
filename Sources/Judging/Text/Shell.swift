/// Words as a POSIX shell takes them, so that a printed line can be pasted.
public enum Shell {
  /// A whole command line.
  public static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  /// One word, quoted only when the shell would read something into it.
  public static func quoted(_ word: String) -> String {
    let isPlain = !word.isEmpty && word.utf8.allSatisfy(isPlainOctet)
    return isPlain
      ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  private static func isPlainOctet(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: Array("-_./=:,+@%".utf8).contains(octet)
    }
  }
}
