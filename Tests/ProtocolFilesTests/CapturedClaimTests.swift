import AppSeam
import Bench
import CaptureCheck
import CaptureTestSupport
import Conformance
import Expectations
import Foundation
import Judging
import SimKernel
import Testing

@testable import ProtocolFiles

/// Claims over time in captures: found where the capture has the link whole, open where something is missing, and never
/// wrong for what the radio or a queue can explain.
@Suite("Claims over time in captures")
struct CapturedClaimTests {
  /// A question and its answer on one link, and what must not come.
  private static let text = """
    protocol: quiz
    roles: { asker: {}, teller: {} }
    services:
      quiz:
        uuid: FFF0
        of: teller
        characteristics:
          asked: { uuid: FFF1, properties: [write] }
          told: { uuid: FFF2, properties: [notify] }
    packets:
      hello: { by: asker, on: asked, fields: { kind: u8 = 1 } }
      ask: { by: asker, on: asked, fields: { kind: u8 = 2, number: u8 } }
      answer: { by: teller, on: told, fields: { kind: u8 = 3, number: u8 } }
      news: { by: teller, on: told, fields: { kind: u8 = 4, number: u8 } }
    actions: { greet: { by: asker }, question: { by: asker, values: { number: number } } }
    clauses: { Q 1: Questions MUST be answered. }
    claims:
      GreetingSaysHello: { clause: Q 1, of: asker, when: does greet, then: sends hello, within: 1s }
      QuestionsAreSent:
        { clause: Q 1, of: asker, when: does question, then: sends ask where number = question.number, within: 1s }
      NewsComeOnHello: { clause: Q 1, of: teller, when: hears hello, then: sends news where number = 1, within: 1s }
      NewsComeOnQuestions:
        { clause: Q 1, of: teller, when: hears ask, then: sends news where number = ask.number, within: 1s }
      QuestionsAreAnswered:
        { clause: Q 1, of: teller, when: hears ask, then: sends answer where number = ask.number, within: 1s }
      AnswersHaveQuestions: { clause: Q 1, of: teller, never: sends answer, before: hears ask }
      HelloComesOnce: { clause: Q 1, of: asker, at most: 1, event: sends hello }
      NewsRise: { clause: Q 1, of: teller, rises: number, event: sends news }
    """

  private static let scenario = """
    protocol: quiz
    devices: { teller: {}, asker: { engine: ENGINE } }
    steps:
      - { after: 3s, asker: greet }
      - { after: 1s, asker: { question: 5 } }
      - { after: 12s, asker: { question: 6 } }
      - { after: 12s, asker: { question: 7 } }
    duration: 40s
    """

  private static func app() throws -> AppProtocol {
    let form = try ProtocolFileReader.read(octets: Array(text.utf8), file: "quiz.yaml")
    return AppProtocol(form, file: "quiz.yaml")
  }

  /// A room with an engine in place of the reference, captured at each device.
  private static func captured(_ role: String, _ engine: String) throws -> CaptureFolder {
    let folder = try CaptureFolder()
    let app = try app()
    var scenario = try ScenarioReader.read(
      text: scenario.replacing(", asker: { engine: ENGINE }", with: ", asker: {}"), file: "quiz-room",
      language: ScenarioLanguage([app])
    ).get()
    for place in scenario.devices.indices where scenario.devices[place].role.rawValue == role {
      scenario.devices[place].engine = engine
    }
    let hci = try HCICaptureReader(folder: folder.path)
    _ = try World.run(scenario, options: RunOptions(seed: 1), readers: [hci], engines: [app].engines)
    try hci.close()
    return folder
  }

  private static func judged(_ path: String) throws -> [OracleResult] {
    try Checker(paths: [path], protocolType: app().traffic).report().judgement?.oracles ?? []
  }

  private static func result(_ claim: String, _ path: String) throws -> OracleResult {
    try required(try judged(path).first { $0.id == claim })
  }

