import AppSeam
import BluetoothWire
import SimKernel
import VirtualNetwork
import VirtualRadio

@testable import Platform

/// Platforms over one radio world, with tiny apps on them and nothing else around.
final class PlatformBench {
  /// What was observed of a device, in the order in which it was.
  enum Seen: Equatable {
    case input(AppInput)
    case effect(AppEffect)
    case report(AppReport)
    case fault(FaultEvent)
    case remark(PlatformRemark)
  }

  /// What was done to networks.
  private(set) var networkFaults: [NetworkFault] = []

  struct Entry: Equatable {
    var at: SimInstant
    var device: Int
    var what: Seen
  }

  /// An app that answers inputs by a rule, which is given anew to every launch.
  final class ScriptedApp: AppEngine {
    let answer: (AppInput) -> [AppEffect]
    init(_ answer: @escaping (AppInput) -> [AppEffect]) { self.answer = answer }
    func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] { answer(input) }
  }

  let timeline = Timeline()
  let radio: RadioWorld
  private(set) var platforms: [DevicePlatform] = []
  private(set) var seen: [Entry] = []
  /// How often the app of each device was made.
  private(set) var launches: [Int]
  private let fed = Fifo<Int>()

  /// - Parameters:
  ///   - apps: the rule of each device's app; nil: it has none.
  ///   - phone: changes the phone of a device; in its background it does what the ideal phone does. Directed
  ///     advertising is directed at device 1.
  init(
    _ apps: [((AppInput) -> [AppEffect])?], environment: RadioEnvironment = .ideal,
    phone change: (inout PhonePreset, Int) -> Void = { _, _ in }
  ) {
    launches = Array(repeating: 0, count: apps.count)
    let phones = apps.indices.map { index in
      var phone = PhonePreset.ideal
      change(&phone, index)
      return phone
    }
    let radios = apps.indices.map { index in
      var radio = RadioConfiguration(
        name: "device-\(index)", address: Self.address(index), position: Position(x: 100 * index, y: 0))
      radio.hasMultiAdvertising = phones[index].advertising.sets > 1 && !phones[index].advertising.isExtended
      radio.supportsCoded = phones[index].radio.supportsCoded
      return radio
    }
    radio = RadioWorld(timeline: timeline, environment: environment, seed: 1, radios: radios)
    for (index, app) in apps.enumerated() {
      let phone = phones[index]
      var host = HostConfiguration(address: Self.address(index), deviceName: "device-\(index)")
      host.usesExtendedAdvertising = phone.advertising.isExtended
      host.security = phone.pairing?.security
      host.serverATTMTU = phone.att.serverMTU
      host.clientATTMTU = phone.att.clientMTU
      host.exchangesMTUAutomatically = phone.att.exchangesAutomatically
      host.notificationQueueDepth = phone.buffers.notificationQueue
      host.writeCommandQueueDepth = phone.buffers.writeCommandQueue
      host.advertisingInterval = 32...32
      host.advertisingKind = phone.advertising.kind
      host.advertisingTarget = Self.address(1)
      let platform = DevicePlatform(
        PlatformConfiguration(
          index: index, phone: phone, address: Self.address(index), position: radios[index].position,
          seat: .simulated, host: host),
        door: radio.controllers[index], timeline: timeline, fed: fed, surroundings: self
      ) { [unowned self] in
        guard let app else { return nil }
        launches[index] += 1
        return ScriptedApp(app)
      }
      platforms.append(platform)
    }
  }

  static func address(_ index: Int) -> BluetoothAddress {
    BluetoothAddress(kind: .random, bits: 0xC0DE_0000_0000 + UInt64(index))
  }

  var now: SimInstant { timeline.now }

  // MARK: Running

  func run(for span: SimDuration) { run(until: now + span) }

  /// Runs to an instant, or until a condition holds, which is asked now and after every event.
  @discardableResult
  func run(until limit: SimInstant, orUntil condition: () -> Bool = { false }) -> Bool {
    settle()
    while !condition() {
      guard let event = timeline.advance(limit: limit) else {
        if now < limit { timeline.skip(to: limit) }
        return condition()
      }
      if event.kind < RadioWorld.kindLimit {
        radio.handle(event)
      } else {
        platforms[Int(event.target)].handle(event)
      }
      settle()
    }
    return true
  }

  /// Runs until a condition holds, for a minute at most.
  func wait(_ condition: () -> Bool) -> Bool { run(until: now + .seconds(60), orUntil: condition) }

  /// Lets controllers, stacks and apps talk until nobody has anything more to say at this instant.
  func settle() {
    var isBusy = true
    while isBusy {
      isBusy = false
      while let device = radio.nextWaiting() {
        isBusy = true
        while let message = radio.controllers[device].popForHost() { platforms[device].receive(message) }
        platforms[device].drainHost()
      }
      while let device = fed.popFirst() {
        isBusy = true
        platforms[device].feed(self) { true }
      }
    }
  }

  // MARK: Acting

  func launch(_ devices: Int...) {
    for device in devices { platforms[device].launch() }
    settle()
  }

  /// As if the app had asked for it just now.
  func perform(_ device: Int, _ effects: AppEffect...) {
    platforms[device].perform(effects)
    settle()
  }

  func apply(_ fault: DeviceFault, _ device: Int) {
    platforms[device].apply(fault)
    settle()
  }

  // MARK: Looking

  func inputs(_ device: Int, since start: Int = 0) -> [AppInput] {
    seen.dropFirst(start).compactMap { entry in
      if entry.device == device, case .input(let input) = entry.what { input } else { nil }
    }
  }

  func faults(_ device: Int) -> [FaultEvent] {
    seen.compactMap { entry in
      if entry.device == device, case .fault(let fault) = entry.what { fault } else { nil }
    }
  }

  /// Values that the app of a device was given, in order.
  func values(_ device: Int) -> [[UInt8]] {
    inputs(device).compactMap { if case .valueReceived(_, _, let octets) = $0 { octets } else { nil } }
  }

  /// When a device's app was last told something like this.
  func time(_ device: Int, _ isIt: (AppInput) -> Bool) -> SimInstant? {
    seen.last { entry in
      if entry.device == device, case .input(let input) = entry.what { isIt(input) } else { false }
    }?.at
  }

  /// The link of a device to another one, as its app knows it.
  func link(_ device: Int, to other: Int) -> LinkID? {
    platforms[device].links.last { $0.peerDevice == other }?.id
  }
}

