import Conformance
import Expectations
import Foundation
import Testing

@testable import Commands

/// Every way in which a program dies is told in the terminal, the page, JUnit and JSON, as one cause of all its cases.
@Suite("babbench conform: programs that die", .shippedEdition)
struct ConformDeathTests {
  private struct Result: Decodable {
    struct Case: Decodable { var breakdown: Breakdown? }
    struct Cause: Decodable {
      var text: String
      var cases: Int
    }
    struct Breakdown: Decodable {
      struct Crash: Decodable {
        var file: String
        var line: Int
      }
      var kind: IUTFailure.Kind
      var detail: String
      var exitCode: Int?
      var signal: String?
      var crash: Crash?
      var lastOutput: String?
      var standardError: [String]
    }
    var cases: [Case]
    var causes: [Cause]
  }

  /// As the page and JUnit write it.
  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }

  @Test("A death has one cause, and all four outputs say how it came about", arguments: Death.all)
  func told(_ death: Death) throws {
    if death.needsPython, PythonHost.path(for: "no host in Python died") == nil { return }
    let folder = try TemporaryFolder()
    try death.write(to: folder)
    let talk = try ConformTalk.run(
      ["--iut", folder.path + "/iut.yaml", "--jobs", "2", "--out", folder.path + "/out"]
        + ConformWords.select("BV-01-C", "BV-02-C"))

    expect(talk.lines[0].contains("  \(death.cause)"), "\(talk.lines[0])")
    let saw = try required(talk.lines.first { $0.hasPrefix("  saw ") })
    expect(saw.contains(death.saw), "\(saw)")
    expect(talk.lines.count <= ConformPrinter.lineLimit)
    if let line = death.errorLine {
      expect(talk.lines.contains { $0.hasPrefix("  stderr ") && $0.contains(line) }, "\(talk.output)")
    }
    if let output = death.lastOutput { expect(talk.lines.contains("  last output " + output), "\(talk.output)") }

    let data = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/out/result.json"))
    let result = try JSONDecoder().decode(Result.self, from: data)
    equal(result.causes.map(\.text), [death.cause])
    equal(result.causes.map(\.cases), [2])
    for item in result.cases {
      let breakdown = try required(item.breakdown)
      expect(breakdown.detail.contains(death.saw) || saw.contains("\(breakdown.kind.words): \(breakdown.detail)"))
      equal(breakdown.exitCode, death.exitCode)
      equal(breakdown.signal, death.signal)
      equal(breakdown.crash.map { "\($0.file):\($0.line)" }, death.crash)
      equal(breakdown.lastOutput, death.lastOutput)
      expect(death.errorLine.map { line in breakdown.standardError.contains { $0.contains(line) } } ?? true)
    }

    var texts = [talk.output, try folder.read("out/result.json"), try folder.read("out/events.jsonl")]
    for file in ["report.html", "junit.xml"] {
      let text = try folder.read("out/" + file).replacing("&apos;", with: "&#39;").replacing("&#x27;", with: "&#39;")
      for words in [death.saw, death.crash, death.lastOutput, death.errorLine].compactMap({ $0 }) {
        expect(text.contains(words) || text.contains(escaped(words)), "\(file) does not say \(words)")
      }
      if let code = death.exitCode { expect(text.contains("exit code \(code)"), "\(file)") }
      if let signal = death.signal { expect(text.contains(signal), "\(file)") }
      texts.append(text)
    }
    PlainWords.holdsNoType(texts)
  }

  @Test("A program that answers only when its input has ended is asked whether it flushes")
  func buffered() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      read -r line; echo '{"name":"hello","protocol":1}'
      while read -r line; do answers="$answers{}"; done
      echo "$answers"
      """, to: "engine")
    try folder.write("role: host\ncommand: [/bin/sh, engine]\nixit: { answer-timeout: 1s }\n", to: "iut.yaml")
    let talk = try ConformTalk.run(
      ["--iut", folder.path + "/iut.yaml", "--dialect", "sdk"] + ConformWords.select("BV-01-C"))
    equal(talk.status, 1)
    expect(talk.output.contains("does it flush standard output after every line?"), "\(talk.output)")
  }
}
