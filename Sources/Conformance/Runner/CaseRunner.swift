import AppSeam
public import Bench
import BluetoothWire
import Judging
import SimKernel
import VirtualRadio

/// Runs one case in a world of its own.
public enum CaseRunner {
  /// Events a case may take; the longest of the catalogue takes less than a tenth.
  static let eventLimit = 500_000

  /// - Parameter readers: get every record of the run, captures and charts for example; they never change the result.
  public static func run(
    _ purpose: TestPurpose, _ id: CaseID, on implementation: ImplementationUnderTest,
    judged: JudgedClauses = JudgedClauses(), readers: [any TraceReader] = []
  ) -> CaseResult {
    let app = implementation.app
    let stage = stage(purpose, id, of: app, phone: implementation.phone)
    if let reason = notApplicable(purpose, id, implementation, judged) {
      return CaseResult(
        id: id, iut: implementation.name, notApplicable: reason, verdict: .none, steps: [], checks: 0,
        digest: TraceDigest(), endInstant: .zero, header: World.header(stage.scenario, seed: id.seed))
    }
    let assumption = Assumption(
      app.assumedSteps.all.filter { id.assuming.contains($0.name) }, profile: implementation.profile)
    let bed = app.makeBed(
      CaseSetup(
        purpose: purpose, id: id, stage: stage, breakdownClause: app.breakdownClause, ics: implementation.ics,
        makeIUT: { configuration in
          let engine = implementation.makeApp(configuration)
          guard !assumption.steps.isEmpty else { return engine }
          return LayeredEngine(around: engine, whole: app.assumedSteps.wrap(engine, configuration, assumption))
        },
        assumption: assumption, profile: implementation.profile, readers: readers))
    bed.world.begin()
    var stop = play(purpose, bed)
    if let lacking = bed.lacking { stop = bed.inconclusive(TestBed.lacks(lacking)) }
    // What passed of an implementation that may not read fragments is judged again where the bench carries them.
    let isUnheard = bed.outside != nil && bed.checks > 0 && bed.deafness != nil
    if isUnheard { stop = bed.blocked("the IUT shows what it is sent", cause: bed.deafness) }
    let isOutside = stop?.verdict != .fail && bed.iut.failure == nil && !isUnheard
    // The bench may have been quicker than the implementation.
    if bed.restsOn != nil { try? bed.pause(.seconds(2)) }
    stop = asFarAsOwn(stop, purpose, bed, of: app).map { told($0, bed, implementation, judged) }
    assert(stop.map { $0.verdict > .pass } ?? true, "what ends a case early is no pass")
    let exemption =
      (isOutside ? bed.outside : nil)
      ?? stop.flatMap { Self.exemption($0, purpose, bed, implementation, judged) }
    bed.iut.closeAll()
    // An implementation can break down at its very end: by its memory, or by words that nobody asked for.
    if stop == nil, let failure = bed.iut.failure { stop = told(bed.stop(failure), bed, implementation, judged) }
    let outcome = bed.world.finish(ending: .finished)
    if let exemption {
      return CaseResult(
        id: id, iut: implementation.name, notApplicable: exemption, verdict: .none, step: stop?.step, steps: bed.steps,
        stimuli: bed.stimuli, checks: bed.checks, digest: outcome.digest, endInstant: outcome.endInstant,
        header: bed.world.header,
        log: bed.iut.log)
    }
    let reason = stop.flatMap { Self.reason(for: $0, bed, of: app) }
    return CaseResult(
      id: id, iut: implementation.name, verdict: stop?.verdict ?? .pass,
      finding: stop.map { finding($0, purpose, stage) },
      cause: stop.map { told(reason, cause(of: $0, purpose, bed), of: app) }, reason: reason?.text,
      omission: reason.flatMap { $0.kind.isOmission ? $0.kind.words : nil },
      isBlocked: stop?.isBlocked ?? false, step: stop?.step, steps: bed.steps, stimuli: bed.stimuli,
      checks: bed.checks, digest: outcome.digest, endInstant: outcome.endInstant, header: bed.world.header,
      failure: bed.iut.failure, sought: bed.iut.soughtWords,
      log: bed.iut.log)
  }

