import AppSeam
import BabSim
import Bench
import BluetoothWire
import Expectations
import Foundation
import Judging
import SimKernel
import Testing

@testable import BabSuite
@testable import Conformance

/// Every way in which a program under test can break down. No test asks how long anything took.
@Suite("Programs under test")
struct IUTProcessTests {
  struct Fate: Sendable, CustomTestStringConvertible {
    var name: String
    var script: String
    var kind: IUTFailure.Kind
    /// A part of the detail.
    var says: String
    var limits = ProgramLimits()
    var testDescription: String { name }

    init(
      _ name: String, _ kind: IUTFailure.Kind, says: String = "", hello: Bool = true, _ script: String,
      _ change: (inout ProgramLimits) -> Void = { _ in }
    ) {
      self.name = name
      self.kind = kind
      self.says = says
      self.script = hello ? IUTScript.hello + "\n" + script : script
      change(&limits)
    }
  }

  private static let ask = IUTScript.ask
  private static let answer = IUTScript.answer

  static let fates: [Fate] = [
    Fate("ends at start", .notStarted, says: "exit code 3", hello: false, "exit 3"),
    Fate("is not there", .notStarted, says: "exit code 127", hello: false, "exec /nonexistent/program"),
    Fate("says rubbish for a hello", .notStarted, says: "not JSON", hello: false, "read -r l; echo moin; read -r l"),
    Fate(
      "speaks another version", .notStarted, says: "speaks 2", hello: false,
      #"read -r l; echo '{"name":"hello","protocol":2}'; read -r l"#),
    Fate("never says hello", .notStarted, says: "no answer", hello: false, "sleep 1000") {
      $0.startMilliseconds = 50
    },
    Fate("ends in the middle", .exited, says: "exit code 4", "\(ask); exit 4"),
    Fate("ends after an answer", .exited, says: "exit code 5", "\(ask); \(answer); exit 5"),
    Fate("crashes", .exited, says: "SIGSEGV", "\(ask); kill -SEGV $$; sleep 1000"),
    Fate("closes its output", .exited, says: "closed its standard output", "\(ask); exec 1>&-; exec sleep 1000") {
      $0.endMilliseconds = 20
    },
    Fate(
      "closes its input", .exited, says: "closed its standard input", "\(ask); exec 0<&-; \(answer); exec sleep 1000"
    ) {
      $0.endMilliseconds = 20
    },
    Fate("hangs", .silent, says: "no answer within 60 ms", "\(ask); sleep 1000") { $0.answerMilliseconds = 60 },
    Fate("hangs in the middle of a line", .silent, says: "{", "\(ask); printf '{'; sleep 1000") {
      $0.answerMilliseconds = 60
    },
    Fate("floods with one line", .flooded, says: "longer than 65536", "\(ask); exec tr '\\0' x < /dev/zero") {
      $0.lineOctets = 1 << 16
    },
    Fate("floods with lines", .garbage, says: "more than one line", "\(ask); exec yes"),
    Fate(
      "asks for too much", .flooded, says: "3 effects", #"\#(ask); echo "{\"at\":$at,\"effects\":[1,2,3]}"; read -r l"#
    ) {
      $0.effects = 2
    },
    Fate(
      "takes its time, again and again", .silent, says: "since its launch",
      "while :; do \(ask); sleep 0.01; \(answer); done"
    ) {
      $0.launchMilliseconds = 5
    },
    Fate(
      "sets timers without end", .flooded, says: "more than 1 timers",
      #"\#(ask); t='{"name":"setTimer","at":9,"timer":'; echo "{\"at\":$at,\"effects\":[${t}1},${t}2}]}"; read -r l"#
    ) {
      $0.timers = 1
    },
    Fate("floods its log", .silent, "\(ask); yes 1>&2; :") {
      $0.answerMilliseconds = 60
      $0.logOctets = 1_000
    },
    Fate("prints octets that are no text", .garbage, says: "not JSON", #"\#(ask); printf '\377\000\001\n'; read -r l"#),
    Fate(
      "prints text that is not UTF-8", .garbage, says: "UTF-8",
      #"\#(ask); printf '{"at":0,"effects":[{"name":"\377"}]}\n'; read -r l"#),
    Fate("prints a debug line", .garbage, says: "here I am", "\(ask); echo here I am; \(answer); read -r l"),
    Fate(
      "answers twice", .garbage, says: "more than one line",
      #"\#(ask); printf '{"at":0,"effects":[]}\n{}\n'; read -r l"#),
    Fate(
      "knows an effect that is none", .garbage, says: "did you mean “notify”",
      #"\#(ask); echo '{"at":0,"effects":[{"name":"notfy"}]}'; read -r l"#),
    Fate(
      "answers for another instant", .wrongInstant, says: "for 7 ns",
      #"\#(ask); echo '{"at":7,"effects":[]}'; read -r l"#),
    Fate(
      "wants to be woken in the past", .wrongInstant, says: "effects[0]",
      #"\#(ask); \#(answer); \#(ask); echo "{\"at\":$at,\"effects\":[{\"name\":\"setTimer\",\"timer\":1,\"at\":0}]}"; read -r l"#
    ),
    Fate("leaves a child that holds the pipe", .exited, says: "exit code 0", "sleep 1000 & exit 0"),
    Fate(
      "lets a child eat memory", .memory, says: "64 MiB",
      "\(ask); head -c 900000000 /dev/zero | tail -c 900000000 | wc -c"
    ) {
      $0.memoryOctets = 64 << 20
      $0.answerMilliseconds = 60_000
    },
  ]

  @Test("Each way to break down is named, leaves nothing behind, and the next program is fine", arguments: fates)
  func breakdown(_ fate: Fate) throws {
    let engine = IUTScript.engine(fate.script, fate.limits)
    for instant in [0, 1_000, 2_000] where engine.failure == nil {
      _ = engine.handle(.launched, at: SimInstant(nanoseconds: Int64(instant)))
    }
    let failure = try required(engine.failure)
    equal(failure.kind, fate.kind, "\(failure)")
    expect(fate.says.isEmpty || failure.detail.contains(fate.says), "\(failure.detail)")
    equal(failure.verdict, (fate.kind == .notStarted ? .error : .fail))
    expect(engine.handle(.launched, at: .zero).isEmpty)
    engine.close()
    equal(engine.failure, failure)
    let pid = try required(engine.processID)
    expect(!IUTScript.isOurChild(pid))
    expect(!IUTScript.isAlive(group: pid))
    let next = IUTScript.engine(IUTScript.wellBehaved)
    expect(next.handle(.launched, at: .zero).isEmpty)
    expect(next.failure == nil)
    next.close()
    expect(next.failure == nil)
  }

  @Test("A program starts in its folder: by its path, by PATH, and as text that only a shell can run")
  func folder() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "iut-\(UInt64.random(in: 0 ... .max))").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let says = "echo \"in $PWD, $(pwd), with $1\" >&2\n" + IUTScript.wellBehaved
    for (name, text, mode) in [("app", "#!/bin/sh\n" + says, 0o755), ("text", says, 0o755), ("blocked", says, 0o644)] {
      try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder + "/" + name)
    }
    let environment = ["PWD=/nowhere", "PATH=/usr/local/bin:/usr/bin:/bin:" + folder]
    func engine(_ command: [String], in directory: String) -> ProcessEngine {
      IUTScript.engine(ProgramLaunch(command: command, directory: directory, environment: environment))
    }
    for command in [["./app"], ["app"], [folder + "/app"], ["./text"], ["sh", "app"]] {
      let started = engine(command + ["a b"], in: folder)
      expect(started.handle(.launched, at: .zero).isEmpty)
      started.close()
      expect(started.failure == nil, "\(command)")
      expect(started.log.contains("in \(folder), \(folder), with a b"), "\(command): \(started.log)")
    }
    for (command, directory, code) in [
      (["./missing"], folder, "127"), (["missing"], folder, "127"), (["./blocked"], folder, "126"),
      (["./app"], folder + "/missing", ""),
    ] {
      let failed = engine(command, in: directory)
      failed.close()
      equal(failed.failure?.kind, .notStarted, "\(command)")
      equal(failed.failure?.detail.contains("exit code \(code)"), true, "\(failed.failure?.detail ?? "")")
    }
  }

  @Test("A program that eats a gigabyte itself is stopped")
  func gigabyte() throws {
    let script = """
      import sys
      sys.stdin.readline()
      print('{"name":"hello","protocol":1}', flush=True)
      sys.stdin.readline()
      hoard = [b'x' * (1 << 20) for _ in range(1024)]
      print('{"at":0,"effects":[]}', flush=True)
      sys.stdin.readline()
      """
    let launch = ProgramLaunch(
      command: ["/usr/bin/env", "python3", "-c", script], directory: "/tmp", environment: IUTScript.environment)
    var limits = ProgramLimits()
    limits.answerMilliseconds = 60_000
    let engine = IUTScript.engine(launch, limits)
    if engine.failure?.detail.contains("exit code 127") == true {
      return print("skipped: there is no python3, so nothing ate a gigabyte")
    }
    _ = engine.handle(.launched, at: .zero)
    engine.close()
    equal(engine.failure?.kind, .memory)
    equal(engine.failure?.verdict, .fail)
  }

  @Test("A program that others keep from every processor is late and has done nothing wrong")
  func starved() {
    var limits = ProgramLimits()
    limits.answerMilliseconds = 500
    // It gives way to everything on its processor, where somebody computes for three seconds.
    let script = """
      command -v taskset chrt >/dev/null || { echo without >&2; exit 9; }
      \(IUTScript.hello)
      \(IUTScript.ask)
      taskset -cp 0 $$ >/dev/null
      (exec timeout 3 sh -c 'while :; do :; done') &
      chrt --idle -p 0 $$
      i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done
      \(IUTScript.answer); cat >/dev/null
      """
    let engine = IUTScript.engine(script, limits)
    if engine.log.contains("without") {
      return print("skipped: no taskset or no chrt, so no program was kept from its processor")
    }
    expect(engine.handle(.launched, at: .zero).isEmpty)
    expect(engine.failure == nil, "\(engine.failure?.detail ?? "")")
    engine.close()
  }

  @Test("A program that stays after the end of its input is killed, with what it has started")
  func stays() throws {
    var limits = ProgramLimits()
    limits.endMilliseconds = 30
    let script = """
      trap '' TERM HUP INT
      sleep 1000 &
      \(IUTScript.hello)
      \(IUTScript.ask); \(IUTScript.answer)
      while :; do sleep 1000; done
      """
    let engine = IUTScript.engine(script, limits)
    expect(engine.handle(.launched, at: .zero).isEmpty)
    engine.close()
    expect(engine.failure == nil)
    expect(engine.log.contains("killed"))
    let pid = try required(engine.processID)
    expect(!IUTScript.isOurChild(pid))
    expect(!IUTScript.isAlive(group: pid))
  }

  @Test("A program that ends as it should, but leaves a child, leaves nothing")
  func child() throws {
    let engine = IUTScript.engine("sleep 1000 </dev/null >/dev/null 2>&1 &\n" + IUTScript.wellBehaved)
    expect(engine.handle(.launched, at: .zero).isEmpty)
    engine.close()
    expect(engine.failure == nil)
    expect(!IUTScript.isAlive(group: try required(engine.processID)))
  }

  @Test("What is said after the end of the input is garbage")
  func lastWords() {
    let engine = IUTScript.engine(IUTScript.hello + "\n" + IUTScript.ask + "; " + IUTScript.answer + "; cat; echo bye")
    expect(engine.handle(.launched, at: .zero).isEmpty)
    expect(engine.failure == nil)
    engine.close()
    equal(engine.failure?.kind, .garbage)
    equal(engine.failure?.detail.contains("bye"), true)
  }

  @Test("The log keeps its newest part, and a full standard error never blocks the answer")
  func log() {
    var limits = ProgramLimits()
    limits.logOctets = 1_000
    let noise =
      "i=0; while [ $i -lt 3000 ]; do echo \"a line of the log, number $i, quite long for such a line\" >&2; i=$((i+1)); done"
    let engine = IUTScript.engine(
      IUTScript.hello + "\nwhile :; do \(IUTScript.ask); \(noise); \(IUTScript.answer); done", limits)
    for instant in 0..<3 { _ = engine.handle(.launched, at: SimInstant(nanoseconds: Int64(instant))) }
    expect(engine.failure == nil)
    engine.close()
    expect(engine.log.hasSuffix("number 2999, quite long for such a line\n"))
    expect(engine.log.utf8.count < 1_100)
  }

  @Test("A line of the log has the instant of the answer that it came before, and the last ones come after all answers")
  func logLines() throws {
    let script =
      IUTScript.hello + "\necho 'with the hello' >&2; for i in 1 2; do \(IUTScript.ask);"
      + " printf 'at %s\\n\\nhalf' $at >&2; echo \" a line $i\" >&2; \(IUTScript.answer); done;"
      + " cat > /dev/null; printf bye >&2"
    let engine = IUTScript.engine(script, ProgramLimits())
    for instant in [5, 9] { _ = engine.handle(.launched, at: SimInstant(nanoseconds: Int64(instant))) }
    expect(engine.failure == nil)
    engine.close()
    let lines = engine.logLines
    equal(lines.map(\.text), ["with the hello", "at 5", "half a line 1", "at 9", "half a line 2", "bye"])
    equal(lines.dropFirst().map(\.instant.nanoseconds), [5, 5, 9, 9, 9])
    equal(lines.map(\.isAfterAnswers), [false, false, false, false, false, true])
    expect(engine.log.contains("half a line 2\nbye"))
  }

  @Test("Lines of a log that is cut keep their instants")
  func cutLog() {
    var log = LogTail(limit: 20)
    for instant in 0..<100 {
      log.instant = SimInstant(nanoseconds: Int64(instant))
      log.append(Array("line \(instant)\n".utf8))
    }
    let lines = log.lines
    equal(lines.map(\.text), ["… 97", "line 98", "line 99"])
    equal(lines.map(\.instant.nanoseconds), [97, 98, 99])
    expect(log.text.hasSuffix("97\nline 98\nline 99\n"))
  }

  @Test("A long input meets a program that writes before it reads on")
  func longLines() {
    // 300 000 octets each way, more than both pipes hold, and the answer begins when the input has just begun.
    let script = """
      \(IUTScript.hello)
      head -c 10 >/dev/null
      head -c 300000 /dev/zero | tr '\\0' ' '
      read -r rest
      echo '{"at":0,"effects":[]}'
      """
    let engine = IUTScript.engine(script)
    let input = AppInput.valueReceived(
      LinkID(0), characteristic: .init("BAB2")!, octets: [UInt8](repeating: 7, count: 150_000))
    expect(engine.handle(input, at: .zero).isEmpty)
    expect(engine.failure == nil)
    engine.close()
  }

  @Test("A thousand programs leave no descriptor")
  func thousand() {
    for _ in 0..<1_000 {
      let engine = IUTScript.engine("exit 1")
      equal(engine.failure?.kind, .notStarted)
    }
    // The lowest free number: one leaked descriptor each time would have pushed it beyond.
    let descriptor = open("/dev/null", O_RDONLY)
    expect(descriptor >= 0 && descriptor < 900)
    close(descriptor)
  }

  @Test("A case on a program that breaks down comes to the verdict of the rule")
  func verdicts() throws {
    let purpose = try required(Catalog.named("BAB/HOST/LOBBY/BV-01-C"))
    let id = CaseID(purpose: purpose.id, dialect: .sdk, seed: 1)
    func result(_ script: String) -> CaseResult {
      CaseRunner.run(
        purpose, id,
        on: .process(
          IUTScript.launch(script), of: .bab, name: "script", role: .host, dialects: [.sdk],
          ics: AppProtocol.bab.everything))
    }
    equal(result("exit 1").verdict, .error)
    equal(result(IUTScript.hello + "\n\(IUTScript.ask); exit 1").verdict, .fail)
    equal(result(IUTScript.hello + "\n\(IUTScript.ask); exit 1").failure?.kind, .exited)
    equal(result(IUTScript.hello + "\n\(IUTScript.ask); \(IUTScript.answer); yes").verdict, .fail)
    // It answers, and does nothing: that is no breakdown, it just does not host.
    let idle = result(IUTScript.wellBehaved)
    expect(idle.failure == nil)
    expect(idle.verdict == .fail || idle.verdict == .inconclusive)
  }

  @Test("Claims come from the hello, and count as made when nobody can be heard")
  func claims() {
    let script = #"read -r l; echo '{"name":"hello","protocol":1,"ics":["screen","roles"]}'; read -r l"#
    func ics(_ script: String) -> ICS {
      ImplementationUnderTest.process(
        IUTScript.launch(script), of: .bab, name: "script", role: .host, dialects: [.sdk]
      ).ics
    }
    equal(ics(script), ICS([.roles, .screen, .endsLinks]))
    equal(ics("exit 1"), AppProtocol.bab.everything)
    let slip = IUTScript.engine(#"read -r l; echo '{"name":"hello","protocol":1,"ics":["rols"]}'; read -r l"#)
    equal(slip.failure?.detail.contains("did you mean “roles”?"), true)
  }

  #if os(Linux)
    @Test("A program has three streams and nothing else of the bench")
    func inherits() throws {
      let port = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(port) }
      let program = try WatchedProgram(
        command: "for place in /proc/$$/fd/*; do readlink $place; done; echo end", directory: "/",
        environment: ["PATH=/usr/bin:/bin"])
      while program.isRunning() { usleep(1_000) }
      expect(program.log.contains("end"))
      expect(!program.log.contains("socket:"), "\(program.log)")
      _ = program.stop()
    }
  #endif
}
