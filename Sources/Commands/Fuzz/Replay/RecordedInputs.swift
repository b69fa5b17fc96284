import BluetoothWire
import Campaigns
import Foundation
import Fuzzing
import InPlaceFuzz
import Judging
import SimKernel

/// Inputs of one decoder with the answers that it gave when they were recorded, a line each: `HEXADECIMAL ANSWER`. An
/// empty input is `-`; lines that begin with `#` are for people.
struct RecordedInputs {
  struct Entry {
    var input: [UInt8]
    var answer: String
    /// From 1.
    var line: Int
  }

  private(set) var entries: [Entry] = []
  private var heading: [String]

  init(heading: [String]) { self.heading = heading.map { "# " + $0 } }

  /// - Throws: `AttackFile.Refusal` for a line that is none.
  init(_ path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw BenchFailure("\(path): the file cannot be read")
    }
    heading = []
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty {
      if line.hasPrefix("#") {
        heading.append(String(line))
        continue
      }
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2, let input = words[0] == "-" ? [] : [UInt8](hexadecimalDigits: words[0]) else {
        throw AttackFile.Refusal(
          description: "\(path):\(index + 1):1: write the input as hexadecimal digits in pairs, and its answer")
      }
      entries.append(Entry(input: input, answer: String(words[1]), line: index + 1))
    }
  }

  mutating func add(_ input: [UInt8]) { entries.append(Entry(input: input, answer: "", line: 0)) }

  mutating func take(_ answers: [String]) {
    for index in entries.indices { entries[index].answer = answers[index] }
  }

  var octets: [UInt8] {
    let lines = entries.map { ($0.input.isEmpty ? "-" : String(hexadecimal: $0.input)) + " " + $0.answer }
    return Array((heading + lines).map { $0 + "\n" }.joined().utf8)
  }

  /// An answer in one line that is the same in every build: `accepted`, `accepted same`, `accepted as …`,
  /// `refused OFFSET REASON`, `broken RULE`.
  static func text(of answer: Result<FuzzedDecoder.Answer, FuzzedDecoder.Fault>, to input: [UInt8]) -> String {
    let text =
      switch answer {
      case .success(.accepted(_, nil)): "accepted"
      case .success(.accepted(_, let octets?)): octets == input ? "accepted same" : "accepted as \(digits(octets))"
      case .success(.refused(let reason, let offset)): "refused \(offset.map(String.init) ?? "-") \(reason)"
      case .success(.ran): "ran"
      case .success(.broken(let rule, _)): "broken \(rule)"
      case .failure(let fault): "broken \(fault.rule)"
      }
    return text.replacing("\n", with: " ")
  }

  private static func digits(_ octets: [UInt8]) -> String {
    octets.count <= 32
      ? String(hexadecimal: octets)
      : String(hexadecimal: Array(octets.prefix(32))) + "… (" + CountedNoun.text(octets.count, "octet") + ")"
  }

  /// What inputs have in common that show the same: an answer without its numbers, and which kind of value was taken.
  static func kind(of answer: Result<FuzzedDecoder.Answer, FuzzedDecoder.Fault>) -> String {
    switch answer {
    case .success(.accepted(let kind, _)): "accepted \(kind)"
    default: text(of: answer, to: []).filter { !$0.isNumber }
    }
  }
}
