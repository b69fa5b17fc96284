public import SimKernel
public import VirtualRadio

/// A run with seats for outsiders, driven by whoever knows the time: the wall clock, a recording, a test.
///
/// What enters does so at `now`, after everything that was due by then; so the instants at which somebody looks at the
/// session change nothing, and a recording of what entered, fed to another session of the same header, gives the same
/// run. Single-threaded.
public final class LiveSession {
  /// Why a session cannot be: a line for people.
  public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String
    public init(_ description: String) { self.description = description }
  }

  package let world: World
  /// With the devices that have come.
  private var scenario: Scenario { world.scenario }
  var seats: [Seat]
  private let scenarioLimit: SimInstant
  /// When whoever drives the session wants it to end, if it is not through before.
  private let deadline: SimInstant?
  /// Device to index in the header's seats.
  var seatIndex: [Int?]
  var lines: SessionLines
  /// Devices that have come and gone, or were of the scenario and are gone.
  var gone: Set<Int> = []
  /// How many of the places are taken.
  var arrivals = 0
  /// The first device that is a place.
  let firstPlace: Int
  let firstPlaceSeat: Int
  let record: (([UInt8]) -> Void)?
  private var ending: RunOutcome.Ending?

  /// Begins at once: the readers get the header, and the recording its first line.
  /// - Parameters:
  ///   - scenario: what the header's scenario reads as.
  ///   - deadline: when the session ends at the latest; nil leaves that to the scenario.
  ///   - record: gets each line of the recording, line feed included, as it comes about.
  /// - Throws: `Refusal` for seats that the scenario does not allow, and what the factory throws.
  public init(
    _ header: SessionRecording.Header, scenario: Scenario, readers: [any TraceReader] = [],
    engines: @escaping EngineFactory, deadline: SimInstant? = nil, record: (([UInt8]) -> Void)? = nil
  ) throws {
    seats = try SeatRules.seats(header, in: scenario)
    var options = RunOptions(seed: header.seed)
    options.seats = seats
    world = World(scenario, options: options, readers: readers, engines: engines)
    try world.tryEngines()
    scenarioLimit = SimInstant.zero + scenario.limits.simulatedTime
    self.deadline = deadline
    seatIndex = scenario.devices.map { device in
      header.seats.firstIndex { $0.device == device.name && $0.seat != .simulated }
    }
    lines = SessionLines(header)
    firstPlace = scenario.devices.count - header.places
    firstPlaceSeat = header.seats.count
    self.record = record
    record?(SessionLines.line(header))
    world.begin()
  }

  /// Who takes part, and every drawn option.
  public var header: TraceHeader { world.header }

  public var now: SimInstant { world.now }

  /// When something happens next if nothing enters; nil once the session is over.
  public var nextInstant: SimInstant? {
    if isOver { return nil }
    return min(world.nextInstant ?? .distantFuture, horizon)
  }

  /// When the session is over if nothing changes that; nil as long as steps or expectations are open.
  public var endInstant: SimInstant? {
    if isOver { return now }
    return horizon == .distantFuture ? nil : horizon
  }

  /// The latest instant that can be reached as things stand.
  private var horizon: SimInstant {
    min(world.scenarioEnd ?? scenarioLimit, min(scenarioLimit, deadline ?? .distantFuture))
  }

  /// Whether nothing happens any more, whatever is done.
  public var isOver: Bool { ending != nil || deadline.map { now >= $0 } ?? false }

  /// Lets everything up to and including an instant happen; no further than the end.
  public func advance(to instant: SimInstant) {
    if isOver { return }
    ending = world.play(to: min(instant, deadline ?? .distantFuture))
  }

  /// Something comes in at a device's seat. Nothing does any more when the session is over.
  /// - Precondition: the device has a seat that is not simulated.
  public func enter(_ event: ForeignEvent, device: Int) {
    guard let seat = seatIndex[device] else { preconditionFailure("device \(device) has no seat") }
    advance(to: now)
    if isOver { return }
    record?(lines.line(SessionRecording.Entry(instant: now, seat: seat, event: event)))
    world.enter(event, device: device)
  }

  /// Whether a device has a seat for somebody outside.
  public func isExternal(_ device: Int) -> Bool { seatIndex[device] != nil }

  /// What somebody asks for now, in the words of steps: `vanish`, `move to: [3, 4]`, `[kill, relaunch]`.
  /// - Parameter language: the protocols whose words there are.
  /// - Throws: what is wrong with the words, or why they cannot be done there, in one line.
  public func act(_ words: String, device: Int, language: ScenarioLanguage) throws(Refusal) {
    let name = scenario.devices[device].name
    if gone.contains(device) { throw Refusal("\(name) has left") }
    let actions: [Step.Action]
    switch ScenarioReader.actions(words, source: name, for: device, of: scenario, language: language) {
    case .success(let read): actions = read
    case .failure(let problems): throw Refusal(problems.list.first?.message ?? words)
    }
    for part in actions.flatMap(\.parts) {
      if case .user = part, seats[device].isOnlyRadio {
        throw Refusal("\(name) has \(seats[device].outsider); do that there")
      }
      if let (devices, reason) = SeatRules.obstacle(part, [device], seats) {
        throw Refusal("\(devices.map { scenario.devices[$0].name }.joined(separator: ", ")) \(reason)")
      }
    }
    advance(to: now)
    if isOver { throw Refusal("the session is over") }
    record?(lines.line(SessionRecording.Entry(instant: now, what: .step(device: name, words: words))))
    world.note(step: "\(name): \(words)")
    for action in actions { world.perform(action, device) }
    _ = world.advance(to: now)
  }

  /// By what the room is called where a device could be.
  public static let room = ScenarioDecoder.room

  /// The room changes now, in the words of steps: `{packet loss: 20%}`.
  /// - Throws: what is wrong with the words, in one line.
  public func changeRoom(_ words: String, language: ScenarioLanguage) throws(Refusal) {
    let change: RadioEnvironment.Change
    switch ScenarioReader.roomChange(words, source: Self.room, language: language) {
    case .success(let read): change = read
    case .failure(let problems): throw Refusal(problems.list.first?.message ?? words)
    }
    advance(to: now)
    if isOver { throw Refusal("the session is over") }
    record?(lines.line(SessionRecording.Entry(instant: now, what: .step(device: Self.room, words: words))))
    world.note(step: "\(Self.room): \(words)")
    world.change(change)
    _ = world.advance(to: now)
  }

  /// The next H4 packet that leaves, in the order in which they left.
  public func popOutward() -> (device: Int, packet: [UInt8])? { world.popOutward() }

  /// Settles what is open, closes trace and recording; once, after everything else.
  public func finish() -> RunOutcome {
    advance(to: now)
    let outcome = world.finish(ending: ending ?? .stopped)
    record?(
      SessionLines.line(
        SessionRecording.End(
          instant: outcome.endInstant, ending: outcome.ending, digest: outcome.digest.hexadecimal)))
    return outcome
  }
}
