import Expectations
import Testing

/// The rules about words, names and references, each with what it catches and what it leaves alone.
@Suite("The rules about words, names and references catch what they are for")
struct WordingSelfTests {
  private func file(_ path: String, _ text: String) -> SourceFile { SourceFile(path: path, text: text) }

  @Test("The table of turns holds together")
  func turnTable() {
    expect(TurnRules.turns.count >= 20)
    expect(TurnRules.findings(path: "A.md", prose: "").isEmpty)
  }

  @Test(
    "A banned turn is caught in a page, a comment and a string, with its line and a proposal",
    arguments: [
      "It comes behind the header", "That is of no account", "It waits for ever", "It sends no data nor events",
      "It is thereby lost", "That is the platform's affair", "It starts anew", "All but for one", "It asks in vain",
      "It was mended", "It stands in the page", "A stack of ours", "It ends no sooner than that",
      "It reckons with loss",
      "It was nobody's doing", "It passes as it came", "Reset and its kin", "A Mac of today", "It cannot be had",
      "Use it, whatever it be", "It has its face here", "What comes of it", "Of nobody anything is known",
    ])
  func turns(text: String) throws {
    for (path, text) in [
      ("Docs/A.md", "# One\n\n\(text)."), ("Sources/A.swift", "let a = 1\n\n/// \(text)."),
      ("Sources/A.swift", "let a =\n\n  \"\(text)\""), ("Scenarios/a.yaml", "name: a\n\n# \(text)."),
    ] {
      let prose = try required(TurnRules.prose(path: path, text: text))
      let findings = TurnRules.findings(path: path, prose: prose)
      equal(findings.map(\.line), [3], "\(path): \(findings)")
      equal(findings.first?.message.contains("; write "), true)
    }
  }

  @Test("A turn that goes over a line break of a comment is caught")
  func brokenTurn() throws {
    let prose = try required(TurnRules.prose(path: "Sources/A.swift", text: "/// It waits for\n/// ever."))
    equal(TurnRules.findings(path: "Sources/A.swift", prose: prose).map(\.line), [1])
  }

  @Test(
    "Code, names in backticks and plain turns pass",
    arguments: [
      ("Sources/A.swift", "let behind = 1"), ("Sources/A.swift", "/// Finds `behind`, and “index-behind-count”."),
      ("Sources/A.swift", "/// Leaves no link and no timer behind."), ("Docs/A.md", "# One\nneither this nor that"),
      ("Docs/A.md", "# One\n```\nbehind\n```\n"), ("Scenarios/a.yaml", "name: behind # after"),
      ("Docs/A.md", "# One\nNumber Of Completed Packets; a list of two"), ("Docs/A.md", "# One\nit stands in for one"),
      ("Docs/kill-matrix.md", "behind"), ("Sources/A.c", "behind"),
    ])
  func plainTurns(path: String, text: String) {
    expect(TurnRules.findings(path: path, prose: TurnRules.prose(path: path, text: text) ?? "").isEmpty)
  }

  @Test("A name that nothing spells, and one that only tests spell, are caught")
  func deadNames() {
    let files = [
      file(
        "Sources/A.swift",
        """
        func dead() {}
        func alive() { let spare = 1; alive() }
        struct Lonely { var unread = 1; var read = 2 }
        enum Kind { case used, never(Int), `default` }
        func checked() {}
        let a = Kind.used; let b = a.read; switch b { case .default: x }
        """),
      file("Sources/B.swift", "let c = b; f(c)\nfunc dead() {}"),
      file("Tests/ATests/T.swift", "@Test(\"one\") func first() { checked() }\nfunc helper() {}"),
      file("Benchmarks/B.swift", "func unjudged() {}"),
    ]
    let messages = DeadNameRules.findings(in: files).map { "\($0.path):\($0.line) \($0.message.prefix { $0 != " " })" }
    equal(
      messages,
      [
        "Sources/A.swift:1 dead", "Sources/A.swift:2 spare", "Sources/A.swift:3 Lonely", "Sources/A.swift:3 unread",
        "Sources/A.swift:4 never", "Sources/B.swift:2 dead", "Tests/ATests/T.swift:2 helper",
        "Sources/A.swift:5 checked",
      ], "\(messages)")
  }

