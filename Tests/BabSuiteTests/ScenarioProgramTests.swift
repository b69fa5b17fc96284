import AppSeam
import BabSim
import Expectations
import Foundation
import Testing

@testable import Bench
@testable import BabSuite
@testable import Conformance

/// How a scenario names a program, and what is said of one that cannot be started.
@Suite("Programs in scenario files")
struct ScenarioProgramTests {
  /// A folder with a program, a file that is none, and another folder.
  private static func inFolder<Result>(_ work: (String) throws -> Result) throws -> Result {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appendingPathComponent("programs-\(UUID().uuidString)")
    try manager.createDirectory(at: folder.appendingPathComponent("apps"), withIntermediateDirectories: true)
    defer { try? manager.removeItem(at: folder) }
    for name in ["my-app", "apps/other", "apps/tool"] {
      let path = folder.appendingPathComponent(name).path
      _ = manager.createFile(atPath: path, contents: Data("#!/bin/sh\n".utf8), attributes: [.posixPermissions: 0o755])
    }
    _ = manager.createFile(atPath: folder.appendingPathComponent("script.py").path, contents: Data())
    return try work(folder.resolvingSymlinksInPath().path)
  }

  private static func read(_ text: String, in folder: String) -> Result<Scenario, ScenarioProblems> {
    ScenarioReader.read(
      text: text, file: folder + "/a.yaml", language: ScenarioLanguage([.bab]),
      programs: .besides(folder + "/a.yaml", environment: ["PATH=\(folder)/apps:/usr/bin", "HOME=/home"]))
  }

  private static func problems(_ app: String, more: String = "") throws -> [String] {
    try inFolder { folder in
      switch read("devices:\n  host: { app: \(app)\(more) }\nsteps: [{ host: start hosting }]\n", in: folder) {
      case .success: []
      case .failure(let problems):
        problems.list.map { "\($0)".replacingOccurrences(of: folder + "/", with: "") }
      }
    }
  }

  @Test("A list of words is a program in the file's folder, or in PATH, with the bench's environment")
  func words() throws {
    try Self.inFolder { folder in
      let text = """
        devices:
          host: { app: [./my-app, --quiet, ""] }
          client: { count: 2, app: [tool] }
          client-2: { dialect: app }
        steps: [{ host: start hosting }]
        """
      let scenario = try Self.read(text, in: folder).get()
      equal(scenario.programs, [0, 1, 2])
      let host = try required(scenario.devices[0].program)
      equal(host.words, ["./my-app", "--quiet", ""])
      equal(host.launch.command, [folder + "/./my-app", "--quiet", ""])
      equal(host.launch.directory, folder)
      equal(host.launch.environment, ["PATH=\(folder)/apps:/usr/bin", "HOME=/home"])
      expect(host.limits == ProgramLimits() && host.seam == .ble)
      equal(scenario.devices[0].engine, "./my-app --quiet ")
      equal(scenario.devices[1].program?.launch.command, [folder + "/apps/tool"])
      equal(scenario.devices[2].dialect.rawValue, "app")
    }
  }

  @Test("A mapping says where it runs, what it is connected by, what it may take and which variables it has")
  func mapping() throws {
    try Self.inFolder { folder in
      let text = """
        devices:
          host:
            app:
              command: [./other]
              folder: apps
              seam: messages
              reports: no
              ixit: { answer-timeout: 2s, memory-limit: 64 MiB }
              environment: { HOME: /tmp, EMPTY: }
        steps: [{ host: start hosting }]
        """
      let program = try required(try Self.read(text, in: folder).get().devices[0].program)
      equal(program.launch.command, [folder + "/apps/./other"])
      equal(program.launch.directory, folder + "/apps")
      equal(program.launch.environment, ["PATH=\(folder)/apps:/usr/bin", "HOME=/tmp", "EMPTY="])
      expect(program.seam == .messages && program.isMute)
      expect(program.limits.answerMilliseconds == 2_000 && program.limits.memoryOctets == 64 << 20)
    }
  }

