public import AppSeam
public import Bench
import BluetoothWire
import Judging
public import SimKernel
import VirtualRadio

/// What a test bed is made from: the case, its stage, and the implementation.
public struct CaseSetup {
  /// What the case tests.
  public var purpose: TestPurpose
  /// Purpose, dialect and seed: what names the case.
  public var id: CaseID
  /// Its devices and room, arranged.
  public var stage: Stage
  /// The clause that whoever breaks down, or never comes to rest, has broken.
  public var breakdownClause: String
  /// What the implementation claims.
  public var ics: ICS
  /// Makes the implementation, for each launch of its app.
  public var makeIUT: (AppConfiguration) -> any AppEngine
  /// What the bench does for the implementation.
  public var assumption: Assumption
  /// The published way that the implementation speaks, where it names one.
  public var profile: Profile?
  /// Read the trace of the case too.
  public var readers: [any TraceReader]
}

/// The world of one case as a procedure sees it: the implementation under test and time; a protocol adds its lower
/// testers.
///
/// Everything happens in virtual time on one thread: a call that waits lets the world run until something holds, and
/// the clock stands still between calls.
open class TestBed {
  /// What the case tests.
  public final let purpose: TestPurpose
  /// All that the case draws follows from it.
  public final let seed: UInt64
  /// The implementation under test, seen from above: its user's hands and its screen.
  public final let iut: UpperTester
  /// Devices, radio and time; dense indices as in the stage.
  public final let world: World
  /// What the implementation claims to do.
  public final let ics: ICS
  private let profile: Profile?
  private let breakdownClause: String
  private let recorder: CaseRecorder
  /// What platforms, stacks and links know.
  private let circumstanceReader = CircumstanceReader()
  /// What was done and checked so far, in order.
  public private(set) final var steps: [CaseResult.Step] = []
  /// Checks outside of the preamble that held.
  public private(set) final var checks = 0
  /// What is checked now is how things stand before the procedure.
  public private(set) final var inPreamble = false
  /// What the bench does for the implementation.
  public final let assumption: Assumption
  /// What is checked next depends on a packet that the bench made for the implementation: what the implementation
  /// would have had to do.
  private var leansOn: Cause?
  /// All that follows depends on such a packet.
  private var leansForGood = false
  /// A check held, or did not, because of such a packet: the bench brought that about, and not the implementation.
  public private(set) final var restsOn: Cause?
  /// The stimuli that are not given, by their number.
  private let leftOut: Set<Int>
  /// How many stimuli the procedure has come to.
  public private(set) final var stimuli = 0
  /// Why the case turns out not to be for this implementation: the procedure has come to a word that its profile does
  /// not have, or to something that it has no part in.
  public private(set) final var outside: String?
  /// A tester that the case is played without, and that the procedure has asked for something.
  public private(set) final var lacking: String?

  /// - Parameter testers: the apps of the other devices, by the device's index.
  public init(_ setup: CaseSetup, testers: [Int: any AppEngine]) {
    purpose = setup.purpose
    seed = setup.id.seed
    ics = setup.ics
    profile = setup.profile
    breakdownClause = setup.breakdownClause
    assumption = setup.assumption
    leftOut = setup.id.cut.without
    let upper = UpperTester(index: setup.stage.iutIndex, role: purpose.role)
    iut = upper
    recorder = CaseRecorder(iut: upper)
    let iutIndex = setup.stage.iutIndex
    let makeIUT = setup.makeIUT
    let readers: [any TraceReader] = [recorder, circumstanceReader] + setup.readers
    world = World(setup.stage.scenario, options: RunOptions(seed: seed), readers: readers) {
      _, configuration in
      if configuration.device != iutIndex, let tester = testers[configuration.device] { return tester }
      let engine = makeIUT(configuration)
      upper.launched(engine)
      return engine
    }
    iut.bed = self
  }