  /// Why the case is not for this implementation; nil when it is.
  static func notApplicable(
    _ purpose: TestPurpose, _ id: CaseID, _ implementation: ImplementationUnderTest,
    _ judged: JudgedClauses = JudgedClauses()
  ) -> String? {
    if purpose.role != implementation.role { return "for a \(purpose.role.rawValue)" }
    if !purpose.dialects.contains(id.dialect) { return "not in dialect \(id.dialect.rawValue)" }
    if let item = implementation.ics.missing(of: purpose.needs) {
      return item.standing == .assumed ? "ICS gives up \(item.name)" : "ICS does not claim \(item.name)"
    }
    if let item = purpose.excludes.first(where: implementation.ics.claims) { return "ICS claims \(item.name)" }
    if implementation.seam == .messages, implementation.app.glue?.isJudged(by: purpose) ?? false {
      return EngineGlue.reason
    }
    let clause = purpose.clauses.first.flatMap { implementation.app.clause($0) }
    return clause.flatMap { law(implementation, judged).exempt($0) }
  }

  /// By what an implementation is judged: what was asked for, in the documents that it follows.
  private static func law(_ implementation: ImplementationUnderTest, _ judged: JudgedClauses) -> JudgedClauses {
    JudgedClauses(
      documents: judged.documents ?? implementation.profile?.documents, onlyPublished: judged.onlyPublished)
  }

  private static func play(_ purpose: TestPurpose, _ bed: TestBed) -> TestStop? {
    do {
      try bed.preamble { try bed.pause(.milliseconds(20)) }
      try purpose.procedure(bed)
      // Time for what the last stimulus may still break.
      try bed.pause(.milliseconds(100))
    } catch let stop as TestStop {
      return stop
    } catch {
      return TestStop(
        verdict: .error, expected: "a procedure that ends", actual: "\(error)", instant: bed.now,
        record: bed.newestRecord)
    }
    guard bed.checks == 0 else { return bed.silence }
    return TestStop(
      verdict: .error, expected: "a procedure that checks something", actual: "no check", instant: bed.now,
      record: bed.newestRecord)
  }

  /// Why nothing is said of what a case came to: it went wrong under a clause that is not judged; nil when it counts.
  private static func exemption(
    _ stop: TestStop, _ purpose: TestPurpose, _ bed: TestBed, _ implementation: ImplementationUnderTest,
    _ judged: JudgedClauses
  ) -> String? {
    guard stop.verdict == .fail || stop.isBlocked, bed.iut.failure == nil else { return nil }
    let cause = cause(of: stop, purpose, bed)
    let clause = cause.clause.isEmpty ? stop.clause ?? "" : cause.clause
    return implementation.app.clause(clause).flatMap { law(implementation, judged).exempt($0) }
  }

  /// An implementation that breaks down fails under any documents; where they do not have the clause, none is cited.
  private static func told(
    _ stop: TestStop, _ bed: TestBed, _ implementation: ImplementationUnderTest, _ judged: JudgedClauses
  ) -> TestStop {
    let clause = implementation.app.breakdownClause
    guard bed.iut.failure != nil || stop.cause == TestBed.restless(clause), stop.clause == clause,
      let text = implementation.app.clause(clause), law(implementation, judged).exempt(text) != nil
    else { return stop }
    var stop = stop
    stop.clause = ""
    stop.cause?.clause = ""
    return stop
  }

  /// What a case came to as far as the implementation has a part in it; the rest is of the bench, which took steps.
  private static func asFarAsOwn(
    _ stop: TestStop?, _ purpose: TestPurpose, _ bed: TestBed, of app: AppProtocol
  ) -> TestStop? {
    if stop == nil || stop?.cause == TestBed.assumed, let cause = bed.restsOn, !bed.assumption.isSpoiled {
      // It was judged by what the bench has sent, and the implementation has sent none of it.
      return bed.assumption.keepsBack ? bed.unjudged : bed.blocked(stop?.requirement ?? purpose.purpose, cause: cause)
    }
    guard let stop else { return nil }
    let clause = stop.clause ?? purpose.clauses[0]
    let isChanged = app.assumedSteps.changes.contains { clause.hasPrefix($0) }
    let hasHelp = bed.restsOn != nil || bed.assumption.keepsBack
    return stop.verdict == .fail && isChanged && hasHelp ? bed.unjudged : stop
  }

