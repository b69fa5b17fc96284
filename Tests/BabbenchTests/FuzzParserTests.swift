import Expectations
import Foundation
import Testing

/// `babbench fuzz parser` from outside: traps and hangs of a decoder are findings, not the end of the command.
@Suite("fuzz parser")
struct FuzzParserTests {
  private func echo(_ arguments: [String]) throws -> Executable.Result {
    try Executable.run(["fuzz", "parser"] + arguments, program: "echobench")
  }

  @Test("A trap is found, its input made smaller, written, and repeated by the line that is shown")
  func trap() throws {
    let folder = try TemporaryFolder()
    let result = try echo(["brittle", "--executions", "3000", "--out", folder.path])
    equal(result.status, 1, "\(result.output)\(result.errors)")
    expect(result.output.contains("fail  brittle: 3000 executions"))
    expect(result.output.contains("Index out of range"))
    let input = folder.path + "/brittle-1/input"
    let octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: input)))
    expect(octets.count == 3 && octets[0] == 0xEC && octets[1] == 0x40)
    let text = try String(contentsOfFile: folder.path + "/brittle-1/finding.txt", encoding: .utf8)
    expect(text.contains("repeat it: babbench fuzz parser brittle --input \(input)"))
    let again = try echo(["brittle", "--input", input])
    expect(again.status != 0 && again.status != 64)
  }

  @Test("A hang is found")
  func hang() throws {
    let result = try echo(["endless", "--executions", "2000", "--patience", "1"])
    equal(result.status, 1)
    expect(result.output.contains("hangs"))
  }

  @Test("A sound decoder passes, and the same seed says the same")
  func sound() throws {
    let outputs = try (0..<2).map { _ in
      let result = try echo(["sound", "--executions", "3000", "--seed", "7"])
      equal(result.status, 0, "\(result.output)")
      return result.output.prefix { $0 != "," }
    }
    equal(outputs[0], outputs[1])
  }

  @Test("What is misspelt is named, and one input is answered")
  func words() throws {
    let misspelt = try echo(["britle"])
    equal(misspelt.status, 64)
    expect(misspelt.errors.contains("there is no decoder “britle”; did you mean “brittle”?"))
    try equal(echo(["brittle", "--input", "/nowhere"]).status, 3)
    try equal(echo(["--input", "x"]).status, 64)
    let folder = try TemporaryFolder()
    try folder.write("no", to: "input")
    let answer = try echo(["sound", "--input", folder.path + "/input"])
    equal(answer.output, "refused at octet 0: no echo\n")
    try expect(echo(["--list"]).output.contains("endless  "))
  }
}
