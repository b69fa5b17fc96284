import BluetoothWire
import SimKernel

@testable import BabSim

/// A platform without a radio: every value arrives after one millisecond, in order; advertising ends with a connection.
///
/// It holds the engines to the contract of `AppSeam`: one answer per submitted value, at once and in order.
final class EngineHarness {
  final class Device {
    let name: String
    let engine: any AppEngine
    let address: BluetoothAddress
    var service: ServiceDefinition?
    var advertisement: AdvertisementRequest?
    var isScanning = false
    var connectingTo: BluetoothAddress?
    var nextLink = 1
    var submissions = 0
    var timers: [(id: TimerID, at: SimInstant)] = []
    var reports: [AppReport] = []

    init(name: String, engine: any AppEngine, address: BluetoothAddress) {
      self.name = name
      self.engine = engine
      self.address = address
    }
  }

  /// A connection: both ends know it by their own number.
  final class Connection {
    let central: Int
    let peripheral: Int
    let centralLink: LinkID
    let peripheralLink: LinkID
    var isUp = true
    var attMTU = 23
    var subscriptions: [BluetoothUUID] = []
    init(central: Int, peripheral: Int, centralLink: LinkID, peripheralLink: LinkID) {
      self.central = central
      self.peripheral = peripheral
      self.centralLink = centralLink
      self.peripheralLink = peripheralLink
    }
  }

  struct Event {
    var at: SimInstant
    var sequence: Int
    var device: Int
    var input: AppInput
    var connection: Connection?
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

  enum Fault {
    case none
    /// Every k-th submitted value is refused, once.
    case refusesEvery(Int)
    /// Every k-th value is accepted and then lost: what a stack must never do.
    case losesEvery(Int)
  }

  private(set) var devices: [Device] = []
  private(set) var connections: [Connection] = []
  private(set) var now = SimInstant.zero
  /// Everything every engine was told and did, in order.
  private(set) var log: [LogEntry] = []
  var keepsLog = false
  var fault = Fault.none
  var hostATTMTU = 185
  /// What the players do when it is their turn; nil = nothing.
  var autoplay: ((_ device: Int, _ lineNumber: Int) -> UserAction?)?
  private var lineCount = 0
  /// Sorted by time, then by order of coming; delivered up to `head`.
  private var events: [Event] = []
  private var head = 0
  private var immediate: [Event] = []
  private var sequence = 0

  // MARK: Building

  @discardableResult
  func add(_ engine: any AppEngine, name: String, address: UInt64? = nil) -> Int {
    let address = BluetoothAddress(kind: .random, bits: address ?? UInt64(0xC000_0000_0000 + devices.count))
    devices.append(Device(name: name, engine: engine, address: address))
    tell(devices.count - 1, .launched)
    return devices.count - 1
  }

  func tell(_ device: Int, _ input: AppInput) {
    schedule(device, input, after: .zero)
    run(until: now)
  }

  func user(_ device: Int, _ action: UserAction) { tell(device, .user(action)) }

  /// Ends a connection as a supervision timeout does, for both ends at once.
  func drop(_ connection: Connection, reason: HCI.ErrorCode = .connectionTimeout) {
    guard connection.isUp else { return }
    connection.isUp = false
    schedule(connection.central, .disconnected(connection.centralLink, reason: reason), after: .zero)
    schedule(connection.peripheral, .disconnected(connection.peripheralLink, reason: reason), after: .zero)
    run(until: now)
  }

  func connection(central: Int) -> Connection? { connections.last { $0.central == central && $0.isUp } }

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

  private func schedule(_ device: Int, _ input: AppInput, after: SimDuration, _ connection: Connection? = nil) {
    sequence += 1
    let event = Event(at: now + after, sequence: sequence, device: device, input: input, connection: connection)
    var place = events.count
    while place > head, events[place - 1].at > event.at { place -= 1 }
    events.insert(event, at: place)
  }