  /// What its platform, stack or links know of the implementation that explains how a case ended; nil: nothing does.
  /// - Parameters:
  ///   - stop: how it ended.
  ///   - ordinary: what explains nothing.
  final func reason(for stop: TestStop, but ordinary: Set<Circumstance.Kind>) -> Circumstance? {
    let question = Circumstances.Question(
      at: stop.instant, since: nil, device: iut.index, isAbsence: stop.record == nil || stop.isBlocked)
    if iut.failure != nil { return nil }
    return circumstanceReader.circumstances.without(ordinary).of(iut.index).reason(for: question)
  }

  // MARK: Time

  /// The present instant of the world.
  public final var now: SimInstant { world.now }

  /// The newest trace record; −1 before the first.
  public final var newestRecord: Int { recorder.newest }

  /// Lets time pass until a condition holds; false when it did not within the time given.
  ///
  /// - Parameter condition: about what apps were told and did; it is asked now, and again when one was told or did
  ///   something, not whenever time has passed.
  public final func wait(_ duration: SimDuration, until condition: () -> Bool) throws -> Bool {
    var asked = -1
    let progress = world.advance(to: now + duration) {
      if recorder.newestOfApps == asked { return false }
      asked = recorder.newestOfApps
      return iut.failure != nil || condition()
    }
    if let failure = iut.failure { throw stop(failure) }
    if let lacking { throw inconclusive(Self.lacks(lacking)) }
    if let outside { throw inconclusive(outside) }
    if progress == .eventLimit {
      throw TestStop(
        verdict: .fail, expected: "an implementation that comes to rest",
        actual: "\(world.eventLimit) events and no end", instant: now, record: newestRecord, clause: breakdownClause,
        cause: Self.restless(breakdownClause))
    }
    return progress == .conditionMet
  }

  static func restless(_ clause: String) -> Cause { Cause("never comes to rest", clause: clause) }

  /// The implementation broke down.
  public final func stop(_ failure: IUTFailure) -> TestStop {
    TestStop(
      verdict: failure.verdict, expected: "an implementation that keeps answering",
      actual: "\(failure.kind.words): \(failure.detail)", instant: now, record: newestRecord,
      clause: breakdownClause,
      cause: Cause(failure.cause, clause: failure.kind == .notStarted ? "" : breakdownClause))
  }

  /// Lets time pass, whatever happens.
  public final func pause(_ duration: SimDuration) throws { _ = try wait(duration) { false } }

  // MARK: What is done and checked

  /// Notes something for people, the trace and the chart.
  public final func step(_ text: String) { note(text, stimulus: nil) }

  /// Notes a stimulus, and says whether it is to be given; if not, the case is played without it.
  public final func gives(_ text: String) -> Bool {
    stimuli += 1
    if leftOut.contains(stimuli) { return false }
    note(text, stimulus: stimuli)
    return true
  }

  private func note(_ text: String, stimulus: Int?) {
    standAlone()
    world.note(step: text)
    steps.append(CaseResult.Step(instant: now, text: text, record: newestRecord, stimulus: stimulus))
  }

  /// The procedure needs a tester that the case is played without: the case cannot go on.
  public final func lacks(_ tester: String) { lacking = lacking ?? tester }

  /// The procedure has come to a word that the implementation's profile does not have: nothing more is judged.
  public final func goesOutside(_ word: String) {
    if let profile { doesNotApply("profile \(profile.name) has no \(word)") }
  }

  /// The case turns out not to be for this implementation, for this reason: nothing more is judged.
  public final func doesNotApply(_ reason: String) { outside = outside ?? reason }

  static func lacks(_ tester: String) -> String { "\(tester) takes part" }

  /// Brings about the initial condition; whatever does not come true in here is inconclusive and not a failure.
  @discardableResult
  public final func preamble<Result>(_ body: () throws -> Result) throws -> Result {
    inPreamble = true
    defer { inPreamble = false }
    return try body()
  }

