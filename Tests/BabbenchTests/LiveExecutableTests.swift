import Expectations
import Foundation
import Testing

@testable import Commands

/// Sessions by the wall clock, as a shell sees them; our own host stacks are the outsiders.
@Suite("Live sessions of the executable", .shippedEdition, .serialized)
struct LiveExecutableTests {
  /// Ends it as a person or a supervisor does.
  private func end(_ talk: Executable.Conversation, _ signal: Int32) -> (status: Int32, output: String) {
    kill(talk.process.processIdentifier, signal)
    let output = String(decoding: talk.readToEnd(), as: UTF8.self)
    talk.process.waitUntilExit()
    return (talk.process.terminationStatus, output)
  }

  @Test("A session obeys orders: it stands, goes on by a step, and its recording is the run that it was")
  func orders() throws {
    let folder = try TemporaryFolder()
    let room = "unix:\(folder.path)/room"
    let served = try Executable.serve(
      ["--begin", "at-once", "--controllers", "2", "--control", room, "--record", "s.jsonl"], folder)
    defer { if served.process.isRunning { kill(served.process.processIdentifier, SIGKILL) } }
    func tell(_ words: String) throws -> (status: Int32, text: String) {
      let told = try Executable.run(
        ["hci", "tell", room] + words.split(separator: " ").map(String.init), folder: folder.path)
      return (told.status, told.output + told.errors)
    }
    let devices = try tell("devices").text
    expect(
      devices.hasPrefix("controller-1 (external, h4:tcp:") && devices.contains(", controller-2 (external, h4:tcp:"))
    let paused = try tell("pause")
    expect(paused.status == 0 && paused.text.contains("time stands"), "\(paused.text)")
    try expect(tell("status") == paused, "time stands")
    try expect(tell("step 90s").text != paused.text)
    let instant = try required(Double(try tell("status").text.split(separator: " ").first ?? ""))
    expect(instant >= 90)
    try expect(tell("controller-1: vanish").text.hasPrefix("ok at "))
    try expect(tell("controller-2: {move to: [3, 4]}").text.hasPrefix("ok at "))
    for (words, answer) in [
      ("controller-3: vanish", "did you mean “controller-"), ("controller-1: vanisch", "did you mean “vanish”"),
      ("controller-1: kill", "has an external host"), ("speed fast", "no speed"), ("pauze", "did you mean “pause”"),
      ("step 1", "no span"),
    ] {
      let refused = try tell(words)
      expect(refused.status == 1 && refused.text.contains(answer), "\(words): \(refused.text)")
    }
    try expect(tell("speed 100").text.contains("speed 100"))
    try equal(tell("step 1s").status, 1)
    try equal(tell("stop").status, 0)
    let output = String(decoding: served.readToEnd(), as: UTF8.self)
    served.process.waitUntilExit()
    let again = try Executable.run(["replay", "s.jsonl", "--times", "2"], folder: folder.path)
    equal(again.status, 0, "\(again.output)\(again.errors)")
    expect(Executable.digest(again.output) != nil && Executable.digest(again.output) == Executable.digest(output))
    try equal(tell("status").status, 3)
  }

  @Test("Two of ours play a game over controllers that another process serves; both sides are replayed")
  func bothSides() throws {
    let folder = try TemporaryFolder()
    let one = "h4:unix:\(folder.path)/1"
    let two = "h4:unix:\(folder.path)/2"
    let served = try Executable.serve(
      ["--port", one, "--port", two, "--record", "served.jsonl", "--ready-file", "ready"], folder)
    defer { if served.process.isRunning { kill(served.process.processIdentifier, SIGKILL) } }
    try equal(folder.read("ready"), "controller-1 \(one)\ncontroller-2 \(two)\n")
    let pair = Repository.path("Scenarios/guests/pair.yaml")
    let played = try Executable.run(
      [
        "play", pair, "--controller", "host=\(one)", "--controller", "client-1=\(two)", "--out", "out",
        "--set", "game.lines=2", "--set", "expect=[ everyone shows summary ]", "--set", "duration=2s",
      ], folder: folder.path)
    equal(played.status, 0, "\(played.output)\(played.errors)")
    let stopped = end(served, SIGTERM)
    equal(stopped.status, 0, "\(stopped.output)")
    expect(stopped.output.contains("lag p50 "))
    try equal(
      folder.files(in: "out"),
      [
        ".babbench-files", "air.pcapng", "client-1.btsnoop", "host.btsnoop", "junit.xml", "result.json",
        "session.jsonl", "timeline.html", "trace.jsonl",
      ])
    for (file, live) in [("out/session.jsonl", played.output), ("served.jsonl", stopped.output)] {
      let replayed = try Executable.run(["replay", file, "--times", "2"], folder: folder.path)
      equal(replayed.status, 0, "\(replayed.output)\(replayed.errors)")
      equal(Executable.digest(replayed.output), Executable.digest(live))
    }
  }

