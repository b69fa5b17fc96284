import AppSeam
import ArgumentParser
import BabSim
import BabSuite
import Conformance
import Expectations
import Foundation
import Judging
import Testing

@testable import Commands

@Suite("babbench explain", .shippedEdition)
struct ExplainCommandTests {
  private func explain(_ arguments: [String]) throws -> ConformTalk {
    try ConformTalk.listen { try ExplainCommand.parse(arguments).execute(for: $0) }
  }

  @Test("A short group, a section of clauses, a bare number and the core specification have pages")
  func shortNames() throws {
    let group = try explain(["LOBBY"])
    expect(group.status == 0 && group.lines.contains { $0.contains("BAB/HOST/LOBBY/BV-01-C  ") })
    expect(group.lines.contains { $0.contains("BAB/CLIENT/LOBBY/") })
    let number = try explain(["5.1.6"])
    expect(number.status == 0 && number.lines.first == "clause BAB 5.1.6")
    equal(number.lines.dropFirst().first, (try required(AppProtocol.bab.clause("BAB 5.1.6")).text))
    let section = try explain(["BAB", "5.1"])
    let clauses = AppProtocol.bab.clauses.map(\.id).filter { $0.hasPrefix("BAB 5.1.") }
    expect(section.status == 0 && section.lines.contains("\(clauses.count) clauses"))
    for clause in clauses { expect(section.lines.contains(clause)) }
    let core = try explain(["Core", "5.4"])
    expect(core.status == 0 && core.lines.contains { $0.hasPrefix("  RequestsGoOneByOne  Core v5.4, ") })
    let nothing = try explain([""])
    expect(nothing.status == 64 && nothing.complaints.first?.hasPrefix("error: write the name of a ") == true)
  }

  @Test("What help names without asking the protocols is what it would find there")
  func examples() throws {
    let purpose = try required(protocols.having(purpose: Examples.purpose)?.purpose(Examples.purpose))
    equal(Examples.app, protocols.tested.first?.name)
    equal(Examples.clause, purpose.clauses.first)
    equal(Examples.dialect, purpose.dialects.first?.rawValue)
    equal(Examples.mutant, protocols.mutants.first?.name)
  }

  @Test("A test purpose as a page: purpose, clauses word for word, initial condition, outcome, and the line to repeat")
  func page() throws {
    let id = "BAB/HOST/LOBBY/BV-01-C"
    let purpose = try required(Catalog.named(id))
    let talk = try explain([id])
    equal(talk.status, 0)
    expect(talk.complaints.isEmpty)
    equal(talk.lines.prefix(2), [id, purpose.purpose])
    for clause in purpose.clauses {
      let place = try required(talk.lines.firstIndex(of: clause))
      equal(talk.lines[place + 1], "  " + (try required(AppProtocol.bab.clause(clause)).text))
    }
    for text in [purpose.initialCondition] + purpose.expectedOutcomes { expect(talk.lines.contains("  " + text)) }
    expect(talk.lines.contains("  every host; dialects guide, sdk, app"))
    expect(talk.lines.contains("  babbench conform --iut FILE --dialect sdk --select " + id))
  }

  @Test("The procedure is what the case does on the reference, in the dialect that is asked for")
  func procedure() throws {
    let id = "BAB/HOST/LOBBY/BV-02-C"
    let purpose = try required(Catalog.named(id))
    let reference = try ImplementationUnderTest.builtIn("reference", of: .bab, role: .host)
    for dialect in DialectName.bab {
      let talk = try explain([id, "--dialect", dialect.rawValue])
      let place = try required(
        talk.lines.firstIndex(of: "procedure, on the reference in dialect \(dialect.rawValue)"))
      let shown = talk.lines[(place + 1)...].prefix { !$0.isEmpty }
      let result = CaseRunner.run(
        purpose, CaseID(purpose: id, dialect: dialect, seed: purpose.seeds[0]), on: reference)
      equal(Array(shown), result.steps.map { "  \($0.instant.short)  \($0.text)" })
      expect(shown.contains { $0.contains("  ✓ ") })
    }
  }

  @Test("A purpose of one dialect is shown in that one, and refused in another")
  func dialects() throws {
    let purpose = try required(Catalog.all.first { $0.dialects == [.app] })
    let talk = try explain([purpose.id])
    equal(talk.status, 0)
    expect(talk.lines.contains("procedure, on the reference in dialect app"))
    let refused = try explain([purpose.id, "--dialect", "guide"])
    equal(refused.status, 64)
    expect(refused.output.isEmpty)
    equal(refused.complaints, ["error: \(purpose.id) is not for dialect guide"])
  }

