import AppSeam
import BabOracles
import BabSim
import BabSuite
import Bench
import Bystanders
import CaptureTestSupport
import Expectations
import Foundation
import SimKernel

@testable import CaptureCheck
@testable import Conformance
@testable import Judging

/// A run judged live, and again from what was captured of it: on the air, and at the HCI of every device.
struct CapturedRun {
  enum View: String, CaseIterable, Sendable {
    case air
    case hci
  }

  var live: Judgement
  var air: TrafficJudgement
  var hci: TrafficJudgement

  func captured(_ view: View) -> TrafficJudgement { view == .air ? air : hci }

  /// The names of the shipped scenarios of Bab whose apps are engines, folder and file.
  static let shipped: [String] = {
    let folder = Repository.path("Scenarios")
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    let others = ["beamscribe/", "programs/"]
    return names.filter { name in name.hasSuffix(".yaml") && !others.contains { name.hasPrefix($0) } }
      .map { String($0.dropLast(5)) }.sorted()
  }()

  /// A shipped scenario, with one engine for the host and one for all clients where they are named.
  static func scenario(_ path: String, host: String? = nil, client: String? = nil) throws -> Scenario {
    var scenario = try ScenarioFile.load(
      Repository.path("Scenarios/\(path).yaml"), language: ScenarioLanguage([.bab, .bystander])
    ).get()
    for index in scenario.devices.indices {
      if let engine = scenario.devices[index].role == .host ? host : client { scenario.devices[index].engine = engine }
    }
    return scenario
  }

  init(_ scenario: Scenario, seed: UInt64 = 1, dialect: String? = nil) throws {
    let folder = try CaptureFolder()
    let oracles = OracleReader()
    let air = try AirCaptureReader(path: folder.path + "/air.pcapng")
    let hci = try HCICaptureReader(folder: folder.path + "/hci")
    _ = try World.run(
      scenario, options: RunOptions(seed: seed), readers: [oracles, air, hci],
      engines: [AppProtocol.bab, .bystander].engines)
    try air.close()
    try hci.close()
    guard let live = oracles.judgement else { throw CocoaError(.featureUnsupported) }
    self.live = live
    self.air = try Self.judge([folder.path + "/air.pcapng"], dialect: dialect)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/hci").sorted()
    self.hci = try Self.judge(names.map { folder.path + "/hci/" + $0 }, dialect: dialect)
  }

  static func judge(_ paths: [String], dialect: String? = nil) throws -> TrafficJudgement {
    let merged = try MergedCaptures(paths: paths)
    let bab = BabTraffic(dialect: dialect, session: TrafficSession(captures: paths))
    let reader = TrafficReader(observers: [bab])
    while let record = try merged.next() { reader.read(record, file: merged.file, at: merged.instant) }
    reader.finish()
    return bab.results
  }

  /// An oracle that says something else of captures than live.
  struct Difference: Hashable, Sendable, CustomStringConvertible {
    var view: View
    var oracle: String
    var live: Verdict
    var captured: Verdict
    var description: String { "\(view.rawValue) \(oracle) live \(live.name) captured \(captured.name)" }
  }

  var differences: [Difference] {
    View.allCases.flatMap { view in
      zip(live.oracles, captured(view).oracles).compactMap { live, captured in
        live.verdict == captured.verdict
          ? nil : Difference(view: view, oracle: live.id, live: live.verdict, captured: captured.verdict)
      }
    }
  }

  /// The first finding of each oracle that differs, for whoever reads a failed test.
  var details: String {
    differences.map { difference in
      let captured = captured(difference.view).oracles.first { $0.id == difference.oracle }
      let own = live.oracles.first { $0.id == difference.oracle }
      let text = captured?.findings.first.map { "expected \($0.expected), actual \($0.actual) at \($0.instant)" }
      let other = own?.findings.first.map { "expected \($0.expected), actual \($0.actual) at \($0.instant)" }
      return "\(difference) [captured: judged \(captured?.judged ?? -1) open \(captured?.open ?? -1) \(text ?? "")]"
        + " [live: judged \(own?.judged ?? -1) \(other ?? "")]"
    }.joined(separator: "\n")
  }
}