  /// The condition must come true in time.
  public final func expect(
    _ text: String, within limit: SimDuration = .seconds(5), clause: String? = nil,
    actual: () -> String = { "it did not" }, cause: () -> Cause? = { nil }, step: String? = nil,
    _ condition: () -> Bool
  ) throws {
    if try wait(limit, until: condition) { return passed(text) }
    throw failed(
      text, actual() + ", after \(TestBed.text(limit))", record: nil, clause: clause, cause: cause(), step: step)
  }

  /// The condition must hold now.
  public final func require(
    _ text: String, record: Int? = nil, clause: String? = nil, actual: @autoclosure () -> String = "it does not",
    _ condition: Bool
  ) throws {
    if condition { return passed(text) }
    throw failed(text, actual(), record: record ?? newestRecord, clause: clause)
  }

  /// The condition must stay false for that long. `unwanted` names what must not happen.
  public final func never(
    _ unwanted: String, for span: SimDuration = .seconds(2), clause: String? = nil,
    actual: () -> String = { "it happened" }, _ condition: () -> Bool
  ) throws {
    if try wait(span, until: condition) {
      throw failed("not: " + unwanted, actual(), record: newestRecord, clause: clause, isByAct: true)
    }
    passed("not: " + unwanted)
  }

  /// The case cannot go on, and the implementation is not to blame.
  public final func inconclusive(_ reason: String) -> TestStop {
    TestStop(
      verdict: .inconclusive, expected: reason, actual: "", instant: now, record: newestRecord, clause: nil,
      cause: Cause(general(reason), clause: ""))
  }

  /// What the case judges has not come, so that nothing can be judged.
  public final func blocked(_ missing: String, cause: Cause?) -> TestStop {
    broken(missing, detail: "")
    return TestStop(
      verdict: .inconclusive, expected: "something to judge: " + missing, actual: "nothing came", instant: now,
      record: nil, clause: nil, cause: cause ?? Cause(general(missing), clause: ""), step: cause?.step ?? lastResort,
      isBlocked: true)
  }

  /// Evidence that the case needs before it may say anything: where there is less, it is blocked, and has neither
  /// passed nor failed.
  /// - Parameter cause: why there is less.
  public final func need(
    _ text: String, actual: @autoclosure () -> String, cause: @autoclosure () -> Cause?, _ isThere: Bool
  ) throws {
    if isThere { return }
    var stop = blocked(text, cause: cause())
    stop.actual = actual()
    throw stop
  }

  /// Books a check that held; `expect`, `require` and `never` do it themselves.
  public final func passed(_ text: String) {
    if !inPreamble {
      checks += 1
      restsOn = restsOn ?? leansOn
    }
    standAlone()
    world.note(expectation: text, holds: true, detail: "")
    steps.append(CaseResult.Step(instant: now, text: "✓ " + text, record: newestRecord))
  }

  /// - Parameter isByAct: the implementation did something, so that nothing which it has not done explains it.
  public final func failed(
    _ expected: String, _ actual: String, record: Int?, clause: String?, cause: Cause? = nil, step: String? = nil,
    isByAct: Bool = false
  ) -> TestStop {
    if let outside { return inconclusive(outside) }
    // Who shows nothing of all that came may not read it at all: that is not what is judged, and neither is what it
    // does where the bench has answered in its place what it may not have read.
    if !isByAct && cause == nil || assumption.hasSpoken, let deafness {
      var stop = blocked(expected, cause: deafness)
      stop.actual = actual
      return stop
    }
    let cause = cause ?? (isByAct ? nil : absence)
    broken(expected, detail: actual)
    let step = step ?? cause?.step ?? (inPreamble ? lastResort : nil)
    // Nobody answers for a step that the bench has taken over.
    let isOfBench = step.map { step in assumption.steps.contains { $0.name == step } } ?? false
    if !inPreamble, leansOn != nil || assumption.isSpoiled || isOfBench {
      restsOn = restsOn ?? leansOn
      return TestStop(
        verdict: .inconclusive, expected: expected, actual: actual + ", and the bench has said it", instant: now,
        record: record, cause: Self.assumed, step: step, isBlocked: true)
    }
    return TestStop(
      verdict: inPreamble ? .inconclusive : .fail, expected: expected, actual: actual, instant: now, record: record,
      clause: clause, cause: cause, step: step, isBlocked: inPreamble, isInitial: inPreamble)
  }

