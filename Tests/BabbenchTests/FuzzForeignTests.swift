import Expectations
import Foundation
import Testing

/// `babbench fuzz parser` with parsers that are not ours: what is sound passes, what cannot be fuzzed is one line.
@Suite("fuzz parser, of others")
struct FuzzForeignTests {
  private func fuzz(_ arguments: [String], in folder: TemporaryFolder) throws -> Executable.Result {
    try Executable.run(["fuzz", "parser"] + arguments, folder: folder.path)
  }

  /// Answers every input, and ends at one whose first octet is a sign.
  private static let loop = """
    import struct, sys
    while head := sys.stdin.buffer.read(4):
        octets = sys.stdin.buffer.read(struct.unpack("<I", head)[0])
        if SIGN and octets[:1] == b"{":
            raise ValueError("a brace")
        print("empty" if not octets else "full", flush=True)

    """

  @Test("A program that is sound passes; one that ends is a finding with the place of its message")
  func programs() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.loop.replacing("SIGN", with: "False"), to: "sound.py")
    try folder.write(Self.loop.replacing("SIGN", with: "True"), to: "brittle.py")
    let sound = try fuzz(["--program", "python3 sound.py", "--executions", "500"], in: folder)
    equal(sound.status, 0, "\(sound.output)\(sound.errors)")
    expect(sound.output.contains("ok    program: 500 executions"))
    let brittle = try fuzz(
      ["--program", "python3 brittle.py", "--grammar", "json", "--executions", "100", "--out", "out"], in: folder)
    equal(brittle.status, 1)
    expect(brittle.output.contains("found program: brittle.py:5: ValueError"))
    try equal(String(contentsOfFile: folder.path + "/out/program-1/input", encoding: .utf8), "{")
    let text = try String(contentsOfFile: folder.path + "/out/program-1/finding.txt", encoding: .utf8)
    expect(
      text.contains(
        "repeat it: babbench fuzz parser --program 'python3 brittle.py' --grammar json --input out/program-1/input"))
  }

  @Test("The corpus is in its folder, and the next run begins with it")
  func corpus() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.loop.replacing("SIGN", with: "False"), to: "sound.py")
    let first = try fuzz(["--program", "python3 sound.py", "--executions", "300", "--corpus", "kept"], in: folder)
    equal(first.status, 0, "\(first.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/kept")
    expect(names.count > 3 && names.allSatisfy { $0.count == 16 }, "\(names)")
    let second = try fuzz(["--program", "python3 sound.py", "--executions", "1", "--corpus", "kept"], in: folder)
    expect(second.output.contains(" \(names.count) inputs kept"), "\(second.output)")
  }

  @Test("What cannot be fuzzed is one line and its exit code")
  func refusals() throws {
    let folder = try TemporaryFolder()
    try folder.write("\"good\"\nbad\n", to: "words.dict")
    try folder.write("not a library", to: "text.so")
    let cases: [(arguments: [String], status: Int32, words: String)] = [
      (["--target", "nowhere.so"], 64, "nowhere.so: there is no such file"),
      (["--target", "text.so"], 64, "text.so: "),
      (
        ["--program", "cat", "--grammar", "bab-paket"], 64,
        "there is no grammar “bab-paket”; did you mean “bab-packet”?"
      ),
      (["--program", "cat", "--dictionary", "words.dict"], 64, "words.dict:2:1: no word of a word list"),
      (["--program", "true"], 3, "true: it has answered no input; 3 processes began"),
      (["--program-once", "./nothing"], 3, "./nothing: it has answered no input"),
      (["--iut", "nowhere.yaml"], 64, "nowhere.yaml"),
    ]
    for (arguments, status, words) in cases {
      let result = try fuzz(arguments, in: folder)
      equal(result.status, status, "\(arguments): \(result.output)\(result.errors)")
      expect(result.errors.contains(words), "\(result.errors)")
      equal(result.errors.split(separator: "\n").count, 1, "\(result.errors)")
    }
    try equal(fuzz(["--program", "cat", "--program-once", "cat"], in: folder).status, 64)
    try equal(fuzz(["--grammar", "att"], in: folder).status, 64)
  }

  @Test("Valid inputs and words are written for other engines")
  func draw() throws {
    let folder = try TemporaryFolder()
    try equal(fuzz(["--grammar", "att", "--draw", "3", "--out", "start"], in: folder).status, 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/start/seeds").sorted()
    equal(names, ["att-1", "att-2", "att-3"])
  }
}