  private static func finding(_ stop: TestStop, _ purpose: TestPurpose, _ stage: Stage) -> Finding {
    Finding(
      oracle: purpose.id, verdict: stop.verdict, instant: stop.instant, device: stage.iutIndex,
      clause: stop.clause ?? purpose.clauses[0], expected: stop.requirement, actual: stop.actual, record: stop.record)
  }

  /// What the procedure says, or else: for a case that was blocked the step that blocked it, for others the clause.
  private static func cause(of stop: TestStop, _ purpose: TestPurpose, _ bed: TestBed) -> Cause {
    if let cause = stop.cause { return cause }
    let clause = stop.clause ?? (stop.isBlocked ? "" : purpose.clauses[0])
    guard stop.isBlocked else { return Cause("", clause: clause) }
    return Cause("not reached: " + bed.general(stop.expected), clause: clause)
  }

  /// What came first and explains how the case ended, where it is of the implementation.
  private static func reason(for stop: TestStop, _ bed: TestBed, of app: AppProtocol) -> Circumstance? {
    guard stop.verdict == .fail || stop.isBlocked else { return nil }
    return bed.reason(for: stop, but: app.chart.ordinary)
  }

  /// What the platform, the stack or a link knows comes before what did not come for that reason; what the
  /// implementation leaves undone is said beside it.
  private static func told(_ reason: Circumstance?, _ cause: Cause, of app: AppProtocol) -> Cause {
    guard let reason, !reason.kind.isOmission else { return cause }
    return Cause(reason.kind.words, clause: app.chart.clauses[reason.kind] ?? "")
  }

  // MARK: The stage

  /// The engine of the device under test, as the header of a trace names it.
  static let underTest = "iut"

  /// The devices of a case, one metre apart in an ideal room; those of the protocol's first role stand first.
  /// - Parameter phone: of the implementation; nil: an ideal one.
  static func stage(
    _ purpose: TestPurpose, _ id: CaseID, of app: AppProtocol, phone: PhonePreset? = nil
  ) -> Stage {
    let isFirst = purpose.role == app.roles.first
    let testers = (1...max(1, purpose.testers)).map { number in
      device("\(purpose.peers.rawValue)-\(number)", purpose.peers, id.dialect, app, isTester: true)
    }
    var iut = device("iut", purpose.role, id.dialect, app, isTester: false)
    if let phone { iut.phone = phone }
    var devices = isFirst ? [iut] + testers : testers + [iut]
    for index in devices.indices { devices[index].position = Position(x: 100 * index, y: 0) }
    var scenario = Scenario(name: purpose.id, devices: devices)
    scenario.summary = purpose.purpose
    scenario.seed = id.seed
    scenario.dialect = id.dialect
    scenario.limits.events = eventLimit
    scenario.apps = [ScenarioApp(app: app.app, settings: app.app.settings(nil, ScenarioDecoder(file: "")))]
    let plain = Stage(scenario: scenario, iutIndex: isFirst ? 0 : devices.count - 1)
    var stage = plain
    purpose.arrange(&stage)
    for part in id.cut.plain { stage.undo(part, as: plain) }
    if let count = id.cut.peers { stage.keepTesters(count) }
    return stage
  }

  /// The parts of its stage that a purpose arranges.
  package static func arrangedParts(
    _ purpose: TestPurpose, _ id: CaseID, of app: AppProtocol
  ) -> [StageCut.Part] {
    var id = id
    id.cut.plain = []
    let arranged = stage(purpose, id, of: app)
    return StageCut.Part.allCases.filter { part in
      id.cut.plain = [part]
      return stage(purpose, id, of: app).scenario != arranged.scenario
    }
  }

  private static func device(
    _ name: String, _ role: AppRole, _ dialect: DialectName, _ app: AppProtocol, isTester: Bool
  ) -> Device {
    var phone = PhonePreset.ideal
    // A lower tester does everything itself, at the instant its procedure says.
    if isTester { phone.att.exchangesAutomatically = false }
    var device = Device(name: name, group: isTester ? "testers" : "iut", role: role, phone: phone)
    device.app = app.name
    device.leads = app.app.description(of: role)?.leads ?? false
    // Every tester that leads has a lobby of its own.
    if isTester, device.leads { device.lobby = name }
    device.dialect = dialect
    device.engine = isTester ? "tester" : underTest
    return device
  }
}
