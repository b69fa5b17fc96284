import AppSeam
import ArgumentParser
import BabSim
import BabSuite
import Bench
import Campaigns
import Conformance
import Foundation
@testable import HCIPorts
import Expectations
import SimKernel
import Testing
import VirtualRadio

@testable import Commands

@Suite("hci serve, play and replay as they are written", .shippedEdition)
struct LiveCommandTests {
  static let lobby = """
    name: lobby
    devices:
      host: {}
      guest: { at: [1, 0] }
    steps:
      - host: start hosting
      - guest: join
    """

  /// The names that a command gives seats to, or why it gives none.
  private func seats(_ arguments: [String]) -> Result<[String], any Error> {
    Result {
      let command = try Babbench.parseAsRoot(arguments)
      if let serve = command as? ServeCommand { return try serve.plan().ports.map { "\($0.name) \($0.address)" } }
      if let play = command as? PlayCommand { return try play.plan().ports.map { "\($0.name) \($0.address)" } }
      return []
    }
  }

  private func refusal(_ arguments: [String]) -> String {
    switch seats(arguments) {
    case .success(let seats): "taken: \(seats)"
    case .failure(let error): Babbench.fullMessage(for: error)
    }
  }

  @Test("Without a scenario there are as many controllers as ports, or as were asked for")
  func bare() throws {
    try equal(seats(["hci", "serve"]).get(), ["controller-1 h4:tcp:0"])
    try equal(
      seats([
        "hci", "serve", "--controllers", "3", "--port", "controller-2=h4:tcp:9002", "--port", "h4:unix:/tmp/a",
      ])
      .get(), ["controller-1 h4:unix:/tmp/a", "controller-2 h4:tcp:9002", "controller-3 h4:tcp:0"])
    try equal(seats(["hci", "serve", "--port", "h4:pty", "--port", "vhci"]).get().count, 2)
    try equal(seats(["hci", "serve", "--controllers", "64"]).get().count, 64)
    let plan = try required(try Babbench.parseAsRoot(["hci", "serve", "--controllers", "64"]) as? ServeCommand).plan()
    expect(plan.isOpenEnded)
    equal(plan.scenario.limits.simulatedTime, .seconds(3_600_000))
    equal(plan.begin, .firstSeat)
  }

