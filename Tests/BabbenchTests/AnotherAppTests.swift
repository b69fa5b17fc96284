import Expectations
import Foundation
import Testing

/// An app of two packets in one folder (Tests/Outside/Echo): all that the bench does for Bab, it does for any app.
@Suite("Another app: a folder, and a line in the list of protocols")
struct AnotherAppTests {
  private static let room = """
    summary: Two clients call one host, beside a beacon.
    protocol: echo
    devices:
      host: { engine: reference }
      client: { count: 2, around: host }
      beacon: { protocol: bystander, role: advertiser, at: [3, 0] }
    steps:
      - when: all clients are ready
        within: 10s
        all clients: call
      - after: 500ms
        all clients: call
    expect:
      - { that: all clients have heard 2, within: 2s }
    """

  private func echo(_ arguments: [String]) throws -> Executable.Result {
    try Executable.run(arguments, program: "echobench")
  }

  /// A room in which it is played, and what `run` leaves there.
  private func play(_ engine: String) throws -> (folder: TemporaryFolder, result: Executable.Result) {
    let folder = try TemporaryFolder()
    try folder.write(Self.room.replacing("reference", with: engine), to: "room.yaml")
    return (folder, try echo(["run", folder.path + "/room.yaml", "--out", folder.path + "/out"]))
  }

  @Test("run judges it by its oracle, and the room has another app in it")
  func run() throws {
    let (_, right) = try play("reference")
    equal(right.status, 0, "\(right.output)\(right.errors)")
    expect(right.output.contains("pass          4     0  PongsAnswerPings"))
    expect(right.output.contains("client-2  client"))
    expect(right.output.contains("beacon    advertiser"))
    let (_, wrong) = try play("wrong-number")
    equal(wrong.status, 1)
    expect(wrong.output.contains("expected   pong 1\n   saw        pong 2"))
  }

  @Test("check finds it in captures of the run, from either end and the air, and judges it by the same oracle")
  func check() throws {
    for (engine, status) in [("reference", Int32(0)), ("wrong-number", 1)] {
      let (folder, _) = try play(engine)
      for capture in ["host.btsnoop", "client-1.btsnoop", "air.pcapng"] {
        let result = try echo(["check", folder.path + "/out/" + capture, "--protocol", "echo"])
        equal(result.status, status, "\(capture): \(result.output)\(result.errors)")
        let verdict = try required(result.output.split(separator: "\n").first { $0.hasSuffix("PongsAnswerPings") })
        expect(verdict.hasPrefix(status == 0 ? "pass" : "fail"))
      }
      let packets = try echo(["inspect", folder.path + "/out/host.btsnoop", "--layers", "echo"])
      expect(packets.output.contains("ping 1"))
    }
  }

  @Test("conform passes its reference, in process and as a program, and fails its mutant")
  func conform() throws {
    let right = try echo(["conform", "--iut", "reference", "--role", "host"])
    expect(right.status == 0 && right.output.contains("1 case: 1 pass"), "\(right.output)\(right.errors)")
    let wrong = try echo(["conform", "--iut", "wrong-number"])
    expect(wrong.status == 1 && wrong.output.contains("saw         heard: 2"), "\(wrong.output)\(wrong.errors)")
    let folder = try TemporaryFolder()
    let program = Executable.url(of: "echobench").path
    let command = "[\(program), engine, reference, --role, host]"
    try folder.write("protocol: echo\nrole: host\ncommand: \(command)\n", to: "iut.yaml")
    let piped = try echo(["conform", "--iut", folder.path + "/iut.yaml"])
    expect(piped.status == 0 && piped.output.contains("1 case: 1 pass"), "\(piped.output)\(piped.errors)")
    try folder.write("protocol: ecco\nrole: host\ncommand: \(command)\n", to: "iut.yaml")
    let misspelt = try echo(["conform", "--iut", folder.path + "/iut.yaml"])
    equal(misspelt.status, 64)
    expect(misspelt.errors.contains("iut.yaml:1:11: protocol “ecco” does not exist; did you mean “echo”?"))
  }

  @Test("selftest and explain know its purpose and its mutant, and nothing of Bab is there")
  func selftest() throws {
    let proof = try echo(["selftest"])
    equal(proof.status, 0, "\(proof.output)\(proof.errors)")
    for line in ["1 test purpose, 1 with a kill", "1 mutant, 1 killed", "1 run of the reference, 1 pass"] {
      expect(proof.output.contains(line))
    }
    try expect(echo(["explain", "ECHO/HOST/PING/BV-01-C"]).output.contains("one pong with the number of the ping"))
    try expect(echo(["list", "--mutants"]).output.contains("wrong-number"))
    let help = try echo(["--help"])
    expect(!help.output.contains("packet decode") && !help.output.contains("BAB/"))
    try equal(echo(["conform", "--iut", "reference", "--protocol", "bab"]).status, 64)
  }
}
