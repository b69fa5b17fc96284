import AppSeam
public import Bench
import BluetoothWire
import CoreBluetooth
import Platform
public import SimKernel
import VirtualApp
public import VirtualRadio
import VirtualTime

/// A room of virtual phones whose apps are written against CoreBluetooth, in the process of a test.
///
/// ```swift
/// let room = VirtualRoom(seed: 7)
/// let host = room.phone("host") { Host() }
/// let guest = room.phone("guest", at: Position(x: 300, y: 0)) { Guest() }
/// try room.wait(within: .seconds(10)) { guest.app?.isConnected == true }
/// ```
///
/// All apps run in the calling thread, in virtual time, one at a time: the same seed gives the same digest. Use a room
/// in one thread. The executable has to be linked for virtual time (Docs/virtual-room.md); it is refused otherwise.
public final class VirtualRoom {
  /// The seed of all that is drawn.
  public let seed: UInt64
  /// What is recorded beside the room's own books; set before the room starts.
  public var readers: [any TraceReader] = []
  private var scenario: Scenario
  private var makers: [(AppConfiguration, PhoneMemory) -> any AppEngine] = []
  private var engines: [PhoneEngine?] = []
  /// Release what a launch made, by phone.
  private var forgetters: [() -> Void] = []
  private var world: World?
  private let trace = RoomTrace()
  private var outcome: RunOutcome?

  /// - Parameters:
  ///   - seed: of all that is drawn: losses, clocks, the apps' random numbers.
  ///   - environment: the air; ideal unless another one is given.
  ///   - events: where a room that never comes to rest is stopped.
  public init(seed: UInt64 = 1, environment: RadioEnvironment = .ideal, events: Int = 50_000_000) {
    self.seed = seed
    scenario = Scenario(name: "room", devices: [])
    scenario.seed = seed
    scenario.radio = environment
    scenario.limits.events = events
  }

  /// Adds a phone; before the room starts.
  /// - Parameters:
  ///   - name: unique in the room.
  ///   - phone: an iPhone unless another one is given.
  ///   - position: where it is, in centimetres.
  ///   - starts: when its app is launched.
  ///   - acceptsPairing: what its person says when asked; Just Works asks nobody.
  ///   - app: makes the app's object, on the phone's main queue; again when the app is launched again.
  public func phone<App: AnyObject>(
    _ name: String, _ phone: PhonePreset = .iphone, at position: Position = Position(x: 0, y: 0),
    starts: SimInstant = .zero, acceptsPairing: Bool = true, app: @escaping () -> App
  ) -> RoomPhone<App> {
    precondition(world == nil, "phones are added before the room starts")
    var device = Device(name: name, group: name, role: AppRole(rawValue: "phone"), phone: phone)
    device.phone.pairing = PhonePreset.PairingHabits()
    device.phone.pairing?.isAccepted = acceptsPairing
    device.position = position
    device.starts = starts
    scenario.devices.append(device)
    let index = engines.count
    let box = AppBox<App>()
    engines.append(nil)
    forgetters.append { box.app = nil }
    makers.append { [unowned self] configuration, memory in
      PhoneEngine(configuration, name: "phone-\(index)", address: address(of: index), memory: memory) {
        let made = app()
        box.app = made
        return made
      }
    }
    return RoomPhone(name, index: index, room: self, box: box)
  }

  /// Adds a device without an app that advertises these octets as they are, as sensors and beacons do; before the room
  /// starts. Connections to it are taken and lead nowhere, unless it takes none.
  /// - Parameters:
  ///   - name: unique in the room.
  ///   - position: where it is, in centimetres.
  ///   - data: advertising data, at most 31 octets (Core v5.4, Vol 3, Part C, 11).
  ///   - scanResponse: scan response data, at most 31 octets.
  ///   - connectable: ADV_IND; else ADV_SCAN_IND with a scan response, and ADV_NONCONN_IND without one (Core v5.4,
  ///     Vol 6, Part B, 2.3.1).
  public func advertiser(
    _ name: String, at position: Position = Position(x: 0, y: 0), data: [UInt8], scanResponse: [UInt8] = [],
    connectable: Bool = true
  ) {
    precondition(world == nil, "devices are added before the room starts")
    var device = Device(name: name, group: name, role: AppRole(rawValue: "advertiser"), phone: .ideal)
    device.position = position
    if !connectable {
      device.phone.advertising.kind = scanResponse.isEmpty ? .nonConnectableUndirected : .scannableUndirected
    }
    scenario.devices.append(device)
    engines.append(nil)
    forgetters.append {}
    makers.append { _, _ in AdvertiserEngine(data: data, scanResponse: scanResponse) }
  }

