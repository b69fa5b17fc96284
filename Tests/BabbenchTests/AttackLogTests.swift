import Expectations
import Foundation
import InPlaceFuzz
import SimKernel
import Testing

@testable import Commands

@Suite("The record of a session's attacks")
struct AttackLogTests {
  @Test("After each attack the file is that of all attacks so far, whether they come one by one or several at once")
  func growing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/session.json"
    var stream = RandomStream(seed: 1, component: "attacks", purpose: "octets")
    let log = try AttackLog(path: path)
    var attacks: [TimedAttack] = []
    for _ in 0..<40 {
      for _ in 0...stream.below(2) {
        let octets = (0..<stream.below(40)).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
        let strokes = (0...stream.below(2)).map { _ in
          Attack.Stroke(.send(after: .milliseconds(Int64(stream.below(9))), route: 0), octets: octets)
        }
        attacks.append(TimedAttack(after: .milliseconds(Int64(attacks.count)), attack: Attack(strokes)))
      }
      try log.extend(to: attacks)
      let written = try required(FileManager.default.contents(atPath: path))
      equal([UInt8](written), AttackFile.octets(of: attacks))
    }
    try equal(AttackFile.readSequence(path), attacks)
  }

  @Test("The next session begins with an empty file")
  func again() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/session.json"
    try folder.write(String(repeating: "x", count: 500), to: "session.json")
    _ = try AttackLog(path: path)
    try equal(AttackFile.readSequence(path), [])
  }

  @Test("A folder that is not there is said in one line")
  func noFolder() {
    #expect(throws: (any Error).self) { try AttackLog(path: "/proc/none/session.json") }
  }
}
