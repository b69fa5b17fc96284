import ArgumentParser
import Expectations
import Foundation
import Testing

@testable import Commands

/// The commands of Docs/stress.md are played, with few seeds.
@Suite("Docs/stress.md", .shippedEdition)
struct StressPageTests {
  private static func commands() throws -> [[String]] {
    let text = try Repository.text("Docs/stress.md")
    return text.split(separator: "\n").filter { $0.hasPrefix("babbench ") }.map { words(of: String($0)) }
  }

  /// Blanks part words, but within single quotation marks.
  private static func words(of line: String) -> [String] {
    line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
      index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
  }

  @Test("Every command plays; with two seeds in place of hundreds, and few cells")
  func plays() throws {
    let folder = try TemporaryFolder()
    let commands = try Self.commands()
    equal(commands.count, 13)
    for words in commands {
      var words = Array(words.dropFirst())
      if let place = words.firstIndex(of: "--seeds") { words[place + 1] = "1..2" }
      if let place = words.firstIndex(of: "--samples") { words[place + 1] = "2" }
      if let place = words.firstIndex(of: "eight-peer-lobby") { words[place] = "two-peers" }
      for option in ["--out", "--baseline"] {
        if let place = words.firstIndex(of: option) { words[place + 1] = folder.path + "/" + words[place + 1] }
      }
      if words[0] == "merge" {
        for place in 1...2 { words[place] = folder.path + "/" + words[place] }
      }
      let result = try Executable.run(words)
      expect([0, 1, 2].contains(result.status) && result.errors.isEmpty, "\(words): \(result.errors)")
      expect(result.output.contains("verdict "))
    }
    for name in ["index.html", "result.json", "measures.csv", "worlds.csv", "junit.xml"] {
      expect(FileManager.default.fileExists(atPath: folder.path + "/stress/" + name), "\(name)")
    }
  }
}