  /// What the implementation has not begun with, and what was checked needs; nil: it has begun with all.
  open var absence: Cause? { iut.unsaid.map(Self.silence) ?? untaken }

  /// A case that did not fail, and that has looked for a report which the implementation never said: what was not
  /// shown proves nothing of who does not show it.
  final var silence: TestStop? {
    iut.neverSaid.map { blocked("the IUT reports \($0)", cause: Self.silence($0)) }
  }

  private static func silence(_ word: String) -> Cause { Cause("never reports \(word)", clause: "") }

  /// That nothing shows whether the implementation reads what it is sent; nil: something does, or it was sent nothing.
  open var deafness: Cause? { nil }

  /// The first of the steps that it owes and has never taken; nil: it has taken all.
  public final var untaken: Cause? { iut.untaken(of: firstSteps) }

  /// The steps that the implementation owes by now, in their order; none before its person has asked for anything.
  open var firstSteps: [FirstStep] { [] }

  /// The step that the bench takes where it does not know what an initial condition waits for; nil: none.
  open var lastResort: String? { nil }

  /// Books a check that did not hold.
  private func broken(_ text: String, detail: String) {
    world.note(expectation: text, holds: false, detail: detail)
    steps.append(CaseResult.Step(instant: now, text: "✗ " + text, record: newestRecord))
  }

  /// A procedure looks at a packet that the bench made for the implementation.
  ///
  /// - Parameters:
  ///   - cause: that the implementation has not sent it.
  ///   - amongAll: at all that came, to judge it together, perhaps later.
  public final func looksAtAssumed(_ cause: Cause, amongAll: Bool = false) {
    guard !inPreamble else { return }
    leansOn = leansOn ?? cause
    if amongAll { leansForGood = true }
  }

  /// What is checked next is again the implementation's.
  private func standAlone() {
    iut.seeksAnew()
    if !leansForGood { leansOn = nil }
  }

  /// Nothing can be said about a case that rests on what the bench did.
  public final var unjudged: TestStop {
    TestStop(
      verdict: .inconclusive, expected: purpose.purpose, actual: Self.assumed.text, instant: now, cause: Self.assumed,
      isBlocked: true)
  }

  /// The cause of a case of which nothing is left to judge but what the bench did.
  public static let assumed = Cause("what is judged was done by the bench", clause: "")

  /// A sentence about one tester as a sentence about all of them: `client-2 is joined` is `a client is joined`.
  public final func general(_ text: String) -> String { purpose.general(text) }

  /// A span for people: whole seconds, else milliseconds.
  public static func text(_ duration: SimDuration) -> String {
    let milliseconds = duration.nanoseconds / 1_000_000
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
  }

  /// A number from the case's own stream; the same for a seed whatever else is drawn.
  public final func stream(_ purpose: String) -> RandomStream {
    RandomStream(seed: seed, component: self.purpose.id, purpose: purpose)
  }
}

/// Knows the newest events, and hands the implementation's own to the upper tester.
final class CaseRecorder: TraceReader {
  private let iut: UpperTester
  private(set) var newest = -1
  /// The newest event that is of an app or done to a device, and not of the radio alone.
  private(set) var newestOfApps = 0

  init(iut: UpperTester) { self.iut = iut }

  func read(_ record: TraceRecord) {
    assert(record.sequence >= newest, "records are in order")
    if record.device == iut.index { iut.observe(record.plain) }
    switch record.event {
    // What the case notes of itself shows nothing.
    case .step, .expectation, .platform: break
    case .radio, .network: newest = record.sequence
    case .input, .effect, .report, .fault:
      newest = record.sequence
      newestOfApps = record.sequence
    }
  }
}
