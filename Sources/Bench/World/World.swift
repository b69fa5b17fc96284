public import AppSeam
import BluetoothWire
package import Platform
public import SimKernel
import VirtualNetwork
public import VirtualRadio

/// Makes the app of a device: by the engine's name (`reference` or a mutant) and what the app is told.
public typealias EngineFactory = @Sendable (_ name: String, AppConfiguration) throws -> any AppEngine

/// One run of one scenario: the only place where radios, host stacks, apps, people and faults are wired together.
///
/// Single-threaded; many worlds may run side by side. Everything observed goes, in one order, to the readers.
public final class World {
  /// Event kinds of the world, above those of the radio world and of platforms.
  enum Kind: UInt32 {
    case scheduler = 80
    case person
    case launch
    case tap
  }

  package internal(set) var scenario: Scenario
  var options: RunOptions
  private let makeEngine: (_ name: String, AppConfiguration) throws -> any AppEngine
  /// Starts apps that are programs; nil: none is started here.
  let programs: (any WorldPrograms)?
  let timeline = Timeline()
  let radio: RadioWorld
  /// nil: no device has an interface.
  private(set) var network: NetworkWorld?
  /// The same, looked at after every event.
  @exclusivity(unchecked) private(set) var keptNetwork: Kept<NetworkWorld>?
  /// What apps were told of the network, by device.
  @exclusivity(unchecked) var networkUses: [RunOutcome.NetworkUse]
  /// Interferers of the radio that are stations of the network.
  var stationsOnAir: StationInterferers
  let platforms = Roster<DevicePlatform>()
  public internal(set) var header: TraceHeader
  let readers = Roster<Seated<any TraceReader>>()
  /// Devices whose app has inputs, in the order in which they got the first one.
  private let fed = Fifo<Int>()
  /// Packets that leave through a seat and have not been taken yet.
  let outward = Fifo<OutwardPacket>()
  @exclusivity(unchecked) private var sequence = 0
  @exclusivity(unchecked) var digest = TraceDigest()
  /// What apps remember together.
  let readings = SharedReadings()
  let facts: FactBook
  @exclusivity(unchecked) var scheduler: StepScheduler
  let people: People
  /// Sees what devices send at one seam; nil: nobody does.
  var tap: WorldTap?
  /// Inputs handed to apps.
  @exclusivity(unchecked) private(set) var handled = 0
  /// Events it may have besides what its scenario says, counted from its beginning.
  @exclusivity(unchecked) var eventAllowance = Int.max

  /// Runs a scenario to its end.
  /// - Parameters:
  ///   - readers: get every record in order; their presence never changes the digest.
  ///   - programs: starts the apps that are programs.
  ///   - progress: called now and then with the simulated instant, for people.
  /// - Throws: what the factory throws for an engine it does not know; `NoPrograms`.
  public static func run(
    _ scenario: Scenario, options: RunOptions, readers: [any TraceReader] = [], engines: @escaping EngineFactory,
    programs: (any WorldPrograms)? = nil, progress: ((SimInstant) -> Void)? = nil
  ) throws -> RunOutcome {
    let world = World(scenario, options: options, readers: readers, programs: programs, engines: engines)
    try world.tryEngines()
    world.begin()
    return world.finish(ending: world.play(to: .distantFuture, progress) ?? .simulatedTimeLimit)
  }