  @Test("A scenario that is interrupted, however early, leaves whole files, a recording, and says 130")
  func interrupted() throws {
    let folder = try TemporaryFolder()
    try folder.write(LiveCommandTests.lobby + "\nduration: 1min\n", to: "lobby.yaml")
    let served = try Executable.serve(
      ["lobby.yaml", "--port", "guest=h4:unix:\(folder.path)/guest", "--begin", "at-once", "--out", "out"], folder)
    defer { if served.process.isRunning { kill(served.process.processIdentifier, SIGKILL) } }
    let stopped = end(served, SIGINT)
    equal(stopped.status, 130)
    expect(Executable.digest(stopped.output) != nil)
    try expect(!folder.files(in: "out").contains { $0.hasSuffix(".partial") })
    let replayed = try Executable.run(["replay", "out/session.jsonl"], folder: folder.path)
    equal(Executable.digest(replayed.output), Executable.digest(stopped.output))
  }

  @Test("Killed without a word, a session leaves a recording that is replayed to where it came")
  func killed() throws {
    let folder = try TemporaryFolder()
    let port = "h4:unix:\(folder.path)/1"
    let served = try Executable.serve(["--port", port], folder)
    let played = try Executable.run(
      ["play", "--role", "host", "--controller", port, "--duration", "500ms", "--record", "play.jsonl"],
      folder: folder.path)
    equal(played.status, 0, "\(played.output)\(played.errors)")
    _ = end(served, SIGKILL)
    let replayed = try Executable.run(["replay", "session.jsonl"], folder: folder.path)
    equal(replayed.status, 2, "\(replayed.output)\(replayed.errors)")
    expect(replayed.output.contains("recorded without an end"))
  }

  @Test("A port that is taken is the bench's fault, in one line, and leaves no recording")
  func takenPort() throws {
    let folder = try TemporaryFolder()
    let port = "h4:unix:\(folder.path)/1"
    let served = try Executable.serve(["--port", port, "--record", "first.jsonl"], folder)
    defer { kill(served.process.processIdentifier, SIGKILL) }
    let second = try Executable.run(["hci", "serve", "--port", port, "--duration", "1s"], folder: folder.path)
    equal(second.status, 3, "\(second.output)")
    equal(second.errors.split(separator: "\n").count, 1, "\(second.errors)")
    try expect(!folder.files().contains("session.jsonl"))
    let nobody = try Executable.run(
      ["play", "--role", "host", "--controller", "h4:unix:\(folder.path)/nobody"], folder: folder.path)
    equal(nobody.status, 3)
    equal(nobody.errors.split(separator: "\n").count, 1, "\(nobody.errors)")
  }

  @Test("view says its address and ends cleanly with either signal", arguments: [SIGINT, SIGTERM])
  func view(signal: Int32) throws {
    let folder = try TemporaryFolder()
    let talk = try Executable.start(["view", "."], folder: folder.path)
    defer { if talk.process.isRunning { kill(talk.process.processIdentifier, SIGKILL) } }
    #expect(talk.readLine()?.hasPrefix("http://127.0.0.1:") == true)
    equal(end(talk, signal).status, 0)
    let refused = try Executable.run(["view", "none"], folder: folder.path)
    equal(refused.status, 64)
    expect(refused.errors.contains("there is no such folder"))
  }

  @Test("Sessions without --out and --record never write over one another")
  func newNames() throws {
    let folder = try TemporaryFolder()
    for _ in 0..<2 {
      let result = try Executable.run(
        ["hci", "serve", "--begin", "at-once", "--duration", "20ms"], folder: folder.path)
      equal(result.status, 0, "\(result.output)\(result.errors)")
    }
    try equal(folder.files(), ["session-2.jsonl", "session.jsonl"])
  }
}

extension Executable {
  /// Starts `hci serve` and waits until its ports are open.
  static func serve(_ arguments: [String], _ folder: TemporaryFolder) throws -> Conversation {
    let talk = try start(["hci", "serve"] + arguments, folder: folder.path)
    while let line = talk.readLine() {
      if line.hasPrefix("ready") { return talk }
    }
    Issue.record("it never was ready: \(String(decoding: talk.errors.readDataToEndOfFile(), as: UTF8.self))")
    return talk
  }

  static func digest(_ text: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix("digest ") }.map(String.init)
  }
}
