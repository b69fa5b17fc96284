import Expectations
import Testing

/// Each rule catches a planted violation, and leaves its innocent twin alone.
@Suite("The rules of the house catch what they are for")
struct RuleSelfTests {
  private func file(_ path: String, _ text: String) -> SourceFile { SourceFile(path: path, text: text) }

  @Test("Comments and strings hide a word, an interpolation shows it")
  func tokens() {
    let source = file(
      "Sources/SimKernel/A.swift",
      """
      // Hasher
      /* Hasher /* Hasher */ Hasher */
      let a = "Hasher \\"Hasher"; let b = #"Hasher \\(Hasher)"#
      let c = "x \\(Hasher(1)) y"
      """)
    equal(source.tokens.filter { $0.text == "Hasher" }, [Token(text: "Hasher", line: 4)])
  }

  @Test("A decoder without a row in the table is found, and one with a row is not")
  func decoders() {
    let decoder = file("Sources/Bench/New.swift", "extension New {\n  public init(decoding octets: [UInt8]) {}\n}")
    equal(DecoderRules.findings(in: [decoder]).map(\.line), [2])
    let table = file("Sources/Fuzzing/Table/T.swift", "let row = \"Sources/Bench/New.swift\"")
    expect(DecoderRules.findings(in: [decoder, table]).isEmpty)
  }

  @Test("A noun that gets its s by hand is found, and one that differs by more is not")
  func plurals() {
    let planted = [
      #"  let a = count == 1 ? "" : "s""#, #"  let b = n == 1 ? "1 seed" : "\(n) seeds""#,
      #"  let c = (n == 1 ? "problem" : "problems")"#, #"  let d = "\(devices.count) devices""#,
    ]
    for line in planted {
      equal(ShapeRules.pluralFindings(in: file("Sources/Commands/A.swift", "\n" + line)).map(\.line), [2])
    }
    let innocent = [
      #"let a = devices.count == 1 ? "does" : "do""#, #"let b = number == 1 ? "host" : "client""#,
      #"if cells.count > 1 { text += " in \(cells.count) cells" }"#, #"let e = "\(list.count) is""#,
      #"let c = CountedNoun.text(count, "seed")"#, #"let d = pdus.count == 1 ? "PDU \(first)" : "PDUs \(first)""#,
    ]
    for line in innocent { expect(ShapeRules.pluralFindings(in: file("Sources/Commands/A.swift", line)).isEmpty) }
  }

  @Test("An import out of order is found, whatever its access")
  func importOrder() {
    let planted = file("Sources/Bench/A.swift", "package import Bench\nimport AppSeam\n\nimport A\n@testable import B")
    equal(ShapeRules.importFindings(in: planted).map(\.line), [2])
  }

  @Test("A print in a command is found, and another function of that name is not")
  func prints() {
    let planted = file("Sources/Commands/A.swift", "\n  print(1)\n  for row in rows { print(row) }")
    equal(ShapeRules.printFindings(in: planted).map(\.line), [2, 3])
    let innocent = ["return try print(a)", "private func print(a: Int) {}", "printer.print(a)", "// print(a)"]
    for line in innocent { expect(ShapeRules.printFindings(in: file("Sources/Commands/A.swift", line)).isEmpty) }
    expect(ShapeRules.printFindings(in: file("Sources/Bench/A.swift", "print(1)")).isEmpty)
  }

  @Test("Something public in a module of no library product is found; imports, words and other modules are not")
  func doors() {
    let text = "public import B\nlet a = public // open\npublic final class C {}\nopen class D {}\na = open\nlet b"
    equal(DoorRules.findings(in: file("Sources/Stress/A.swift", text), listed: ["Bench"]).map(\.line), [3, 4])
    for innocent in ["Sources/Bench/A.swift", "Sources/parserfuzz/A.swift", "Tests/ATests/A.swift"] {
      expect(DoorRules.findings(in: file(innocent, text), listed: ["Bench"]).isEmpty)
    }
  }

  @Test("An example that no source has is found, and one that is indented otherwise is not")
  func examplesOfDoors() {
    let page = "a\n```swift\nlet a = 1\n  let b = 2\n```\nb\n```\nlet c = 3\n```\n```swift\ndependencies: []\n```\n"
    expect(DoorRules.strangeExamples(in: page, sources: ["{\n    let a = 1\n    let b = 2\n}"]).isEmpty)
    let others = ["let a = 1\n", "let b = 2\n", "xlet a = 1\nlet b = 2"]
    equal(DoorRules.strangeExamples(in: page, sources: others).count, 1)
  }

  @Test("A page that names the release before is found, and one that names this is not")
  func versions() {
    equal(VersionRules.version(in: "  static let current = \"1.2.3\"\n"), "1.2.3")
    equal(VersionRules.newestSection(of: "# Changes\n\n## 1.2.3 (today)\n\n## 1.2.2 (then)\n"), "1.2.3")
    let texts = [
      "a\ncurl babbench-1.2.2-linux", "\n_babbench:1.2.2_", "\ngit tag --annotate v1.2.2", "\nversion = \"1.2.2\"",
    ]
    for text in texts {
      equal(VersionRules.findings(path: "a", text: text, version: "1.2.3").map(\.line), [2], "\(text)")
      expect(VersionRules.findings(path: "a", text: text, version: "1.2.2").isEmpty, "\(text)")
    }
  }

