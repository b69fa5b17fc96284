import AppSeam
import BabSim
import Bench
import Expectations
import Foundation
import Testing

@testable import BabSuite
@testable import Conformance
@testable import Judging

@Suite("The description of an implementation")
struct IUTDescriptionTests {
  /// A folder with a description, and whatever else a test puts there.
  private final class Folder {
    let path: String
    init() throws {
      path = FileManager.default.temporaryDirectory.appendingPathComponent("babbench-iut-\(UUID())").path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String, mode: Int = 0o644) throws {
      let file = path + "/" + name
      try FileManager.default.createDirectory(
        atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }

    func read(_ text: String) throws -> ImplementationUnderTest {
      try write(text, to: "my-app.yaml")
      return try IUTDescription.read(path: path + "/my-app.yaml", environment: IUTScript.environment, among: [.bab])
    }

    /// The problems, without the folder.
    func problems(_ text: String) throws -> [String] {
      do {
        _ = try read(text)
        return []
      } catch let problems as ScenarioProblems {
        return problems.description.split(separator: "\n").map {
          $0.hasPrefix(path + "/") ? String($0.dropFirst(path.count + 1)) : String($0)
        }
      }
    }
  }

  @Test("Everything that can be said is taken")
  func everything() throws {
    let folder = try Folder()
    let iut = try folder.read(
      """
      name: my-app 3.2 host
      role: host
      command: [sh, -c, "exit 1", ""]
      dialects: [sdk, guide]
      ics: [turns, roles]
      ixit: { answer-timeout: 250ms, start-timeout: 1min, end-timeout: 2s, memory-limit: 1.5 GiB }
      environment: { A: one, B: "" }
      waivers:
        - cases: BAB/HOST/FRAG/**
          reason: known
      """)
    equal(iut.name, "my-app 3.2 host")
    equal(iut.role, .host)
    equal(iut.dialects, [.sdk, .guide])
    equal(iut.ics, ICS([.roles, .turns, .endsLinks]))
    equal(iut.waivers, [Waiver(pattern: "BAB/HOST/FRAG/**", reason: "known")])
    expect(iut.origin.hasSuffix("/sh -c 'exit 1' ''"))
  }

  @Test("The little that must be said is enough")
  func little() throws {
    let folder = try Folder()
    let iut = try folder.read("role: client\nbuiltin: reference\n")
    equal(iut.name, "my-app")
    equal(iut.role, .client)
    equal(iut.dialects, DialectName.bab)
    equal(iut.ics, AppProtocol.bab.everything)
    expect(iut.waivers.isEmpty)
  }

  @Test(
    "The words of a statement add and give up items; a platform is like most unless something is said",
    arguments: [
      ("[roles]", [ICS.Item.roles, .endsLinks]), ("[ends-links]", [.endsLinks]),
      ("[]", AppProtocol.bab.everything.items), ("[votes, no-ends-links]", [.votes]),
      ("[own-peer-id, screen]", [.screen, .endsLinks, .ownPeerID]),
      ("all", AppProtocol.bab.everything.items),
      ("[all, no-ends-links, own-scenarios]", ICS.Item.bab.filter { $0.standing == .feature } + [.ownScenarios]),
      ("[all, no-solo]", AppProtocol.bab.everything.items.filter { $0 != .solo }),
    ])
  func statements(text: String, items: [ICS.Item]) throws {
    let folder = try Folder()
    let iut = try folder.read("role: client\nbuiltin: reference\nics: \(text)\n")
    equal(iut.ics.items, items)
    equal(AppProtocol.bab.statement(of: iut.ics.words), iut.ics, "what is written is read")
  }