  func run(for duration: SimDuration) { run(until: now + duration) }

  func run(until end: SimInstant) {
    while true {
      if !immediate.isEmpty {
        deliver(immediate.removeFirst())
        continue
      }
      let next = head < events.count ? events[head].at : nil
      let timer = nextTimer()
      if let next, next <= end, next <= timer?.at ?? .distantFuture {
        let event = events[head]
        head += 1
        if head > 256 {
          events.removeFirst(head)
          head = 0
        }
        now = event.at
        deliver(event)
      } else if let timer, timer.at <= end {
        now = timer.at
        devices[timer.device].timers.removeAll { $0.id == timer.id }
        deliver(Event(at: now, sequence: 0, device: timer.device, input: .timer(timer.id), connection: nil))
      } else {
        now = end
        return
      }
    }
  }

  private func nextTimer() -> (device: Int, id: TimerID, at: SimInstant)? {
    var best: (device: Int, id: TimerID, at: SimInstant)?
    for (index, device) in devices.enumerated() {
      for timer in device.timers where timer.at < best?.at ?? .distantFuture {
        best = (index, timer.id, timer.at)
      }
    }
    return best
  }

  private func deliver(_ event: Event) {
    if let connection = event.connection, !connection.isUp { return }
    if keepsLog { log.append(LogEntry(at: now, device: event.device, what: .told(event.input))) }
    for effect in devices[event.device].engine.handle(event.input, at: now) {
      if keepsLog { log.append(LogEntry(at: now, device: event.device, what: .did(effect))) }
      perform(effect, event.device)
    }
  }

  // MARK: Effects

  private func perform(_ effect: AppEffect, _ device: Int) {
    switch effect {
    case .publish(let service): devices[device].service = service
    case .advertise(let request):
      devices[device].advertisement = request
      schedule(device, .advertisingStarted(true), after: .milliseconds(1))
      meet()
    case .stopAdvertising: devices[device].advertisement = nil
    case .scan:
      devices[device].isScanning = true
      meet()
    case .stopScanning: devices[device].isScanning = false
    case .connect(let address):
      devices[device].connectingTo = address
      meet()
    case .cancelConnect: devices[device].connectingTo = nil
    case .disconnect(let link): disconnect(device, link)
    case .setTimer(let id, let at):
      devices[device].timers.removeAll { $0.id == id }
      devices[device].timers.append((id, at))
    case .cancelTimer(let id): devices[device].timers.removeAll { $0.id == id }
    case .report(let report): note(report, device)
    case .setValue, .read: break
    default: performOnLink(effect, device)
    }
  }

  private func performOnLink(_ effect: AppEffect, _ device: Int) {
    switch effect {
    case .exchangeMTU(let link, let wish):
      guard let connection = find(device, link) else { return }
      connection.attMTU = min(wish, hostATTMTU)
      schedule(connection.peripheral, .attMTU(connection.peripheralLink, connection.attMTU), after: ms, connection)
      schedule(device, .attMTU(link, connection.attMTU), after: ms * 2, connection)
    case .discover(let link, let uuid):
      guard let connection = find(device, link) else { return }
      let service = devices[connection.peripheral].service
      let found = service?.uuid == uuid ? service?.characteristics ?? [] : []
      schedule(device, .servicesDiscovered(link, service: uuid, characteristics: found), after: ms * 3, connection)
    case .subscribe(let link, let uuid, let isOn):
      guard let connection = find(device, link) else { return }
      connection.subscriptions.append(uuid)
      schedule(
        connection.peripheral, .subscribed(connection.peripheralLink, characteristic: uuid, isOn), after: ms,
        connection)
      schedule(device, .subscribed(link, characteristic: uuid, isOn), after: ms * 2, connection)
    case .write(let link, let uuid, let octets):
      guard let connection = find(device, link) else { return }
      carry(connection, from: device, uuid, octets)
      schedule(device, .writeCompleted(link, characteristic: uuid, error: nil), after: ms * 2, connection)
    case .writeWithoutResponse(let link, let uuid, let octets), .notify(let link, let uuid, let octets):
      submit(device, link, uuid, octets)
    default: break
    }
  }