  @Test("A multi-line string ends where it ends")
  func multilineStrings() {
    let source = file("A.swift", "let a = \"\"\"\n  Hasher \"quoted\"\n  \"\"\"\nlet b = Hasher")
    equal(source.tokens.filter { $0.text == "Hasher" }.map(\.line), [4])
  }

  @Test(
    "An import against the arrows is named with its line",
    arguments: [
      ("Sources/SimKernel/A.swift", "Foundation"), ("Sources/BluetoothWire/ATT/A.swift", "SimKernel"),
      ("Sources/CaptureFormats/A.swift", "Foundation"), ("Sources/VirtualRadio/Host/A.swift", "BabSim"),
      ("Sources/BabSim/Wire/A.swift", "Foundation"), ("Sources/BabSim/Engine/A.swift", "VirtualRadio"),
      ("Sources/Bench/World/A.swift", "Yams"), ("Sources/Conformance/Oracles/A.swift", "CaptureFormats"),
      ("Sources/Platform/A.swift", "Bench"), ("Sources/Bench/App/A.swift", "Conformance"),
      ("Sources/Commands/A.swift", "BabSim"),
    ])
  func forbiddenImports(path: String, module: String) {
    for form in [
      "import \(module)", "public import \(module)", "import struct \(module).Thing", "@testable import \(module)",
    ] {
      let findings = ArrowRules.importFindings(in: file(path, "\n" + form + "\n"))
      equal(findings.count, 1)
      equal(findings.first?.line, 2)
      equal(findings.first?.message.contains(module), true)
    }
  }

  @Test("An allowed import and a mention in a comment pass")
  func allowedImports() {
    let text = "public import BluetoothWire\nimport SimKernel\n// import Foundation\n"
    expect(ArrowRules.importFindings(in: file("Sources/BabSim/Engine/A.swift", text)).isEmpty)
  }

  @Test("A folder that the table does not know is a finding")
  func unknownFolder() {
    equal(ArrowRules.importFindings(in: file("Sources/BabSim/Cellar/A.swift", "")).count, 1)
  }

  @Test("Arrows that lead back to where they began are found, over folders and other targets")
  func circles() {
    let straight = [("Sources/A/X", ["B"]), ("Sources/A/Y", ["C"]), ("Sources/B", ["C"]), ("Sources/C", [])]
    expect(ArrowRules.circles(in: straight).isEmpty)
    equal(ArrowRules.circles(in: straight + [("Sources/C/Z", ["A"])]), ["A", "B", "C"])
  }

  @Test("A type from behind a wall is a finding; the seam, shared names and members are not")
  func walls() {
    let files = [
      file("Sources/VirtualRadio/Medium/Air.swift", "public struct Air {}\nprivate struct Hidden {}\nextension LL {}"),
      file("Sources/VirtualRadio/LinkLayer/L.swift", "final class LinkState { struct Inner {} }\nenum LL {}"),
      file("Sources/BluetoothWire/LL/LL.swift", "public enum LL {}"),
      file(
        "Sources/VirtualRadio/Host/H.swift",
        "var a: LinkState\nvar b: Inner\nvar c = x.Air\nvar d: LL.PDU\nlet e = Air()"),
      file(
        "Sources/VirtualRadio/Host/I.swift",
        "enum B { struct LinkState {}\n var a: LinkState }\nfunc f<Air: P>(a: Air) {}\nlet x: Array<Air>"),
      file("Sources/BabSim/Engine/HostEngine.swift", "public final class HostEngine {}"),
      file("Sources/AppSeam/AppInput.swift", "public enum AppInput {}"),
      file("Sources/BabOracles/Oracles/O.swift", "let a: AppInput\nlet b = HostEngine()"),
    ]
    equal(
      ArrowRules.wallFindings(in: files).map { "\($0.path):\($0.line)" },
      [
        "Sources/VirtualRadio/Host/H.swift:1", "Sources/VirtualRadio/Host/H.swift:5",
        "Sources/BabOracles/Oracles/O.swift:2",
      ])
  }

  @Test(
    "Each banned word is caught where it counts",
    arguments: [
      "Date()", "Date.now", "x.random(in: a)", "x.shuffled()", "UUID()", "Task { }", "Task.detached { }",
      "DispatchQueue.main", "Thread.sleep()", "ProcessInfo.processInfo", "getenv(name)",
      "SystemRandomNumberGenerator()",
      "var h = Hasher()", "x.hashValue", "ObjectIdentifier(x)", "sin(x)", "pow(x, y)", "log10(x)", "ContinuousClock()",
      "let x: Double = y", "Float(x)", "await x", "CommandLine.arguments", "array.randomElement()",
    ])
  func bannedWords(code: String) {
    let text = "func f() {\n  \(code)\n}\n"
    let findings = DeterminismRules.findings(in: file("Sources/VirtualRadio/Medium/A.swift", text))
    equal(findings.count, 1, "\(findings)")
    equal(findings.first?.line, 2)
    equal(findings.first?.message.contains("use "), true)
    expect(DeterminismRules.findings(in: file("Sources/Commands/A.swift", text)).isEmpty)
    expect(DeterminismRules.findings(in: file("Sources/Conformance/Report/A.swift", text)).isEmpty)
  }

