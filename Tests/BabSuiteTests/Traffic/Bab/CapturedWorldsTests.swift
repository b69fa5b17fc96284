import BabOracles
import BabSim
import BabSuite
import Bench
import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Expectations
import Foundation
import SimKernel
import Testing

@testable import CaptureCheck
@testable import Conformance
@testable import Judging

/// Small worlds of the reference whose captures once accused somebody whom the run did not: whatever files of a run are
/// judged, and however they are cut, they find nothing that the run has not found. Defects planted in the same captures
/// are still found.
@Suite("Captures never say more than the run")
struct CapturedWorldsTests {
  struct World: Sendable, CustomTestStringConvertible {
    var name: String
    var seeds: ClosedRange<UInt64>
    var text: String
    var testDescription: String { name }
  }

  private static let lobby = """
    devices: { host: {}, client: { count: 2 } }
    steps:
      - host: start hosting
      - all clients: join
    """

  private static func game(_ clients: Int, _ steps: String) -> String {
    """
    dialect: guide
    devices: { host: {}, client: { count: \(clients), around: host, radius: 3 m } }
    game: { scenario: coffee-shop, lines: 12, autoplay: { think: 200ms..500ms, skip: 20% } }
    steps:
      - host: start hosting
      - all clients: join
      - when: all clients in lobby
        within: 60s
        host: { set scenario: coffee-shop }
      - after: 500ms
        host: start lobby game
    \(steps)
      - after: 40s
        label: over
    """
  }

  static let worlds = [
    // Both clients discover the same server in the same time; a first connection fails to be established.
    World(name: "two clients come at once", seeds: 1...8, text: lobby),
    // Its new run learns its own count from the clients that come back.
    World(
      name: "the host is launched again", seeds: 1...2,
      text: lobby
        + "\n  - after: 3s\n    host: [kill, relaunch, start hosting]\n  - after: 20s\n    label: over\n"),
    // The host reads alone, and tells it in a snapshot; a link of a reset radio ends later at the host.
    World(
      name: "the host reads while nobody is there", seeds: 1...3,
      text: game(1, "  - after: 2s\n    client-1: radio off\n  - after: 9s\n    client-1: radio on")),
    // What is told to several leaves on each link in its own time.
    World(
      name: "a client leaves and another comes back", seeds: 1...2,
      text: game(
        3,
        "  - after: 1500ms\n    client-1: disconnect\n  - after: 300ms\n    client-2: leave\n  - after: 1s\n"
          + "    client-3: vanish\n  - after: 9s\n    client-3: appear")),
  ]

  @Test("Every set of files, whole or cut, finds only what the run has found", arguments: worlds)
  func everySet(world: World) throws {
    for seed in world.seeds {
      let run = try CapturedFiles(world.text, seed: seed)
      for set in run.sets(seed: seed) {
        let found = try Self.findings(set.paths).filter { !run.found.contains($0.oracle) }
        expect(found.isEmpty, "seed \(seed), \(set.name): \(found.map { "\($0.oracle): \($0.actual)" })")
      }
    }
  }

  @Test("A score that no line explains is found in the same captures")
  func plantedScore() throws {
    let run = try CapturedFiles(Self.game(2, ""), seed: 1)
    try expect(Self.findings(run.paths).isEmpty)
    let planted = try run.rewritten { octets in
      // The last digit of every score that is not 0.
      let key = Array(#""score":"#.utf8)
      for place in octets.indices where octets[place...].starts(with: key) {
        var end = place + key.count
        guard end < octets.endIndex, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(octets[end]) else { continue }
        while end + 1 < octets.endIndex, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octets[end + 1]) { end += 1 }
        octets[end] = octets[end] == UInt8(ascii: "9") ? UInt8(ascii: "8") : octets[end] + 1
      }
    }
    let found = try Self.findings(planted).map(\.oracle)
    expect(found.contains(ScoresFollowFormula.id), "\(found)")
  }

  @Test("A value that comes twice, and was sent once, is found in the same captures")
  func plantedRepeat() throws {
    let run = try CapturedFiles(Self.lobby, seed: 1)
    let planted = try run.copy(of: "client-1.btsnoop") { records in
      let isValue = { (record: CaptureRecord) in
        guard case .hci(_, HCI.PacketIndicator.acl, true) = record.body, record.octets.count > 40 else { return false }
        return record.octets[record.octets.startIndex + 8] == 0x1B
      }
      guard let place = records.indices.last(where: { isValue(records[$0]) }) else { return }
      // At the same time it would be a record that the capturer has written twice.
      var again = records[place]
      again.nanoseconds += 1_000_000
      records.insert(again, at: place + 1)
    }
    let found = try Self.findings(planted).map(\.oracle)
    expect(found.contains(NothingSentIsLost.id), "\(found)")
  }

  @Test("A host's file that begins inside a link does not hide what the client's own file shows of it")
  func lateHost() throws {
    // In small packets the last of a line is completed, at the client's HCI, after the host has told others of it.
    let text = Self.game(2, "").replacingOccurrences(
      of: "client: { count: 2, around: host, radius: 3 m }",
      with: "ann: { phone: { preset: android, acl octets: 27 } }, bob: {}"
    ).replacingOccurrences(
      of: "- all clients: join", with: "- ann: { join: host }\n  - after: 6s\n    bob: { join: host }")
    let run = try CapturedFiles(text, seed: 1)
    let files = try run.copy(of: "host.btsnoop") { records in
      let first = records.first?.nanoseconds ?? 0
      records.removeAll { $0.nanoseconds - first < 5_000_000_000 }
    }
    let report = try Checker(
      paths: files.filter { !$0.hasSuffix("bob.btsnoop") }, protocolType: SpokenProtocol(BabTraffic.self)
    ).report()
    let result = try required(report.judgement?.oracles.first { $0.id == OnlyCurrentPlayerCompletes.id })
    equal(result.verdict, .pass, "\(result.findings.map(\.actual))")
    expect(result.judged > 0)
  }

  private static func findings(_ paths: [String]) throws -> [Finding] {
    let report = try Checker(paths: paths, protocolType: SpokenProtocol(BabTraffic.self)).report()
    return (report.rules + (report.judgement?.oracles ?? [])).flatMap(\.findings).filter { $0.verdict == .fail }
  }
}
