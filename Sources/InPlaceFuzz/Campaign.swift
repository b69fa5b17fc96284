import Bench
package import Conformance
package import SimKernel

/// Many executions from one state: what was new in one is a beginning for later ones.
///
/// Executions come in generations of a fixed size, which draw from the corpus as it was when the generation began; so
/// attacks, corpus and findings depend on the plan and the number of executions, not on how many run at a time.
///
/// An execution has a short look first where the plan says so: it is played so far and ended. If it has shown something
/// by then, or its number says so, it is played again, whole. What counts as a finding was seen in a whole one.
package final class Campaign {
  /// Executions that draw from the same corpus.
  package static let generation = 64
  /// Attacks in the corpus.
  private static let corpusLimit = 4_096
  /// One execution of so many is whole whatever its look shows: what attacks do late need not begin with a sign.
  package static let wholeOneOf = 8

  /// A cause with the first attack that showed it.
  package struct Discovery: Codable, Sendable {
    package var finding: Execution.Finding
    package var execution: Int
    package var attack: Attack
    /// Executions that showed it.
    package var count = 1
  }

  package let plan: FuzzPlan
  /// Stands at the state.
  private let world: FuzzedWorld
  private let server: ForkServer
  private let draw: AttackDraw
  package private(set) var corpus: [Attack]
  private var pairs: Set<UInt64> = []
  package private(set) var discoveries: [Discovery] = []
  package private(set) var executions = 0
  package private(set) var events = 0
  /// Executions that were played whole.
  package private(set) var wholes = 0
  /// Executions that did not come to the state, or came to another one; nothing of them counts.
  package private(set) var astray = 0
  /// Over the digests of all executions, in order.
  package private(set) var digest = TraceDigest()
  /// What the same future shows without an attack; none of it is a finding.
  private let control: Execution
  /// As much of it as a look sees; nil: there are no looks.
  private let lookedAt: Execution?
  package var instant: SimInstant { world.instant }
  package var pairCount: Int { pairs.count }
  /// Units that have passed before the state, and the routes of the hostile device: what attacks can be made of.
  package var units: [[UInt8]] { world.book.units }
  package var routeCount: Int { world.book.routes.count }
  /// Events of the future without an attack.
  package var controlEvents: Int { control.events }
  /// Why no attack could be judged; nil: each can.
  package var obstacle: FuzzObstacle? {
    if control.findings.contains(where: { $0.cause.oracle == Execution.Cause.restlessness }) {
      return .tooFewEvents(plan.events, plan.span)
    }
    return control.events == 0 && control.findings.isEmpty ? .nothingFollows(plan.span) : nil
  }

  /// Plays to the state, and once on without an attack.
  /// - Parameters:
  ///   - renews: every execution has a process of its own; it changes no result.
  ///   - corpus: attacks to begin with.
  ///   - shouldStop: asked between executions.
  package init(
    _ plan: FuzzPlan, protocols: [AppProtocol], jobs: Int, renews: Bool = false, corpus: [Attack] = [],
    shouldStop: @escaping () -> Bool = { false }
  ) throws {
    self.plan = plan
    ForkServer.prepare()
    world = try FuzzedWorld(plan, protocols: protocols)
    world.closePrograms()
    let stage: any AttackStage =
      plan.programs.isEmpty ? world : RemadeWorld(plan, protocols: protocols, state: world.state)
    server = try ForkServer(stage, jobs: jobs, renews: renews || !plan.programs.isEmpty, shouldStop: shouldStop)
    let book = world.book
    draw = AttackDraw(
      seed: plan.seed, seam: plan.seam, routes: book.routes.count, pool: book.units,
      own: book.own, drawn: plan.seeds)
    self.corpus = corpus
    control = try server.play([Attack()]).first.flatMap { $0 } ?? Execution()
    if control.isAstray, let device = plan.programs.keys.min() {
      throw FuzzObstacle.wentAstray(device: plan.scenario.devices[device].name)
    }
    pairs.formUnion(control.pairs)
    lookedAt = plan.hasLook ? try server.play([Attack()], .look).first.flatMap { $0 } : nil
    let ends = control.findings.contains { $0.cause.isOfTheProcess }
    // What is done for the first time costs more; children that begin after it need not do it.
    server.dismiss()
    if !ends, plan.programs.isEmpty { _ = try FuzzedWorld(plan, protocols: protocols).play(Attack()) }
  }

  /// Plays so many more executions, rounded up to whole generations where `isExact` is false.
  /// - Returns: attacks that were new to the corpus.
  package func play(_ count: Int) throws -> [Attack] {
    let numbers = executions + 1..<executions + 1 + count
    let attacks = numbers.map { draw.attack($0, corpus: corpus) }
    var fresh: [Attack] = []
    for (index, result) in try play(attacks, from: executions + 1).enumerated() {
      guard let result else { break }
      executions += 1
      events += result.events
      digest.combine(text: result.digest)
      if result.isAstray {
        astray += 1
        continue
      }
      note(findings(of: result, besides: control), attacks[index])
      let new = result.pairs.filter { !pairs.contains($0) }
      if new.isEmpty { continue }
      pairs.formUnion(new)
      if corpus.count + fresh.count < Self.corpusLimit { fresh.append(attacks[index]) }
    }
    corpus += fresh
    return fresh
  }

  /// Plays attacks, each as far as it is worth it.
  /// - Parameter first: the number of the first execution.
  private func play(_ attacks: [Attack], from first: Int) throws -> [Execution?] {
    guard let lookedAt else {
      wholes += attacks.count
      return try server.play(attacks)
    }
    var results = try server.play(attacks, .look)
    var seen = pairs
    var worthy: [Int] = []
    for (index, result) in results.enumerated() {
      guard let result else { break }
      let isNew = !seen.isSuperset(of: result.pairs)
      seen.formUnion(result.pairs)
      let isChosen = (first + index) % Self.wholeOneOf == 0
      // What ended the process has shown all that it will.
      let isOver = result.findings.contains(where: \.cause.isOfTheProcess)
      if !isOver, isChosen || isNew || !findings(of: result, besides: lookedAt).isEmpty { worthy.append(index) }
      results[index]?.forgetEnd()
    }
    for (index, result) in zip(worthy, try server.play(worthy.map { attacks[$0] })) { results[index] = result }
    wholes += worthy.count
    return results
  }

  /// Plays one attack, whoever drew it.
  package func play(_ attack: Attack) throws -> Execution? {
    guard var result = try server.play([attack]).first.flatMap({ $0 }) else { return nil }
    if result.isAstray { return result }
    result.findings = findings(of: result, besides: control)
    return result
  }

  /// Executions that the next call may play in one generation.
  package func nextGeneration(of limit: Int?) -> Int {
    let whole = Self.generation - executions % Self.generation
    return limit.map { min(whole, $0 - executions) } ?? whole
  }

  /// What an execution shows that the same future without an attack does not, each cause once.
  private func findings(of execution: Execution, besides control: Execution) -> [Execution.Finding] {
    let known = control.findings.map(\.cause)
    var found = execution.findings
    for (device, links) in execution.links.enumerated() where links < control.links[device] {
      let name = plan.scenario.devices[device].name
      found.append(
        Execution.Finding(
          cause: Execution.Cause(oracle: Execution.Cause.servesTheOthers, clause: "", frame: name),
          text: "\(name) has \(links) links to other devices, and \(control.links[device]) without an attack"))
    }
    var causes: [Execution.Cause] = []
    return found.filter { finding in
      if known.contains(finding.cause) || causes.contains(finding.cause) { return false }
      causes.append(finding.cause)
      return true
    }
  }

  private func note(_ findings: [Execution.Finding], _ attack: Attack) {
    for finding in findings {
      if let index = discoveries.firstIndex(where: { $0.finding.cause == finding.cause }) {
        discoveries[index].count += 1
      } else {
        discoveries.append(Discovery(finding: finding, execution: executions, attack: attack))
      }
    }
  }

  // MARK: Going on later

  /// How far it is, between two generations.
  package struct Progress: Codable, Sendable {
    /// What the future without an attack came to; another one is another campaign.
    var control: String
    var executions: Int
    var events: Int
    var wholes: Int
    var astray: Int
    var digest: String
    var corpus: [Attack]
    /// In ascending order.
    var pairs: [UInt64]
    var discoveries: [Discovery]
  }

  /// Nil in the middle of a generation, from which it cannot go on as if nothing had been.
  package var progress: Progress? {
    if executions % Self.generation != 0 { return nil }
    return Progress(
      control: control.digest, executions: executions, events: events, wholes: wholes, astray: astray,
      digest: digest.hexadecimal,
      corpus: corpus, pairs: pairs.sorted(), discoveries: discoveries)
  }

  /// Goes on where another campaign of the same plan was; before the first execution.
  /// - Returns: false, with nothing changed, where it was another plan or another program.
  package func goOn(from progress: Progress) -> Bool {
    guard progress.control == control.digest, let digest = TraceDigest(hexadecimal: progress.digest) else {
      return false
    }
    (executions, events, self.digest) = (progress.executions, progress.events, digest)
    (wholes, astray) = (progress.wholes, progress.astray)
    (corpus, pairs, discoveries) = (progress.corpus, Set(progress.pairs), progress.discoveries)
    return true
  }

  // MARK: Shrinking

  /// The most executions that one attack is made smaller with.
  private static let trialLimit = 160

  /// The smallest attack found that shows the same cause: strokes left out, units shortened.
  package func shrunk(_ discovery: Discovery) throws -> Attack {
    var best = discovery.attack
    var trials = Self.trialLimit
    func shows(_ attack: Attack) throws -> Bool {
      trials -= 1
      guard trials >= 0, let result = try play(attack) else { return false }
      return result.findings.contains { $0.cause == discovery.finding.cause }
    }
    var index = best.strokes.count
    while index > 0, best.strokes.count > 1 {
      index -= 1
      var smaller = best
      smaller.strokes.remove(at: index)
      if try shows(smaller) { best = smaller }
    }
    for index in best.strokes.indices {
      var size = best.strokes[index].octets.count / 2
      while size > 0, trials > 0 {
        var place = 0
        while place < best.strokes[index].octets.count, trials > 0 {
          var smaller = best
          let end = min(place + size, smaller.strokes[index].octets.count)
          smaller.strokes[index].octets.removeSubrange(place..<end)
          if try shows(smaller) { best = smaller } else { place = end }
        }
        size /= 2
      }
    }
    return best
  }
}
