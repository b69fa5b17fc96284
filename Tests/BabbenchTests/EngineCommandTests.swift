import AppSeam
import BabSim
import BabSuite
import Bench
import Conformance
import Expectations
import Foundation
import Judging
import Testing

@testable import Commands

/// The bench at both ends of the pipe.
@Suite("babbench engine", .shippedEdition)
struct EngineCommandTests {
  private static func piped(_ name: String, _ role: AppRole) -> ImplementationUnderTest {
    let launch = ProgramLaunch(
      command: [Executable.url.path, "engine", name, "--role", role.rawValue], directory: "/",
      environment: Environment.inherited)
    return .process(launch, of: .bab, name: name, role: role, dialects: DialectName.bab)
  }

  /// Every ninth purpose of the role, each in one of its dialects.
  private static func sample(_ role: AppRole) -> [(TestPurpose, CaseID)] {
    let purposes = Catalog.all.filter { $0.role == role }
    return purposes.indices.filter { $0 % 9 == 0 }.map { index in
      let purpose = purposes[index]
      let dialect = purpose.dialects[index / 9 % purpose.dialects.count]
      return (purpose, CaseID(purpose: purpose.id, dialect: dialect, seed: purpose.seeds[0]))
    }
  }

  @Test(
    "A case comes out the same over the pipe as in process: digest, steps and verdict",
    arguments: [AppRole.host, .client])
  func same(role: AppRole) throws {
    let direct = try ImplementationUnderTest.builtIn("reference", of: .bab, role: role)
    let piped = Self.piped("reference", role)
    let sample = Self.sample(role)
    expect(!sample.isEmpty)
    for (purpose, id) in sample {
      let (a, b) = (CaseRunner.run(purpose, id, on: direct), CaseRunner.run(purpose, id, on: piped))
      equal(a, b, "\(id.purpose) \(id.dialect): \(b.failure.map { "\($0)" } ?? "")")
    }
  }

  @Test("A mutant fails over the pipe as it does in process")
  func mutant() throws {
    let mutant = try required(Mutants.all.first { $0.role == .host && $0.oracle == nil })
    let direct = try ImplementationUnderTest.builtIn(mutant.name, of: .bab, role: .host)
    let piped = Self.piped(mutant.name, .host)
    let failing = Self.sample(.host).first { CaseRunner.run($0.0, $0.1, on: direct).verdict == .fail }
    guard let (purpose, id) = failing ?? Self.sample(.host).first else { return }
    equal(CaseRunner.run(purpose, id, on: piped), CaseRunner.run(purpose, id, on: direct))
  }

  @Test("A person can talk to it")
  func byHand() throws {
    let talk = try Executable.start(["engine", "reference", "--role", "client"])
    func say(_ line: String) throws { try talk.input.write(contentsOf: Data((line + "\n").utf8)) }
    try say(
      #"{"name":"hello","protocol":1,"role":"client","dialect":"sdk","peerID":"p","displayName":"P","seed":"1","#
        + #""game":{"totalLines":0,"heartbeatMilliseconds":0,"script":[],"scenarios":[],"earlierSessions":[]}}"#)
    try say(#"{"name":"launched","at":0}"#)
    try say(#"{"at":5,"name":"user","action":"joinHost"}"#)
    try talk.input.close()
    let lines = String(decoding: talk.readToEnd(), as: UTF8.self).split(separator: "\n")
    talk.process.waitUntilExit()
    equal(talk.process.terminationStatus, 0)
    try require(lines.count == 3)
    expect(lines[0].hasPrefix(#"{"name":"hello","protocol":1,"implementation":"babbench reference"#))
    expect(lines[1].hasPrefix(#"{"at":0,"effects":[{"name":"identity","role":"client","peerID":"p""#))
    expect(lines[2].hasPrefix(#"{"at":5,"effects":["#) && lines[2].contains(#"{"name":"scan""#))
  }

  @Test("What is not in the protocol ends it with a line that says why")
  func slips() throws {
    for (line, reason) in [
      ("moin", "not JSON at octet 0"), (#"{"name":"launched"}"#, "the first line must be the hello"),
    ] {
      let talk = try Executable.start(["engine", "reference", "--role", "host"])
      try talk.input.write(contentsOf: Data((line + "\n").utf8))
      let output = talk.readToEnd()
      let errors = String(decoding: talk.errors.readDataToEndOfFile(), as: UTF8.self)
      talk.process.waitUntilExit()
      equal(talk.process.terminationStatus, 3)
      expect(output.isEmpty)
      expect(errors.contains(reason), "\(errors)")
    }
    let unknown = try Executable.run(["engine", "referense", "--role", "host"])
    equal(unknown.status, 64)
  }
}