  @Test("A scenario's devices get the ports and controllers that name them")
  func named() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.lobby, to: "lobby.yaml")
    let lobby = folder.path + "/lobby.yaml"
    try equal(seats(["hci", "serve", lobby, "--port", "guest=h4:tcp:9001"]).get(), ["guest h4:tcp:9001"])
    try equal(
      seats(["play", lobby, "--controller", "guest=h4:tcp:1", "--controller", "host=user:hci1"]).get(),
      ["guest h4:tcp:1", "host user:hci1"])
    try equal(seats(["play", "--role", "client", "--controller", "h4:tcp:1"]).get(), ["client h4:tcp:1"])
    try equal(seats(["play", "--role", "host", "--controller", "h4:tcp:1"]).get(), ["host h4:tcp:1"])
    try folder.write("devices: { host: {} }", to: "one.yaml")
    try equal(seats(["play", folder.path + "/one.yaml", "--controller", "h4:tcp:1"]).get(), ["host h4:tcp:1"])
    let command = try Babbench.parseAsRoot(["hci", "serve", lobby, "--port", "guest=h4:tcp:9001", "--seed", "9"])
    let plan = try required(command as? ServeCommand).plan()
    equal(plan.header.scenario, Self.lobby)
    equal(plan.header.seed, 9)
    equal(plan.tasks, ["guest: line 7, guest: join"])
  }

  @Test("What cannot be is refused in words that say what to write")
  func refusals() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.lobby, to: "lobby.yaml")
    try folder.write(Self.lobby + "\n  - guest: kill\n", to: "kill.yaml")
    let lobby = folder.path + "/lobby.yaml"
    let cases: [([String], String)] = [
      (["hci", "serve", lobby], "--port DEVICE="),
      (["hci", "serve", lobby, "--port", "h4:tcp:1"], "which device?"),
      (["hci", "serve", lobby, "--port", "gust=h4:tcp:1"], "there are host, guest"),
      (["hci", "serve", lobby, "--port", "guest=h4:tcp:1", "--port", "guest=h4:tcp:2"], "has two"),
      (["hci", "serve", lobby, "--port", "guest=user:hci0"], "a host cannot come there"),
      (["hci", "serve", lobby, "--port", "guest=h4:tcp:nowhere"], "a port is a number"),
      (["hci", "serve", lobby, "--port", "guest=h5:tcp:1"], "no address of a port"),
      (["hci", "serve", lobby, "--controllers", "2"], "without a scenario"),
      (["hci", "serve", folder.path + "/kill.yaml", "--port", "guest=h4:tcp:1"], "line 8"),
      (["hci", "serve", "--controllers", "1001"], "1 to 1000"),
      (["hci", "serve", "--controllers", "1", "--port", "h4:tcp:1", "--port", "h4:tcp:2"], "more --port"),
      (["hci", "serve", "--lag-bound", "0s"], "--lag-bound"),
      (["hci", "serve", "--duration", "5"], "duration"),
      (["hci", "serve", "--set", "radio"], "key=value"),
      (["play", lobby, "--controller", "guest=h4:tcp:1"], "no controller for host"),
      (["play", lobby, "--role", "host"], "--role"),
      (["play", "--controller", "h4:tcp:1"], "--role host"),
      (["play", "--role", "host"], "--controller"),
      (["play", "--role", "host", "--controller", "vhci"], "no controller can be reached"),
      (["replay", "session.jsonl", "--seed", "4"], "--seed is not for replay"),
      (["replay", "session.jsonl", "--times", "0"], "--times"),
    ]
    for (arguments, words) in cases {
      expect(refusal(arguments).contains(words), "\(arguments): \(refusal(arguments))")
    }
  }

  @Test("The lines of ports can be pasted, and strangers' ways in are warned of")
  func portLines() throws {
    let ports = [
      OpenPort(device: 0, name: "a", address: .tcp(host: "127.0.0.1", port: 9001), terminal: nil),
      OpenPort(device: 1, name: "b-2", address: .tcp(host: "0.0.0.0", port: 80), terminal: nil),
      OpenPort(device: 2, name: "c", address: .pty(path: nil), terminal: "/dev/pts/7"),
    ]
    let plan = try required(try Babbench.parseAsRoot(["hci", "serve"]) as? ServeCommand).plan()
    let lines = LivePrinter.text(of: ports, plan).split(separator: "\n").map(String.init)
    expect(lines[0].hasPrefix("port a    h4:tcp:127.0.0.1:9001  bumble: tcp-client:127.0.0.1:9001"))
    expect(lines[2].contains("btattach -P h4 -B /dev/pts/7"))
    expect(!lines.contains("only this machine can reach them"))
    equal(LivePrinter.warnings(ports).count, 1)
    expect(LivePrinter.warnings(ports)[0].contains("0.0.0.0:80 is open to the network"))
    equal(LivePrinter.readyLines(ports), "a h4:tcp:127.0.0.1:9001\nb-2 h4:tcp:0.0.0.0:80\nc h4:pty:/dev/pts/7\n")
    equal(LivePrinter.milliseconds(.nanoseconds(1_234_567)), "1.23 ms")
  }

  // MARK: Replay

  /// What a command says, and its exit code.
  private func replay(_ arguments: [String]) throws -> (code: Int32, told: String, complained: String) {
    var (told, complained) = ("", "")
    let streams = OutputStreams(tell: { told += $0 + "\n" }, complain: { complained += $0 + "\n" })
    let code = try ReplayCommand.parse(arguments).execute(for: streams)
    return (code, told, complained)
  }

  /// A session of the lobby whose guest sends a few commands, as a file would have it.
  private func recording(_ text: String = Self.lobby) throws -> [UInt8] {
    let header = SessionRecording.Header(
      bench: BenchVersion.current, file: "lobby.yaml", scenario: text, settings: [], seed: 3,
      seats: [.init(device: "guest", seat: .foreignHost)])
    var octets: [UInt8] = []
    let session = try LiveSession(
      header, scenario: SessionRecording(header: header).scenario(.shipped).get(),
      engines: [AppProtocol.bab].engines, record: { octets += $0 })
    session.enter(.attached, device: 1)
    session.advance(to: .zero + .milliseconds(7))
    session.enter(.packet([0x01, 0x03, 0x0C, 0x00]), device: 1)
    session.advance(to: .distantFuture)
    _ = session.finish()
    return octets
  }

  @Test("A whole session is replayed with its digest, and files like those of a run are left")
  func replays() throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/session.jsonl"
    try Data(try recording()).write(to: URL(fileURLWithPath: file))
    let result = try replay([file, "--times", "3", "--out", folder.path + "/out"])
    equal(result.code, 0, "\(result)")
    expect(result.told.contains("the recorded run: digest "))
    expect(result.told.contains("replayed 3 times"))
    try equal(
      folder.files(in: "out"),
      [
        ".babbench-files", "air.pcapng", "guest.btsnoop", "host.btsnoop", "junit.xml", "result.json", "timeline.html",
        "trace.jsonl",
      ])
    try expect(folder.read("out/result.json").contains("babbench replay "))
  }

  @Test("A session that was tampered with, broke off, expected too much or is none has its own exit code")
  func replayExitCodes() throws {
    let folder = try TemporaryFolder()
    func code(_ octets: [UInt8]) throws -> Int32 {
      try Data(octets).write(to: URL(fileURLWithPath: folder.path + "/s.jsonl"))
      return try replay([folder.path + "/s.jsonl"]).code
    }
    let whole = try recording()
    try equal(code(whole), 0)
    try equal(code(Array(String(decoding: whole, as: UTF8.self).replacing("01030c00", with: "01030c01").utf8)), 1)
    try equal(code(whole.dropLast(20)), 2)
    try equal(code(Array("{}\n".utf8)), 64)
    try equal(code(Array(String(decoding: whole, as: UTF8.self).replacing("host: {}", with: "hots: {}").utf8)), 64)
    try equal(replay([folder.path + "/none.jsonl"]).code, 64)
    try equal(code(try recording(Self.lobby + "\nexpect: [ host has 3 players ]\n")), 1)
  }
}
