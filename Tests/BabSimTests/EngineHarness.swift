import AppSeam
import BluetoothWire
import SimKernel
import VirtualRadio

@testable import BabSim
@testable import Bench
@testable import Platform

/// Engines on simulated phones in an ideal room: a world without a scenario's steps, whose devices are added one by
/// one.
///
/// The first device has the phone's limits of a host, all others those of a client.
final class EngineHarness {
  /// More devices than any test adds; those that are not added never come up.
  private static let places = 12

  /// How the phones misbehave; to be set before the first device is added.
  enum Fault {
    case none
    /// Transmit queues that hold so many values, above hardly any controller buffers: many values are refused.
    case smallQueues(Int)
    /// Every k-th value of the host is accepted and then lost: what a stack must never do.
    case losesEvery(Int)
  }

  /// A link between a client and the host; both ends know it by their own number.
  struct Connection {
    let central: Int
    let peripheral: Int
    let centralLink: LinkID
    let peripheralLink: LinkID
    let attMTU: Int
  }

  struct LogEntry: Hashable {
    enum What: Hashable {
      case told(AppInput)
      case did(AppEffect)
    }
    var at: SimInstant
    var device: Int
    var what: What
  }

  private let recorder = Recorder()
  /// The engine of each device, for the world's factory.
  private let apps = Apps()
  /// Made with the first device, because phones are given to a world at its beginning.
  private lazy var world = makeWorld()
  var fault = Fault.none
  var hostATTMTU = 185
  /// What the players do half a second after a line is on their screen; nil = nothing.
  var autoplay: ((_ device: Int, _ lineNumber: Int) -> BabAction?)? {
    get { recorder.autoplay }
    set { recorder.autoplay = newValue }
  }

  var devices: [Device] { recorder.devices }
  var now: SimInstant { world.now }
  var keepsLog: Bool {
    get { recorder.keepsLog }
    set { recorder.keepsLog = newValue }
  }
  /// Everything every engine was told and did, in order.
  var log: [LogEntry] { recorder.log }

  // MARK: Building

  private func makeWorld() -> World {
    var phone = PhonePreset.ideal
    phone.att.serverMTU = hostATTMTU
    if case .smallQueues(let depth) = fault {
      phone.buffers.notificationQueue = depth
      phone.buffers.writeCommandQueue = depth
      phone.buffers.aclCount = 2
    }
    let devices = (0..<Self.places).map { index in
      var device = Bench.Device(
        name: "device-\(index)", group: "device", role: index == 0 ? .host : .client, phone: phone)
      device.position = Position(x: 100 * index, y: 0)
      // `add` launches.
      device.starts = .zero + .seconds(1_000_000)
      return device
    }
    let scenario = Scenario.bab(name: "engines", devices: devices)
    let world = World(scenario, options: RunOptions(seed: 1), readers: [recorder]) { [apps] _, configuration in
      try apps.engine(of: configuration.device)
    }
    world.begin()
    return world
  }

  @discardableResult
  func add(_ engine: any AppEngine, name: String) -> Int {
    let index = devices.count
    apps.engines.append(engine)
    let platform = world.platforms[index]
    recorder.devices.append(Device(name: name, engine: engine, platform: platform))
    if index == 0, case .losesEvery(let k) = fault {
      apply(.messages(MessageFaultRule(fault: .drop, direction: .fromDevice, everyNth: k, count: nil)), 0)
    }
    platform.launch()
    settle()
    return index
  }

  // MARK: Acting

  /// Tells an app something that its platform did not say.
  func tell(_ device: Int, _ input: AppInput) {
    world.platforms[device].tell(input)
    settle()
  }

  func user(_ device: Int, _ action: BabAction) {
    world.act(AppAction(action), device: device)
    settle()
  }

  func apply(_ fault: DeviceFault, _ device: Int) {
    world.apply(fault, device: device)
    settle()
  }

  /// Ends the link of a client as a supervision timeout does, for both ends: it is silent for as long as that takes.
  func lose(central: Int) {
    guard let connection = connection(central: central) else { return }
    apply(.vanish, central)
    let platforms = world.platforms
    world.advance(to: now + .seconds(60)) {
      platforms[central].link(connection.centralLink) == nil
        && platforms[connection.peripheral].link(connection.peripheralLink) == nil
    }
    apply(.appear, central)
  }

