import Expectations
import Foundation
import Testing

@testable import Commands

/// `babbench fuzz run --iut`: a program under test is attacked, and started again for each execution.
@Suite("babbench fuzz run and a program under test", .shippedEdition)
struct FuzzProgramTests {
  /// The engine of the bench behind a second pipe. `crash` ends at a packet that is no JSON object; `random` is another
  /// program each time.
  private static let relay = """
    import json, os, subprocess, sys

    mode, babbench = sys.argv[1:]
    engine = subprocess.Popen(
        [babbench, "engine", "reference", "--role", "host"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    packet = b""

    def check(octets):
        global packet
        index, count = octets[2], octets[3]
        packet = octets[4:] if index == 0 else packet + octets[4:]
        if index + 1 == count and type(json.loads(packet)) is not dict:
            raise ValueError("this is no packet")

    for line in sys.stdin:
        given = json.loads(line)
        if mode == "crash" and given["name"] == "valueReceived":
            check(bytes.fromhex(given["octets"]))
        engine.stdin.write(line.encode())
        engine.stdin.flush()
        answer = json.loads(engine.stdout.readline())
        if mode == "random" and given.get("name") == "launched":
            due = given["at"] + int.from_bytes(os.urandom(4), "big")
            answer["effects"].append({"name": "setTimer", "timer": 424242, "at": due})
        if mode == "random" and given.get("timer") == 424242:
            answer["effects"] = []
        print(json.dumps(answer), flush=True)
    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(FuzzRunTests.twoPeers, to: "two.yaml")
    try folder.write(Self.relay, to: "relay.py")
  }

  /// The limits are wide, since a busy machine is no finding.
  private func describe(_ command: [String]) throws -> String {
    let words = command.map { "\"\($0)\"" }.joined(separator: ", ")
    try folder.write(
      """
      role: host
      command: [\(words)]
      ics: all
      ixit: { start-timeout: 5min, answer-timeout: 5min, launch-timeout: 10min, end-timeout: 5s }
      """, to: "iut.yaml")
    return folder.path + "/iut.yaml"
  }

  private func engine(_ name: String) throws -> String {
    try describe([Executable.url.path, "engine", name, "--role", "host"])
  }

  private func fuzz(_ iut: String, _ arguments: [String]) throws -> Executable.Result {
    try Executable.run(
      ["fuzz", "run", folder.path + "/two.yaml", "--when", "client in lobby", "--from", "client", "--iut", iut]
        + ["--patience", "10min"] + arguments)
  }

  @Test(
    "The reference over a pipe bears attacks, and how many at a time changes nothing", arguments: ["packet", "att"])
  func reference(seam: String) throws {
    let arguments = ["--executions", "8", "--seam", seam]
    let one = try fuzz(try engine("reference"), arguments + ["--jobs", "1"])
    equal(one.status, 0, "\(one.output)\(one.errors)")
    expect(one.output.contains("\n8 executions, "))
    let two = try fuzz(try engine("reference"), arguments + ["--jobs", "2"])
    equal(one.output, two.output)
  }

  /// A write that is no packet.
  private func attack() throws -> String {
    try folder.write(#"{"strokes":[{"manner":"send","after":0,"route":0,"octets":"7b22"}]}"#, to: "input.json")
    return folder.path + "/input.json"
  }

  @Test("A program that a hostile client breaks is found, and the attack of a file is played and captured")
  func mutant() throws {
    let iut = try engine("host-deaf-after-garbage")
    let found = try fuzz(iut, ["--executions", "8"])
    expect(found.status == 1 && found.output.contains("finding NothingSentIsLost-BAB-5.9.1"), "\(found.output)")
    let out = folder.path + "/out"
    let played = try fuzz(iut, ["--input", try attack(), "--out", out])
    expect(played.status == 1 && played.output.contains("finding NothingSentIsLost-BAB-5.9.1: "), "\(played.output)")
    try equal(folder.files(in: "out"), ["attack.pcapng"])
  }

  @Test("A crash has the place that the program's own message says")
  func crash() throws {
    guard let python = PythonHost.path(for: "no program in Python was fuzzed") else { return }
    let iut = try describe([python, "relay.py", "crash", Executable.url.path])
    let played = try fuzz(iut, ["--input", try attack()])
    expect(played.output.contains("finding Breakdown-BAB-7.13-crashes-at-relay.py-13: host: "), "\(played.output)")
    expect(played.output.contains("JSONDecodeError: "))
  }

  @Test(
    "Findings are made small, and a campaign that ended goes on and comes to the same",
    .proof
  )
  func campaigns() throws {
    let iut = try engine("host-deaf-after-garbage")
    func campaign(_ out: String, _ more: [String]) throws -> [String] {
      let result = try fuzz(iut, ["--out", folder.path + "/" + out] + more)
      equal(result.status, 1, "\(result.output)\(result.errors)")
      return result.output.replacing(folder.path + "/" + out, with: "OUT").split(separator: "\n").map(String.init)
    }
    let whole = try campaign("whole", ["--executions", "66"])
    let name = try required(try folder.files(in: "whole").first { $0.hasPrefix("Nothing") }, "\(whole)")
    try equal(folder.files(in: "whole/" + name), ["finding.pcapng", "finding.txt", "input.json"])
    let input = folder.path + "/whole/\(name)/input.json"
    try equal(folder.read("whole/\(name)/input.json").components(separatedBy: "manner").count, 2)
    let again = try fuzz(iut, ["--input", input])
    expect(again.status == 1 && again.output.contains("finding \(name): "), "\(again.output)")
    _ = try campaign("parts", ["--executions", "64"])
    try equal(campaign("parts", ["--executions", "66", "--resume"]), whole)
  }

  @Test("What cannot be fuzzed is one line with the right exit code")
  func refusals() throws {
    func ends(_ result: Executable.Result, _ status: Int32, _ words: String) {
      equal(result.status, status, "\(result.output)")
      expect(result.output.isEmpty)
      expect(result.errors.contains(words), "\(result.errors)")
      equal(result.errors.split(separator: "\n").count, 1, "\(result.errors)")
    }
    ends(try fuzz(try describe(["/bin/false"]), []), 2, "host broke before the state, without an attack: ")
    if let python = PythonHost.path(for: "no program that is another one each time was fuzzed") {
      let random = try describe([python, "relay.py", "random", Executable.url.path])
      ends(try fuzz(random, []), 2, "the program at host did not reach the same state twice")
    }
    let iut = try engine("reference")
    ends(try fuzz(iut, ["--iut-at", "hots"]), 64, "did you mean “host”?")
    ends(try fuzz(iut, ["--iut-at", "client"]), 64, "client has no place for a host of bab")
    ends(try fuzz(iut, ["--from", "host"]), 64, "host is hostile, and nothing is asked of it")
    ends(try fuzz(folder.path + "/nowhere.yaml", []), 64, "nowhere.yaml")
  }
}
