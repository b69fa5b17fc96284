import Bench
import Conformance
import Expectations
import Foundation
import Judging
import Testing

@testable import ProtocolFiles

/// The lines of Docs/own-protocol.md between the bench and a program, said and answered by a program.
@Suite("The pipe, as the page of own protocols has it")
struct PipePageTests {
  /// Answers what the page has with what the page has, and ends when it is told anything like it that is not so.
  private static let program = """
    import json, sys
    user, sets, rings, shows = [json.loads(line) for line in open("lines")]
    sys.stdin.readline()
    print(json.dumps({"name": "hello", "protocol": 1, "implementation": "page"}), flush=True)
    for line in sys.stdin:
        given = json.loads(line)
        at, effects = given["at"], []
        if given["name"] == "user":
            if {**given, "at": 0} != {**user, "at": 0}:
                sys.exit(9)
            effects = [{**sets["effects"][0], "at": at + rings["at"] - user["at"]}]
        if given["name"] == "timer":
            if {**given, "at": 0} != {**rings, "at": 0}:
                sys.exit(9)
            effects = shows["effects"]
        print(json.dumps({"at": at, "effects": effects}), flush=True)

    """

  private static let purpose = """
    purposes:
      CHAT/GUEST/PIPE/BV-01:
        text: A guest shows a line two seconds after its user has said something.
        clause: CHAT 4
        role: guest
        steps:
          - user: { say: hi }
          - iut shows no: line
            for: 1900ms
          - iut shows: line where text = hi
            within: 200ms

    """

  @Test("A user's action, a timer and a report")
  func lines() throws {
    let lines = try Repository.text("Docs/own-protocol.md").split(separator: "\n").filter {
      $0.hasPrefix("    {\"at\":")
    }
    try require(lines.count == 4)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-page-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = [
      "lines": lines.joined(separator: "\n"), "app.py": Self.program,
      "chat.yaml": ProtocolFileTests.chat.replacing("purposes:\n", with: Self.purpose),
      "iut.yaml": "protocol: ./chat.yaml\nrole: guest\ncommand: [python3, app.py]\n",
    ]
    for (name, text) in files { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
    let app = try ProtocolFile(folder.path + "/chat.yaml", spellings: ["./chat.yaml"]).app
    let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    let program = try IUTDescription.read(path: folder.path + "/iut.yaml", environment: environment, among: [app])
    let purpose = try required(app.purpose("CHAT/GUEST/PIPE/BV-01"))
    let result = CaseRunner.run(
      purpose, CaseID(purpose: purpose.id, dialect: app.dialect(for: purpose), seed: 1), on: program)
    equal(result.verdict, .pass, "\(String(describing: result.finding)) \(result.steps)")
  }
}
