import BluetoothWire
public import SimKernel
public import VirtualRadio

/// Makes the app of a device: by the engine's name (`reference` or a mutant), its role and what it is told.
public typealias EngineFactory = @Sendable (_ name: String, AppRole, BabConfiguration) throws -> any AppEngine

/// One run of one scenario: the only place where radios, host stacks, apps, people and faults are wired together.
///
/// Single-threaded; many worlds may run side by side. Everything observed goes, in one order, to the readers.
public final class World {
  /// Event kinds of the world, above those of the radio world.
  enum Kind: UInt32 {
    case appTimer = 64
    case hostDeadline
    case director
    case person
    case launch
    case radioGoesOff
  }

  let scenario: Scenario
  let options: RunOptions
  let makeEngine: (_ name: String, AppRole, BabConfiguration) throws -> any AppEngine
  let timeline = Timeline()
  let radio: RadioWorld
  @exclusivity(unchecked) private(set) var nodes: [DeviceNode] = []
  public let header: TraceHeader
  private let readers: [any TraceReader]
  /// Devices whose app has inputs, in the order in which they got the first one.
  private let fed = Fifo<Int>()
  /// Packets that leave through a seat and have not been taken yet.
  let outward = Fifo<OutwardPacket>()
  @exclusivity(unchecked) private var sequence = 0
  @exclusivity(unchecked) var digest = TraceDigest()
  @exclusivity(unchecked) var facts: FactBook
  @exclusivity(unchecked) var director: Director
  var people: People
  @exclusivity(unchecked) private var handled = 0

  /// Runs a scenario to its end.
  /// - Parameters:
  ///   - readers: get every record in order; their presence never changes the digest.
  ///   - progress: called now and then with the simulated instant, for people.
  /// - Throws: what the factory throws for an engine it does not know.
  public static func run(
    _ scenario: Scenario, options: RunOptions, readers: [any TraceReader] = [], engines: @escaping EngineFactory,
    progress: ((SimInstant) -> Void)? = nil
  ) throws -> RunOutcome {
    let world = World(scenario, options: options, readers: readers, engines: engines)
    // Every engine is made once now, so that an unknown name is refused before anything runs.
    for node in world.nodes { _ = try engines(node.device.engine, node.device.role, world.babConfiguration(node)) }
    world.begin()
    return world.finish(ending: world.play(to: .distantFuture, progress) ?? .simulatedTimeLimit)
  }

  /// What a run of this scenario and seed consists of, every drawn option included.
  public static func header(_ scenario: Scenario, seed: UInt64, seats: [Seat] = []) -> TraceHeader {
    let devices = scenario.devices.enumerated().map { index, device in
      let isForeign = index < seats.count && seats[index] == .foreignHost
      return TraceHeader.Device(
        name: device.name, role: device.role, phone: device.phone.name, dialect: device.dialect.rawValue,
        engine: isForeign ? TraceHeader.foreignEngine : device.engine,
        address: address(of: device, index: index, seed: seed, isPublic: isForeign))
    }
    return TraceHeader(
      scenario: scenario.name, seed: seed, devices: devices, options: drawnOptions(scenario, seed: seed, seats: seats))
  }

  /// A world that its owner drives; `run` does so by the scenario, a test purpose by its procedure (World+Stepping).
  public init(
    _ scenario: Scenario, options: RunOptions, readers: [any TraceReader],
    engines: @escaping (_ name: String, AppRole, BabConfiguration) throws -> any AppEngine
  ) {
    self.scenario = scenario
    self.options = options
    self.readers = readers
    makeEngine = engines
    header = Self.header(scenario, seed: options.seed, seats: options.seats)
    let addresses = header.devices.map(\.address)
    let configurations = scenario.devices.enumerated().map {
      Self.radioConfiguration($1, address: addresses[$0], seed: options.seed)
    }
    radio = RadioWorld(
      timeline: timeline, environment: scenario.radio, seed: options.seed, radios: configurations,
      wantsAir: readers.contains(where: \.wantsAir), wantsHCI: readers.contains(where: \.wantsHCI),
      stepsIdleEvents: options.stepsIdleEvents)
    facts = FactBook(
      devices: scenario.devices.map(\.role),
      isForeign: scenario.devices.indices.map { options.seat(of: $0) == .foreignHost })
    director = Director(scenario)
    people = People(scenario, seed: options.seed)
    for (index, device) in scenario.devices.enumerated() {
      let controller = radio.controllers[index]
      let seat = options.seat(of: index)
      let door: any HCIDoor = seat == .foreignController ? OutwardDoor(world: self, device: index) : controller
      nodes.append(
        DeviceNode(
          index: index, device: device, address: addresses[index], controller: controller, seat: seat,
          host: HostStack(door: door, configuration: Self.hostConfiguration(device, address: addresses[index]))))
      if seat == .foreignController { radio.setRadio(index, isOn: false) }
    }
    radio.observer = self
  }

  // MARK: The run

  /// Hands the header to the readers and plans the launches; once, before anything else.
  public func begin() {
    for reader in readers { reader.begin(header) }
    for node in nodes {
      timeline.schedule(SimEvent(kind: Kind.launch.rawValue, target: UInt32(node.index)), at: node.device.starts)
    }
    timeline.schedule(SimEvent(kind: Kind.director.rawValue, target: 0), at: .zero)
  }

  /// Settles what is open and closes the trace; once, after everything else.
  public func finish(ending: RunOutcome.Ending) -> RunOutcome {
    radio.settle()
    finishExpectations(ending: ending)
    digest.combine(UInt64(bitPattern: timeline.now.nanoseconds))
    let outcome = RunOutcome(
      ending: ending, endInstant: timeline.now, digest: joinedDigest(), statistics: statistics(),
      devices: nodes.map(summary))
    for reader in readers { reader.end(outcome) }
    return outcome
  }

