import BabSim
import BabSuite
import BluetoothWire
import Conformance
import SimKernel

/// Engines joined by perfect pipes: no radio, no loss, finite transmit queues. For tests of oracles and mutants.
///
/// What it keeps of a platform: the order of answers, ATT_MTU, full queues and ready again, the end of advertising with
/// a connection, supervision timeouts, and faults that are in the trace before their consequences.
final class PipeWorld {
  struct Peer {
    var name: String
    var role: AppRole
    var engine = AppProtocol.reference
  }

  private final class Node {
    let index: Int
    let address: BluetoothAddress
    let configuration: BabConfiguration
    let role: AppRole
    let engineName: String
    var engine: any AppEngine
    var links: [Connection] = []
    var nextLink = 0
    var advertisement: AdvertisementRequest?
    var filter: [BluetoothUUID]?
    var timers: [(id: TimerID, instant: SimInstant, serial: Int)] = []
    var isVanished = false
    var isDead = false

    init(_ index: Int, _ peer: Peer, _ configuration: BabConfiguration) throws {
      self.index = index
      self.configuration = configuration
      role = peer.role
      engineName = peer.engine
      address = BluetoothAddress(kind: .random, bits: 0xC000_0000_0100 + UInt64(index))
      engine = try AppProtocol.bab.makeEngine(name: peer.engine, role: peer.role, configuration: configuration)
    }
  }

  private final class Connection {
    let ends: [(node: Node, link: LinkID)]
    var isUp = true
    /// By end: values in the queue, and whether room was asked for.
    var queued = [0, 0]
    var wantsRoom = [false, false]
    var lastArrival = [SimInstant.zero, SimInstant.zero]
    init(_ ends: [(node: Node, link: LinkID)]) { self.ends = ends }
  }

  private struct Event {
    var instant: SimInstant
    var sequence: Int
    var body: () -> Void
  }

  let header: TraceHeader
  var attMTU = 131
  var queueDepth = 2
  var eventLimit = 400_000
  private let readers: [any TraceReader]
  private var nodes: [Node] = []
  private var agenda: [Event] = []
  private var scheduled = 0
  private var records = 0
  private(set) var now = SimInstant.zero

  init(
    _ peers: [Peer], dialect: Dialect, readers: [any TraceReader], seed: UInt64 = 1,
    configure: (inout BabConfiguration) -> Void = { _ in }
  ) throws {
    self.readers = readers
    var devices: [TraceHeader.Device] = []
    for (index, peer) in peers.enumerated() {
      var configuration = BabConfiguration(dialect: dialect, peerID: "peer-\(peer.name)", displayName: peer.name)
      configuration.seed = seed
      configure(&configuration)
      let node = try Node(index, peer, configuration)
      nodes.append(node)
      devices.append(
        TraceHeader.Device(
          name: peer.name, role: peer.role, phone: "pipe", dialect: dialect.name, engine: peer.engine,
          address: node.address))
    }
    header = TraceHeader(scenario: "pipe", seed: seed, devices: devices, options: [])
    for node in nodes { at(.zero) { self.deliver(.launched, node) } }
  }

  // MARK: What a test asks for

  func user(_ action: UserAction, _ device: Int, at milliseconds: Int64) {
    at(.zero + .milliseconds(milliseconds)) { self.deliver(.user(action), self.nodes[device]) }
  }

  /// Gone from the air; both ends notice after four seconds.
  func vanish(_ device: Int, at milliseconds: Int64, for duration: Int64? = nil) {
    at(.zero + .milliseconds(milliseconds)) {
      let node = self.nodes[device]
      self.record(.fault(.vanish), node)
      node.isVanished = true
      for link in node.links where link.isUp { self.later(4_000) { self.close(link, 0x08, 0x08) } }
    }
    guard let duration else { return }
    at(.zero + .milliseconds(milliseconds + duration)) {
      self.record(.fault(.appear), self.nodes[device])
      self.nodes[device].isVanished = false
      self.spreadAdvertising()
    }
  }

  func kill(_ device: Int, at milliseconds: Int64) {
    at(.zero + .milliseconds(milliseconds)) {
      let node = self.nodes[device]
      self.record(.fault(.kill), node)
      node.isDead = true
      node.advertisement = nil
      for link in node.links where link.isUp { self.close(link, 0x13, 0x13) }
    }
  }

