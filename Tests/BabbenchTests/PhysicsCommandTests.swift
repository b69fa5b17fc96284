import ArgumentParser
import Expectations
import Foundation
import Testing

@testable import Commands
@testable import RadioLaws

@Suite("babbench physics", .shippedEdition)
struct PhysicsCommandTests {
  private static let quick = ["supervision", "capture"]
  private static var laws: [RadioLaw] { RadioLaw.all.filter { quick.contains($0.name) } }

  private func physics(_ arguments: [String], _ laws: [RadioLaw] = RadioLaw.all) throws -> ConformTalk {
    let command = try PhysicsCommand.parse(arguments)
    return ConformTalk.listen { command.execute(laws, for: $0) }
  }

  @Test("The laws that are named are measured and shown, in the order of the page")
  func names() throws {
    let talk = try physics(["capture", "supervision", "--jobs", "2"])
    equal(talk.status, 0, "\(talk.output)")
    expect(talk.complaints.isEmpty)
    equal(
      talk.lines.filter { $0.contains(": ") }.compactMap { $0.split(separator: ":").first }, Self.quick.map { $0[...] })
    equal(talk.lines.suffix(2), ["2 laws, 2 hold", "verdict pass"])
  }

  @Test("A name that is misspelt is refused with the one that was meant")
  func misspelt() throws {
    let talk = try physics(["supervison"])
    equal(talk.status, 64)
    expect(talk.output.isEmpty)
    equal(talk.complaints.count, 1)
    expect(talk.complaints[0].hasPrefix("error: no law is called “supervison”; did you mean “supervision”?"))
  }

  @Test("--write goes with all laws only, --jobs is at least 1")
  func usage() {
    #expect(throws: (any Error).self) { try PhysicsCommand.parse(["supervision", "--write", "out"]) }
    #expect(throws: (any Error).self) { try PhysicsCommand.parse(["--jobs", "0"]) }
  }

  @Test("A radio that does not keep a law fails the command")
  func wrongRadio() throws {
    var laws = Self.laws
    let law = laws[0]
    laws[0].measure = { _ in try law.measure(law.counterexample) }
    let talk = try physics([], laws)
    equal(talk.status, 1)
    expect(talk.lines.contains { $0.hasPrefix("does not hold  supervision: ") })
    equal(talk.lines.suffix(2), ["2 laws, 1 hold", "verdict fail"])
  }

  @Test("A law that expects something else, and one that cannot be measured, fail the command")
  func wrongLaw() throws {
    var laws = Self.laws
    laws[0].measure = { _ in RadioLaw.Outcome([.exact("an exchange", 676, 677), .exact("T_IFS", 150, 150)]) }
    laws[1].measure = { _ in throw Unmeasurable("no link") }
    let talk = try physics([], laws)
    equal(talk.status, 1)
    expect(talk.output.contains("could not be measured: no link"))
    expect(talk.lines.contains { $0.hasPrefix("  an exchange") && $0.hasSuffix("does not hold") })
    try equal(physics([], []).status, 2)
  }

  @Test("--write leaves the page and its pictures, the same octets each time and with any number of jobs")
  func write() throws {
    let folder = NSTemporaryDirectory() + "/babbench-physics-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let laws = RadioLaw.all.filter { ["supervision", "signal-to-noise", "capture"].contains($0.name) }
    for jobs in ["1", "2"] {
      try equal(physics(["--write", folder + "/" + jobs, "--jobs", jobs], laws).status, 0)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/1").sorted()
    equal(names, ["physics-noise.svg", "physics.md"])
    for name in names {
      expect(
        FileManager.default.contentsEqual(atPath: "\(folder)/1/\(name)", andPath: "\(folder)/2/\(name)"))
    }
    let page = try String(contentsOfFile: folder + "/1/physics.md", encoding: .utf8)
    expect(page.contains("3 laws, 3 hold"))
    expect(page.contains("](physics-noise.svg)"))
    try expect(String(contentsOfFile: folder + "/1/physics-noise.svg", encoding: .utf8).contains("<circle"))
  }
}