  /// A world that its owner drives; `run` does so by the scenario, a test purpose by its procedure (World+Stepping).
  public init(
    _ scenario: Scenario, options: RunOptions, readers: [any TraceReader], programs: (any WorldPrograms)? = nil,
    engines: @escaping (_ name: String, AppConfiguration) throws -> any AppEngine
  ) {
    self.programs = programs
    self.scenario = scenario
    self.options = options
    for reader in readers { self.readers.append(Seated(reader)) }
    makeEngine = engines
    header = Self.header(scenario, seed: options.seed, seats: options.seats)
    let addresses = header.devices.map(\.address)
    let configurations = scenario.devices.enumerated().map {
      Self.radioConfiguration($1, address: addresses[$0], seed: options.seed, seat: options.seat(of: $0))
    }
    stationsOnAir = StationInterferers(scenario)
    networkUses = scenario.devices.map { _ in RunOutcome.NetworkUse() }
    radio = RadioWorld(
      timeline: timeline, environment: stationsOnAir.added(to: scenario.radio), seed: options.seed,
      radios: configurations,
      wantsAir: readers.contains(where: \.wantsAir), wantsHCI: readers.contains(where: \.wantsHCI),
      stepsIdleEvents: options.stepsIdleEvents)
    let cast = scenario.cast(
      isForeign: { options.seat(of: $0).isOnlyRadio }, isHostile: { [header] in header.devices[$0].isHostile })
    facts = FactBook(scenario.watching(options.watched), cast, radio)
    scheduler = StepScheduler(scenario, seed: options.seed)
    people = People(scenario, seed: options.seed)
    for index in scenario.devices.indices { platforms.append(makePlatform(index, address: addresses[index])) }
    radio.observer = self
    network = scenario.network.map {
      NetworkWorld(
        timeline: timeline, room: $0.room, stations: stations(), seed: options.seed, surroundings: self,
        wantsPackets: readers.contains(where: \.wantsNetwork))
    }
    keptNetwork = network.map { Kept($0) }
  }

  func makePlatform(_ index: Int, address: BluetoothAddress) -> DevicePlatform {
    let device = scenario.devices[index]
    let seat = options.seat(of: index)
    let isOutside = seat == .foreignController
    let door: any HCIDoor = isOutside ? OutwardDoor(world: self, device: index) : innerDoor(index)
    if isOutside { radio.setRadio(index, isOn: false) }
    return DevicePlatform(
      PlatformConfiguration(
        index: index, phone: device.phone, address: address, position: device.position, seat: seat,
        host: hostConfiguration(device, address: address), privacy: privacy(of: index)),
      door: door, timeline: timeline, fed: fed, surroundings: self
    ) { [unowned self] in hasApp(index) ? try? makeApp(index) : nil }
  }

  /// The app of a device for one launch.
  private func makeApp(_ device: Int) throws -> any AppEngine {
    let configuration = appConfiguration(device)
    guard let program = program(of: device) else {
      return try makeEngine(header.devices[device].engine, configuration)
    }
    guard let programs else { throw NoPrograms(device: header.devices[device].name) }
    return programs.start(program, configuration)
  }

  /// The program that is the app of a device in this world; nil: an engine of the bench is, or nothing.
  private func program(of device: Int) -> ScenarioProgram? {
    if header.devices[device].isHostile, case .engine? = scenario.devices[device].hostility?.way { return nil }
    return scenario.devices[device].program
  }

  /// Whether one of our apps runs on a device. One without a protocol of the scenario is whatever the factory makes.
  func hasApp(_ device: Int) -> Bool {
    !options.seat(of: device).isOnlyRadio && !scenario.devices[device].isBare
  }

  /// Makes every engine once, so that an unknown name is refused before anything runs. A program is not started for it.
  package func tryEngines() throws {
    for (index, device) in scenario.devices.enumerated() where hasApp(index) {
      if device.program == nil {
        _ = try makeEngine(device.engine, appConfiguration(index))
      } else if programs == nil {
        throw NoPrograms(device: device.name)
      }
      if case .engine(let name)? = device.hostility?.way { _ = try makeEngine(name, appConfiguration(index)) }
    }
  }

  // MARK: The run

  /// Hands the header to the readers and plans the launches; once, before anything else.
  public func begin() {
    assert(
      platforms.count == scenario.devices.count && header.devices.count == scenario.devices.count,
      "each device has one number")
    for seat in readers { seat.occupant.begin(header) }
    for (index, device) in scenario.devices.enumerated() {
      timeline.schedule(SimEvent(kind: Kind.launch.rawValue, target: UInt32(index)), at: device.starts)
    }
    timeline.schedule(SimEvent(kind: Kind.scheduler.rawValue, target: 0), at: .zero)
  }