  @Test("An empty list says as much as none, in the hello and in the file: the profile decides, or everything counts")
  func emptyList() throws {
    let folder = try Folder()
    for (hello, file) in [("", ""), (#","ics":[]"#, ""), ("", "ics: []\n"), (#","ics":[]"#, "ics: []\n")] {
      let answer = #"{"name":"hello","protocol":1"# + hello + "}"
      let script = "#!/bin/sh\nread -r line; echo '\(answer)'; read -r line; exit 0"
      try folder.write(script, to: "host", mode: 0o755)
      let plain = try folder.read("role: host\ncommand: [./host]\n" + file)
      equal(plain.ics, AppProtocol.bab.everything, "\(hello) \(file)")
      let followed = try folder.read("role: host\ncommand: [./host]\nprofile: sdk\n" + file)
      equal(followed.ics, AppProtocol.bab.profile("sdk")?.ics.map(AppProtocol.bab.ordered), "\(hello) \(file)")
    }
    let all = try folder.read("role: host\ncommand: [./host]\nprofile: sdk\nics: all\n")
    equal(all.ics, AppProtocol.bab.profile("sdk")?.ics.map(AppProtocol.bab.ordered), "all that there is to claim")
    let listed = try folder.read("role: host\ncommand: [./host]\nprofile: sdk\nics: [votes, summary]\n")
    equal(listed.ics.items, [.votes, .summary, .endsLinks], "a list is taken as it stands")
  }

  @Test("What everything claims has no peculiarity, and peculiarities cannot be given up")
  func peculiarities() {
    expect(AppProtocol.bab.everything.items.allSatisfy { $0.standing != .peculiarity })
    expect(!AppProtocol.bab.statementWords.contains("no-own-peer-id"))
    expect(AppProtocol.bab.statementWords.contains("no-ends-links"))
  }

  @Test("The program runs in the file's folder, with its variables and limits, and its hello says the ICS")
  func program() throws {
    let folder = try Folder()
    let script = """
      #!/bin/sh
      pwd -P >&2
      echo "$GREETING $0" >&2
      read -r line
      echo '{"name":"hello","protocol":1,"ics":["votes"]}'
      read -r line
      exit 0
      """
    try folder.write(script, to: "build/my host", mode: 0o755)
    let iut = try folder.read(
      """
      role: host
      command: ["build/my host"]
      environment: { GREETING: moin, PATH: /bin }
      """)
    equal(iut.ics, ICS([.votes, .endsLinks]))
    let engine = iut.makeEngine(AppProtocol.bab.configuration(.host, .sdk, peerID: "peer-iut", displayName: "iut"))
    let process = try required(engine as? ProcessEngine)
    expect(process.failure == nil)
    process.close()
    let real = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
    expect(process.log.hasPrefix("\(real)\nmoin "))
  }

  @Test(
    "Every slip has its place and says what to write instead",
    arguments: [
      (
        "role: host\nbuiltin: reference\nwaiver: []",
        "my-app.yaml:3:1: a description has no key “waiver”; did you mean “waivers”?"
      ),
      ("builtin: reference", "my-app.yaml:1:1: “role” is missing; write role: host or role: client"),
      ("role: hosst\nbuiltin: reference", "my-app.yaml:1:7: role “hosst” does not exist; did you mean “host”?"),
      (
        "role: host",
        "my-app.yaml:1:1: nothing says what is to be tested; write command: [program, arguments] or builtin: reference"
      ),
      (
        "role: host\nbuiltin: reference\ncommand: [sh]",
        "my-app.yaml:2:1: “command” and “builtin” are both there; keep one"
      ),
      (
        "role: host\nbuiltin: referense",
        "my-app.yaml:2:10: engine “referense” does not exist; did you mean “reference”?"
      ),
      (
        "role: host\nbuiltin: reference\nixit: {}",
        "my-app.yaml:3:1: “ixit” is for a program; leave it out beside “builtin”"
      ),
      (
        "role: host\nbuiltin: reference\nseam: messages",
        "my-app.yaml:3:1: engines of the bench have a BLE half of their own; leave “seam” out"
      ),
      (
        "role: host\ncommand: [sh]\nseam: message",
        "my-app.yaml:3:7: seam “message” does not exist; did you mean “messages”?"
      ),
      (
        "role: host\ncommand: python3 iut.py",
        "my-app.yaml:2:10: “command” must be a list of words, not a text; write [python3, iut.py], "
          + "or [/bin/sh, -c, \"…\"] for a line of shell"
      ),
      (
        "role: host\ncommand: [no-such-program]",
        "my-app.yaml:2:11: there is no program “no-such-program” in PATH; install it, or write its path"
      ),
      (
        "role: host\ncommand: [beside]",
        "my-app.yaml:2:11: “beside” is not in PATH; write ./beside for the file beside this one"
      ),
      (
        "role: host\ncommand: [./absent]",
        "my-app.yaml:2:11: there is no file “./absent”; a path starts in the folder of this file"
      ),
      (
        "role: host\ncommand: [./beside]",
        "my-app.yaml:2:11: “./beside” may not be executed; chmod +x it, or write its interpreter before it"
      ),
      (
        "role: host\nbuiltin: reference\ndialects: [sdk, ap]",
        "my-app.yaml:3:17: dialect “ap” does not exist; did you mean “app”?"
      ),
      (
        "role: host\nbuiltin: reference\ndialects: []",
        "my-app.yaml:3:11: “dialects” is empty; name at least one, or leave it out for all"
      ),
      (
        "role: host\nbuiltin: reference\nics: [rols]",
        "my-app.yaml:3:7: ICS item “rols” does not exist; did you mean “roles”?"
      ),
      (
        "role: host\nbuiltin: reference\nics: everything",
        "my-app.yaml:3:6: “ics” is neither a list nor the word all; write all, or for example [roles, turns]"
      ),
      (
        "role: host\ncommand: [sh]\nixit:\n  answer-timeout: 5",
        "my-app.yaml:4:19: “answer-timeout” “5” has no unit; write 500ms, 5s or 1min"
      ),
      (
        "role: host\ncommand: [sh]\nixit:\n  answer-timout: 5s",
        "my-app.yaml:4:3: “ixit” has no key “answer-timout”; did you mean “answer-timeout”?"
      ),
      (
        "role: host\ncommand: [sh]\nixit: { memory-limit: 3 kB }",
        "my-app.yaml:3:23: “memory-limit” “3 kB” has an unknown unit “kB”; write 512 MiB or 2 GiB"
      ),
      (
        "role: host\ncommand: [sh]\nenvironment: [A]",
        "my-app.yaml:3:14: “environment” must be a mapping; write NAME: value"
      ),
      (
        "role: host\nbuiltin: reference\nwaivers: [{ cases: BAB/HOST }]",
        "my-app.yaml:3:11: “reason” is missing; say why the failure is accepted"
      ),
      ("role: [host", "my-app.yaml:2:1: not YAML"),
      ("", "my-app.yaml:1:1: the file is empty; a description needs at least “role:” and “command:”"),
      ("- host", "my-app.yaml:1:1: a description must be a mapping, not a list"),
    ])
  func slips(text: String, expected: String) throws {
    let folder = try Folder()
    try folder.write("x", to: "beside")
    let problems = try folder.problems(text)
    expect(problems.contains { $0.hasPrefix(expected) }, "\(problems)")
    equal(problems.count, 1, "\(problems)")
  }

  @Test("All slips are told at once, in the order of the file")
  func several() throws {
    let folder = try Folder()
    let problems = try folder.problems("role: guest\ndialects: [x]\nwaivers: [{}]\n")
    equal(
      problems.map { $0.prefix(14) },
      [
        "my-app.yaml:1:", "my-app.yaml:1:", "my-app.yaml:2:", "my-app.yaml:3:", "my-app.yaml:3:",
      ], "\(problems)")
  }

  @Test("A file that is not there, and a folder, are problems of the file")
  func files() throws {
    let folder = try Folder()
    for path in [folder.path + "/none.yaml", folder.path] {
      #expect(throws: ScenarioProblems.self) { try IUTDescription.read(path: path, environment: [], among: [.bab]) }
    }
  }

  @Test("Every key is in the document, with its default")
  func document() throws {
    let page = try Repository.text("Docs/Formats/iut-description.md")
    for table in [KeyTable.iutDescription(of: .bab), Keys.ixit.table, .waiver] {
      for name in table.names { expect(page.contains("`\(name)`"), "\(name)") }
    }
    let protocolPage = try Repository.text("Docs/Formats/iut-protocol.md")
    for kind in IUTFailure.Kind.allCases { expect(protocolPage.contains("`\(kind.rawValue)`"), "\(kind)") }
    let limits = ProgramLimits()
    expect(protocolPage.contains("| \(limits.startMilliseconds / 1_000) s | `start-timeout`"))
    expect(protocolPage.contains("| \(limits.answerMilliseconds / 1_000) s | `answer-timeout`"))
    expect(protocolPage.contains("| \(limits.launchMilliseconds / 60_000) min | `launch-timeout`"))
    expect(protocolPage.contains("| \(limits.endMilliseconds / 1_000) s | `end-timeout`"))
    expect(protocolPage.contains("| \(limits.memoryOctets >> 20) MiB | `memory-limit`"))
    expect(protocolPage.contains("| one line | \(limits.lineOctets >> 20) MiB |"))
    expect(protocolPage.contains("| kept of standard error | \(limits.logOctets >> 10) KiB |"))
  }
}