extension PlatformBench: PlatformSurroundings {
  func peerDevice(of device: Int, _ handle: HCI.ConnectionHandle, _ address: BluetoothAddress) -> Int? {
    radio.controllers[device].peer(of: handle)
  }

  func device(at address: BluetoothAddress) -> Int? { platforms.firstIndex { $0.address == address } }
  func setRadio(_ device: Int, isOn: Bool) { radio.setRadio(device, isOn: isOn) }
  func moveRadio(_ device: Int, to position: Position) { radio.move(device, to: position) }
  func coverLinks(of device: Int, with other: Int?, until end: SimInstant) {
    radio.coverLinks(of: device, with: other, until: end)
  }
  /// These devices have a radio only.
  func perform(_ effect: NetworkEffect, device: Int) {}
  func applyToNetwork(_ fault: NetworkFault, device: Int) { networkFaults.append(fault) }
  func appStarted(_ device: Int) {}
  func appEnded(_ device: Int) {}
  func observe(_ input: AppInput, device: Int) { note(.input(input), device) }
  func observe(_ effect: AppEffect, device: Int) { note(.effect(effect), device) }
  func observe(_ report: AppReport, device: Int) { note(.report(report), device) }
  func observe(_ fault: FaultEvent, device: Int) { note(.fault(fault), device) }
  func observe(_ remark: PlatformRemark, device: Int) { note(.remark(remark), device) }

  private func note(_ what: Seen, _ device: Int) { seen.append(Entry(at: now, device: device, what: what)) }
}

/// A word for people and apps that have nothing to say.
enum Word: AppStatement {
  case hello(String)

  static let words = [Word.hello("")]

  mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    guard case .hello(var text) = self else { return }
    try visitor.word("hello")
    try visitor.field("text", &text)
    self = .hello(text)
  }
}

/// Two apps that find each other: one serves, the others read and write.
enum Apps {
  static let service = BluetoothUUID(0xFE01)
  /// From clients to the server, either way of writing.
  static let command = BluetoothUUID(0xFE02)
  /// From the server to clients.
  static let state = BluetoothUUID(0xFE03)

  static let definition = ServiceDefinition(
    uuid: service,
    characteristics: [
      .init(uuid: command, properties: [.write, .writeWithoutResponse]),
      .init(uuid: state, properties: [.read, .notify]),
    ])

  static let request = AdvertisementRequest(localName: "test", serviceUUIDs: [service])

  /// Publishes and advertises as soon as it runs.
  static func server(_ input: AppInput) -> [AppEffect] {
    input == .launched ? [.publish(definition), .advertise(request)] : []
  }

  /// Connects to the first server that it hears, and subscribes.
  static func client(_ input: AppInput) -> [AppEffect] {
    switch input {
    case .launched: [.scan(services: [service])]
    case .discovered(let advertisement): [.stopScanning, .connect(advertisement.address)]
    case .connected(let link, _): [.discover(link, service: service)]
    case .servicesDiscovered(let link, _, _): [.subscribe(link, characteristic: state, true)]
    default: []
    }
  }

  /// Asks for nothing by itself.
  static func quiet(_ input: AppInput) -> [AppEffect] { [] }

  /// A server and so many clients, each subscribed.
  static func connected(
    clients: Int = 1, phone: (inout PhonePreset, Int) -> Void = { _, _ in }
  ) -> PlatformBench? {
    let bench = PlatformBench(
      [Apps.server] + Array(repeating: Apps.client, count: clients), phone: phone)
    bench.launch(0)
    // One after the other: apps as simple as these do not try again when two answer the same advertisement.
    for client in 1...clients {
      bench.launch(client)
      guard bench.wait({ bench.inputs(client).contains { if case .subscribed = $0 { true } else { false } } }) else {
        return nil
      }
    }
    return bench
  }
}
