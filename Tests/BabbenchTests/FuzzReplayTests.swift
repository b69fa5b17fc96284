import Expectations
import Foundation
import Testing

@testable import Commands

/// `babbench fuzz replay`: the record in the repository, and that a defect shows in it.
@Suite("babbench fuzz replay", .shippedEdition)
struct FuzzReplayTests {
  private static let record = Repository.path("Tests/Regressions/fuzz")

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func replay(_ arguments: [String]) throws -> Executable.Result {
    try Executable.run(["fuzz", "replay"] + arguments)
  }

  @Test("Every decoder has inputs, and all answers are as they were recorded")
  func shipped() throws {
    let result = try replay([Self.record])
    equal(result.status, 0, "\(result.output)\(result.errors)")
    expect(result.output.hasSuffix(" 0 differences\n"))
  }

  @Test("An answer that has changed is a line with its place, and --update writes it")
  func changed() throws {
    let copy = folder.path + "/record"
    try FileManager.default.copyItem(atPath: Self.record, toPath: copy)
    let path = copy + "/decoders/att.txt"
    var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    let before = lines[5]
    lines[5] = lines[5].prefix { $0 != " " } + " accepted as 00"
    try folder.write(lines.joined(separator: "\n") + "\n", to: "record/decoders/att.txt")
    let result = try replay([copy])
    equal(result.status, 1)
    expect(result.output.contains("att.txt:6:1: was “accepted as 00”, is “"), "\(result.output)")
    expect(result.output.hasSuffix(" 1 difference\n"))
    try equal(replay([copy, "--update"]).status, 0)
    try expect(folder.read("record/decoders/att.txt").split(separator: "\n")[5] == before)
    try FileManager.default.removeItem(atPath: path)
    try expect(replay([copy]).output.contains("att.txt: no inputs are recorded"))
  }

  @Test("A decoder that traps or hangs where it did not is a difference, and the others are still asked")
  func trap() throws {
    try folder.write("ec4040 accepted same\nec4000ff accepted same\n", to: "decoders/brittle.txt")
    try folder.write("ec410109 accepted same\n00 refused 0 another reason\n", to: "decoders/sound.txt")
    let result = try Executable.run(["fuzz", "replay", folder.path], program: "echobench")
    equal(result.status, 1)
    expect(result.output.contains("brittle.txt:1:1: was “accepted same”, is “ended by SIG"), "\(result.output)")
    expect(!result.output.contains("brittle.txt:2"))
    expect(!result.output.contains("sound.txt:1"))
    expect(result.output.contains("sound.txt:2:1: was “refused 0 another reason”, is “refused 0 no echo”"))
  }

  @Test("A defect of an engine shows in the attacks that are recorded of it")
  func planted() throws {
    try folder.write(FuzzRunTests.twoPeers, to: "two.yaml")
    let attacks = """
      {"scenario": "\(folder.path)/two.yaml", "when": "client in lobby", "from": "client", "seam": "packet",
       "span": 2000000000, "attacks": [{"attack": "{\\"strokes\\":[{\\"manner\\":\\"send\\",\\"octets\\":\\"5b5d\\"}]}",
       "digest": "", "events": 0, "findings": []}]}
      """
    try folder.write(attacks, to: "attacks/two.json")
    func play(_ more: [String] = []) throws -> Executable.Result {
      try Executable.run(["fuzz", "replay", folder.path] + more)
    }
    try equal(play(["--update"]).status, 0)
    try expect(play().output.contains("1 attack, 0 differences"))
    let broken = FuzzRunTests.twoPeers.replacing("host: {}", with: "host: { engine: host-crashes-on-wrong-kinds }")
    try folder.write(broken, to: "two.yaml")
    let result = try play()
    equal(result.status, 1)
    expect(result.output.contains("attack 1: findings none, now Breakdown-BAB-7.13"), "\(result.output)")
  }

  @Test("A folder without a record, and a line that is none, are refused in a line")
  func refused() throws {
    let nowhere = try replay([folder.path + "/nowhere"])
    expect(nowhere.status == 64 && nowhere.errors.contains("there is no such folder"), "\(nowhere.errors)")
    try folder.write("0x12 accepted\n", to: "decoders/bab-packet.txt")
    let result = try replay([folder.path])
    equal(result.status, 64)
    expect(result.errors.contains("bab-packet.txt:1:1: write the input as hexadecimal digits"), "\(result.errors)")
    try folder.write("{}", to: "other/attacks/x.json")
    try equal(replay([folder.path + "/other"]).status, 64)
    try equal(replay([folder.path, "--executions", "5"]).status, 64)
  }
}
