import AppSeam
import BabSim
import Bench
import Expectations
import Foundation
import Testing

@testable import BabSuite
@testable import Conformance

/// The bench's testers speak to other people's engines, so what they say is read by a reader that is not the bench's.
@Suite("What testers say, read by a second reader")
struct SecondReaderTests {
  @Test("Every packet of every test purpose is one", arguments: ["host", "client"])
  func everyPacket(role: String) throws {
    let role = AppRole(rawValue: role)
    var texts: Set<[UInt8]> = []
    for purpose in Part.of(Catalog.all(role: role), 2) {
      let id = CaseID(purpose: purpose.id, dialect: AppProtocol.bab.dialect(for: purpose), seed: purpose.seeds[0])
      let packets = SpokenPackets(
        iut: CaseRunner.stage(purpose, id, of: .bab).iutIndex, framing: id.dialect.profile.framing)
      _ = CaseRunner.run(purpose, id, on: .reference(role, of: .bab), readers: [packets])
      texts.formUnion(packets.texts)
    }
    expect(texts.count > 150, "\(texts.count) packets")
    guard let answer = try read(texts.map { String(decoding: $0, as: UTF8.self) }.sorted()) else { return }
    equal(answer.status, 0, "\(answer.text)")
    let kinds: [PacketType] =
      role == .host
      ? [.handshake, .clientJoin, .lineCompleted, .generateRequest, .fullStateSnapshot]
      : [.handshake, .lobbyUpdate, .turnAdvanced, .leaderboardUpdate, .fullStateSnapshot, .voteRequest]
    for kind in kinds { expect(answer.text.contains(kind.rawValue), "none is \(kind.rawValue)") }
  }

  @Test(
    "The second reader refuses what is no packet",
    arguments: [
      ("no JSON", #""type""#, "type"), ("a key too many", "{\"type\"", "{\"more\":1,\"type\""),
      ("a key too few", #""senderId":"h","#, ""), ("another order", #""rankings":[],"updatedAt":7"#, swapped),
      ("null where there must be a number", #""unlockedAt":5"#, #""unlockedAt":null"#),
      ("no number at all", #","unlockedAt":5"#, ""), ("a number in quotes", #""unlockedAt":5"#, #""unlockedAt":"5""#),
      ("a whole accuracy", #""overallAccuracy":0.5"#, #""overallAccuracy":1"#),
      ("a name that there is not", #""mode":"HOST""#, #""mode":"GUEST""#),
      ("another payload", "FullStateSnapshot", "StartGame"), ("a list for an object", #""roles":{}"#, #""roles":[]"#),
    ])
  func refuses(what: String, part: String, other: String) throws {
    let text = Self.snapshot
    expect(text.contains(part), "\(what): the packet has nothing to change")
    guard let right = try read([text]) else { return }
    equal(right.status, 0, "\(right.text)")
    let wrong = try read([text.replacing(part, with: other)])
    expect(wrong?.status == 1 && wrong?.text.hasPrefix("line 1: ") == true, "\(what): \(wrong?.text ?? "")")
  }

  private static let swapped = #""updatedAt":7,"rankings":[]"#

  private static var snapshot: String {
    var state = SessionState()
    state.mode = .host
    state.sessionLeaderboard = Leaderboard(rankings: [], updatedAt: 7)
    state.sessionSummary = SessionSummary(
      scenarioName: "coffee-shop", durationMilliseconds: 1, totalLines: 1, playerRankings: [], xpEarned: ["h": 1],
      achievementsUnlocked: [Achievement(id: "a", name: "A", description: "", unlockedAt: 5)], overallAccuracy: 0.5)
    let packet = BabPacket(senderID: "h", vectorClock: VectorClock(), payload: .fullStateSnapshot(state))
    return String(decoding: packet.encoded(), as: UTF8.self)
  }

  /// What Tests/SecondReader/packets.py says of these lines; nil after saying so where there is no python3.
  private func read(_ lines: [String]) throws -> (status: Int32, text: String)? {
    let python = "/usr/bin/python3"
    guard FileManager.default.isExecutableFile(atPath: python) else {
      print("skipped: packets of testers in a second reader (there is no \(python))")
      return nil
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("babbench-packets-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (input, output) = (folder.appendingPathComponent("in"), folder.appendingPathComponent("out"))
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: input)
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = [
      "-S", "-E", Repository.path("Tests/SecondReader/packets.py"), Repository.path("Docs/Protocol/wire.md"),
    ]
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOf: output, encoding: .utf8))
  }
}
