import AppSeam
import Bench
import Conformance
import Platform
import SimKernel

/// What apps at the other end of the pipe are told: inputs wait here until the line is answered.
final class PipedInputs {
  /// What a launch is told.
  enum Word {
    case input(AppInput)
    /// With what the app is told before it runs.
    case launched(AppConfiguration)
    /// The launch is over.
    case ended
    /// The system does not run the app from now on, or runs it again.
    case suspended
    case woken
  }

  struct Entry {
    let device: Int
    let launch: Int
    let word: Word
  }

  private(set) var waiting: [Entry] = []
  var isEmpty: Bool { waiting.isEmpty }

  func add(_ entry: Entry) { waiting.append(entry) }

  /// All that wait, which wait no more.
  func take() -> [Entry] {
    defer { waiting.removeAll(keepingCapacity: true) }
    return waiting
  }
}

/// Tells apps' other end when the system stops and runs them; an app itself is not told.
final class SuspensionReader: TraceReader {
  private let isClient: [Bool]
  private let inputs: PipedInputs

  init(_ isClient: [Bool], _ inputs: PipedInputs) {
    self.isClient = isClient
    self.inputs = inputs
  }

  func read(_ record: TraceRecord) {
    guard case .platform(let remark) = record.event, isClient.indices.contains(record.device), isClient[record.device]
    else { return }
    switch remark.kind {
    case .appSuspended: inputs.add(PipedInputs.Entry(device: record.device, launch: 0, word: .suspended))
    case .appWoken: inputs.add(PipedInputs.Entry(device: record.device, launch: 0, word: .woken))
    default: break
    }
  }
}

/// The app of one launch, which is at the other end of the pipe: it keeps what it is told and asks for nothing by
/// itself. What the other end asks for comes with its next line.
final class PipedEngine: PromisingEngine {
  private let inputs: PipedInputs
  private let configuration: AppConfiguration
  let launch: Int
  let promisedReports: [String]
  private var rest = InstantRest()
  private(set) var isRestless = false
  /// The room is over, and nobody is told.
  var isSilent = false

  init(_ configuration: AppConfiguration, launch: Int, reports: [String], _ inputs: PipedInputs) {
    promisedReports = reports
    self.configuration = configuration
    self.launch = launch
    self.inputs = inputs
  }

  deinit {
    if !isSilent { inputs.add(PipedInputs.Entry(device: configuration.device, launch: launch, word: .ended)) }
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    guard rest.takes(input, at: now) else {
      isRestless = true
      return []
    }
    let word: PipedInputs.Word = input == .launched ? .launched(configuration) : .input(input)
    inputs.add(PipedInputs.Entry(device: configuration.device, launch: launch, word: word))
    return []
  }
}

/// Starts apps at the other end, and programs that the scenario names.
final class PipedPrograms: WorldPrograms {
  private let isClient: [Bool]
  private let reports: [String]
  private let others: ProgramCrew
  let inputs = PipedInputs()
  /// The newest launch of each device, which the platform holds; nil: none, or it is over.
  private var launches: [LaunchedEngine]
  /// Where the room's clock stands.
  var clock: () -> SimInstant = { .zero }
  private var own: AppBreakdown?

  private struct LaunchedEngine {
    weak var engine: PipedEngine?
    var count = 0
  }

  init(_ isClient: [Bool], reports: [String]) {
    self.isClient = isClient
    self.reports = reports
    others = ProgramCrew(protocols)
    launches = isClient.map { _ in LaunchedEngine() }
  }

  func start(_ program: ScenarioProgram, _ configuration: AppConfiguration) -> any AppEngine {
    let device = configuration.device
    guard isClient[device] else { return others.start(program, configuration) }
    launches[device].count += 1
    let engine = PipedEngine(configuration, launch: launches[device].count, reports: reports, inputs)
    launches[device].engine = engine
    return engine
  }

  /// The launch that runs on a device; nil: none.
  func launch(of device: Int) -> Int? { launches[device].engine?.launch }

  /// Nobody is told of what ends from now on.
  func silence() { for launch in launches { launch.engine?.isSilent = true } }

  var breakdown: AppBreakdown? {
    if own == nil, let device = launches.firstIndex(where: { $0.engine?.isRestless == true }) {
      own = AppBreakdown(
        device: device, program: RoomOpening.client.name, hasStarted: true, instant: clock(),
        cause: "never comes to rest",
        detail: "it got \(InstantRest.limit) inputs at one instant, and asks for more", lines: [])
    }
    return own ?? others.breakdown
  }

  func end(at now: SimInstant) { others.end(at: now) }
  var logs: [AppLog] { others.logs }
}
