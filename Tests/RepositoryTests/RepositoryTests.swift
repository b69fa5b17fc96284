import Expectations
import Foundation
import Testing

/// The rules of the house, held against the checkout. How each one fails is shown in `RuleSelfTests`.
@Suite("The checkout keeps the rules of the house")
struct RepositoryTests {
  private func expectNone(_ findings: [Finding]) {
    for finding in findings { Issue.record("\(finding)") }
  }

  @Test("There is something to judge")
  func filesAreSeen() {
    expect(Repository.sources.count >= 20)
    expect(Repository.paths.contains("Package.swift"))
    for row in ArrowTable.allowedImports {
      expect(Repository.paths.contains { $0.hasPrefix(row.folder + "/") }, "no file in \(row.folder)")
    }
  }

  @Test("Every import follows the arrows, folder by folder")
  func imports() {
    expectNone((Repository.sources + Repository.toyApp).flatMap(ArrowRules.importFindings))
  }

  @Test("No arrows go in a circle")
  func circles() {
    expect(ArrowRules.circles(in: ArrowTable.allowedImports).isEmpty)
  }

  @Test("No folder names a type from behind a wall")
  func walls() {
    expectNone(ArrowRules.wallFindings(in: Repository.sources))
  }

  @Test("Nothing that differs from run to run decides anything")
  func determinism() {
    expectNone(Repository.sources.flatMap(DeterminismRules.findings))
  }

  @Test("Every decoder is in the table that is fuzzed")
  func decoders() {
    expectNone(DecoderRules.findings(in: Repository.sources))
    for (path, _) in DecoderRules.elsewhere { expect(Repository.paths.contains(path), "\(path) is gone") }
  }

  @Test("Files, functions and lines keep their sizes")
  func sizes() {
    expectNone(Repository.swiftFiles.flatMap(ShapeRules.sizeFindings))
  }

  @Test("Counts have their noun from one place")
  func plurals() {
    expectNone(Repository.sources.flatMap(ShapeRules.pluralFindings))
  }

  @Test("Commands print nothing that could be lost without a word")
  func prints() { expectNone(Repository.sources.flatMap(ShapeRules.printFindings)) }

  @Test("Imports are in the order of their modules")
  func importOrder() { expectNone(Repository.swiftFiles.flatMap(ShapeRules.importFindings)) }

  @Test("No page or source holds a path of one machine, or a note to oneself")
  func wording() throws {
    let endings = [".swift", ".md", ".yaml", ".yml", ".json", ".sh", "check", ".ci/run", "run-lobby", ".1"]
    for path in Repository.paths where endings.contains(where: { path.hasSuffix($0) }) {
      expectNone(ShapeRules.wordingFindings(path: path, text: try Repository.text(path)))
    }
  }

  @Test("Every Markdown page has one title, and its links lead somewhere")
  func markdown() throws {
    for path in Repository.paths where path.hasSuffix(".md") {
      expectNone(
        MarkdownRules.findings(path: path, text: try Repository.text(path), exists: { Repository.exists($0) }))
    }
  }

  @Test("Pages, comments and messages are in plain English")
  func turns() throws {
    for path in Repository.paths where TurnRules.isJudged(path) {
      guard let prose = TurnRules.prose(path: path, text: try Repository.text(path)) else { continue }
      expectNone(TurnRules.findings(path: path, prose: prose))
    }
  }

  @Test("Every declared name is used, and not by tests only")
  func deadNames() {
    expectNone(DeadNameRules.findings(in: Repository.spelling))
  }

  @Test("Every file is referred to, or of a kind that is found by its place")
  func references() throws {
    let listed = try Repository.git(["ls-files"])?.split(separator: "\n").map(String.init)
    let paths = (listed ?? Repository.paths).filter(Repository.exists)
    expectNone(ReferenceRules.findings(paths: paths, text: { try? Repository.text($0) }))
  }

  @Test("The bench knows no app by name")
  func appWall() {
    expectNone(Repository.sources.flatMap(AppWallRules.findings))
  }

  @Test("Modules of no library product have nothing public")
  func doors() {
    let listed = Repository.paths.filter { $0.hasPrefix("Docs/API/") && $0.hasSuffix(".txt") }
      .map { String($0.dropFirst("Docs/API/".count).dropLast(".txt".count)) }
    for module in ["SimKernel", "Conformance", "VirtualRoom"] { expect(listed.contains(module)) }
    for module in listed + DoorRules.exempt.map(\.module) {
      expect(Repository.sources.contains { $0.isInside("Sources/\(module)") }, "no module \(module)")
    }
    expectNone(Repository.sources.flatMap { DoorRules.findings(in: $0, listed: listed) })
  }

  @Test("Each example of the page of library products is a part of a source that outsiders compile")
  func examplesOfDoors() throws {
    let page = try Repository.text("Docs/API.md")
    let sources = try Repository.paths.filter { $0.hasPrefix("Tests/Outside/") && $0.hasSuffix(".swift") }
      .map(Repository.text)
    expect(DoorRules.examples(in: page).count >= 8)
    for example in DoorRules.strangeExamples(in: page, sources: sources) {
      Issue.record("Docs/API.md shows what no source below Tests/Outside has:\n\(example)")
    }
  }

  @Test("The version is written in one place, and every other agrees")
  func version() throws {
    let version = try required(VersionRules.version(in: try Repository.text(VersionRules.place)))
    for path in Repository.paths where VersionRules.isJudged(path) {
      expectNone(VersionRules.findings(path: path, text: try Repository.text(path), version: version))
    }
    equal(VersionRules.newestSection(of: try Repository.text("CHANGELOG.md")), version)
  }

  @Test("The scripts of a release are shell, and the package and the container are the program's")
  func release() throws {
    let scripts = ["release", "run-lobby"] + Repository.paths.filter { $0.hasPrefix("Packaging/") }
    let shell = try scripts.filter { try Repository.text($0).hasPrefix("#!/usr/bin/env bash") }
    expect(shell.count >= 6)
    for path in shell { try expect(Repository.isShell(path), "\(path)") }
    let control = try Repository.text("Packaging/control")
    expect(control.contains("Package: babbench\nVersion: @VERSION@\nArchitecture: @ARCHITECTURE@\n"))
    let container = try Repository.text("Packaging/Containerfile")
    expect(container.contains("PACKAGE=babbench_@VERSION@_amd64.deb"))
    expect(container.contains("ENTRYPOINT [\"babbench\"]"))
  }

  @Test("What a build makes is ignored and not in the index")
  func ignoredFiles() throws {
    let ignored = try Repository.text(".gitignore").split(separator: "\n").map(String.init)
    expect(ignored.contains(".build/"))
    expect(ignored.contains("Package.resolved"))
    guard let tracked = try Repository.git(["ls-files", "--", ".build", "Package.resolved", ".swiftpm", "out"]) else {
      return print("skipped: this is no git checkout, so the index was not looked at")
    }
    expect(tracked.isEmpty, "tracked though built: \(tracked)")
  }
}
