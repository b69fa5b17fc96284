import BabSim
import BluetoothWire
import Judging
import SimKernel
import VirtualRadio

/// The world of one case as a procedure sees it: the implementation under test, the lower testers, and time.
///
/// Everything happens in virtual time on one thread: a call that waits lets the world run until something holds, and
/// the clock stands still between calls.
public final class TestBed {
  let purpose: TestPurpose
  let dialect: Dialect
  let seed: UInt64
  /// The implementation under test, seen from above: its user's hands and its screen.
  let iut: UpperTester
  /// Lower testers that play clients, for a host under test.
  private(set) var clients: [ClientTester] = []
  /// Lower testers that play hosts, for a client under test.
  private(set) var hosts: [HostTester] = []
  let world: World
  private let recorder: CaseRecorder
  private(set) var steps: [CaseResult.Step] = []
  private(set) var checks = 0
  private var inPreamble = false

  init(
    _ purpose: TestPurpose, dialect: Dialect, seed: UInt64, stage: Stage,
    makeIUT: @escaping (BabConfiguration) -> any AppEngine,
    readers: [any TraceReader]
  ) {
    self.purpose = purpose
    self.dialect = dialect
    self.seed = seed
    let upper = UpperTester(index: stage.iutIndex, role: purpose.role)
    iut = upper
    recorder = CaseRecorder(iut: upper)
    var testers: [(name: String, engine: LowerTester)] = []
    for (index, device) in stage.scenario.devices.enumerated() where index != stage.iutIndex {
      if device.role == .client {
        let tester = ClientTester(index: index, name: device.name, dialect: dialect)
        clients.append(tester)
        testers.append((device.name, tester))
      } else {
        let tester = HostTester(index: index, name: device.name, dialect: dialect)
        hosts.append(tester)
        testers.append((device.name, tester))
      }
    }
    world = World(stage.scenario, options: RunOptions(seed: seed), readers: [recorder] + readers) {
      _, _, configuration in
      if let tester = testers.first(where: { "peer-" + $0.name == configuration.peerID }) { return tester.engine }
      let engine = makeIUT(configuration)
      upper.launched(engine)
      return engine
    }
    iut.bed = self
    for tester in testers { tester.engine.bed = self }
  }

  // MARK: Time

  var now: SimInstant { world.now }

  /// The newest trace record; −1 before the first.
  var newestRecord: Int { recorder.newest }

  /// Lets time pass until a condition holds; false when it did not within the time given.
  func wait(_ duration: SimDuration, until condition: () -> Bool) throws -> Bool {
    let progress = world.advance(to: now + duration) { iut.failure != nil || condition() }
    if let failure = iut.failure { throw stop(failure) }
    if progress == .eventLimit {
      throw TestStop(
        verdict: .fail, expected: "an implementation that comes to rest",
        actual: "\(world.eventLimit) events and no end", instant: now, record: newestRecord, clause: "BAB 7.13")
    }
    return progress == .conditionMet
  }

  /// The implementation broke down.
  func stop(_ failure: IUTFailure) -> TestStop {
    TestStop(
      verdict: failure.verdict, expected: "an implementation that goes on answering",
      actual: "\(failure.kind.rawValue): \(failure.detail)", instant: now, record: newestRecord, clause: "BAB 7.13")
  }

  /// Lets time pass, whatever happens.
  func pause(_ duration: SimDuration) throws { _ = try wait(duration) { false } }

  // MARK: What is done and checked

  /// Notes a stimulus for people, the trace and the chart.
  func step(_ text: String) {
    world.note(step: text)
    steps.append(CaseResult.Step(instant: now, text: text, record: newestRecord))
  }

  /// Brings about the initial condition; whatever does not come true in here is inconclusive and not a failure.
  @discardableResult
  func preamble<Result>(_ body: () throws -> Result) throws -> Result {
    inPreamble = true
    defer { inPreamble = false }
    return try body()
  }

  /// The condition must come true in time.
  func expect(
    _ text: String, within limit: SimDuration = .seconds(5), clause: String? = nil,
    actual: () -> String = { "it did not" }, _ condition: () -> Bool
  ) throws {
    if try wait(limit, until: condition) { return passed(text) }
    throw failed(text, actual() + ", after \(TestBed.text(limit))", record: nil, clause: clause)
  }

  /// The condition must hold now.
  func require(
    _ text: String, record: Int? = nil, clause: String? = nil, actual: @autoclosure () -> String = "it does not",
    _ condition: Bool
  ) throws {
    if condition { return passed(text) }
    throw failed(text, actual(), record: record ?? newestRecord, clause: clause)
  }

  /// The condition must stay false for that long. `unwanted` names what must not happen.
  func never(
    _ unwanted: String, for span: SimDuration = .seconds(2), clause: String? = nil,
    actual: () -> String = { "it happened" }, _ condition: () -> Bool
  ) throws {
    if try wait(span, until: condition) {
      throw failed("not: " + unwanted, actual(), record: newestRecord, clause: clause)
    }
    passed("not: " + unwanted)
  }

  /// The case cannot go on, and the implementation is not to blame.
  func inconclusive(_ reason: String) -> TestStop {
    TestStop(verdict: .inconclusive, expected: reason, actual: "", instant: now, record: newestRecord, clause: nil)
  }

  /// Books a check that held; `expect`, `require` and `never` do it themselves.
  func passed(_ text: String) {
    if !inPreamble { checks += 1 }
    world.note(expectation: text, holds: true, detail: "")
    steps.append(CaseResult.Step(instant: now, text: "✓ " + text, record: newestRecord))
  }

  func failed(_ expected: String, _ actual: String, record: Int?, clause: String?) -> TestStop {
    world.note(expectation: expected, holds: false, detail: actual)
    steps.append(CaseResult.Step(instant: now, text: "✗ " + expected, record: newestRecord))
    let required = inPreamble ? "initial condition: " + expected : expected
    return TestStop(
      verdict: inPreamble ? .inconclusive : .fail, expected: required, actual: actual, instant: now, record: record,
      clause: clause)
  }

  static func text(_ duration: SimDuration) -> String {
    let milliseconds = duration.nanoseconds / 1_000_000
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
  }

  /// A number from the case's own stream; the same for a seed whatever else is drawn.
  func stream(_ purpose: String) -> RandomStream {
    RandomStream(seed: seed, component: self.purpose.id, purpose: purpose)
  }
}

/// Knows the newest event, and hands the implementation's own to the upper tester.
final class CaseRecorder: TraceReader {
  private let iut: UpperTester
  private(set) var newest = -1

  init(iut: UpperTester) { self.iut = iut }

  func read(_ record: TraceRecord) {
    if record.device == iut.index { iut.observe(record) }
    switch record.event {
    // What the case notes of itself shows nothing.
    case .step, .expectation, .platform: break
    default: newest = record.sequence
    }
  }
}
