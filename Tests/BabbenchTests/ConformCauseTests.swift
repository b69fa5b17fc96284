import Expectations
import Foundation
import Testing

@testable import Commands
@testable import Conformance

/// What a team reads first: causes, each once, and never more than a screen.
@Suite("babbench conform: causes", .shippedEdition)
struct ConformCauseTests {
  @Test(
    "A host that stops early has one cause at the top, with all that it blocks, on one screen",
    arguments: Part.of(
      [
        ("newcomer-not-told", "sends no LOBBY_UPDATE (BAB 5.1.7, published: lobby guide)"),
        ("published-raw-chunks", "sends no HANDSHAKE (BAB 5.1.6, decision on SDK)"),
      ], 2))
  func earlyStopper(engine: String, cause: String) throws {
    let talk = try ConformTalk.run([
      "--iut", engine, "--dialect", "sdk", "--select", "BAB/HOST/LOBBY/**", "--select", "BAB/HOST/START/**",
    ])
    equal(talk.status, 1)
    expect(talk.lines.count <= ConformPrinter.lineLimit, "\(talk.lines.count) lines")
    expect(talk.lines[0].hasPrefix("fail  \(cause): "))
    expect(talk.lines[0].hasSuffix(" blocked"))
    expect(talk.lines.contains { $0.contains(" cases: ") && $0.contains(" blocked") })
  }

  @Test("What names no clause and only blocks comes after what names one, however much it blocks")
  func symptomsAreLast() throws {
    let talk = try ConformTalk.run([
      "--iut", "roster-without-host", "--dialect", "sdk", "--select", "BAB/HOST/LOBBY/**", "--select",
      "BAB/HOST/AUTH/**",
    ])
    expect(talk.lines[0].contains("BAB "), "\(talk.lines[0])")
    expect(talk.lines.contains { $0.contains(" cases: ") && $0.contains(" blocked") })
    // It is shown last, or is one of the causes that a screen has no room for.
    let shown = talk.lines.filter { $0.hasPrefix("fail  ") || $0.hasPrefix("blocked  ") }
    let symptom = "blocked  not reached: "
    expect(shown.count > 3 && shown.drop { !$0.hasPrefix(symptom) }.allSatisfy { $0.hasPrefix(symptom) })
  }

  @Test("Every cause that is named is a cause of all dialects and groups, and no case is lost or counted twice")
  func everyCaseHasOneCause() throws {
    let folder = try TemporaryFolder()
    for engine in Part.of(["published-raw-chunks", "newcomer-not-told"], 2) {
      _ = try ConformTalk.run([
        "--iut", engine, "--dialect", "sdk", "--select", "BAB/HOST/LOBBY/**", "--out", folder.path + "/" + engine,
      ])
      let result = try ConformResult(folder.path + "/" + engine + "/result.json")
      let bad = result.cases.filter { ["fail", "blocked", "inconclusive", "error"].contains($0.assessment) }
      equal(result.causes.map(\.cases).reduce(0, +), bad.count)
      equal(result.causes.map(\.blocked).reduce(0, +), bad.count { $0.assessment == "blocked" })
      let named = result.causes.prefix { !$0.clause.isEmpty || $0.cases > $0.blocked }
      let unnamed = result.causes.dropFirst(named.count)
      expect(unnamed.allSatisfy { $0.clause.isEmpty && $0.cases == $0.blocked })
      let decided = named.drop { $0.clauseOrigin != "decision" }
      expect(decided.allSatisfy { $0.clauseOrigin == "decision" }, "decisions come after the rest")
      for causes in [named.prefix(named.count - decided.count), decided, unnamed] {
        equal(causes.map(\.blocked), causes.map(\.blocked).sorted(by: >))
      }
      expect(bad.count > 0)
    }
  }

