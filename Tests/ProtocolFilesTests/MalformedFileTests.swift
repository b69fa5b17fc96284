import Expectations
import Foundation
import Testing

@testable import Bench
@testable import ProtocolFiles

/// One thing is wrong in the chat of the template: it is told in one line, with its place and what to write instead.
@Suite("Malformed protocol files")
struct MalformedFileTests {
  struct Slip: Sendable, CustomTestStringConvertible {
    /// What stands in the template, and what stands there instead.
    var text: String
    var instead: String
    /// In the message.
    var told: String
    var testDescription: String { "\(instead.prefix(60)): \(told)" }

    init(_ text: String, _ instead: String, _ told: String) {
      self.text = text
      self.instead = instead
      self.told = told
    }
  }

  static let slips: [Slip] = {
    let lines = (try? Repository.text("Tests/ProtocolFilesTests/slips.tsv"))?.split(separator: "\n") ?? []
    return lines.filter { !$0.hasPrefix("#") }.map { line in
      let parts = line.split(separator: "\t").map { String($0).replacing("\\n", with: "\n") }
      return Slip(parts[0], parts[1], parts[2])
    }
  }()

  @Test("A slip is told once, with its line and what to write instead", arguments: slips)
  func slip(_ slip: Slip) throws {
    let chat = ProtocolFileTests.chat
    try require(chat.contains(slip.text))
    let range = try required(chat.firstRange(of: slip.text))
    var text = chat
    text.replaceSubrange(range, with: slip.instead)
    do throws(ScenarioProblems) {
      _ = try ProtocolFileReader.read(octets: Array(text.utf8), file: "chat.yaml")
      Issue.record("nothing was wrong with it")
    } catch {
      let line = chat[..<range.lowerBound].count { $0 == "\n" } + 1
      let first = try required(error.list.first { $0.message.contains(slip.told) }, "\(error.list.map(\.message))")
      let lines = slip.instead.count { $0 == "\n" }
      // A key that is missing is told where its mapping begins.
      expect((line - 6...line + lines).contains(first.location.line), "line \(first.location.line), not \(line)")
      expect(first.location.column >= 1)
      expect(!"\(error)".contains("Optional("))
    }
  }

  @Test("What speaks of a packet that is wrong is not told too")
  func causes() throws {
    let text = ProtocolFileTests.chat.replacing("kind: u8 = 4, text: text", with: "kind: u8 = 4, text: txt")
    do throws(ScenarioProblems) {
      _ = try ProtocolFileReader.read(octets: Array(text.utf8), file: "chat.yaml")
      Issue.record("nothing was wrong with it")
    } catch {
      equal(error.list.map(\.message).count, 1, "\(error)")
    }
  }

  @Test("There are at least sixty kinds")
  func count() { expect(Self.slips.count >= 60) }

  @Test("No octets make the reader trap, hang or grow: the template with octets changed, removed and doubled")
  func total() {
    let octets = Array(ProtocolFileTests.chat.utf8)
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      var changed = octets
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let place = Int.random(in: 0..<changed.count, using: &generator)
        switch Int.random(in: 0...3, using: &generator) {
        case 0: changed[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: changed.remove(at: place)
        case 2: changed.insert(changed[place], at: place)
        default:
          let end = min(changed.count, place + Int.random(in: 0...200, using: &generator))
          changed.insert(contentsOf: changed[place..<end], at: place)
        }
      }
      _ = try? ProtocolFileReader.read(octets: changed, file: "chat.yaml")
    }
  }
}