  func run(until milliseconds: Int64) {
    for reader in readers { reader.begin(header) }
    let end = SimInstant.zero + .milliseconds(milliseconds)
    var handled = 0
    var ending = RunOutcome.Ending.finished
    while let event = next(before: end) {
      now = event.instant
      event.body()
      handled += 1
      if handled == eventLimit {
        ending = .eventLimit
        break
      }
    }
    let summaries = header.devices.map {
      RunOutcome.DeviceSummary(
        name: $0.name, role: $0.role, phone: $0.phone, links: 0, attMTU: attMTU, valuesSent: 0, valuesReceived: 0,
        phase: "", linkState: "")
    }
    let outcome = RunOutcome(
      ending: ending, endInstant: ending == .finished ? end : now, digest: TraceDigest(),
      statistics: RunOutcome.Statistics(), devices: summaries)
    for reader in readers { reader.end(outcome) }
  }

  // MARK: Time

  private func at(_ instant: SimInstant, _ body: @escaping () -> Void) {
    let event = Event(instant: instant, sequence: scheduled, body: body)
    scheduled += 1
    var low = 0
    var high = agenda.count
    while low < high {
      let middle = (low + high) / 2
      if agenda[middle].instant > instant { low = middle + 1 } else { high = middle }
    }
    // Latest first, so that the next event is the last element; equal instants keep their order.
    agenda.insert(event, at: low)
  }

  private func next(before end: SimInstant) -> Event? {
    guard let event = agenda.last, event.instant <= end else { return nil }
    return agenda.removeLast()
  }

  private func later(_ milliseconds: Int64, _ body: @escaping () -> Void) {
    at(now + .milliseconds(milliseconds), body)
  }

  private func record(_ event: TraceEvent, _ node: Node) {
    let record = TraceRecord(sequence: records, instant: now, device: node.index, event: event)
    records += 1
    for reader in readers { reader.read(record) }
  }

  private func deliver(_ input: AppInput, _ node: Node) {
    guard !node.isDead else { return }
    record(.input(input), node)
    for effect in node.engine.handle(input, at: now) {
      if case .report(let report) = effect {
        record(.report(report), node)
      } else {
        record(.effect(effect), node)
        perform(effect, node)
      }
    }
  }

  // MARK: The platform

  private func perform(_ effect: AppEffect, _ node: Node) {
    switch effect {
    case .advertise(let request):
      node.advertisement = request
      later(1) { self.deliver(.advertisingStarted(true), node) }
      spreadAdvertising()
    case .stopAdvertising: node.advertisement = nil
    case .scan(let services):
      node.filter = services
      spreadAdvertising()
    case .stopScanning: node.filter = nil
    case .connect(let address): connect(node, address)
    case .setTimer(let id, let instant): setTimer(id, instant, node)
    case .cancelTimer(let id): node.timers.removeAll { $0.id == id }
    case .report, .publish, .setValue, .cancelConnect, .read: break
    default: performOnLink(effect, node)
    }
  }

  private func setTimer(_ id: TimerID, _ instant: SimInstant, _ node: Node) {
    node.timers.removeAll { $0.id == id }
    let serial = scheduled
    node.timers.append((id, instant, serial))
    at(max(now, instant)) {
      guard let index = node.timers.firstIndex(where: { $0.id == id && $0.serial == serial }) else { return }
      node.timers.remove(at: index)
      self.deliver(.timer(id), node)
    }
  }

  private func spreadAdvertising() {
    for scanner in nodes where scanner.filter != nil {
      for node in nodes where node.advertisement != nil && node !== scanner {
        later(5) {
          guard let filter = scanner.filter, let request = node.advertisement else { return }
          guard filter.isEmpty || !filter.allSatisfy({ !request.serviceUUIDs.contains($0) }) else { return }
          guard !node.isVanished, !scanner.isVanished else { return }
          let advertisement = Advertisement(
            address: node.address, localName: request.localName, serviceUUIDs: request.serviceUUIDs, rssi: -50)
          self.deliver(.discovered(advertisement), scanner)
        }
      }
    }
  }

