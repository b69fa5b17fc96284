import Expectations
import Foundation
import RadioLaws
import Testing

/// Closed forms and published figures; `Sources/RadioLaws` declares each once, `babbench physics` shows them.
///
/// `babbench physics` measures all of them in seconds, and `./check` runs it with the release. Each of these tests
/// takes every fourth law; with `BABBENCH_PROOFS=1` they take all laws, in a debug build too, and compare the page.
@Suite("Laws of the radio")
struct RadioLawTests {
  private static func part(from first: Int, of count: Int) -> [String] {
    RadioLaw.all.indices.filter { Part.isAll || $0 % count == first }.map { RadioLaw.all[$0].name }
  }

  private static func law(_ name: String) throws -> RadioLaw { try required(RadioLaw.all.first { $0.name == name }) }

  @Test("A law holds", arguments: part(from: 0, of: 12))
  func holds(name: String) throws {
    let report = try Self.law(name).report()
    expect(report.problem == nil)
    expect(!report.points.isEmpty)
    for point in report.points {
      expect(
        point.holds, "\(name), \(point.label): \(point.measured) against \(point.expected), allowed \(point.allowed)")
    }
  }

  @Test("Docs/physics.md is what a debug build measures too", .proof)
  func page() throws {
    let page = try Repository.text("Docs/physics.md")
    equal(page, LawPage.text(RadioLaw.all.map { $0.report() }), "out of date: babbench physics --write Docs")
  }

  @Test("A law does not hold in a world that is wrong", arguments: part(from: 2, of: 4))
  func fails(name: String) throws {
    let law = try Self.law(name)
    let report = law.report(law.counterexample)
    expect(!report.holds)
    expect(report.problem != nil || report.points.contains { !$0.holds })
  }

  @Test("Every law has a name of its own, which links lead to")
  func names() {
    let names = RadioLaw.all.map(\.name)
    equal(Set(names).count, names.count)
    for name in names { expect(name.allSatisfy { $0 == "-" || ("a"..."z").contains($0) || ("0"..."9").contains($0) }) }
  }

  @Test("Laws of the network are a part of the page of their own, after those of the radio")
  func parts() throws {
    let reports = try ["name-end", "supervision"].map { try Self.law($0).report() }
    let page = LawPage.text(reports)
    let headings = page.split(separator: "\n").filter { $0.hasPrefix("#") }
    equal(headings, ["# Physics of the virtual radio", "## supervision", "## The virtual network", "### name-end"])
    expect(!LawPage.text([reports[1]]).contains("virtual network"))
    let subjects = RadioLaw.all.map(\.subject)
    equal(subjects, subjects.filter { $0 == .radio } + subjects.filter { $0 == .network })
  }

  @Test("A law that measures nothing, or cannot be measured, does not hold")
  func nothing() throws {
    var report = try required(RadioLaw.all.first).report()
    expect(report.holds)
    report.problem = "no link"
    expect(!report.holds)
    expect(LawPage.text([report]).contains("It could not be measured: no link."))
  }

  @Test("Exponentials and logarithms by series are those of tables")
  func series() {
    // Abramowitz and Stegun, tables 4.2 and 4.4.
    for (number, expected) in [(1.0, 2.718_281_828_459_045), (-1, 0.367_879_441_171_442), (10, 22_026.465_794_806_717)]
    {
      expect(abs(RealNumbers.exponential(number) / expected - 1) < 1e-13)
    }
    for (number, expected) in [(2.0, 0.301_029_995_663_981), (3, 0.477_121_254_719_662), (0.001, -3)] {
      expect(abs(RealNumbers.decimalLogarithm(number) - expected) < 1e-13)
    }
    equal(RealNumbers.text(-0.05, decimals: 1), "−0.1")
    equal(RealNumbers.text(12.345, decimals: 0), "12")
    equal(RealNumbers.text(0.004, decimals: 2), "0.00")
  }
}
