import AppSeam
import ArgumentParser
import BabSim
import BabSuite
import Conformance
import Expectations
import Foundation
import Testing

@testable import Commands

/// `babbench conform` in process, and what it said.
struct ConformTalk {
  var status: Int32
  /// Everything on standard output.
  var output: String
  /// One entry for each diagnostic.
  var complaints: [String]

  var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

  static func run(_ arguments: [String]) throws -> ConformTalk {
    try listen { try ConformCommand.parse(arguments).execute(for: $0) }
  }

  /// Runs anything that talks to an streams.
  static func listen(_ command: (OutputStreams) throws -> Int32) rethrows -> ConformTalk {
    var (told, complaints): ([String], [String]) = ([], [])
    let status = try command(OutputStreams(tell: { told.append($0) }, complain: { complaints.append($0) }))
    return ConformTalk(status: status, output: told.joined(separator: "\n"), complaints: complaints)
  }

  /// The block of one case that is shown: its first line and the rows below it.
  func block(_ start: String) -> [String] {
    guard let first = lines.firstIndex(where: { $0.hasPrefix(start) }) else { return [] }
    return Array(lines[first...].prefix { !$0.isEmpty })
  }
}

/// Words of command lines that many tests use: small selections, and what comes of them.
enum ConformWords {
  static let referenceHost = ["--iut", "reference", "--role", "host", "--dialect", "sdk"]

  static func select(_ numbers: String...) -> [String] { numbers.flatMap { ["--select", "BAB/HOST/LOBBY/" + $0] } }

  /// The description of an engine of the bench that is called `mine`.
  static func description(_ engine: String, _ more: String = "") -> String {
    "name: mine\nrole: host\nbuiltin: \(engine)\ndialects: [sdk]\n" + more
  }
}

@Suite("babbench conform: what is selected, and what is refused", .shippedEdition)
struct ConformCommandTests {
  private typealias Words = ConformWords

  @Test("--dryrun shows what applies and why the rest does not, and runs nothing")
  func dryrun() throws {
    let folder = try TemporaryFolder()
    try folder.write(Words.description("reference", "ics: [turns]\n"), to: "iut.yaml")
    let purposes = Catalog.all.filter { $0.role == .host && $0.dialects.contains(.sdk) && $0.seeds.count == 1 }
    let free = try required(purposes.first { $0.needs.isEmpty }).id
    let bound = try required(purposes.first { $0.needs == [.refusals] }).id
    let arguments = ["--iut", folder.path + "/iut.yaml", "--out", folder.path + "/out", "--dryrun"]
    let talk = try ConformTalk.run(arguments + ["--select", free, "--select", bound])
    equal(talk.status, 0)
    expect(talk.complaints.isEmpty)
    equal(talk.lines.count, 3)
    let seed = try required(Catalog.named(free)).seeds[0]
    expect(talk.lines.contains("\(free)  sdk  seed \(seed)  mine"))
    expect(talk.lines.contains { $0.hasPrefix(bound) && $0.hasSuffix("not applicable: ICS does not claim refusals") })
    equal(talk.lines.last, "2 cases, 1 apply")
    try equal(folder.files(), ["iut.yaml"])
    let nothing = try ConformTalk.run(arguments + ["--select", bound])
    equal(nothing.status, 2)
    equal(nothing.lines.last, "1 case, 0 apply")
  }

  @Test("Nothing selected is exit 2 with a line that says so; a pattern that matches nothing is named, exit 64")
  func nothingSelected() throws {
    for more in [[], ["--dryrun"]] {
      let typo = try ConformTalk.run(Words.referenceHost + ["--select", "BAB/HOST/LOBY/**"] + more)
      expect(typo.status == 64 && typo.output.isEmpty)
      equal(
        typo.complaints,
        [
          "error: no test purpose matches BAB/HOST/LOBY/**; did you mean “BAB/HOST/LOBBY/**”?"
        ])
      // One slip among others is a slip too, and so is one in what is left out.
      for words in [["--select", "BAB/HOST/FRAG,zzz"], ["--select", "BAB/HOST/FRAG", "--skip", "zzz"]] {
        let among = try ConformTalk.run(Words.referenceHost + words + more)
        equal(among.status, 64)
        equal(among.complaints, ["error: no test purpose matches zzz; babbench list --cases shows them"])
      }
    }
    // There are such purposes, but for the other role.
    let client = try ConformTalk.run(["--iut", "reference", "--role", "client", "--select", "BAB/HOST/LOBBY"])
    equal(client.status, 2)
    expect(client.complaints.isEmpty)
    expect(client.lines.contains("0 cases: nothing was selected"))
    expect(client.lines.contains("verdict none"))
  }

  @Test("A case that does not apply is neither green nor red: alone it is exit 2")
  func notApplicable() throws {
    let folder = try TemporaryFolder()
    try folder.write(Words.description("reference", "ics: [roles]\n"), to: "iut.yaml")
    let bound = try required(
      Catalog.all.first { $0.role == .host && $0.dialects.contains(.sdk) && $0.needs == [.refusals] })
    let arguments = ["--iut", folder.path + "/iut.yaml", "--select", bound.id]
    let alone = try ConformTalk.run(arguments)
    equal(alone.status, 2)
    equal(bound.seeds.count, 1)
    expect(alone.lines.contains("1 case: 1 not applicable"))
    let beside = try ConformTalk.run(arguments + Words.select("BV-02-C"))
    equal(beside.status, 0)
    expect(beside.lines.contains("verdict pass"))
  }

