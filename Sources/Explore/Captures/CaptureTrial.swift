import Bench
package import CaptureCheck
import Conformance
import Foundation
import Judging
import Shrink
import SimKernel

/// Takes a world's captures and judges parts of them: none may say more than the run.
///
/// The files of each world lie in a folder of its own, which goes away when they are judged.
package struct CaptureTrial: Sendable {
  private var folder: String
  private let protocols: [SpokenProtocol]

  /// - Parameters:
  ///   - folder: in which those folders are; it is made when it is needed.
  ///   - protocols: those that captures can be judged by.
  package init(folder: String, protocols: [SpokenProtocol]) {
    self.folder = folder
    self.protocols = protocols
  }

  /// The mode in which captures are taken.
  static let modeName = "captures are taken"

  /// Some of a run's files.
  struct Selection {
    var name: String
    var files: [String]
  }

  /// What sets of a world's captures come to.
  struct Verdict {
    /// What they say that the run does not.
    var sightings: [CauseSighting] = []
    /// How often the oracles of its protocols judged something in them.
    var judged = 0
  }

  /// - Parameters:
  ///   - known: what the run itself found.
  ///   - judgesApps: nobody does what it must not on purpose, so that apps can be judged.
  func verdict(
    on scenario: Scenario, seed: UInt64, _ first: Judgement, known: [WorldCause], judgesApps: Bool, on bench: TrialBench
  ) throws -> Verdict {
    try inOwnFolder {
      try $0.judged(scenario, seed: seed, first, known: known, judgesApps: judgesApps, on: bench)
    }
  }

  /// Works in a folder of its own, which goes away with its files.
  private func inOwnFolder<Result>(_ work: (CaptureTrial) throws -> Result) rethrows -> Result {
    var own = self
    own.folder += "/" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: own.folder) }
    return try work(own)
  }

  /// Takes the captures again, and keeps those of the first set that shows a cause.
  /// - Parameter kept: the folder for them, which is there.
  /// - Returns: the options with which `babbench check` shows it in those files; nil: no set shows it.
  func keep(
    _ cause: WorldCause, of scenario: Scenario, seed: UInt64, in kept: String, on bench: TrialBench
  ) throws -> [String]? {
    try inOwnFolder { own in
      let (_, files) = try own.record(scenario, seed: seed, on: bench)
      for selection in try own.selections(files, Draws(seed: seed).of("captures")) {
        for type in protocols(of: scenario, judgesApps: true) {
          let report = try own.report(selection, type)
          guard sightings(in: report, of: selection, []).contains(where: { $0.cause == cause }) else { continue }
          for file in selection.files {
            try? FileManager.default.removeItem(atPath: kept + "/" + file)
            try FileManager.default.copyItem(atPath: own.folder + "/" + file, toPath: kept + "/" + file)
          }
          return type.map { ["--protocol", $0.name] } ?? []
        }
      }
      return nil
    }
  }

  /// By what the captures of a scenario are judged: what its apps speak, one after the other, or by no protocol.
  private func protocols(of scenario: Scenario, judgesApps: Bool) -> [SpokenProtocol?] {
    let spoken = protocols.filter { type in judgesApps && scenario.apps.contains { $0.app.name == type.name } }
    return spoken.isEmpty ? [nil] : spoken
  }

  private func judged(
    _ scenario: Scenario, seed: UInt64, _ first: Judgement, known: [WorldCause], judgesApps: Bool, on bench: TrialBench
  ) throws -> Verdict {
    let (second, files) = try record(scenario, seed: seed, on: bench)
    var verdict = Verdict()
    if let difference = ModeCheck.difference(first, second) {
      verdict.sightings.append(CauseSighting(cause: WorldCause(.mode, rule: Self.modeName), detail: difference))
    }
    let types = protocols(of: scenario, judgesApps: judgesApps)
    for selection in try selections(files, Draws(seed: seed).of("captures")) {
      for type in types {
        let report = try report(selection, type)
        verdict.judged += report.judgement?.oracles.reduce(0) { $0 + $1.judged } ?? 0
        let found = sightings(in: report, of: selection, known)
        for sighting in found where !verdict.sightings.contains(where: { $0.cause == sighting.cause }) {
          verdict.sightings.append(sighting)
        }
      }
    }
    return verdict
  }

  private func record(
    _ scenario: Scenario, seed: UInt64, on bench: TrialBench
  ) throws -> (Judgement, files: [String]) {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let air = try AirCaptureReader(path: folder + "/air.pcapng")
    let hci = try HCICaptureReader(folder: folder)
    let network = NetworkCaptureReader(path: folder + "/network.pcapng")
    let judgement = try bench.judge(scenario, RunOptions(seed: seed), [air, hci, network])
    try air.close()
    try hci.close()
    try network.close()
    return (judgement, try FileManager.default.contentsOfDirectory(atPath: folder).sorted())
  }

  /// All files, one of them, three drawn sets, and one in which a file is damaged.
  private func selections(_ files: [String], _ draws: Draws) throws -> [Selection] {
    guard !files.isEmpty else { return [] }
    var selections = [Selection(name: "all files", files: files)]
    selections.append(Selection(name: "one file", files: [draws.one("one", of: files)]))
    for number in 0..<3 {
      let count = draws.number("files \(number)", 1...files.count)
      let some = Array(draws.inDrawnOrder("set \(number)", files).prefix(count)).sorted()
      if !selections.contains(where: { $0.files == some }) {
        selections.append(Selection(name: "some files", files: some))
      }
    }
    let hurt = draws.one("hurt", of: files)
    let damage = draws.one("damage", of: CaptureDamage.allCases)
    let isBTSnoop = hurt.hasSuffix(".btsnoop")
    let octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + hurt)))
    let name = "damaged-" + hurt
    try FileSink.write(
      damage.applied(to: octets, isBTSnoop: isBTSnoop, draws.of("damage")), to: folder + "/" + name)
    let others = files.filter { $0 != hurt }
    let kept = draws.inDrawnOrder("with", others).prefix(draws.number("others", 0...others.count))
    selections.append(Selection(name: "a file \(damage.rawValue)", files: ([name] + kept).sorted()))
    return selections
  }

  private func report(_ selection: Selection, _ type: SpokenProtocol?) throws -> CheckReport {
    try Checker(paths: selection.files.map { folder + "/" + $0 }, protocolType: type).report()
  }

  private func sightings(
    in report: CheckReport, of selection: Selection, _ known: [WorldCause]
  ) -> [CauseSighting] {
    var sightings: [CauseSighting] = []
    func add(_ finding: Finding, role: String, name: String) {
      guard finding.verdict == .fail else { return }
      let cause = WorldCause(.capture, rule: finding.oracle, clause: finding.clause, role: role)
      let isKnown = known.contains { $0.rule == cause.rule && $0.clause == cause.clause && $0.role == role }
      if isKnown || sightings.contains(where: { $0.cause == cause }) { return }
      sightings.append(
        CauseSighting(
          cause: cause,
          detail: "\(selection.files.joined(separator: " ")) (\(selection.name)): \(name) at \(finding.instant) s: "
            + "expected \(finding.expected), saw \(finding.actual)"))
    }
    for finding in report.rules.flatMap(\.findings) { add(finding, role: "", name: "link \(finding.device)") }
    let participants = report.judgement?.participants ?? []
    for finding in report.judgement?.oracles.flatMap(\.findings) ?? [] {
      let who = participants.indices.contains(finding.device) ? participants[finding.device] : nil
      add(finding, role: who?.role ?? "", name: who?.name ?? "the world")
    }
    return sightings
  }
}