  @Test("What a purpose needs is said")
  func needs() throws {
    let purpose = try required(Catalog.all.first { $0.needs.count == 1 })
    let talk = try explain([purpose.id])
    let claim = "  a \(purpose.role.rawValue) that claims \(purpose.needs[0].name); dialects "
    expect(talk.lines.contains { $0.hasPrefix(claim) })
  }

  @Test("Every group has pages without a gap")
  func everyGroup() throws {
    var groups: [String] = []
    for purpose in Catalog.all {
      let group = "\(purpose.role.rawValue) \(purpose.group)"
      if groups.contains(group) { continue }
      groups.append(group)
      let talk = try explain([purpose.id])
      equal(talk.status, 0)
      expect(!talk.output.contains("no clause of ours"), "\(purpose.id)")
      expect(talk.output.contains("✓ "), "\(purpose.id) shows no check")
      expect(!talk.output.contains("✗ "), "\(purpose.id) shows a failure of the reference")
    }
    expect(groups.count > 20)
  }

  @Test(
    "Groups, clauses, oracles, rules and mutants say what they are, where they come from and what uses them",
    arguments: [
      (["BAB/HOST/LOBBY"], ["group BAB/HOST/LOBBY", "BAB/HOST/LOBBY/BV-01-C  ", "selftest --select BAB/HOST/LOBBY"]),
      (["BAB 5.1.7"], ["clause BAB 5.1.7", "Docs/Protocol/", "BAB/HOST/LOBBY/BV-01-C  ", "mutants that break it"]),
      (["BAB", "5.1.7"], ["clause BAB 5.1.7"]),
      (["FragmentsFitATTMTU"], ["oracle FragmentsFitATTMTU", "mutants that it fails", "Docs/Oracles.md"]),
      (["NothingBeforeTheGate"], ["oracle NothingBeforeTheGate", "BEAM 5.4.2", "Docs/Oracles-beamscribe.md"]),
      (["NoCrashNoHang"], ["BAB 7.13", "every run of Bab", "BEAM 7.5", "every run of BeamScribe"]),
      (["BEAM/HOST/ADV"], ["group BEAM/HOST/ADV", "BEAM/HOST/ADV/BV-01-C  "]),
      (["BEAM", "5.4.2"], ["clause BEAM 5.4.2", "Docs/Protocol/beamscribe.md", "gate-skipped"]),
      (["RequestsGoOneByOne"], ["rule RequestsGoOneByOne", "Core v5.4", "Docs/Rules.md"]),
      (["lobby-update-forgotten"], ["mutant lobby-update-forgotten", "fails, by a run just now", "BAB/HOST/LOBBY/"]),
    ])
  func others(words: [String], said: [String]) throws {
    let talk = try explain(words)
    equal(talk.status, 0)
    expect(talk.complaints.isEmpty)
    for text in said { expect(talk.output.contains(text), "\(talk.output)") }
  }

  @Test("The nearest name of any kind is proposed")
  func nearest() throws {
    for (name, near) in [
      ("FragmentFitATTMTU", "FragmentsFitATTMTU"), ("lobby-update-forgoten", "lobby-update-forgotten"),
      ("BAB/HOST/LOBY", "BAB/HOST/LOBBY"), ("RequestGoOneByOne", "RequestsGoOneByOne"),
      ("NothingBefore", "NothingBeforeTheGate"),
    ] {
      let talk = try explain([name])
      equal(talk.status, 64)
      equal(talk.complaints.first?.hasSuffix("; did you mean “\(near)”?"), true, "\(talk.complaints)")
    }
  }

  @Test("An unknown name is exit 64 with one line: the nearest one, or where to look")
  func unknown() throws {
    for (id, hint) in [
      ("BAB/HOST/LOBY/BV-02-C", "did you mean “BAB/HOST/LOBBY/BV-02-C”?"), ("xyz", "babbench list shows most of them"),
    ] {
      let talk = try explain([id])
      equal(talk.status, 64)
      expect(talk.output.isEmpty)
      let kinds = "test purpose, group, clause, section, specification, oracle, rule or mutant"
      equal(talk.complaints, ["error: \(id): no such \(kinds); \(hint)"])
    }
  }
}

