import Expectations
import Fuzzing
import Testing

/// Word lists as AFL++ and libFuzzer describe them (`dictionaries/README.md` of AFL++).
@Suite("Word lists")
struct WordListTests {
  @Test("Names, comments and escapes are read")
  func read() throws {
    let text = """
      # a comment

      "plain"
      name="\\x16\\x1A\\x18"
        level@2 = "a\\\\b\\"c"

      """
    let words = try WordList.read(parsing: Array(text.utf8))
    equal(words, [Array("plain".utf8), [0x16, 0x1A, 0x18], Array("a\\b\"c".utf8)])
    try equal(WordList.read(parsing: Array(WordList.text(words).utf8)), words)
  }

  @Test("A line that is no word is named", arguments: ["word", "\"open", "\"\"", "name \"x\"", "\"\\q\"", "\"\\x1\""])
  func refused(line: String) {
    #expect { try WordList.read(parsing: Array("\"a\"\n\(line)\n".utf8)) } throws: { error in
      (error as? WordList.Refusal)?.line == 2
    }
  }
}