  @Test("The reference is judged by the claims about packets on a link, and passes", arguments: ["teller", "asker"])
  func reference(at device: String) throws {
    let folder = try Self.captured("teller", "reference")
    let results = try Self.judged(folder.path + "/\(device).btsnoop")
    equal(
      results.map(\.id),
      [
        OnlyPackets.id, "NewsComeOnHello", "NewsComeOnQuestions", "QuestionsAreAnswered", "AnswersHaveQuestions",
        "HelloComesOnce", "NewsRise",
      ])
    expect(results.allSatisfy { $0.verdict == .pass && $0.judged > 0 && $0.open == 0 }, "\(results.map(\.judged))")
  }

  @Test(
    "A broken engine is found in a capture of either end",
    arguments: [
      ("silent-QuestionsAreAnswered", "teller", "QuestionsAreAnswered"),
      ("wrong-QuestionsAreAnswered", "teller", "QuestionsAreAnswered"),
      ("breaks-AnswersHaveQuestions", "teller", "AnswersHaveQuestions"),
      ("breaks-HelloComesOnce", "asker", "HelloComesOnce"), ("breaks-NewsRise", "teller", "NewsRise"),
    ], ["teller", "asker"])
  func mutants(_ mutant: (engine: String, role: String, claim: String), at device: String) throws {
    let folder = try Self.captured(mutant.role, mutant.engine)
    let found = try Self.result(mutant.claim, folder.path + "/\(device).btsnoop")
    equal(found.verdict, .fail, "judged \(found.judged), open \(found.open)")
  }

  /// What is late within what the radio can hold back, and what nothing else follows, is nobody's proof.
  @Test("What comes late with nothing before it stays open")
  func late() throws {
    let folder = try Self.captured("teller", "late-QuestionsAreAnswered")
    let found = try Self.result("QuestionsAreAnswered", folder.path + "/asker.btsnoop")
    expect(found.findings.isEmpty)
  }

  @Test(
    "A capture that begins inside the link, or lacks records of it, accuses nobody of what it does not show",
    arguments: ["reference", "silent-QuestionsAreAnswered", "breaks-AnswersHaveQuestions"])
  func damaged(engine: String) throws {
    let folder = try Self.captured("teller", engine)
    let whole = try folder.octets("asker.btsnoop")
    let records = Self.records(whole)
    let path = folder.path + "/part.btsnoop"
    // LE Connection Complete, or its enhanced form: the link's beginning.
    let link = try required(
      records.firstIndex { record in
        record.dropFirst(24).starts(with: [0x04, 0x3E]) && [0x01, 0x0A].contains(record[record.startIndex + 27])
      })
    for begin in stride(from: link + 1, to: records.count - 4, by: 9) {
      try Data(whole[..<16] + records[begin...].joined()).write(to: URL(fileURLWithPath: path))
      let results = try Self.judged(path)
      let before = results.first { $0.id == "AnswersHaveQuestions" }
      expect(before?.findings.isEmpty ?? true, "from \(begin)")
      if engine == "reference" { expect(results.allSatisfy { $0.findings.isEmpty }, "from \(begin)") }
    }
    // Records of the reference's capture left out, one at a time.
    guard engine == "reference" else { return }
    for lost in stride(from: link + 1, to: records.count, by: 5) {
      let rest = records.enumerated().filter { $0.offset != lost }.map(\.element)
      try Data(whole[..<16] + rest.joined()).write(to: URL(fileURLWithPath: path))
      let wrong = try Self.judged(path).filter { !$0.findings.isEmpty && Self.sure.contains($0.id) }
      expect(wrong.isEmpty, "without record \(lost): \(wrong.flatMap(\.findings))")
    }
  }

  /// Claims that no lost packet makes wrong. Records that are missing without a trace leave no gap that is seen.
  private static let sure = ["HelloComesOnce", "NewsRise"]

  /// The records of a btsnoop file.
  private static func records(_ octets: [UInt8]) -> [ArraySlice<UInt8>] {
    var records: [ArraySlice<UInt8>] = []
    var start = 16
    while start + 24 <= octets.count {
      let end = start + 24 + octets[start + 4..<start + 8].reduce(0) { $0 << 8 | Int($1) }
      records.append(octets[start..<min(end, octets.count)])
      start = end
    }
    return records
  }
}
