import Expectations
import Foundation
import Testing

@testable import Commands

/// Apps that are programs, as devices of a scenario: what `run` and all that shares its worlds make of them.
@Suite("babbench run, with programs", .shippedEdition)
struct RunProgramTests {
  /// A lobby of four with a kill, a phone in the background and a phone that vanishes.
  private static func lobby(host: String = "engine: reference", guest: String = "engine: reference") -> String {
    """
    summary: a lobby of four
    radio: living-room
    devices:
      host: { phone: iphone, \(host) }
      client: { count: 2, phone: android, around: host, radius: 2 m }
      guest: { role: client, phone: iphone, at: [1, 1], \(guest) }
    game: { scenario: coffee-shop, lines: 8, autoplay: { think: 300ms..900ms } }
    steps:
      - host: start hosting
      - all clients: join
      - { when: all clients in lobby, within: 15s, host: { set scenario: coffee-shop } }
      - { after: 500ms, host: start lobby game }
      - { after: 1s, guest: kill }
      - { after: 2s, guest: [relaunch, join] }
      - { after: 1s, client-2: vanish }
      - { after: 2s, client-2: appear }
      - { after: 1s, client-1: background }
      - { after: 1s, client-1: foreground }
    expect:
      - { that: all clients are FINISHED, within: 3min }
    """
  }

  /// An engine of the bench as a program. The limits are wide, since a busy machine is no finding.
  private static func engine(_ name: String, _ role: String) -> String {
    "app: { command: [\"\(Executable.url.path)\", engine, \(name), --role, \(role)], \(limits) }"
  }

  private static let limits = "ixit: { start-timeout: 5min, answer-timeout: 5min, launch-timeout: 10min }"

  private static func python(_ script: String) -> String {
    let samples = Repository.path("Examples/iut-python")
    return "app: { command: [python3, -S, -E, \(script)], folder: \"\(samples)\", \(limits) }"
  }

  private static func digest(_ output: String) -> String {
    output.split(separator: "\n").last { $0.hasPrefix("digest ") }.map(String.init) ?? "no digest"
  }

  /// Without what names the engines.
  private static func verdicts(_ output: String) -> [Substring] {
    output.split(separator: "\n").filter {
      !$0.hasPrefix("option ") && !$0.hasPrefix("repeat ") && !$0.hasPrefix("why ") && !$0.hasPrefix("scenario ")
    }
  }