  /// Lets the scenario play until an instant, and says how it ended if it is through by then.
  func play(to instant: SimInstant, _ progress: ((SimInstant) -> Void)? = nil) -> RunOutcome.Ending? {
    let limit = SimInstant.zero + scenario.limits.simulatedTime
    while true {
      if isOverEventLimit { return .eventLimit }
      if let end = director.end, timeline.now >= end { return .finished }
      let horizon = min(instant, limit, director.end ?? limit)
      guard let event = timeline.advance(limit: horizon) else {
        if timeline.now < horizon { timeline.skip(to: horizon) }
        if let end = director.end, timeline.now >= end { return .finished }
        return timeline.now >= limit ? .simulatedTimeLimit : nil
      }
      dispatch(event)
      settleInstant()
      if let progress, timeline.eventCount & 0xFFFF == 0 { progress(timeline.now) }
    }
  }

  /// Events a run may have, taken from the queue or handed to apps.
  public var eventLimit: Int { scenario.limits.events }

  /// Whether the run has used up the events it may have.
  var isOverEventLimit: Bool { timeline.eventCount + handled >= eventLimit }

  func dispatch(_ event: SimEvent) {
    if event.kind < RadioWorld.kindLimit {
      radio.handle(event)
      return
    }
    let node = nodes[Int(event.target)]
    switch Kind(rawValue: event.kind) {
    case .appTimer: timerFired(node, TimerID(Int(Int64(bitPattern: event.argument))))
    case .hostDeadline:
      node.hostDeadline = nil
      node.host.advance(to: timeline.now)
      drainHost(node)
    case .director: directorWakes()
    case .person: personActs(node)
    case .launch: launch(node)
    case .radioGoesOff: radioGoesOff(node)
    case nil: preconditionFailure("event kind \(event.kind) is nobody's")
    }
  }

  /// Lets controllers, host stacks and apps talk until nobody has anything more to say at this instant.
  func settleInstant() {
    var isBusy = true
    while isBusy {
      isBusy = false
      while let device = radio.nextWaiting() {
        isBusy = true
        let node = nodes[device]
        if node.seat == .foreignHost {
          while let message = node.controller.popForHost() { leave(node, message.h4Octets) }
          continue
        }
        while let message = node.controller.popForHost() { node.host.receive(message, at: timeline.now) }
        drainHost(node)
      }
      while let device = fed.popFirst() {
        isBusy = true
        nodes[device].isQueued = false
        feed(nodes[device])
      }
      if !isBusy, director.wantsToLook {
        directorWakes()
        isBusy = director.didSomething
      }
      if isOverEventLimit { return }
    }
  }

  /// Puts an input into an app's inbox.
  func tell(_ node: DeviceNode, _ input: AppInput) {
    node.inbox.append(input)
    if node.isQueued { return }
    node.isQueued = true
    fed.append(node.index)
  }

  /// Hands an app its inputs, one at a time, and performs what it answers.
  private func feed(_ node: DeviceNode) {
    while let input = node.inbox.popFirst() {
      guard let engine = node.engine else {
        node.inbox.removeAll()
        return
      }
      handled += 1
      if isOverEventLimit { return }
      note(input, node)
      perform(engine.handle(input, at: timeline.now), node)
    }
  }

  /// Takes what a host stack has to tell, and sees to its next deadline.
  func drainHost(_ node: DeviceNode) {
    while let event = node.host.popEvent() { translate(event, node) }
    let now = timeline.now
    switch (node.host.nextDeadline, node.hostDeadline) {
    case (nil, nil): break
    case (nil, let handle?):
      timeline.cancel(handle)
      node.hostDeadline = nil
    case (let due?, nil):
      node.hostDeadline = timeline.schedule(
        SimEvent(kind: Kind.hostDeadline.rawValue, target: UInt32(node.index)), at: max(due, now))
    case (let due?, let handle?): timeline.reschedule(handle, to: max(due, now))
    }
  }

  // MARK: Trace

  /// Records what an app is told.
  private func note(_ input: AppInput, _ node: DeviceNode) {
    digest.combine(input, device: node.index, at: timeline.now)
    facts.read(input, device: node.index, peer: peer(in: input, node))
    director.mayLook()
    record(.input(input), node.index)
  }

  /// The device that an input is about: the other end of a new link, or an advertiser.
  private func peer(in input: AppInput, _ node: DeviceNode) -> Int? {
    switch input {
    case .connected(let id, _): node.link(id)?.peerDevice
    case .discovered(let advertisement): device(at: advertisement.address)
    default: nil
    }
  }

  /// Records what an app shows.
  func note(_ report: AppReport, _ node: DeviceNode) {
    digest.combine(report, device: node.index, at: timeline.now)
    facts.read(report, device: node.index)
    director.mayLook()
    record(.report(report), node.index)
    if case .turn(let player) = report { turnShown(node, player) }
  }

  func note(_ fault: FaultEvent, _ node: DeviceNode) {
    digest.combine(fault, device: node.index, at: timeline.now)
    record(.fault(fault), node.index)
  }

  func record(_ event: @autoclosure () -> TraceEvent, _ device: Int) {
    guard !readers.isEmpty else { return }
    let record = TraceRecord(sequence: sequence, instant: timeline.now, device: device, event: event())
    sequence += 1
    for reader in readers { reader.read(record) }
  }

  private func joinedDigest() -> TraceDigest {
    var joined = digest
    joined.combine(text: radio.digest.hexadecimal)
    return joined
  }
}

extension World: RadioObserver {
  public func observe(_ event: RadioEvent, device: Int) { record(.radio(event), device) }
}