  private func connect(_ central: Node, _ address: BluetoothAddress) {
    later(10) {
      guard let host = self.nodes.first(where: { $0.address == address }), host.advertisement != nil,
        !host.isVanished, !central.isVanished
      else {
        self.later(200) {
          self.deliver(.connectFailed(address, reason: .connectionFailedToBeEstablished), central)
        }
        return
      }
      host.advertisement = nil
      let ends = [central, host].map { node in
        node.nextLink += 1
        return (node: node, link: LinkID(node.nextLink))
      }
      let connection = Connection(ends)
      for (index, end) in ends.enumerated() {
        end.node.links.append(connection)
        self.deliver(.connected(end.link, peer: ends[1 - index].node.address), end.node)
      }
    }
  }

  private func performOnLink(_ effect: AppEffect, _ node: Node) {
    switch effect {
    case .disconnect(let link):
      with(link, node) { connection, own in
        self.later(1) { own == 0 ? self.close(connection, 0x16, 0x13) : self.close(connection, 0x13, 0x16) }
      }
    case .exchangeMTU(let link, let wish):
      with(link, node) { connection, _ in
        let attMTU = min(wish, self.attMTU)
        self.later(5) {
          for end in connection.ends where connection.isUp { self.deliver(.attMTU(end.link, attMTU), end.node) }
        }
      }
    case .discover(let link, let service):
      with(link, node) { connection, _ in
        let definition = node.configuration.dialect.serviceDefinition
        self.later(5) {
          guard connection.isUp else { return }
          self.deliver(
            .servicesDiscovered(link, service: service, characteristics: definition.characteristics), node)
        }
      }
    case .subscribe(let link, let characteristic, let isOn):
      with(link, node) { connection, own in
        self.later(5) {
          for end in [1 - own, own] where connection.isUp {
            let (node, link) = connection.ends[end]
            self.deliver(.subscribed(link, characteristic: characteristic, isOn), node)
          }
        }
      }
    default: transmit(effect, node)
    }
  }

  private func transmit(_ effect: AppEffect, _ node: Node) {
    switch effect {
    case .notify(let link, let characteristic, let octets),
      .writeWithoutResponse(let link, let characteristic, let octets):
      guard let (connection, own) = find(link, node), connection.queued[own] < queueDepth else {
        at(now) { self.deliver(.submitted(link, characteristic: characteristic, accepted: false), node) }
        find(link, node).map { $0.0.wantsRoom[$0.1] = true }
        return
      }
      connection.queued[own] += 1
      at(now) { self.deliver(.submitted(link, characteristic: characteristic, accepted: true), node) }
      carry(octets, characteristic, connection, own) {
        connection.queued[own] -= 1
        guard connection.wantsRoom[own] else { return }
        connection.wantsRoom[own] = false
        self.deliver(.readyToSend(link), node)
      }
    case .write(let link, let characteristic, let octets):
      with(link, node) { connection, own in
        self.carry(octets, characteristic, connection, own) {
          self.deliver(.writeCompleted(link, characteristic: characteristic, error: nil), node)
        }
      }
    default: break
    }
  }

  /// Two milliseconds per value and direction, one after the other.
  private func carry(
    _ octets: [UInt8], _ characteristic: BluetoothUUID, _ connection: Connection, _ own: Int,
    then: @escaping () -> Void
  ) {
    let arrival = max(now, connection.lastArrival[own]) + .milliseconds(2)
    connection.lastArrival[own] = arrival
    at(arrival) {
      guard connection.isUp, !connection.ends.contains(where: \.node.isVanished) else { return }
      let (peer, link) = connection.ends[1 - own]
      self.deliver(.valueReceived(link, characteristic: characteristic, octets: octets), peer)
      if connection.isUp { then() }
    }
  }

  private func find(_ link: LinkID, _ node: Node) -> (Connection, Int)? {
    for connection in node.links where connection.isUp {
      if let own = connection.ends.firstIndex(where: { $0.node === node && $0.link == link }) {
        return (connection, own)
      }
    }
    return nil
  }

  private func with(_ link: LinkID, _ node: Node, _ body: (Connection, Int) -> Void) {
    if let (connection, own) = find(link, node) { body(connection, own) }
  }

  private func close(_ connection: Connection, _ first: UInt8, _ second: UInt8) {
    guard connection.isUp else { return }
    connection.isUp = false
    for (end, reason) in zip(connection.ends, [first, second]) {
      end.node.links.removeAll { $0 === connection }
      deliver(.disconnected(end.link, reason: HCI.ErrorCode(reason)), end.node)
    }
  }
}