@Suite("babbench selftest", .shippedEdition)
struct SelftestCommandTests {
  private func selftest(_ arguments: [String]) throws -> ConformTalk {
    try ConformTalk.listen { try SelftestCommand.parse(arguments).execute(for: $0) }
  }

  @Test("A group passes when the reference passes it and each of its purposes fails a mutant")
  func group() throws {
    let mutants = [
      "name-*", "advertises-*", "service-not-advertised", "host-scans", "stays-closed", "other-service",
      "characteristics-advertised",
    ]
    let talk = try selftest(["--select", "BAB/HOST/ADV"] + mutants.flatMap { ["--mutant", $0] })
    equal(talk.status, 0, "\(talk.output)")
    expect(talk.complaints.isEmpty)
    let count = Catalog.all.count { $0.id.hasPrefix("BAB/HOST/ADV/") }
    expect(talk.lines.contains("\(count) test purposes, \(count) with a kill"))
    equal(talk.lines.last, "verdict pass")
  }

  @Test("A purpose that fails none of the mutants is named, exit 1")
  func toothless() throws {
    let talk = try selftest(["--select", "BAB/HOST/LOBBY/BV-02-C", "--mutant", "wrong-formula"])
    equal(talk.status, 1)
    expect(talk.lines.contains("fails no mutant  BAB/HOST/LOBBY/BV-02-C"))
    expect(talk.lines.contains("1 test purpose, 0 with a kill"))
    equal(talk.lines.last, "verdict fail")
  }

  @Test("A pattern that matches nothing is a slip, among others too: exit 64, with the nearest")
  func nothing() throws {
    for (words, said) in [
      (
        ["--select", "BAB/HOST/ADV,BAB/HOST/LOBY/**"],
        "no test purpose matches BAB/HOST/LOBY/**; did you mean “BAB/HOST/LOBBY/**”?"
      ),
      (
        ["--select", "BAB/HOST/ADV", "--mutant", "wrong-formla"],
        "no mutant matches wrong-formla; did you mean “wrong-formula”?"
      ),
    ] {
      let talk = try selftest(words)
      expect(talk.status == 64 && talk.output.isEmpty)
      equal(talk.complaints, ["error: " + said])
    }
  }

  @Test("A selection plays mutants until each purpose has failed one, and not each mutant through all of it")
  func selection() throws {
    let scope = SelftestScope(select: ["BAB/HOST/ADV"], mutant: [], matrix: false)
    var run = SelftestRun(.bab, scope)
    try run.play(.all, jobs: 2)
    let (purposes, mutants) = (scope.purposes(of: .bab), scope.mutants(of: .bab).filter { $0.role == .host })
    equal(run.matrix.toothless, [])
    expect(run.pieces.flatMap(\.outcomes).count < purposes.count + mutants.count)
  }

  @Test("The number of workers changes nothing")
  func jobs() throws {
    let arguments = ["--select", "BAB/HOST/LOBBY/BV-0?-C", "--mutant", "*-not-told", "--mutant", "no-handshake-back"]
    let (one, two) = (try selftest(arguments + ["--jobs", "1"]), try selftest(arguments + ["--jobs", "2"]))
    equal(one.output, two.output)
    equal(one.status, two.status)
  }
}

@Suite("babbench list, of what conform takes", .shippedEdition)
struct ListCasesTests {
  @Test("Every test purpose, ICS item and mutant, by name alone for scripts")
  func plain() throws {
    func names(_ kind: String) throws -> [String] {
      let result = try Executable.run(["list", kind, "--plain"])
      equal(result.status, 0)
      return result.output.split(separator: "\n").map(String.init)
    }
    try equal(names("--cases").sorted(), protocols.purposes.map(\.id).sorted())
    try equal(names("--mutants").sorted(), protocols.mutants.map(\.name).sorted())
    try expect(names("--ics").contains("refusals"))
  }

  @Test("With a text for each, for people")
  func texts() throws {
    let result = try Executable.run(["list", "--cases"])
    equal(result.status, 0)
    let lines = result.output.split(separator: "\n")
    equal(lines.first, "cases")
    let purpose = try required(Catalog.named("BAB/HOST/LOBBY/BV-02-C"))
    expect(lines.contains { $0.contains(purpose.id) && $0.contains(purpose.purpose) })
  }
}
