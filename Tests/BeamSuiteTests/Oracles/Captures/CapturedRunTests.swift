import BeamOracles
import BeamSuite
import CaptureCheck
import Conformance
import Expectations
import Foundation
import Judging
import Testing

/// Captures of the reference are judged as the runs, as far as captures show it, and accuse nobody.
@Suite("Captures of BeamScribe's runs")
struct CapturedRunTests {
  static let unseen = [
    "BluetoothOffWhileUp", "AdvertisingFits", "BluetoothResumes", "SightingsPrime", "UnstableAreCounted",
    "AlertsChangeNoText", "VanishedHostsAreNoticed", "NoCrashNoHang", "InfrastructurePreferred", "LostGuestsReturn",
    "SlowGuestsDelayNobody",
  ]

  private func check(_ run: CapturedWorld) {
    let judgement = run.judgement
    equal(CapturedWorld.accusations(judgement), [])
    for oracle in judgement.oracles where Self.unseen.contains(oracle.id) {
      expect(oracle.verdict == .none && oracle.judged == 0, "\(oracle.id) cannot be judged")
    }
    for oracle in judgement.oracles where oracle.verdict == .inconclusive {
      expect(oracle.openReason != nil || !oracle.findings.isEmpty, "\(oracle.id) says no reason")
    }
    for id in ["HistoryThenLive", "FramesAreWhole", "PacketsAreCanonical", "FramesWithinLimit"] {
      equal(CapturedWorld.verdict(judgement, id), .pass, "\(id)\n\(CapturedWorld.summary(judgement))")
    }
    equal(Set(judgement.participants.map(\.role)), ["host", "guest"])
  }

  @Test(
    "A capture of the reference accuses nobody, and is judged",
    arguments: MutantWorldTests.scenarios.map { $0.name }.filter { $0 != "restless" })
  func worlds(_ name: String) throws {
    check(try CapturedWorld(try required(MutantWorldTests.scenarios.first { $0.name == name }).text))
  }

  @Test("A capture of the reference accuses nobody, whatever was drawn", arguments: [2, 3, 4] as [UInt64])
  func seeds(_ seed: UInt64) throws {
    for text in [JudgedWorld.talk, JudgedWorld.vanishing, JudgedWorld.outage, JudgedWorld.crowd, JudgedWorld.flaky] {
      check(try CapturedWorld(text, seed: seed))
    }
  }

  /// Two protocols in one room are read by `Tests/BabbenchTests/BeamCaptureTests.swift`; an hour takes minutes.
  static let shipped = BeamScenarios.names.filter { name in
    // Whoever is hostile on purpose is accused, and rightly.
    let isHostile = (try? BeamScenarios.text(name))?.contains("hostile:") ?? true
    return !isHostile && !["both-apps", "hour-of-transcription"].contains(name)
  }

  @Test("A capture of each shipped scenario accuses nobody, and is judged", arguments: shipped)
  func scenarios(_ name: String) throws {
    let run = try CapturedWorld(try BeamScenarios.text(name))
    equal(JudgedWorld.findings(run.live), [])
    check(run)
  }

  @Test("Of those who take part, hosts and guests have their names, and streams their dialect")
  func participants() throws {
    let judgement = try CapturedWorld(JudgedWorld.early).judgement
    equal(judgement.participants.map(\.name).sorted(), ["guest-1", "guest-2", "host"])
    equal(judgement.dialect, "network, by its service type")
    expect(judgement.notes.contains { $0.text.hasPrefix("not judged: BluetoothOffWhileUp") })
  }

  @Test("Without Multicast DNS streams are found by their frames, and without both there is nothing to judge")
  func frames() throws {
    let run = try CapturedWorld(JudgedWorld.early)
    let silent = run.records.filter { !CaptureDamage.isNames($0) }
    expect(silent.count < run.records.count)
    let judgement = CapturedWorld.judge(silent)
    equal(judgement.dialect, "network, by its frames")
    equal(CapturedWorld.verdict(judgement, "HistoryThenLive"), .pass)
    let nothing = CapturedWorld.judge([])
    expect(nothing.oracles.allSatisfy { $0.verdict == .none })
    equal(nothing.notes.map(\.text), ["no stream on which BeamScribe is spoken"])
  }
}

/// The shipped scenarios of BeamScribe.
enum BeamScenarios {
  private static let folder = Repository.path("Scenarios/beamscribe")

  static let names: [String] = {
    let found = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return found.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }()

  static func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name).yaml")), as: UTF8.self)
  }
}