  // MARK: Time

  /// Its first phone was launched, or time has passed.
  public var isStarted: Bool { world != nil }
  /// Where the room's clock stands.
  public var now: SimInstant { world?.now ?? .zero }

  /// Lets time pass.
  /// - Throws: `RoomProblem`: an app was stopped, or the room never comes to rest.
  public func run(for duration: SimDuration) throws(RoomProblem) { _ = try advance(duration) { false } }

  /// Lets time pass until a condition holds, which is asked now and after every event, outside of any phone: what asks
  /// an app for the time, or which queue it is on, is `RoomPhone.wait`.
  /// - Throws: `RoomProblem`: it did not hold in time, an app was stopped, or the room never comes to rest.
  public func wait(within duration: SimDuration, until condition: () -> Bool) throws(RoomProblem) {
    if try !advance(duration, until: condition) { throw .timeIsOver(waited: duration, at: now) }
  }

  private func advance(_ duration: SimDuration, until condition: () -> Bool) throws(RoomProblem) -> Bool {
    let world = started()
    let progress = world.advance(to: now + duration) { stopped != nil || condition() }
    try check()
    if progress == .eventLimit { throw .neverRests(events: world.eventLimit, at: now) }
    return progress == .conditionMet
  }

  // MARK: What phones do, and what is done to them

  func act(on device: Int, _ body: @escaping () -> Void) throws(RoomProblem) {
    let world = started()
    guard let engine = engines[device] else { throw .notLaunched(phone: scenario.devices[device].name) }
    world.perform(engine.act(at: now, body), device: device)
    _ = world.advance(to: now)
    try check()
  }

  func look(on device: Int, _ body: @escaping () -> Void) { engines[device]?.look(at: now, body) }

  func apply(_ fault: DeviceFault, to device: Int) throws(RoomProblem) {
    let world = started()
    world.apply(fault, device: device)
    _ = world.advance(to: now)
    try check()
  }

  func remarks(of device: Int) -> [RoomRemark] { trace.remarks.filter { $0.device == device }.map(\.remark) }

  // MARK: The end

  deinit { for (engine, forget) in zip(engines, forgetters) { engine?.end(forget: forget) } }

  /// Ends the room, and says what it came to: its digest is the same for the same seed and test.
  public func finish() -> RunOutcome {
    if let outcome { return outcome }
    let ended = started().finish(ending: .finished)
    outcome = ended
    return ended
  }

  private func started() -> World {
    if let world { return world }
    let world = World(scenario, options: RunOptions(seed: seed), readers: [trace] + readers) {
      [unowned self] _, configuration in
      let before = engines[configuration.device]
      let memory = before?.phone.remember(isRestored: configuration.isRestored) ?? PhoneMemory()
      before?.end(forget: forgetters[configuration.device])
      let engine = makers[configuration.device](configuration, memory)
      engines[configuration.device] = engine as? PhoneEngine
      return engine
    }
    self.world = world
    world.begin()
    return world
  }

  private func address(of device: Int) -> BluetoothAddress {
    World.header(scenario, seed: seed).devices[device].address
  }

  /// The first phone whose app was stopped.
  private var stopped: (device: Int, text: String)? {
    for (device, engine) in engines.enumerated() {
      if let problem = engine?.problem { return (device, problem.description) }
    }
    return nil
  }

  private func check() throws(RoomProblem) {
    if let stopped {
      throw .stopped(phone: scenario.devices[stopped.device].name, at: now, stopped.text)
    }
  }
}
