import AppSeam
import BabSim
import Conformance
import Expectations
import Foundation
import Testing

@testable import Commands

/// A host in Python that is the engine of the bench behind a second pipe, and misbehaves as it is told to.
enum PythonHost {
  /// `python3` in PATH; nil when there is none, and a line says what was skipped.
  static func path(for test: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let paths = folders.map { "\($0)/python3" }
    guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      print("skipped: python3 is not there, so \(test)")
      return nil
    }
    return path
  }

  /// The way of misbehaving is the first argument:
  /// `log` writes to standard error; `timer` asks for a timer of its own at a random instant;
  /// `gate` stops in the middle of its second launch until the file `go` is there; `name` shows a random name and is
  /// no host at all.
  static let program = """
    import json, os, subprocess, sys, time

    mode, babbench, engine_name = sys.argv[1:4]
    here = os.path.dirname(os.path.abspath(__file__))

    def say(message):
        sys.stdout.write(json.dumps(message) + "\\n")
        sys.stdout.flush()

    def random():
        return int.from_bytes(os.urandom(4), "big")

    if mode == "name":
        sys.stdin.readline()
        say({"name": "hello", "protocol": 1})
        for line in sys.stdin:
            given = json.loads(line)
            name = {"name": "identity", "role": "host", "peerID": "peer-iut", "displayName": str(random())}
            say({"at": given["at"], "effects": [name] if given["name"] == "launched" else []})
        sys.exit(0)

    engine = subprocess.Popen(
        [babbench, "engine", engine_name, "--role", "host"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(line):
        engine.stdin.write(line.encode())
        engine.stdin.flush()
        return json.loads(engine.stdout.readline())

    if mode == "gate":
        launches = len([name for name in os.listdir(here) if name.startswith("launch-")])
        with open(os.path.join(here, "launch-%d" % os.getpid()), "w") as file:
            file.write(str(engine.pid))

    say(ask(sys.stdin.readline()))
    inputs = 0
    for line in sys.stdin:
        given = json.loads(line)
        inputs += 1
        if given["name"] == "timer" and given["timer"] == 424242:
            say({"at": given["at"], "effects": []})
            continue
        answer = ask(line)
        if mode == "log":
            sys.stderr.write("python heard %s\\n" % given["name"])
            sys.stderr.flush()
        if mode == "timer" and given["name"] == "launched":
            answer["effects"].append({"name": "setTimer", "timer": 424242, "at": given["at"] + random()})
        if mode == "gate" and launches == 1 and inputs == 4:
            open(os.path.join(here, "waiting"), "w").close()
            while not os.path.exists(os.path.join(here, "go")):
                time.sleep(0.005)
        say(answer)
    engine.stdin.close()
    engine.wait()
    """

  /// Writes program and description. The limits are wide, since a busy machine is no finding.
  static func write(to folder: TemporaryFolder, python: String, mode: String, engine: String = "reference") throws {
    try folder.write(program, to: "host.py")
    try folder.write(
      """
      name: mine
      role: host
      command: ["\(python)", host.py, \(mode), "\(Executable.url.path)", \(engine)]
      dialects: [sdk]
      ics: all
      ixit:
        start-timeout: 5min
        answer-timeout: 5min
        launch-timeout: 10min
        end-timeout: 5min
      """, to: "iut.yaml")
  }

  /// Whether a process is there and could still do something; one that has ended may take a moment to go.
  static func isAlive(_ pid: Int32) -> Bool {
    for _ in 0..<2_000 {
      guard kill(pid, 0) == 0, !isZombie(pid) else { return false }
      usleep(1_000)
    }
    return true
  }

  private static func isZombie(_ pid: Int32) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let bracket = text.lastIndex(of: ")")
    else { return false }
    return ["Z", "X"].contains(text[text.index(after: bracket)...].split(separator: " ").first)
  }
}

@Suite("babbench conform, on programs in Python", .shippedEdition)
struct ConformProgramTests {
  private typealias Words = ConformWords

  @Test("A case that fails has trace, capture and the program's log; one that passes has nothing")
  func log() throws {
    guard let python = PythonHost.path(for: "no log of a program was kept") else { return }
    let folder = try TemporaryFolder()
    try PythonHost.write(to: folder, python: python, mode: "log", engine: "lobby-update-forgotten")
    let talk = try ConformTalk.run(
      ["--iut", folder.path + "/iut.yaml", "--out", folder.path + "/out"] + Words.select("BV-01-C", "BV-02-C"))
    equal(talk.status, 1)
    expect(talk.lines.contains("2 cases: 1 pass, 1 fail"))
    let name = "BAB-HOST-LOBBY-BV-01-C-sdk-1-mine"
    try equal(folder.files(in: "out/cases"), [name])
    try equal(folder.files(in: "out/cases/" + name), ["air.pcapng", "iut.log", "timeline.html", "trace.jsonl"])
    let log = try folder.read("out/cases/\(name)/iut.log")
    expect(log.hasPrefix("python heard launched\npython heard user\n"))
    expect(log.hasSuffix("\n"))
    let files = talk.block("fail").filter { $0.hasPrefix("  file ") }
    equal(files.count, 4)
    equal(files.last, "  file        \(folder.path)/out/cases/\(name)/iut.log")
    try expect(folder.read("out/report.html").contains("python heard launched"))
  }

