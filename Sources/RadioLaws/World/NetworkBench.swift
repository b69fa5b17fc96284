import AppSeam
import SimKernel
import VirtualNetwork

/// A network of devices whose apps do what a law wants and note what they are told.
final class NetworkBench: NetworkSurroundings {
  let timeline = Timeline()
  private(set) var network: NetworkWorld!
  /// What each device's app was told, except octets and answers to `send`.
  private(set) var told: [[(at: SimInstant, input: NetworkInput)]]
  /// What arrived at each device: when, and how many octets.
  private(set) var arrivals: [[(at: SimInstant, octets: Int)]]
  private(set) var neighbours: [(at: SimInstant, device: Int)] = []
  /// Called for each input that says that there is room again.
  var onRoom: (Int, ConnectionID) -> Void = { _, _ in }
  private var isTaken = true

  init(_ stations: [NetworkStation], room: NetworkRoom, seed: UInt64) {
    told = stations.map { _ in [] }
    arrivals = stations.map { _ in [] }
    network = NetworkWorld(
      timeline: timeline, room: room, stations: stations, seed: seed, surroundings: self, wantsPackets: false)
  }

  func reaches(_ a: Int, _ b: Int) -> Bool { true }
  func occupies(_ device: Int, centreMHz: Int, from start: SimInstant, to end: SimInstant) {}

  func observe(_ event: NetworkEvent, device: Int) {
    if case .neighbour(_, isThere: true) = event { neighbours.append((timeline.now, device)) }
  }

  // MARK: Running

  private func settle() {
    while let device = network.nextWaiting() {
      while let input = network.popInput(device) { take(input, device) }
    }
  }

  private func take(_ input: NetworkInput, _ device: Int) {
    switch input {
    case .received(_, let octets): arrivals[device].append((timeline.now, octets.count))
    case .submitted(_, let accepted): isTaken = accepted
    case .room(let id): onRoom(device, id)
    default: told[device].append((timeline.now, input))
    }
  }

  @discardableResult
  func run(to limit: SimInstant, until condition: () -> Bool = { false }) -> Bool {
    settle()
    while !condition() {
      guard let event = timeline.advance(limit: limit) else {
        if timeline.now < limit { timeline.skip(to: limit) }
        return condition()
      }
      network.handle(event)
      settle()
    }
    return true
  }

  func run(for span: SimDuration) { run(to: timeline.now + span) }

  func perform(_ effect: NetworkEffect, _ device: Int) {
    network.perform(effect, device: device)
    settle()
  }

  /// Whether all octets were taken.
  func send(_ octets: [UInt8], _ id: ConnectionID, _ device: Int) -> Bool {
    perform(.send(id, octets: octets), device)
    return isTaken
  }

  func apply(_ fault: NetworkFault, _ device: Int) {
    network.apply(fault, device: device)
    settle()
  }

  // MARK: What laws begin with

  func listen(_ device: Int, type: String = "_law._tcp", peerToPeer: Bool = false) {
    perform(.listen(ListenRequest(type: type, name: "Law", peerToPeer: peerToPeer)), device)
  }

  /// What a device found last.
  func found(_ device: Int) -> EndpointID? {
    for entry in told[device].reversed() { if case .found(let endpoint, _, _, _, _) = entry.input { return endpoint } }
    return nil
  }

  func instant(_ device: Int, _ fits: (NetworkInput) -> Bool) -> SimInstant? {
    told[device].first { fits($0.input) }?.at
  }

  /// A device finds a service of another one by its name, and asks for a connection to it.
  func connect(
    _ guest: Int, to host: Int, type: String = "_law._tcp", over interface: NetworkInterface, id: ConnectionID
  ) throws {
    let peerToPeer = interface == .peerToPeer
    listen(host, type: type, peerToPeer: peerToPeer)
    perform(.browse(type: type, peerToPeer: peerToPeer), guest)
    guard run(to: timeline.now + .seconds(30), until: { found(guest) != nil }), let endpoint = found(guest) else {
      throw Unmeasurable("nothing was found")
    }
    perform(.stopBrowsing(type: type), guest)
    perform(.connect(id, ConnectRequest(endpoint: endpoint, interfaces: [interface])), guest)
  }

  /// The same, until it is ready.
  func link(
    _ guest: Int, to host: Int, type: String = "_law._tcp", over interface: NetworkInterface, id: ConnectionID
  ) throws {
    try connect(guest, to: host, type: type, over: interface, id: id)
    let isReady = run(to: timeline.now + .seconds(30)) { instant(guest) { $0 == .ready(id, interface) } != nil }
    if !isReady { throw Unmeasurable("no connection came about") }
  }

  /// Forgets what has arrived.
  func forgetArrivals() { for device in arrivals.indices { arrivals[device] = [] } }

  /// Keeps queues of datagrams full for a time.
  func saturate(_ senders: [Int], _ id: ConnectionID, _ octets: [UInt8], for span: SimDuration) {
    let end = timeline.now + span
    while timeline.now < end {
      for sender in senders { while send(octets, id, sender) {} }
      run(to: min(timeline.now + .milliseconds(20), end))
    }
  }
}
