import AppSeam
import Bench
import BluetoothWire
import CaptureTestSupport
import Expectations
import Foundation
import SimKernel
import Testing

@testable import Bystanders
@testable import CaptureCheck
@testable import Conformance
@testable import Judging

/// Rooms with recorded devices, and what captures of them show.
enum RecordedRoom {
  static let players: [AppProtocol] = [.recorded, .bystander]
  static let language = ScenarioLanguage(players)

  /// What a run shows.
  struct Played {
    var outcome: RunOutcome
    /// What recorded devices report.
    var reports: [RecordedReport]
    var held: [String]
    var failed: [String]
  }

  private final class Notes: TraceReader {
    var reports: [RecordedReport] = []
    var held: [String] = []
    var failed: [String] = []

    func read(_ record: TraceRecord) {
      switch record.event {
      case .report(let report): if let report = report.among(RecordedReport.self) { reports.append(report) }
      case .expectation(let text, let holds, let detail, _):
        if holds == true { held.append(text) } else { failed.append("\(text): \(detail)") }
      default: break
      }
    }
  }

  /// A file of the folder beside which its captures are written.
  static func play(
    _ text: String, in folder: CaptureFolder, captures name: String,
    engines: @escaping EngineFactory = players.engines
  ) throws -> Played {
    let scenario = try ScenarioReader.read(
      text: text, file: folder.path + "/a.yaml", language: language, profiles: .besides(folder.path + "/a.yaml")
    ).get()
    let notes = Notes()
    let hci = try HCICaptureReader(folder: folder.path + "/" + name)
    let outcome = try World.run(scenario, options: RunOptions(seed: 1), readers: [notes, hci], engines: engines)
    try hci.close()
    return Played(outcome: outcome, reports: notes.reports, held: notes.held, failed: notes.failed)
  }

  static func problems(_ text: String, in folder: CaptureFolder) -> [String] {
    let read = ScenarioReader.read(
      text: text, file: "a.yaml", language: language, profiles: .besides(folder.path + "/a.yaml"))
    guard case .failure(let problems) = read else { return [] }
    return problems.list.map(\.description)
  }

  /// A capture of the sample device at the HCI of the phone that talks with it.
  static func sample(in folder: CaptureFolder) throws -> String {
    let scenario = """
      duration: 30s
      devices:
        sensor: { protocol: bystander, role: peripheral }
        phone: { protocol: bystander, role: central }
      """
    _ = try play(scenario, in: folder, captures: "first") { _, configuration in
      let isPhone = configuration.role == AppRole(rawValue: "central")
      return isPhone ? SamplePhone() as any AppEngine : SampleSensor()
    }
    return try path(of: "phone", folder.path + "/first")
  }

  static func path(of device: String, _ folder: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    return try required(names.first { $0.hasPrefix(device) }.map { folder + "/" + $0 })
  }

  static func recording(
    _ path: String, _ choice: RecordingReader.Choice = .init()
  ) throws(RecordingReader.Refusal) -> Recording {
    try RecordingReader.read(path, shown: path, choice)
  }
}