  @Test("Programs that run side by side come to the same as one after the other, logs and captures too")
  func sideBySide() throws {
    guard let python = PythonHost.path(for: "no programs were run side by side") else { return }
    let folder = try TemporaryFolder()
    try PythonHost.write(to: folder, python: python, mode: "log", engine: "lobby-update-forgotten")
    let arguments =
      ["--iut", folder.path + "/iut.yaml", "--check-determinism"] + Words.select("BV-01-C", "BV-02-C", "BV-06-C")
    let one = try ConformTalk.run(arguments + ["--jobs", "1", "--out", folder.path + "/one"])
    let two = try ConformTalk.run(arguments + ["--jobs", "2", "--out", folder.path + "/two"])
    equal(one.status, 1)
    equal(one.output.replacing("/one/cases/", with: "/two/cases/"), two.output)
    expect(!one.output.contains("deterministic"))
    try equal(ConformFolder.timeless(folder, "one"), ConformFolder.timeless(folder, "two"))
    let cases = try ConformFolder.tree(folder.path + "/one/cases")
    equal(cases.count, 8)
    try equal(ConformFolder.tree(folder.path + "/two/cases"), cases)
  }

  @Test("A program that passes but not twice alike is told apart from the bench, and keeps its verdict")
  func randomTimer() throws {
    guard let python = PythonHost.path(for: "no program with a random timer was run") else { return }
    let folder = try TemporaryFolder()
    try PythonHost.write(to: folder, python: python, mode: "timer")
    let arguments = ["--iut", folder.path + "/iut.yaml"] + Words.select("BV-02-C", "BV-04-C")
    let checked = try ConformTalk.run(arguments + ["--check-determinism"])
    equal(checked.status, 0)
    for number in ["BV-02-C", "BV-04-C"] {
      let block = checked.block("pass  BAB/HOST/LOBBY/\(number) sdk")
      let remark = block.first { $0.hasPrefix("  remark ") } ?? ""
      expect(remark.contains("the implementation is not deterministic: first "), "\(block)")
      expect(remark.contains("sets timer") && remark.contains("424242"), "\(remark)")
      equal(block.last?.hasPrefix("  repeat      babbench conform "), true)
    }
    expect(!checked.output.contains("the bench is not deterministic"))
    // Nobody asked, so nobody looked.
    let unchecked = try ConformTalk.run(arguments)
    equal(unchecked.status, 0)
    expect(!unchecked.output.contains("deterministic"))
  }

  @Test("A case that is not passed is always run again, and a random text on the screen is the program's fault")
  func randomText() throws {
    guard let python = PythonHost.path(for: "no program with random words was run") else { return }
    let folder = try TemporaryFolder()
    try PythonHost.write(to: folder, python: python, mode: "name")
    for more in [[], ["--check-determinism"]] {
      let talk = try ConformTalk.run(["--iut", folder.path + "/iut.yaml"] + Words.select("BV-02-C") + more)
      expect(talk.status == 2 || talk.status == 1)
      expect(talk.output.contains("the implementation is not deterministic: first "), "\(talk.output)")
      expect(!talk.output.contains("the bench is not deterministic"))
    }
  }

  @Test("A program that does not come up is an error of its cases, exit 3: one cause, and a log for each case")
  func neverThere() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "name: mine\nrole: host\ncommand: [/bin/sh, -c, 'echo no licence >&2; exit 7']\ndialects: [sdk]\nics: all\n",
      to: "iut.yaml")
    let out = folder.path + "/out"
    let talk = try ConformTalk.run(
      ["--iut", folder.path + "/iut.yaml", "--out", out] + Words.select("BV-01-C", "BV-02-C"))
    equal(talk.status, 3)
    expect(talk.lines.contains("2 cases: 2 error"))
    let block = talk.block("error  its program does not start: it ends with exit code 7: 2 error")
    expect(block.contains("  first       BAB/HOST/LOBBY/BV-01-C sdk"))
    expect(block.contains { $0.contains("did not start: ") })
    try equal(folder.read("out/cases/BAB-HOST-LOBBY-BV-02-C-sdk-1-mine/iut.log"), "no licence\n")
  }

  @Test(
    "Interrupted, it ends the case it is in, begins no other, leaves whole files and no program, and exits with 130")
  func interruption() throws {
    guard let python = PythonHost.path(for: "no run was interrupted") else { return }
    let folder = try TemporaryFolder()
    try PythonHost.write(to: folder, python: python, mode: "gate")
    let talk = try Executable.start(
      ["conform", "--iut", folder.path + "/iut.yaml", "--select", "BAB/HOST/LOBBY", "--jobs", "1"]
        + ["--out", folder.path + "/out"])
    defer { if talk.process.isRunning { kill(talk.process.processIdentifier, SIGKILL) } }
    while !FileManager.default.fileExists(atPath: folder.path + "/waiting") {
      try require(talk.process.isRunning)
      usleep(2_000)
    }
    // In the middle of the second case: the first is told already, line by line.
    try expect(folder.read("out/events.jsonl").contains("\"caseEnded\""))
    try equal(folder.files(in: "out").contains("result.json"), false)
    talk.process.interrupt()
    try folder.write("", to: "go")
    let output = String(decoding: talk.readToEnd(), as: UTF8.self)
    talk.process.waitUntilExit()
    equal(talk.process.terminationReason, .exit)
    equal(talk.process.terminationStatus, 130)
    expect(output.contains("cases were not begun"))
    expect(output.contains("verdict inconclusive"))
    try ConformFolder.isWhole(folder, "out", cases: false)
    var programs: [Int32] = []
    for name in try folder.files() where name.hasPrefix("launch-") {
      programs += [Int32(name.dropFirst("launch-".count)), Int32(try folder.read(name))].compactMap { $0 }
    }
    expect(programs.count >= 4)
    for program in programs { expect(!PythonHost.isAlive(program), "process \(program) is still there") }
  }
}