  /// The link of a client to the host; nil when it has none.
  func connection(central: Int) -> Connection? {
    guard let link = world.platforms[central].links.last(where: { $0.peerDevice == 0 }),
      let other = world.platforms[0].links.last(where: { $0.peerDevice == central })
    else { return nil }
    return Connection(
      central: central, peripheral: 0, centralLink: link.id, peripheralLink: other.id, attMTU: link.attMTU)
  }

  /// Hands a packet to the host as if that client had sent it.
  func inject(_ packet: BabPacket, central: Int, dialect: Dialect) {
    guard let connection = connection(central: central) else { return }
    let json = PacketCoder.encode(packet)
    for value in PacketCoder.cut(json, packetID: 0xF000, attMTU: connection.attMTU, framing: dialect.framing) {
      tell(
        connection.peripheral,
        .valueReceived(connection.peripheralLink, characteristic: dialect.command.uuid, octets: value))
    }
  }

  /// Hands a packet to a client as if the host had sent it.
  func injectFromHost(_ packet: BabPacket, central: Int, dialect: Dialect) {
    guard let connection = connection(central: central) else { return }
    let json = PacketCoder.encode(packet)
    for value in PacketCoder.cut(json, packetID: 0xF000, attMTU: connection.attMTU, framing: dialect.framing) {
      tell(central, .valueReceived(connection.centralLink, characteristic: dialect.state.uuid, octets: value))
    }
  }

  // MARK: Running

  func run(for duration: SimDuration) { run(until: now + duration) }

  func run(until end: SimInstant) {
    while true {
      let stop = min(end, recorder.plans.first?.at ?? end)
      world.advance(to: stop) { [recorder] in recorder.plans.first.map { $0.at < stop } ?? false }
      guard let plan = recorder.plans.first, plan.at <= now else {
        if now >= end { return }
        continue
      }
      recorder.plans.removeFirst()
      user(plan.device, plan.action)
    }
  }

  /// Lets the world talk until nobody has anything more to say at this instant.
  private func settle() { world.advance(to: now) }
}

extension EngineHarness {
  /// What a device has shown, and what its platform is doing for it.
  final class Device {
    let name: String
    let engine: any AppEngine
    private let platform: DevicePlatform
    fileprivate(set) var reports: [BabReport] = []
    /// When each of the reports came.
    fileprivate(set) var reportTimes: [SimInstant] = []
    /// Values that it has asked its platform to send at once, and how many of them were refused.
    fileprivate(set) var submissions = 0
    fileprivate(set) var refusedSubmissions = 0

    init(name: String, engine: any AppEngine, platform: DevicePlatform) {
      self.name = name
      self.engine = engine
      self.platform = platform
    }

    var address: BluetoothAddress { platform.address }
    var advertisement: AdvertisementRequest? {
      if case .request(let request) = platform.advertisement { request } else { nil }
    }
    var isScanning: Bool { platform.scanFilter != nil }
    var isConnecting: Bool { !platform.connecting.isEmpty }
    var hasTimers: Bool { !platform.timers.isEmpty }
  }

  private final class Apps {
    struct NotAdded: Error {}
    var engines: [any AppEngine] = []
    func engine(of device: Int) throws -> any AppEngine {
      guard device < engines.count else { throw NotAdded() }
      return engines[device]
    }
  }

  private final class Recorder: TraceReader {
    var devices: [Device] = []
    var log: [LogEntry] = []
    var keepsLog = false
    var autoplay: ((_ device: Int, _ lineNumber: Int) -> BabAction?)?
    /// What players are about to do, in order.
    var plans: [(at: SimInstant, device: Int, action: BabAction)] = []
    private var lineCount = 0

    func read(_ record: TraceRecord) {
      switch record.event {
      case .input(let input):
        note(.told(input), record)
        guard case .submitted(_, _, let isAccepted) = input else { return }
        devices[record.device].submissions += 1
        if !isAccepted { devices[record.device].refusedSubmissions += 1 }
      case .effect(let effect): note(.did(effect), record)
      case .report(let report):
        note(.did(.report(report)), record)
        guard let report = report.bab else { return }
        devices[record.device].reports.append(report)
        devices[record.device].reportTimes.append(record.instant)
        guard case .screen(let line) = report, line.text != nil else { return }
        lineCount += 1
        if let action = autoplay?(record.device, lineCount) {
          plans.append((record.instant + .milliseconds(500), record.device, action))
        }
      default: break
      }
    }

    private func note(_ what: LogEntry.What, _ record: TraceRecord) {
      if keepsLog { log.append(LogEntry(at: record.instant, device: record.device, what: what)) }
    }
  }
}