  @Test(
    "What only looks banned passes",
    arguments: [
      "trace.log(x)", "func log(x: Int) {}", "let update = 1", "BluetoothUUID()", "let task = taskID.raw",
      "UUIDList(a)", "let expression = exponent(a)", "case random", "// Date()",
      "func hash(into hasher: inout Hasher) {}",
    ])
  func innocentWords(code: String) {
    expect(DeterminismRules.findings(in: file("Sources/Bench/World/A.swift", code)).isEmpty)
  }

  @Test(
    "Going through a dictionary or a set is caught",
    arguments: [
      "var names: [String: Int]\nfor x in names { }", "var names: Set<Int>\nfor x in self.names { }",
      "var names = [:]\nlet a = names.map { $0 }", "let names = Set(a)\nnames.forEach { f($0) }",
      "func f(names: [UInt8: [Int]]) {\n for x in names.values { } }",
      "var names: Dictionary<A, B>\nlet a = names.keys",
    ])
  func unorderedIteration(code: String) {
    equal(DeterminismRules.iterationFindings(in: file("A.swift", code)).map(\.line), [2])
  }

  @Test(
    "Looking up in a dictionary, sorting it first, and going through arrays pass",
    arguments: [
      "var names: [String: Int]\nlet a = names[b]\nnames[c] = 1", "var names: Set<Int>\nfor x in names.sorted() { }",
      "var names: [String]\nfor x in names { }", "var names: [String: [Int]]\nfor x in names[a] ?? [] { }",
      "var names: Set<Int>\nif names.contains(3) { }", "let a: [Int] = [1]\nf(names: [a: 1])\nfor x in a { }",
      "var names: Set<Int>\nlet b = a.filter { x in names.contains(x) }",
    ])
  func orderedIteration(code: String) {
    expect(DeterminismRules.iterationFindings(in: file("A.swift", code)).isEmpty)
  }

  @Test("A file, a function and a line that are too long are caught, the longest allowed ones are not")
  func sizes() {
    func lines(_ count: Int) -> String { String(repeating: "a\n", count: count) }
    func function(_ count: Int) -> String { "func f(\n  a: Int\n) -> Int {\n" + lines(count - 2) + "}\n" }
    expect(ShapeRules.sizeFindings(in: file("A.swift", lines(600))).isEmpty)
    equal(ShapeRules.sizeFindings(in: file("A.swift", lines(601))).map(\.line), [601])
    expect(ShapeRules.sizeFindings(in: file("A.swift", function(120))).isEmpty)
    equal(
      ShapeRules.sizeFindings(in: file("A.swift", function(121))).map(\.message), ["f has 121 lines; at most 120"])
    expect(ShapeRules.sizeFindings(in: file("A.swift", String(repeating: "a", count: 120))).isEmpty)
    equal(ShapeRules.sizeFindings(in: file("A.swift", "\n" + String(repeating: "é", count: 121))).map(\.line), [2])
  }

  @Test("Requirements without a body, initialisers and nested closures are measured right")
  func functions() {
    let text = """
      protocol P {
        func a() -> Int
        func b()
      }
      init(x: Int) {
        self.init(y: 1)
      }
      func c(f: () -> Void = { }) -> [Int] where T: U {
        g { h in
        }
      }
      """
    equal(
      ShapeRules.functions(of: file("A.swift", text)),
      [
        .init(name: "init", line: 5, lines: 3), .init(name: "c", line: 8, lines: 4),
      ])
  }

  @Test("A path of one machine and a note to oneself are caught")
  func wording() {
    expect(ShapeRules.bannedText.count >= 6)
    for ban in ShapeRules.bannedText {
      equal(ShapeRules.wordingFindings(path: "A.md", text: "one\nsee \(ban.text)there").map(\.line), [2])
    }
    expect(ShapeRules.wordingFindings(path: "A.md", text: "see Sources/SimKernel").isEmpty)
  }

  @Test("A second title and a dead link are caught; fences, code and living links pass")
  func markdown() {
    func findings(_ text: String) -> [Finding] {
      MarkdownRules.findings(path: "Docs/A.md", text: text, exists: { $0 == "README.md" || $0 == "Docs/B.md" })
    }
    equal(findings("# One\n# Two\n").map(\.line), [2])
    equal(findings("## None\n").count, 1)
    equal(findings("# One\n\n[b](C.md)").map(\.line), [3])
    equal(findings("# One\n[b](../../README.md)").count, 1)
    equal(findings("# One\n[b](#nowhere)").count, 1)
    #expect(
      findings(
        "# One\n```\n# not a title\n[x](y)\n```\n`[x](y)` [b](B.md) [r](../README.md#top) [w](https://a.b/) [o](#one)"
      )
      .isEmpty)
  }
}
