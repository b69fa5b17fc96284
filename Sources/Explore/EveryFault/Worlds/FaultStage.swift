package import Bench
import InPlaceFuzz
import SimKernel

/// What children play: worlds of a plan, each by its number, from where the process stands.
final class FaultStage: ForkStage {
  private let plan: EveryFaultPlan
  private let bench: JudgedWorld.Bench
  /// Stands before the places of the worlds that are asked for; nil: every world begins at the beginning.
  var standing: JudgedWorld?
  let patience: UInt32
  let room: Int

  /// - Parameters:
  ///   - patience: wall-clock milliseconds of a world.
  ///   - room: mebibytes by which a world may grow; 0: as much as it likes.
  init(_ plan: EveryFaultPlan, on bench: JudgedWorld.Bench, patience: UInt32, room: Int) {
    self.plan = plan
    self.bench = bench
    self.patience = patience
    self.room = room
  }

  func play(in memory: UnsafeMutableRawBufferPointer) {
    var reader = SharedMemoryReader(memory: UnsafeRawBufferPointer(memory), place: 8)
    do {
      try play(Int(reader.number())).write(to: memory)
    } catch {
      FaultedWorld(failedBy: error).write(to: memory)
    }
  }

  /// Tells a child which world to play.
  func order(_ number: Int, in memory: UnsafeMutableRawBufferPointer) {
    var writer = SharedMemoryWriter(memory: memory)
    writer.number(0)
    writer.number(UInt64(number))
  }

  private func play(_ number: Int) throws -> FaultedWorld {
    let disturbance = plan.world(number)
    guard let standing else { return try plan.playFromStart(disturbance, on: bench) }
    standing.add(try plan.asides(of: disturbance, on: bench))
    return standing.finish()
  }
}

extension EveryFaultPlan {
  /// What is done in a world, read as its file would be.
  package func asides(of disturbance: Disturbance, on bench: JudgedWorld.Bench) throws -> [Aside] {
    try ScenarioReader.asides(disturbance.asides, of: scenario, language: bench.language).get()
  }

  /// Plays one world from its beginning.
  package func playFromStart(_ disturbance: Disturbance, on bench: JudgedWorld.Bench) throws -> FaultedWorld {
    var scenario = scenario
    scenario.meanwhile += try asides(of: disturbance, on: bench)
    return try JudgedWorld(scenario, seed: seed, on: bench, isHeld: false).finish()
  }
}
