import AppSeam
import BabOracles
import BabSim
import BabSuite
import Bench
import CaptureFormats
import CaptureTestSupport
import Expectations
import Foundation
import SimKernel
import Testing

@testable import CaptureCheck
@testable import Conformance
@testable import Judging

/// Captures that show less than all: one end, the middle of a connection, gaps, no word of the dialect.
@Suite("Captures that show a part of Bab")
struct CapturedPartsTests {
  private static let scenario = """
    name: captured
    radio: ideal
    dialect: sdk
    devices:
      host: {}
      client: { count: 2, around: host, radius: 2 m }
    game:
      scenario: coffee-shop
      lines: 6
      autoplay: { think: 300ms..500ms }
    steps:
      - host: start hosting
      - all clients: join
      - when: all clients in lobby
        within: 20s
        host: { set scenario: coffee-shop }
      - after: 500ms
        host: start lobby game
    expect:
      - that: everyone is FINISHED
        within: 60s
    """

  private static func run(_ scenario: String = scenario, host: String = "reference", into folder: CaptureFolder) throws
    -> Judgement
  {
    var scenario = try ScenarioReader.read(
      text: scenario, file: "captured.yaml", language: .bab()
    ).get()
    for index in scenario.devices.indices where scenario.devices[index].role == .host {
      scenario.devices[index].engine = host
    }
    let oracles = OracleReader()
    let hci = try HCICaptureReader(folder: folder.path)
    _ = try World.run(
      scenario, options: RunOptions(seed: 3), readers: [oracles, hci],
      engines: [AppProtocol.bab].engines)
    try hci.close()
    return try required(oracles.judgement)
  }

  /// What the protocol says of those records of captures that a filter lets through.
  private static func judge(
    _ paths: [String], dialect: String? = nil, keeping: (CaptureRecord, SimInstant) -> Bool
  ) throws -> TrafficJudgement {
    let merged = try MergedCaptures(paths: paths)
    let bab = BabTraffic(dialect: dialect, session: TrafficSession(captures: paths))
    let reader = TrafficReader(observers: [bab])
    while let record = try merged.next() {
      if keeping(record, merged.instant) { reader.read(record, file: merged.file, at: merged.instant) }
    }
    reader.finish()
    return bab.results
  }

  private func verdict(_ judgement: TrafficJudgement, _ oracle: String) -> Verdict? {
    judgement.oracles.first { $0.id == oracle }?.verdict
  }

  @Test("One end is enough: what was acknowledged has arrived", arguments: ["host", "client-1"])
  func oneEnd(device: String) throws {
    let folder = try CaptureFolder()
    _ = try Self.run(into: folder)
    let judgement = try CapturedRun.judge([folder.path + "/\(device).btsnoop"])
    expect(judgement.participants.contains { $0.name == device })
    equal(judgement.participants.filter { $0.role == "host" }.count, 1)
    for oracle in judgement.oracles { expect(oracle.verdict <= .pass, "\(oracle.id) \(oracle.findings)") }
    for id in [
      LobbyStateConverges.id, StartReachesAll.id, CommittedLinesArePrefix.id, ScoresFollowFormula.id,
      RankingFollowsScores.id, OnlyCurrentPlayerCompletes.id, NothingSentIsLost.id, VectorClocksNeverGoBack.id,
    ] where device == "host" {
      equal(verdict(judgement, id), .pass, "\(id)")
    }
  }

  @Test("A capture that begins inside the connection says so, and calls nothing wrong")
  func midConnection() throws {
    let folder = try CaptureFolder()
    _ = try Self.run(into: folder)
    for device in ["host", "client-2"] {
      let path = folder.path + "/\(device).btsnoop"
      let judgement = try Self.judge([path]) { $1 > .zero + .milliseconds(2_500) }
      expect(!judgement.participants.isEmpty)
      expect(judgement.notes.contains { $0.text.contains("begin inside the connection") })
      expect(judgement.notes.contains { $0.text.contains("which dialect") })
      expect(judgement.dialect == nil)
      for oracle in judgement.oracles { expect(oracle.verdict < .fail, "\(oracle.id) \(oracle.findings)") }
      expect(judgement.oracles.contains { $0.verdict == .inconclusive })
      let given = try Self.judge([path], dialect: "sdk") { $1 > .zero + .milliseconds(2_500) }
      equal(given.dialect, "sdk, as given")
      expect(verdict(given, RosterWithinCapacity.id) != .fail)
    }
  }

  @Test("Lost records make nothing wrong, and what is wrong all the same is found")
  func gaps() throws {
    let folder = try CaptureFolder()
    _ = try Self.run(into: folder)
    let path = folder.path + "/host.btsnoop"
    // Continuing fragments are lost now and then: the frames that they belong to never become whole.
    let judgement = try Self.judge([path]) { record, _ in
      guard case .hci(_, 0x02, _) = record.body, record.octets.count > 2 else { return true }
      return record.octets[record.octets.startIndex + 1] & 0x30 != 0x10 || record.number % 5 != 0
    }
    for oracle in judgement.oracles { expect(oracle.verdict < .fail, "\(oracle.id) \(oracle.findings)") }
  }

  @Test("A host that reads a client's line is found by its packets alone")
  func completesForAnother() throws {
    let folder = try CaptureFolder()
    let text = Self.scenario.replacingOccurrences(
      of: "      autoplay: { think: 300ms..500ms }\n",
      with: "      autoplay: { think: 300ms..500ms, players: { client-1: { think: 60s } } }\n"
    ).replacingOccurrences(
      of: "expect:\n",
      with: """
          - when: client-1 on turn
            within: 20s
            host: { complete line: { accuracy: 90% } }
        expect:

        """)
    let live = try Self.run(text, host: "completes-for-another", into: folder)
    equal(live.oracles.first { $0.id == OnlyCurrentPlayerCompletes.id }?.verdict, .fail)
    let judgement = try CapturedRun.judge(
      ["host", "client-1", "client-2"].map { folder.path + "/\($0).btsnoop" })
    let result = try required(judgement.oracles.first { $0.id == OnlyCurrentPlayerCompletes.id })
    equal(result.verdict, .fail)
    // The packet in which the host says that the line is read.
    let place = PacketPlace(record: try required(result.findings.first?.record))
    equal(place.file, 0)
    expect(place.number > 0)
  }

  @Test("Another protocol's traffic is none of Bab's")
  func nothing() throws {
    let judgement = try Self.judge([]) { _, _ in true }
    expect(judgement.dialect == nil)
    expect(judgement.oracles.allSatisfy { $0.verdict == .none })
    equal(judgement.notes.map(\.text), ["no link on which Bab is spoken"])
    equal(BabTraffic.name, "bab")
  }
}