  /// Settles what is open and closes the trace; once, after everything else.
  public func finish(ending: RunOutcome.Ending) -> RunOutcome {
    radio.settle()
    // A program may break down at its very end: by its memory, or by words that nobody asked for.
    programs?.end(at: timeline.now)
    var breakdown = programs?.breakdown
    breakdown?.record = sequence > 0 ? sequence - 1 : nil
    let ending = breakdown == nil ? ending : .breakdown
    finishExpectations(ending: ending)
    digest.combine(UInt64(bitPattern: timeline.now.nanoseconds))
    if let breakdown { digest.combine(text: breakdown.cause) }
    var outcome = RunOutcome(
      ending: ending, endInstant: timeline.now, digest: joinedDigest(), statistics: statistics(),
      devices: platforms.map(summary), network: network?.statistics)
    outcome.breakdown = breakdown
    outcome.logs = programs?.logs ?? []
    for seat in readers { seat.occupant.end(outcome) }
    return outcome
  }

  /// Events a run may have, taken from the queue or handed to apps.
  public var eventLimit: Int { min(scenario.limits.events, eventAllowance) }

  /// Whether the run has used up the events it may have.
  var isOverEventLimit: Bool { timeline.eventCount + handled >= eventLimit }

  func dispatch(_ event: SimEvent) {
    if event.kind < RadioWorld.kindLimit { return radio.handle(event) }
    let device = Int(event.target)
    if event.kind < DevicePlatform.kindLimit { return platforms[device].handle(event) }
    if event.kind >= NetworkWorld.firstKind {
      keptNetwork?.with { $0.handle(event) }
      return
    }
    switch Kind(rawValue: event.kind) {
    case .scheduler: schedulerWakes()
    case .person: personActs(device)
    case .launch: launch(device)
    case .tap: tap?.sendsLate(event.argument)
    case nil: preconditionFailure("event kind \(event.kind) is nobody's")
    }
  }

  private func launch(_ device: Int) {
    platforms[device].launch()
    if header.devices[device].isHostile, case .messages(let rule)? = scenario.devices[device].hostility?.way {
      platforms[device].apply(.messages(rule))
    }
  }

  /// Lets controllers, host stacks and apps talk until nobody has anything more to say at this instant.
  func settleInstant() {
    // Most events of the link layer are of no interest to anybody above it.
    var isBusy = radio.hasWaiting || !fed.isEmpty || scheduler.wantsToLook || networkHasWaiting
    while isBusy {
      isBusy = false
      while let device = radio.nextWaiting() {
        isBusy = true
        radio.controllers.with(device) { controller in platforms.with(device) { carry(from: controller, to: $0) } }
      }
      if networkHasWaiting {
        isBusy = true
        keptNetwork?.with { carry(from: $0) }
      }
      while let device = fed.popFirst() {
        isBusy = true
        platforms.with(device) { platform in
          platform.feed(self) {
            handled += 1
            return !isOverEventLimit
          }
        }
      }
      if !isBusy, scheduler.wantsToLook {
        schedulerWakes()
        isBusy = scheduler.didSomething
      }
      if isOverEventLimit { return }
    }
    assert(!radio.hasWaiting && fed.isEmpty, "an instant is over when nobody has anything more to say")
  }

  private var networkHasWaiting: Bool { keptNetwork?.with { $0.hasWaiting } ?? false }

  /// Hands up what a controller has for its host.
  private func carry(from controller: Controller, to platform: DevicePlatform) {
    if platform.seat == .foreignHost {
      while let message = controller.popForHost() { sendOutward(message.h4Octets, from: platform.index) }
      return
    }
    if platform.seat == .foreignLinkLayer {
      while let message = radio.popForProgram(platform.index) { sendOutward(message, from: platform.index) }
      return
    }
    platform.receiveAll(from: controller)
  }

