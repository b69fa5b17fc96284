package import AppSeam
package import Bench
package import SimKernel

/// The programs of one world: a process for each launch of an app.
///
/// What `conform` says of a program that breaks down is said here too (`IUTFailure`). Nothing that it has started is
/// left when it ends or is let go of.
package final class ProgramCrew: WorldPrograms {
  private let apps: [AppProtocol]
  private var launches: [Launch] = []
  package private(set) var breakdown: AppBreakdown?

  /// One process.
  final class Launch {
    let device: Int
    let program: ScenarioProgram
    let engine: any FallibleEngine
    /// When it got its first input; nil: none yet.
    var began: SimInstant?
    var rest = InstantRest()
    /// It never came to rest.
    var restless: IUTFailure?

    init(_ device: Int, _ program: ScenarioProgram, _ engine: any FallibleEngine) {
      self.device = device
      self.program = program
      self.engine = engine
    }

    var failure: IUTFailure? { engine.failure ?? restless }

    /// What it wrote before its first input, with its hello, has the instant of that.
    var logLines: [AppLog.Line] {
      engine.logLines.map { line in
        var line = line
        line.instant = max(line.instant, began ?? .zero)
        return line
      }
    }
  }

  /// - Parameter apps: the protocols that programs may speak.
  package init(_ apps: [AppProtocol]) { self.apps = apps }

  deinit { for launch in launches { launch.engine.close() } }

  package func start(_ program: ScenarioProgram, _ configuration: AppConfiguration) -> any AppEngine {
    guard let app = apps.first(where: { $0.name == configuration.app }),
      let engine = app.implementation(of: program, role: configuration.role, dialect: configuration.dialect).makeApp(
        configuration) as? any FallibleEngine
    else { preconditionFailure("no program speaks the protocol \(configuration.app)") }
    let launch = Launch(configuration.device, program, engine)
    launches.append(launch)
    // It may not have started at all; the world's first look comes after the launch.
    return ProgramSeat(launch, of: self)
  }

  /// Looks whether a program is still one; the first that is none counts.
  fileprivate func look(at launch: Launch, _ now: SimInstant) {
    guard breakdown == nil, let failure = launch.failure else { return }
    breakdown = AppBreakdown(
      device: launch.device, program: launch.program.name, hasStarted: failure.kind != .notStarted, instant: now,
      cause: failure.cause, detail: failure.detail, lines: failure.errorLines)
  }

  package func end(at now: SimInstant) {
    for launch in launches {
      launch.engine.close()
      look(at: launch, now)
    }
  }

  /// The processes that were started, in their order.
  var processIDs: [Int32] { launches.compactMap { ($0.engine as? ProcessEngine)?.processID } }

  package var logs: [AppLog] {
    var logs: [AppLog] = []
    for launch in launches {
      if let place = logs.firstIndex(where: { $0.device == launch.device }) {
        logs[place].text += launch.engine.log
        logs[place].lines += launch.logLines
      } else {
        logs.append(AppLog(device: launch.device, text: launch.engine.log, lines: launch.logLines))
      }
    }
    return logs
  }
}

/// What the platform of a device holds as its app; the process ends when the platform lets go of it.
private final class ProgramSeat: RememberingEngine, PromisingEngine {
  private let launch: ProgramCrew.Launch
  private unowned let crew: ProgramCrew

  init(_ launch: ProgramCrew.Launch, of crew: ProgramCrew) {
    self.launch = launch
    self.crew = crew
  }

  deinit { launch.engine.close() }

  var promisedReports: [String] { (launch.engine as? any PromisingEngine)?.promisedReports ?? [] }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    if launch.restless != nil { return [] }
    launch.began = launch.began ?? now
    guard launch.rest.takes(input, at: now) else {
      launch.restless = InstantRest.failure
      crew.look(at: launch, now)
      launch.engine.close()
      return []
    }
    let effects = launch.engine.handle(input, at: now)
    crew.look(at: launch, now)
    return effects
  }

  func remember(at now: SimInstant) -> AppMemory? {
    if launch.restless != nil { return nil }
    let memory = (launch.engine as? any RememberingEngine)?.remember(at: now)
    crew.look(at: launch, now)
    return memory
  }
}

extension AppProtocol {
  /// What a program of a scenario is to the bench. No cases are chosen by what it claims.
  package func implementation(
    of program: ScenarioProgram, role: AppRole, dialect: DialectName
  ) -> ImplementationUnderTest {
    .process(
      program.launch, of: self, name: program.name, role: role, dialects: [dialect], ics: everything,
      seam: program.seam, limits: program.limits)
  }
}