  struct Slip: Sendable, CustomTestStringConvertible {
    var app: String
    var more = ""
    var problem: String
    var testDescription: String { app + more }
  }

  static let slips: [Slip] = [
    Slip(
      app: "./my-app",
      problem: "a.yaml:2:16: “app” must be a list of words, not a text; write [./my-app], "
        + "or [python3, app.py] for a script"
    ),
    Slip(
      app: "[]",
      problem: "a.yaml:2:16: “app” must be a list of words, not an empty one; write [python3, iut.py], "
        + "or [/bin/sh, -c, \"…\"] for a line of shell"),
    Slip(app: "[./mine]", problem: "a.yaml:2:17: there is no file “./mine”; a path starts in the folder of this file"),
    Slip(
      app: "[./script.py]",
      problem: "a.yaml:2:17: “./script.py” may not be executed; chmod +x it, or write its interpreter before it"),
    Slip(app: "[my-app]", problem: "a.yaml:2:17: “my-app” is not in PATH; write ./my-app for the file beside this one"),
    Slip(
      app: "[no-such-program]",
      problem: "a.yaml:2:17: there is no program “no-such-program” in PATH; install it, or write its path"),
    Slip(app: "[./my-app, [x]]", problem: "a.yaml:2:27: a word of “app” must be a text, not a list"),
    Slip(
      app: "{ command: [./my-app], seem: ble }",
      problem: "a.yaml:2:39: “app” has no key “seem”; did you mean “seam”?"),
    Slip(app: "{ seam: ble }", problem: "a.yaml:2:16: “app” needs “command”; write “command: …”"),
    Slip(
      app: "{ command: [./my-app], folder: app }",
      problem: "a.yaml:2:47: there is no folder “app”; a path starts in the folder of this file"),
    Slip(
      app: "[./my-app]", more: ", engine: reference",
      problem: "a.yaml:2:11: “app” and “engine” are both there; keep one"),
    Slip(
      app: "[./my-app]", more: ", protocol: none",
      problem: "a.yaml:2:11: “host” has no app; leave “app” out, or name the protocol that it speaks"),
  ]

  @Test("A slip is told with its place and what to write instead", arguments: slips)
  func slip(_ slip: Slip) throws {
    let problems = try Self.problems(slip.app, more: slip.more)
    equal(problems.first, slip.problem, "\(problems)")
  }

  @Test("A text that is in no file names no program")
  func nowhere() throws {
    let text = "devices: { host: { app: [./my-app] } }\nsteps: [{ host: start hosting }]\n"
    guard
      case .failure(let problems) = ScenarioReader.read(
        text: text, file: "a.yaml", language: ScenarioLanguage([.bab]))
    else { return expect(false, "a program was found") }
    equal(problems.list.map(\.description), ["a.yaml:1:26: programs cannot be started here; write “engine:”"])
  }

  @Test("What a program shows that reports nothing cannot be asked; groups leave it out")
  func mute() throws {
    try Self.inFolder { (folder: String) throws -> Void in
      func problems(_ condition: String) throws -> [String] {
        let text = """
          devices:
            host: { app: { command: [./my-app], reports: no } }
            client: { count: 2 }
          expect: [\(condition)]
          """
        return try Self.read(text, in: folder).get().unanswerable(seats: [], file: "a.yaml").map(\.message)
      }
      try equal(problems("all clients in lobby"), [])
      try equal(problems("everyone has no violations"), [])
      try equal(problems("host is LOBBY"), ["what host shows is unknown, the app is external; ask the others"])
    }
  }

  @Test("An override may make a program of a device")
  func override() throws {
    try Self.inFolder { folder in
      let change = try required(ScenarioOverride("devices.host.app=[./my-app, --set]"))
      let text = "devices: { host: {} }\nsteps: [{ host: start hosting }]\n"
      let scenario = try ScenarioReader.read(
        text: text, file: folder + "/a.yaml", language: ScenarioLanguage([.bab]), overrides: [change],
        programs: .besides(folder + "/a.yaml", environment: [])
      ).get()
      equal(scenario.devices[0].program?.words, ["./my-app", "--set"])
    }
  }
}