  @Test("The reference as a program gives the run that it gives in its place, to the digest")
  func reference() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.lobby(), to: "in.yaml")
    try folder.write(
      Self.lobby(host: Self.engine("reference", "host"), guest: Self.engine("reference", "client")), to: "out.yaml")
    for seed in ["1", "2"] {
      let inside = try Executable.run(["run", folder.path + "/in.yaml", "--seed", seed])
      let outside = try Executable.run(["run", folder.path + "/out.yaml", "--seed", seed])
      expect(inside.status == 0 && outside.status == 0, "\(outside.output)\(outside.errors)")
      equal(Self.verdicts(inside.output), Self.verdicts(outside.output))
      expect(outside.output.contains("engine reference --role host"))
    }
  }

  @Test(
    "A broken engine as a program is named by the oracle that names it in its place",
    arguments: ["ranking-reversed", "lobby-update-forgotten"])
  func mutant(_ name: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.lobby(host: "engine: \(name)"), to: "in.yaml")
    try folder.write(Self.lobby(host: Self.engine(name, "host")), to: "out.yaml")
    let inside = try Executable.run(["run", folder.path + "/in.yaml"])
    let outside = try Executable.run(["run", folder.path + "/out.yaml"])
    expect(inside.status == 1 && outside.status == 1, "\(outside.output)\(outside.errors)")
    equal(Self.verdicts(inside.output), Self.verdicts(outside.output))
  }

  @Test("The sample client sends on the air what the reference sends in its place")
  func alike() throws {
    guard PythonHost.path(for: "no sample was held against the reference on the air") != nil else { return }
    let folder = try TemporaryFolder()
    try folder.write(Self.lobby(), to: "in.yaml")
    try folder.write(Self.lobby(guest: Self.python("client.py")), to: "out.yaml")
    let runs = try ["in", "out"].map { try Executable.run(["run", folder.path + "/\($0).yaml"]) }
    let counts = runs.map { $0.output.split(separator: "\n").first { $0.hasPrefix("finished at ") } }
    expect(runs.map(\.status) == [0, 0] && counts[0] != nil && counts[0] == counts[1], "\(counts)")
  }

  @Test("The samples in Python play; again, with captures, and with one worker or two it is the same run")
  func samples() throws {
    guard PythonHost.path(for: "no samples played in a scenario") != nil else { return }
    let folder = try TemporaryFolder()
    try folder.write(Self.lobby(host: Self.python("host.py"), guest: Self.python("client.py")), to: "a.yaml")
    let run = try Executable.run(["run", folder.path + "/a.yaml", "--check-determinism", "--out", folder.path + "/out"])
    equal(run.status, 0, "\(run.output)\(run.errors)")
    let again = try Executable.run(["run", folder.path + "/a.yaml"])
    equal(Self.digest(run.output), Self.digest(again.output))
    try equal(folder.files(in: "out").filter { $0.hasSuffix(".log") }, ["guest.log", "host.log"])
    let one = try Executable.run(["run", folder.path + "/a.yaml", "--seeds", "1..4", "--jobs", "1"])
    let two = try Executable.run(["run", folder.path + "/a.yaml", "--seeds", "1..4", "--jobs", "4"])
    expect(one.status == 0 && one.output == two.output, "\(one.output)\(two.output)")
    let stress = try ["1", "2"].map {
      try Executable.run(["stress", folder.path + "/a.yaml", "--seeds", "1..4", "--jobs", $0])
    }
    expect(stress[0].status == 0 && stress[0].output == stress[1].output, "\(stress[0].output)\(stress[1].output)")
    let diff = try Executable.run(["diff", folder.path + "/out", folder.path + "/a.yaml"])
    equal(diff.status, 0, "\(diff.output)\(diff.errors)")
    let page = try Executable.run(["run", folder.path + "/a.yaml", "--html", folder.path + "/page.html"])
    equal(page.status, 0)
  }

  // MARK: Programs that break down

  private struct Fate {
    var name: String
    /// Python, where `say(effects)` answers the input `given` for the `count`-th time.
    var body: String
    var status: Int32 = 1
    /// What the line says after the program's name.
    var says: String
    var limits = "answer-timeout: 300ms"
  }

  private static let fates = [
    Fate(
      name: "crash", body: "if count == 2: {}['seat']\nsay([])",
      says: "mine.py:11: KeyError: 'seat'; ended with exit code 1"),
    Fate(name: "silent", body: "if count == 2: time.sleep(1000)\nsay([])", says: "no answer within 300 ms"),
    Fate(name: "garbage", body: "if count == 2: print('here I am')\nsay([])", says: "said more than one line"),
    Fate(name: "unknown", body: "say([{'name': 'notfy'}])", says: "\"notfy\" is no effect or report"),
    Fate(name: "exit", body: "if count == 2: sys.exit(7)\nsay([])", says: "ended with exit code 7"),
    Fate(
      name: "restless", body: "say([{'name': 'setTimer', 'timer': 1, 'at': given['at']}])",
      says: "it got 10000 inputs at one instant", limits: "launch-timeout: 5min"),
    Fate(name: "long", body: "say([{'name': 'role', 'role': 'x' * 5000000}])", says: "a line longer than"),
    Fate(name: "absent", body: "", status: 3, says: "before its hello: ended with exit code 2"),
  ]

  private static func program(_ fate: Fate) -> String {
    """
    import json, os, sys, time
    open('started', 'a').write('%d\\n' % os.getpid())
    def say(effects):
        print(json.dumps({'at': given['at'], 'effects': effects}), flush=True)
    count = 0
    sys.stdin.readline()
    print('{"name":"hello","protocol":1}', flush=True)
    for line in sys.stdin:
        given = json.loads(line)
        count += 1
    \(fate.body.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
    """
  }

  private static func write(_ fate: Fate, to folder: TemporaryFolder) throws {
    if fate.name != "absent" { try folder.write(program(fate), to: "mine.py") }
    try folder.write(
      lobby(host: "app: { command: [python3, -S, -E, mine.py], ixit: { \(fate.limits) } }"), to: "a.yaml")
  }

  /// Processes that the programs of a folder were.
  private static func started(_ folder: TemporaryFolder) -> [Int32] {
    ((try? folder.read("started")) ?? "").split(separator: "\n").compactMap { Int32($0) }
  }

  @Test("A program that breaks down ends the run, and one line names device, program and what went wrong")
  func breakdowns() throws {
    guard PythonHost.path(for: "no program broke down in a scenario") != nil else { return }
    for fate in Part.of(Self.fates, 2) {
      let folder = try TemporaryFolder()
      try Self.write(fate, to: folder)
      let run = try Executable.run(["run", folder.path + "/a.yaml", "--out", folder.path + "/out"])
      equal(run.status, fate.status, "\(fate.name): \(run.output)\(run.errors)")
      let kind = fate.status == 3 ? "error" : "fail"
      expect(run.output.contains("\(kind) NoCrashNoHang (BAB 7.13), host, at "), "\(fate.name): \(run.output)")
      expect(run.output.contains("   saw        python3 -S -E mine.py: "), "\(fate.name): \(run.output)")
      let saw = run.output.split(separator: "\n").first { $0.hasPrefix("   saw ") } ?? ""
      expect(saw.contains(fate.says), "\(fate.name): \(saw)")
      // All else follows from it.
      expect(!run.output.contains("\n2. "), "\(fate.name): \(run.output)")
      expect(run.output.contains("verdict \(kind)\n"))
      try expect(folder.read("out/result.json").contains("\"ending\": \"breakdown\""))
      let why = try Executable.run(["why", folder.path + "/out"])
      expect(why.status == fate.status && why.output.contains(fate.says), "\(fate.name): \(why.output)")
      let seeds = try ["1", "2"].map {
        try Executable.run(["run", folder.path + "/a.yaml", "--seeds", "1..2", "--jobs", $0])
      }
      expect(seeds[0].status == fate.status && seeds[0].output == seeds[1].output, "\(seeds[0].output)")
      expect(
        seeds[0].output.hasPrefix("\(kind) in 2 seeds: NoCrashNoHang (BAB 7.13) by a host\n"), "\(seeds[0].output)")
      expect(Self.started(folder).allSatisfy { !PythonHost.isAlive($0) }, "\(fate.name)")
    }
  }

  @Test("Reading a scenario starts no program")
  func validates() throws {
    guard PythonHost.path(for: "no scenario with a program was read") != nil else { return }
    let folder = try TemporaryFolder()
    try Self.write(Self.fates[0], to: folder)
    let valid = try Executable.run(["validate", folder.path + "/a.yaml"])
    expect(valid.status == 0 && valid.output.contains("4 devices"))
    try folder.write(Self.lobby(host: "app: [./mine.py]"), to: "b.yaml")
    let invalid = try Executable.run(["run", folder.path + "/b.yaml"])
    equal(invalid.status, 64)
    expect(
      invalid.errors.contains(
        "b.yaml:4:32: “./mine.py” may not be executed; chmod +x it, or write its interpreter before it"),
      "\(invalid.errors)")
    equal(Self.started(folder), [])
    for arguments in [
      ["hci", "serve", folder.path + "/a.yaml", "--port", "client-1=h4:tcp:0"],
      ["play", folder.path + "/a.yaml", "--controller", "client-1=h4:tcp:127.0.0.1:1"],
    ] {
      let live = try Executable.run(arguments)
      expect(live.status == 64 && Self.started(folder) == [], "\(live.output)\(live.errors)")
      expect(live.errors.contains("a.yaml:4:") && live.errors.contains("starts no programs"), "\(live.errors)")
    }
  }

  @Test("A second interruption ends the bench at once, and the programs with it")
  func interruption() throws {
    guard PythonHost.path(for: "no run with a program was interrupted") != nil else { return }
    let folder = try TemporaryFolder()
    var fate = Self.fates[1]
    fate.limits = "answer-timeout: 5min"
    try Self.write(fate, to: folder)
    let talk = try Executable.start(["run", folder.path + "/a.yaml"])
    for _ in 0..<600 where Self.started(folder).isEmpty { usleep(100_000) }
    // Until it sleeps.
    usleep(1_500_000)
    let pid = try required(Self.started(folder).first)
    equal(kill(pid, 0), 0)
    kill(talk.process.processIdentifier, SIGINT)
    usleep(300_000)
    kill(talk.process.processIdentifier, SIGINT)
    talk.process.waitUntilExit()
    equal(talk.process.terminationStatus, 130)
    expect(!PythonHost.isAlive(pid))
  }

  @Test("A failing run with a program is made smaller, in another folder too, and what is written fails alike")
  func shrinks() throws {
    guard PythonHost.path(for: "no run with a program was made smaller") != nil else { return }
    let folder = try TemporaryFolder()
    try Self.write(Self.fates[0], to: folder)
    try folder.write("", to: "small/there")
    let small = folder.path + "/small/a.yaml"
    let shrink = try Executable.run(["shrink", folder.path + "/a.yaml", "--output", small, "--budget", "200"])
    equal(shrink.status, 0, "\(shrink.output)\(shrink.errors)")
    let text = try folder.read("small/a.yaml")
    expect(text.contains("mine.py") && text.contains("folder:") && !text.contains("guest"), "\(text)")
    let run = try Executable.run(["run", small])
    expect(run.status == 1 && run.output.contains("mine.py:11: KeyError"), "\(run.output)\(run.errors)")
  }

  @Test("fuzz run attacks a scenario's program, and does not take one for the hostile device")
  func fuzzes() throws {
    guard PythonHost.path(for: "no program of a scenario was attacked") != nil else { return }
    let folder = try TemporaryFolder()
    try folder.write(Self.lobby(host: Self.python("host.py"), guest: Self.python("client.py")), to: "a.yaml")
    let words = ["fuzz", "run", folder.path + "/a.yaml", "--when", "all clients in lobby", "--executions", "3"]
    let run = try Executable.run(words + ["--from", "client-1"])
    expect([0, 1].contains(run.status), "\(run.output)\(run.errors)")
    let refused = try Executable.run(words + ["--from", "guest"])
    equal(refused.status, 64)
    expect(
      refused.errors.contains("the app of guest is a program, which cannot be made hostile; take another --from"),
      "\(refused.errors)")
  }
}