  @Test(
    "What others call by another way than its name passes",
    arguments: [
      "override func dead() {}", "@main struct Dead {}", "enum E: String { case dead }\nlet x: E; f(x)",
      "enum E: CaseIterable { case dead }\nlet x: E; f(x)", "static func == (a: Int, b: Int) {}",
      "var description: String",
      "enum CodingKeys { }", "import class Foundation.Thing; Thing()", "let (a, b) = c",
    ])
  func aliveNames(code: String) {
    expect(DeadNameRules.findings(in: [file("Sources/A.swift", code)]).isEmpty)
  }

  @Test("Names of assigned numbers pass in BluetoothWire, and only there")
  func assignedNumbers() {
    let text = "static let dead = ErrorCode(0x05); static let late = Flags(rawValue: 0x01); static let lost = 27"
    equal(DeadNameRules.findings(in: [file("Sources/BluetoothWire/A.swift", text)]).count, 1)
    equal(DeadNameRules.findings(in: [file("Sources/SimKernel/A.swift", text)]).count, 3)
  }

  @Test("A file that nothing refers to is caught; one that is linked, or found by its place, is not")
  func references() {
    let texts = [
      "-": "x", "README.md": "see [it](Docs/used.md) and `tool`; orphans.md is another one",
      "Docs/used.md": "used.md", "Docs/orphan.md": "orphan.md says orphan.md", "tool": "", "Sources/A/B.swift": "",
      "Scenarios/x/y.yaml": "", "Tests/VM/guest/tests/10-x": "", "Tests/Foreign/lost.txt": "",
    ]
    let findings = ReferenceRules.findings(paths: texts.keys.sorted(), text: { texts[$0] })
    equal(findings.map(\.path), ["-", "Docs/orphan.md", "Tests/Foreign/lost.txt"])
  }

  @Test(
    "Bab in a target of the bench is caught",
    arguments: [
      "let a: BabPacket", "/// Bab says so", "/// BAB 5.1.2", "let a = \"bab\"", "case LOBBY_UPDATE",
      "let a = \"BAB/HOST/LOBBY/BV-01-C\"", "let a = 0xBAB1", "let a = \"BAB10000-1A46-0001-0000-000000000001\"",
      "let a = \"12345678-1234-1234-1234-123456789abc\"", "import BabSim", "/// CLIENT_JOIN comes first",
    ])
  func appWall(code: String) {
    let findings = AppWallRules.findings(in: file("Sources/Conformance/A.swift", "\n" + code))
    equal(findings.map(\.line), [2], "\(code)")
    expect(AppWallRules.findings(in: file("Sources/BabSuite/A.swift", code)).isEmpty)
    expect(AppWallRules.findings(in: file("Sources/babbench/AppProtocols.swift", code)).isEmpty)
    expect(AppWallRules.findings(in: file("Tests/ATests/A.swift", code)).isEmpty)
  }

  @Test(
    "BeamScribe in a target of the bench, or of another app, is caught",
    arguments: [
      "let a: BeamReport", "/// BeamScribe says so", "/// BEAM 5.1.2", "let a = \"beamscribe\"", "case liveChunk",
      "let a = \"BEAM/HOST/GATE/BV-01-C\"", "let a = \"_beamscribe._tcp\"", "import BeamScribe",
    ])
  func secondAppWall(code: String) {
    for path in ["Sources/Conformance/A.swift", "Sources/BabSuite/A.swift"] {
      equal(AppWallRules.findings(in: file(path, "\n" + code)).map(\.line), [2], "\(code)")
    }
    expect(AppWallRules.findings(in: file("Sources/BeamSuite/A.swift", code)).isEmpty)
    expect(!AppWallRules.findings(in: file("Sources/BeamSuite/A.swift", "/// Bab says so")).isEmpty)
  }

  @Test("The product's name and words that only look like Bab pass")
  func noApp() {
    let text = "/// babbench, Babbench, BABBENCH_WRITE, Babel, LL_START_ENC_REQ, grab, BABY\nlet START_GAMES = 1"
    expect(AppWallRules.findings(in: file("Sources/Conformance/A.swift", text)).isEmpty)
  }
}