  @Test("Decisions have a heading and come last; all causes are shown on request, each with where it comes from")
  func allCauses() throws {
    let screen = try ConformTalk.run(["--iut", "roster-without-host", "--dialect", "sdk", "--assume", "none"])
    expect(screen.lines.count <= ConformPrinter.lineLimit)
    expect(screen.output.contains("--all-causes shows them here"))
    let talk = try ConformTalk.run(
      ["--iut", "published-sdk-host", "--dialect", "sdk", "--assume", "none", "--all-causes"])
    expect(!talk.output.contains("more causes"))
    let kinds = ["fail  ", "blocked  "]
    let causes = talk.lines.filter { line in kinds.contains { line.hasPrefix($0) } }
    expect(causes.count > 5)
    let heading = try required(talk.lines.firstIndex(of: RootCause.decisionHeading + ":"))
    let isPure = { (line: String) in line.contains(#/\(BAB [0-9.]+, decision\)|BAB [0-9.]+ \(decision\)/#) }
    expect(talk.lines[..<heading].filter(isPure).allSatisfy { $0.contains("crashes") })
    expect(talk.lines[heading...].contains(where: isPure))
    expect(talk.lines.contains { $0.hasPrefix("judged on their subject: ") })
    expect(!talk.output.contains("`"))
  }

  @Test(
    "No text of a run in which nearly all fails names a Swift type",
    arguments: Part.of(["published-raw-chunks", "no-handshake"], 2))
  func plainWords(engine: String) throws {
    let folder = try TemporaryFolder()
    let talk = try ConformTalk.run([
      "--iut", engine, "--dialect", "sdk", "--select", "BAB/*/LINK/**", "--select", "BAB/*/MTU/**", "--out",
      folder.path + "/out",
    ])
    var texts = [talk.output]
    for file in ["report.html", "junit.xml", "result.json", "events.jsonl"] {
      texts.append(try String(contentsOfFile: folder.path + "/out/" + file, encoding: .utf8))
    }
    PlainWords.holdsNoType(texts)
  }

  @Test(
    "Nor does one of BeamScribe, and one of something is no plural",
    arguments: [
      ("primes-for-all", "guest", "BEAM/GUEST/SCAN/**"), ("declined-is-final", "guest", "BEAM/GUEST/MPC/**"),
      ("trims-text", "guest", "BEAM/GUEST/LIVE/**"), ("no-peer-to-peer", "host", "BEAM/HOST/**"),
      ("seats-miscounted", "host", "BEAM/HOST/MPC/**"),
    ])
  func plainWordsOfTheOther(engine: String, role: String, group: String) throws {
    let talk = try ConformTalk.run(["--iut", engine, "--role", role, "--select", group])
    PlainWords.holdsNoType([talk.output])
    expect(!talk.output.contains(#/ 1 [a-z]+s came| 1 times|[0-9]th time/#), "\(talk.output)")
  }

  @Test("What it leaves undone is said beside the cause, with the words of the phone")
  func omission() throws {
    let talk = try ConformTalk.run([
      "--iut", "no-handshake-back", "--dialect", "sdk", "--select", "BAB/HOST/LOBBY/**",
    ])
    expect(
      talk.lines[0].hasPrefix(
        "fail  sends no HANDSHAKE (BAB 5.1.6, decision on SDK); it sends nothing to a peer that has subscribed: "))
    expect(
      talk.lines.contains {
        $0.hasPrefix("  reason      the app of iut was told that client-1 has subscribed to BAB3, BAB4 on link 0")
      })
  }

  @Test("One case is told in full; its cause is the clause it breaks")
  func single() throws {
    let id = "BAB/HOST/LOBBY/BV-02-C"
    let talk = try ConformTalk.run(["--iut", "no-handshake-back", "--dialect", "sdk", "--select", id])
    equal(talk.lines[0], "fail  \(id) sdk; it sends nothing to a peer that has subscribed")
    expect(talk.lines[1].hasPrefix("  requires    BAB 5.1.6: "))
  }
}

/// Reports are in words of people: no name of a Swift type is in them.
enum PlainWords {
  static func holdsNoType(_ texts: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    for text in texts {
      for word in [
        "Optional(", "rawValue", "AppSeam.", "BabSim.", "Conformance.", "BluetoothWire.", "ErrorCode", "IUTFailure",
        "CrashMessage", "ending(", "exitCode(", "signal(",
      ] {
        guard let line = text.split(separator: "\n").first(where: { $0.contains(word) }) else { continue }
        Issue.record("\(word) in \(line.prefix(300))", sourceLocation: sourceLocation)
      }
    }
  }
}

/// The parts of a `result.json` that these tests read.
private struct ConformResult: Decodable {
  struct Case: Decodable {
    var assessment: String
  }

  struct Cause: Decodable {
    var text: String
    var clause: String
    var clauseOrigin: String?
    var cases: Int
    var blocked: Int
  }

  var cases: [Case]
  var causes: [Cause]

  init(_ path: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
