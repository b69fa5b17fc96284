import AppSeam
import Bench
import CUnix
import Conformance
import Judging
import SimKernel

/// A world that has been played to the state, and stands still there.
///
/// Each process plays on once at most: a parent forks, and only its children go on.
final class FuzzedWorld: AttackStage {
  let plan: FuzzPlan
  private let world: World
  private let judge: any RunJudge
  private let answers: AnswerReader
  private let interceptor: Interceptor
  private let breakdownClause: String
  private let made: EngineList

  /// The engines of the run, with their devices.
  private final class EngineList {
    var engines: [(device: Int, engine: any AppEngine)] = []
  }
  /// The instant of the state.
  var instant: SimInstant { world.now }
  var book: UnitBook { interceptor.book }
  /// Whether the app of another device answers no more.
  var hasBreakdown: Bool { !breakdowns().isEmpty }

  /// Plays to the state.
  /// - Parameter readers: see the whole run.
  /// - Throws: `FuzzObstacle`, and what the engines throw that nobody knows.
  init(_ plan: FuzzPlan, protocols: [AppProtocol], readers: [any TraceReader] = []) throws {
    self.plan = plan
    let scenario = plan.scenario
    let name = scenario.devices[plan.device].name
    judge = protocols.judge(of: scenario)
    answers = AnswerReader(besides: plan.device)
    var options = RunOptions(seed: plan.seed)
    options.watched = plan.condition
    options.hasTappedDoors = plan.seam == .hci
    let (engines, made) = (protocols.engines, EngineList())
    self.made = made
    let planted = plan.planted.map { [$0()] } ?? []
    world = World(
      scenario, options: options, readers: [OutsiderJudge(judge, device: plan.device), answers] + planted + readers,
      engines: { name, configuration in
        let program = plan.programs[configuration.device]
        let engine: any AppEngine =
          if let program { SeatedProgram { program.makeApp(configuration) } } else { try engines(name, configuration) }
        made.engines.append((configuration.device, engine))
        return engine
      })
    let app = protocols.first { $0.name == scenario.devices[plan.device].app }
    breakdownClause = app?.breakdownClause ?? ""
    let framing = app?.framing.map { PacketAssembly(framing: $0, dialects: scenario.devices.map(\.dialect)) }
    if plan.seam == .packet, framing == nil { throw FuzzObstacle.noPackets(device: name) }
    interceptor = Interceptor(
      world: world, device: plan.device, seam: plan.seam, framing: framing,
      answers: { [answers] in answers.note($0, at: plan.seam) })
    for defect in planted { defect.plant { [unowned world] in world.send([$0], after: .zero) } }
    try world.prepare()
    let isThere = world.play(until: plan.condition)
    if let (device, failure) = failures().first(where: { plan.programs[$0.device] != nil }) {
      closePrograms()
      throw FuzzObstacle.programBroke(device: scenario.devices[device].name, detail: failure.detail)
    }
    guard isThere else {
      closePrograms()
      throw FuzzObstacle.conditionNeverHeld(world.now, detail: world.detail(of: plan.condition))
    }
    if !book.routes.contains(where: world.isUp) {
      closePrograms()
      throw FuzzObstacle.nothingSent(device: name, seam: plan.seam.rawValue)
    }
  }

  /// What tells one state from another: how the world came to it, and all that passed at the seam.
  var state: TraceDigest {
    var digest = TraceDigest()
    digest.combine(text: world.digestSoFar.hexadecimal)
    digest.combine(UInt64(world.eventsSoFar))
    for unit in book.units { digest.combine(octets: unit) }
    return digest
  }

  /// Ends programs under test; nothing can be played afterwards.
  func closePrograms() {
    for (device, engine) in made.engines where plan.programs[device] != nil { (engine as? any FallibleEngine)?.close() }
  }

  /// From now on a listener is told which stroke does what.
  func watch(_ witness: @escaping (_ stroke: Int, TappedUnit?) -> Void) { interceptor.witness = witness }

  /// Plays on from the state with an attack, and judges; once in a process.
  func play(_ attack: Attack, _ extent: Extent = .whole) -> Execution {
    let peak = fork_peak()
    let begun = world.eventsSoFar
    answers.isOn = true
    interceptor.begin(attack)
    let span = extent == .look ? plan.look(at: attack) : plan.span
    let ending = world.play(for: span, events: plan.events)
    var execution = Execution()
    execution.links = plan.scenario.devices.indices.map { device in
      device == plan.device ? 0 : world.linkCount(of: device, besides: [plan.device])
    }
    execution.events = world.eventsSoFar - begun
    let outcome = world.finish(ending: ending == .finished ? .finished : .stopped)
    closePrograms()
    execution.digest = outcome.digest.hexadecimal
    execution.pairs = answers.pairs
    if ending == .eventLimit {
      execution.findings.append(
        finding(Execution.Cause.restlessness, breakdownClause, "\(plan.events) events were not enough for \(span) s"))
    }
    execution.findings += breakdowns() + (judge.judgement.map(plan.findings) ?? [])
    execution.growth = Int(max(0, fork_peak() - peak))
    if execution.growth > plan.memory << 10 {
      execution.findings.append(
        finding(Execution.Cause.memory, "", "the program grew by more than \(plan.memory) MiB"))
    }
    return execution
  }

  private func finding(_ oracle: String, _ clause: String, _ text: String) -> Execution.Finding {
    Execution.Finding(cause: Execution.Cause(oracle: oracle, clause: clause, frame: ""), text: text)
  }

  /// Apps of the others that answer no more.
  private func breakdowns() -> [Execution.Finding] {
    failures().map { device, failure in
      // A program may break in more than one way; an engine of the bench has the one that its name says.
      let frame = plan.programs[device] == nil ? "" : failure.cause
      return Execution.Finding(
        cause: Execution.Cause(oracle: Execution.Cause.breakdown, clause: breakdownClause, frame: frame),
        text: "\(plan.scenario.devices[device].name): \(failure.detail)")
    }
  }

  private func failures() -> [(device: Int, failure: IUTFailure)] {
    made.engines.compactMap { device, engine in
      guard device != plan.device, let failure = (engine as? any FallibleEngine)?.failure else { return nil }
      return (device, failure)
    }
  }
}