  @Test("A name or a file that is not there is exit 64 with one line")
  func unknownImplementations() throws {
    let folder = try TemporaryFolder()
    for (arguments, hint) in [
      (["--iut", "lobby-update-forgoten"], "did you mean “lobby-update-forgotten”?"),
      (["--iut", "lobby-update-forgoten", "--role", "host"], "did you mean “lobby-update-forgotten”?"),
      (["--iut", "something-else-entirely", "--role", "host"], "babbench list --mutants shows them"),
      (["--iut", "reference"], "--role host or --role client"),
      (["--iut", "lobby-update-forgotten", "--role", "client"], "is a host, not a client"),
      (["--iut", folder.path + "/none.yaml"], "/none.yaml: no such file"),
      (["--iut", folder.path], "directory"),
    ] {
      let talk = try ConformTalk.run(arguments + ["--select", "BAB/HOST/LOBBY/BV-02-C", "--out", folder.path + "/out"])
      equal(talk.status, 64, "\(arguments)")
      expect(talk.output.isEmpty, "\(arguments)")
      equal(talk.complaints.count, 1)
      let line = talk.complaints.first ?? ""
      expect(line.contains(hint), "\(line)")
      let isPlaced = line.hasPrefix(folder.path + ":1:1: ")
      expect((line.hasPrefix("error: ") || isPlaced) && !line.contains("\n") && line.count < 250, "\(line)")
    }
    try expect(folder.files().isEmpty)
  }

  @Test("Slips of a description are exit 64, each with its place, and nothing is run or written")
  func faultyDescriptions() throws {
    let folder = try TemporaryFolder()
    try folder.write("role: hosst\nbuiltin: reference\nixt: 1\n", to: "slips.yaml")
    try folder.write("role: [host\n", to: "broken.yaml")
    try folder.write(
      Words.description("reference", "waivers:\n  - cases: BAB/HOST/LOBBY/BV-01-C\n"), to: "reasonless.yaml")
    for (name, hints) in [
      ("slips.yaml", ["slips.yaml:1:7: ", "did you mean “host”?", "slips.yaml:3:1: "]),
      ("broken.yaml", ["broken.yaml:"]), ("reasonless.yaml", ["reason"]),
    ] {
      let talk = try ConformTalk.run(["--iut", folder.path + "/" + name, "--out", folder.path + "/out"])
      equal(talk.status, 64, "\(name)")
      expect(talk.output.isEmpty)
      for hint in hints { expect(talk.complaints.joined().contains(hint), "\(talk.complaints)") }
    }
    try equal(folder.files(), ["broken.yaml", "reasonless.yaml", "slips.yaml"])
  }

  @Test("A baseline that is not there, or is something else, is exit 64 with one line and leaves no folder")
  func badBaselines() throws {
    let folder = try TemporaryFolder()
    try folder.write("{\"version\": 1, \"verdict\": \"pass\"}", to: "other.json")
    try folder.write("{\"version\": 99, \"cases\": []}", to: "later.json")
    for (name, reason) in [
      ("none.json", "no such file"), ("other.json", "no result.json of babbench conform"), ("later.json", "version 99"),
    ] {
      let talk = try ConformTalk.run(
        Words.referenceHost + Words.select("BV-02-C")
          + ["--baseline", folder.path + "/" + name, "--out", folder.path + "/out"])
      equal(talk.status, 64, "\(name)")
      expect(talk.output.isEmpty)
      equal(talk.complaints.count, 1)
      equal(talk.complaints.first?.contains(name + ": "), true)
      equal(talk.complaints.first?.contains(reason), true, "\(talk.complaints)")
    }
    try equal(folder.files(), ["later.json", "other.json"])
  }

  @Test("A folder that cannot be made is the bench's failure, exit 3")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "file")
    let talk = try ConformTalk.run(
      Words.referenceHost + Words.select("BV-02-C") + ["--out", folder.path + "/file/out"])
    equal(talk.status, 3)
    equal(talk.complaints.count, 1)
  }

  @Test(
    "A wrong command line is exit 64, with nothing on standard output",
    arguments: [
      ["conform"], ["conform", "--iut", "reference", "--role", "umpire"],
      ["conform", "--iut", "reference", "--role", "host", "--jobs", "0"],
      ["conform", "--iut", "reference", "--role", "host", "--dialect", "klingon"],
      ["conform", "--iut", "nobody", "--role", "host"], ["explain"], ["explain", "BAB/HOST/NOSUCH/BV-01-C"],
      ["explain", "BAB/HOST/LOBBY/BV-01-C", "--dialect", "klingon"], ["selftest", "--jobs", "0"],
      ["selftest", "--write", "x", "--select", "BAB/HOST/LOBBY"],
    ])
  func usage(arguments: [String]) throws {
    let result = try Executable.run(arguments)
    equal(result.status, 64)
    expect(result.output.isEmpty)
    expect(!result.errors.isEmpty)
  }
}
