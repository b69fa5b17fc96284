import AppSeam
import Bench
import SimKernel
import VirtualProgram
import VirtualTime

/// Apps of a test are programs to the world: it knows nothing of what they show, and one that breaks down ends its run.
/// Programs that a scenario names are started by who can.
final class RoomPrograms: WorldPrograms {
  /// What a world knows of an app of the test.
  static let ofTheTest: ScenarioProgram = {
    var program = ScenarioProgram(
      words: ["the test's app"], launch: ProgramLaunch(command: [], directory: "", environment: []))
    program.isMute = true
    return program
  }()

  private let seats: [RoomSeat]
  private let others: (any WorldPrograms)?
  /// Where the room's clock stands.
  var clock: () -> SimInstant = { .zero }
  private var own: AppBreakdown?

  /// - Parameter others: starts programs; nil: there are none.
  init(_ seats: [RoomSeat], others: (any WorldPrograms)?) {
    self.seats = seats
    self.others = others
  }

  func start(_ program: ScenarioProgram, _ configuration: AppConfiguration) -> any AppEngine {
    let seat = seats[configuration.device]
    if case .phone(let phone) = seat.kind { return seat.launch(phone, configuration) }
    guard let others else { preconditionFailure("\(program.name) is a program, and these players have none") }
    seat.isLaunched = true
    return others.start(program, configuration)
  }

  /// The first phone whose app was stopped.
  var stopped: (device: Int, text: String)? {
    for (device, seat) in seats.enumerated() {
      if let problem = seat.engine?.problem { return (device, problem.description) }
    }
    return nil
  }

  var breakdown: AppBreakdown? {
    if own == nil, let stopped {
      own = AppBreakdown(
        device: stopped.device, program: Self.ofTheTest.name, hasStarted: true, instant: clock(), cause: "stopped",
        detail: stopped.text, lines: [])
    }
    return own ?? others?.breakdown
  }

  func end(at now: SimInstant) { others?.end(at: now) }
  var logs: [AppLog] { others?.logs ?? [] }
}
