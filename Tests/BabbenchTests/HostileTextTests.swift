@testable import Campaigns
import Expectations
import Foundation
import Testing

@testable import Commands

/// Names from the air and words of programs must neither drive a terminal nor hide what is there, wherever they appear.
@Suite("Text of others in terminal, JUnit and pages", .shippedEdition)
struct HostileTextTests {
  /// Sets a colour and a title, goes back in the line, ends it by a C1 control, and turns the direction of the rest.
  private static let hostile = "\u{1B}[31m\u{1B}]0;t\u{7}\u{8}\u{85}\u{202E}\u{2066}\u{200F}x"

  /// What must not be there: controls but line feeds and tabs, and marks of direction.
  private func hidden(_ text: String) -> [String] {
    text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x09, 0x0A: false
      case 0x00..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
      default: false
      }
    }.map { String($0.value, radix: 16) }
  }

  @Test("What a program under test says and writes, until its end")
  func program() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.hostile + "\n", to: "words")
    try folder.write(
      """
      read -r line
      echo '{"name":"hello","protocol":1,"implementation":"\\u001b[31m\\u202ename"}'
      cat words >&2
      read -r line
      cat words
      exit 3
      """, to: "engine")
    try folder.write("role: host\ncommand: [/bin/sh, engine]\n", to: "iut.yaml")
    let result = try Executable.run(
      ["conform", "--iut", "iut.yaml", "--dialect", "sdk", "--select", "BAB/HOST/LOBBY/BV-01-C", "--out", "out"],
      folder: folder.path)
    equal(result.status, 1)
    equal(hidden(result.output + result.errors), [])
    expect(result.output.contains(#"\u{1b}[31m"#) && result.output.contains(#"\u{202e}"#), "\(result.output)")
    for name in ["out/junit.xml", "out/report.html", "out/result.json", "out/events.jsonl"] {
      try equal(hidden(folder.read(name)), [], "\(name)")
    }
    try expect(folder.read("out/junit.xml").contains(#"\u{202e}"#))
  }

  @Test("A device's name in a capture")
  func capture() throws {
    let folder = try TemporaryFolder()
    let plain = String(repeating: "N", count: Self.hostile.utf8.count)
    let scenario = ExecutableTests.twoPeers.replacing("host: {}", with: "host: { display name: \(plain) }")
    try folder.write(scenario, to: "two.yaml")
    try equal(Executable.run(["run", "two.yaml", "--out", "out"], folder: folder.path).status, 0)
    var octets = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/out/client.btsnoop"))
    var places = 0
    while let place = octets.range(of: Data(plain.utf8)) {
      octets.replaceSubrange(place, with: Data(Self.hostile.utf8))
      places += 1
    }
    expect(places > 0)
    try octets.write(to: URL(fileURLWithPath: folder.path + "/named.btsnoop"))
    var seen = ""
    for words in [
      ["check", "named.btsnoop", "--html", "check.html", "--junit", "check.xml", "--json", "check.json"],
      ["stats", "named.btsnoop", "--html", "stats.html"], ["inspect", "named.btsnoop", "--verbose"],
      ["calibrate", "named.btsnoop"],
    ] {
      let result = try Executable.run(words, folder: folder.path)
      equal(hidden(result.output + result.errors), [], "\(words)")
      seen += result.output
    }
    expect(seen.contains(#"\u{1b}[31m"#) && seen.contains(#"\u{202e}"#))
    for name in ["check.html", "check.xml", "check.json", "stats.html"] {
      try equal(hidden(folder.read(name)), [], "\(name)")
    }
  }

  @Test("Colours of the bench stay, and nothing else of what was forgotten")
  func colours() {
    let text = "\u{1B}[31mfail\u{1B}[0m\n" + Self.hostile
    let shown = Paint.keepingColours(text)
    expect(shown.hasPrefix("\u{1B}[31mfail\u{1B}[0m\n\u{1B}[31m\\u{1b}]0;t\\u{7}\\u{8}\\u{85}\\u{202e}"))
    equal(hidden(shown.replacing("\u{1B}", with: "")), [])
  }
}