  /// Hands up what the network has for apps.
  private func carry(from network: NetworkWorld) {
    while let device = network.nextWaiting() {
      platforms.with(device) { platform in
        while let input = network.popInput(device) { platform.tell(.network(input)) }
      }
    }
  }

  // MARK: Trace

  func record(_ event: @autoclosure () -> TraceEvent, _ device: Int) {
    guard !readers.isEmpty else { return }
    assert(device >= -1 && device < scenario.devices.count, "a record is of a device, or of the world")
    var record = TraceRecord(sequence: sequence, instant: timeline.now, device: device, event: event())
    if record.event.counts { sequence += 1 } else { record.sequence -= 1 }
    for index in 0..<readers.count { readers[index].occupant.read(record) }
  }

  /// As `record`, where nobody may want to read it.
  private func record(_ report: AppReport, _ device: Int) {
    let now = timeline.now
    if readers.contains(where: { !$0.occupant.ignores(report, device: device, at: now) }) {
      record(.report(report), device)
    } else if !readers.isEmpty {
      sequence += 1
    }
  }

  func joinedDigest() -> TraceDigest {
    var joined = digest
    joined.combine(text: radio.digest.hexadecimal)
    if let network { joined.combine(text: network.digest.hexadecimal) }
    return joined
  }
}

extension World: RadioObserver {
  public func observe(_ event: RadioEvent, device: Int) { record(.radio(event), device) }
}

extension World: PlatformSurroundings {

  package func setRadio(_ device: Int, isOn: Bool) { radio.setRadio(device, isOn: isOn) }
  package func moveRadio(_ device: Int, to position: Position) { radio.move(device, to: position) }
  package func coverLinks(of device: Int, with other: Int?, until end: SimInstant) {
    radio.coverLinks(of: device, with: other, until: end)
  }

  package func observe(_ input: AppInput, device: Int) {
    digest.combine(input, device: device, at: timeline.now)
    if case .gatt = input {
      facts.read(input.plain, device: device, peer: nil, at: timeline.now)
    } else {
      facts.read(input, device: device, peer: peer(in: input, device), at: timeline.now)
    }
    scheduler.mayLook()
    switch input {
    case .launched: listenToPromises(device)
    // Nothing is counted of these, and nearly all inputs of a talk are of them.
    case .network(.received), .network(.submitted): break
    case .network(let word): count(word, device: device)
    default: break
    }
    record(.input(input), device)
  }

  private func listenToPromises(_ device: Int) {
    guard facts.hasPrograms, let engine = platforms[device].engine as? any PromisingEngine else { return }
    let promised = engine.promisedReports
    if promised.isEmpty { return }
    facts.promise(promised, device: device)
    for index in 0..<readers.count { readers[index].occupant.promises(promised, device: device) }
  }

  /// The device that an input is about: the other end of a new link, or an advertiser.
  private func peer(in input: AppInput, _ device: Int) -> Int? {
    switch input {
    case .connected(let id, _): platforms[device].link(id)?.peerDevice
    case .discovered(let advertisement): self.device(at: advertisement.address)
    default: nil
    }
  }

  package func observe(_ effect: AppEffect, device: Int) {
    digest.combine(effect, device: device, at: timeline.now)
    if case .gatt = effect {
      facts.read(effect.plain, device: device, at: timeline.now)
    } else {
      facts.read(effect, device: device, at: timeline.now)
    }
    record(.effect(effect), device)
  }

  package func observe(_ report: AppReport, device: Int) {
    digest.combine(report, device: device, at: timeline.now)
    facts.read(report, device: device)
    scheduler.mayLook()
    record(report, device)
    personSees(report, device)
  }

  package func observe(_ fault: FaultEvent, device: Int) {
    digest.combine(fault, device: device, at: timeline.now)
    record(.fault(fault), device)
  }

  package func observe(_ remark: PlatformRemark, device: Int) {
    facts.read(remark, device: device)
    // No condition is about any other kind.
    if remark.kind == .advertisingTimeout { scheduler.mayLook() }
    record(.platform(remark), device)
  }
}