  private var ms: SimDuration { .milliseconds(1) }

  private func submit(_ device: Int, _ link: LinkID, _ uuid: BluetoothUUID, _ octets: [UInt8]) {
    guard let connection = find(device, link) else { return }
    devices[device].submissions += 1
    var isAccepted = true
    var isLost = false
    switch fault {
    case .none: break
    case .refusesEvery(let k): isAccepted = devices[device].submissions % k != 0
    case .losesEvery(let k): isLost = devices[device].submissions % k == 0
    }
    immediate.append(
      Event(
        at: now, sequence: 0, device: device,
        input: .submitted(link, characteristic: uuid, accepted: isAccepted), connection: connection))
    if isAccepted, !isLost { carry(connection, from: device, uuid, octets) }
    if !isAccepted { schedule(device, .readyToSend(link), after: ms, connection) }
  }

  private func carry(_ connection: Connection, from device: Int, _ uuid: BluetoothUUID, _ octets: [UInt8]) {
    precondition(octets.count <= connection.attMTU - 3, "a value longer than the ATT_MTU allows")
    if device == connection.central {
      schedule(
        connection.peripheral,
        .valueReceived(connection.peripheralLink, characteristic: uuid, octets: octets), after: ms, connection)
    } else {
      precondition(connection.subscriptions.contains(uuid), "a notification that nobody subscribed to")
      schedule(
        connection.central, .valueReceived(connection.centralLink, characteristic: uuid, octets: octets),
        after: ms, connection)
    }
  }

  private func disconnect(_ device: Int, _ link: LinkID) {
    guard let connection = find(device, link) else { return }
    connection.isUp = false
    let isCentral = connection.central == device
    let other = isCentral ? connection.peripheral : connection.central
    let otherLink = isCentral ? connection.peripheralLink : connection.centralLink
    schedule(device, .disconnected(link, reason: .connectionTerminatedByLocalHost), after: ms)
    schedule(other, .disconnected(otherLink, reason: .remoteUserTerminatedConnection), after: ms)
  }

  private func find(_ device: Int, _ link: LinkID) -> Connection? {
    connections.first {
      $0.isUp
        && (($0.central == device && $0.centralLink == link) || ($0.peripheral == device && $0.peripheralLink == link))
    }
  }

  /// Scanners hear advertisers; one pending connection at a time finds its advertiser.
  private func meet() {
    for host in devices.indices {
      guard let request = devices[host].advertisement else { continue }
      let address = devices[host].address
      for index in devices.indices where devices[index].isScanning {
        let advertisement = Advertisement(
          address: address, localName: request.localName, serviceUUIDs: request.serviceUUIDs, rssi: -50)
        schedule(index, .discovered(advertisement), after: ms)
      }
      guard let central = devices.indices.first(where: { devices[$0].connectingTo == address }) else { continue }
      devices[central].connectingTo = nil
      devices[host].advertisement = nil
      let connection = Connection(
        central: central, peripheral: host, centralLink: LinkID(devices[central].nextLink),
        peripheralLink: LinkID(devices[host].nextLink))
      devices[central].nextLink += 1
      devices[host].nextLink += 1
      connections.append(connection)
      schedule(host, .connected(connection.peripheralLink, peer: devices[central].address), after: ms, connection)
      schedule(central, .connected(connection.centralLink, peer: address), after: ms, connection)
    }
  }

  private func note(_ report: AppReport, _ device: Int) {
    devices[device].reports.append(report)
    guard case .screen(let line) = report, line.text != nil else { return }
    lineCount += 1
    if let action = autoplay?(device, lineCount) { schedule(device, .user(action), after: .milliseconds(500)) }
  }
}
