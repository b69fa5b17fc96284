import BabFuzzing
import BabSuite
import Bench
import Conformance
import Foundation
import Fuzzing
import InPlaceFuzz
import SimKernel

/// A scenario with a defect in one device, and another device that becomes hostile to it at a state.
struct HuntedWorld: Sendable {
  var settings: [String] = []
  var state = "all clients in lobby"
  var from = "client-1"
  var seam: FuzzSeam
  /// The device with the defect.
  var victim = "host"
  /// Simulated time of an execution. Others notice a device that has stopped when their supervision timeout is over.
  var span = SimDuration.seconds(2)
  /// Makes the flaw that is planted beside the victim; nil: its engine has the defect.
  var flaw: FlawMaker?
  /// An attack that shows the defect.
  var witness = Attack()

  init(seam: FuzzSeam, victim: String = "host", flaw: FlawMaker? = nil, witness: [[UInt8]]) {
    self.seam = seam
    self.victim = victim
    self.flaw = flaw
    self.witness = .sending(witness)
  }

  /// - Parameter engine: what the victim runs.
  func with(engine: String) -> HuntedWorld {
    var target = self
    let key = victim.split(separator: "-")[0]
    target.settings.append("devices.\(key).engine=\(engine)")
    return target
  }

  /// What tells its world without the defect from others.
  var soundWorld: String { "\(state) \(from) \(seam.rawValue) \(span)" }

  /// The command line of the product that hunts in such a world; what is planted beside a device is the bench's alone.
  var commandLine: String {
    let words =
      ["babbench", "fuzz", "run", "Benchmarks/BugBench/three-peers.yaml"] + settings.map { "--set \($0)" }
      + ["--when \"\(state)\"", "--from \(from)", "--seam \(seam.rawValue)"]
      + (span == .seconds(2) ? [] : ["--for \(span)s"])
    return words.joined(separator: " ")
  }

  struct Problem: Error, CustomStringConvertible {
    var description: String
  }

  /// - Parameter isSound: without what is planted; an engine with a defect stays.
  func plan(seed: UInt64, isSound: Bool = false) throws -> FuzzPlan {
    let language = ScenarioLanguage([.bab])
    let path = Places.scenario.path
    let wanted = isSound && flaw == nil ? settings.filter { !$0.contains(".engine=") } : settings
    let scenario = try ScenarioFile.load(
      path, language: language, overrides: wanted.compactMap { ScenarioOverride($0) }
    ).get()
    let names = scenario.devices.map(\.name)
    guard let device = names.firstIndex(of: from), let victim = names.firstIndex(of: victim) else {
      throw Problem(description: "\(path) has no device \(from) or \(victim)")
    }
    let condition = try ScenarioReader.condition(state, source: "state", of: scenario, language: language).get()
    var plan = FuzzPlan(scenario: scenario, seed: seed, seam: seam, device: device, condition: condition)
    plan.span = span
    plan.patience = 5_000
    plan.seeds = (FuzzedDecoder.bab + FuzzedDecoder.general).units(of: seam.grammars(isToHost: false), seed: seed)
    if !isSound, let flaw { plan.planted = { PlantedReceiver(device: victim, flaw: flaw()) } }
    return plan
  }
}
