import AppSeam
import SimKernel

@testable import VirtualNetwork

/// A network with apps that note what they are told; services are found without names on the air, if wanted.
final class NetworkHouse: NetworkSurroundings {
  struct Told: Equatable {
    var instant: SimInstant
    var input: NetworkInput
  }

  let timeline = Timeline()
  private(set) var network: NetworkWorld!
  let names: [String]
  /// What each device's app was told, except octets and answers to `send`.
  var log: [[Told]]
  /// Octets that arrived, by device and connection.
  var octets: [[Int: [UInt8]]]
  var counts: [[Int: Int]]
  var pieces: [[Int: [Int]]]
  var keepsOctets = true
  /// Services are introduced, and what names say of them is not noted.
  var ignoresNames = false
  /// Whether the last `send` of each device was taken.
  var isTaken: [Bool]
  /// Pairs that do not hear each other, smaller number first; the access point is -1.
  var deaf: Set<[Int]> = []
  var events: [(instant: SimInstant, device: Int, event: NetworkEvent)] = []
  var spans: [(device: Int, centre: Int, start: SimInstant, end: SimInstant)] = []
  /// Called for each input as it is taken.
  var onInput: (Int, NetworkInput) -> Void = { _, _ in }

  init(
    _ names: [String] = ["ada", "bob"], _ room: NetworkRoom = .ideal, seed: UInt64 = 1, wantsPackets: Bool = false,
    _ change: (inout NetworkStation) -> Void = { _ in }
  ) {
    self.names = names
    log = names.map { _ in [] }
    octets = names.map { _ in [:] }
    counts = names.map { _ in [:] }
    pieces = names.map { _ in [:] }
    isTaken = names.map { _ in true }
    let stations = names.map { name in
      var station = NetworkStation(name: name)
      change(&station)
      return station
    }
    network = NetworkWorld(
      timeline: timeline, room: room, stations: stations, seed: seed, surroundings: self, wantsPackets: wantsPackets)
  }

  func reaches(_ a: Int, _ b: Int) -> Bool { !deaf.contains([min(a, b), max(a, b)]) }
  func observe(_ event: NetworkEvent, device: Int) { events.append((timeline.now, device, event)) }
  func occupies(_ device: Int, centreMHz: Int, from start: SimInstant, to end: SimInstant) {
    spans.append((device, centreMHz, start, end))
  }

  // MARK: Running

  func settle() {
    while let device = network.nextWaiting() {
      while let input = network.popInput(device) { take(input, device) }
    }
  }

  private func take(_ input: NetworkInput, _ device: Int) {
    switch input {
    case .received(let id, let octets):
      counts[device][id.rawValue, default: 0] += octets.count
      if keepsOctets {
        self.octets[device][id.rawValue, default: []] += octets
        pieces[device][id.rawValue, default: []].append(octets.count)
      }
    case .submitted(_, let accepted): isTaken[device] = accepted
    case .listenerReady, .found, .changed, .recordChanged, .lost:
      if !ignoresNames { log[device].append(Told(instant: timeline.now, input: input)) }
    default: log[device].append(Told(instant: timeline.now, input: input))
    }
    onInput(device, input)
  }

  @discardableResult
  func run(to limit: SimInstant, until condition: () -> Bool = { false }) -> Bool {
    settle()
    while !condition() {
      guard let event = timeline.advance(limit: limit) else {
        if timeline.now < limit, limit < .distantFuture { timeline.skip(to: limit) }
        return condition()
      }
      network.handle(event)
      settle()
    }
    return true
  }

  func run(for duration: SimDuration) { run(to: timeline.now + duration) }

  func perform(_ effect: NetworkEffect, _ device: Int) {
    network.perform(effect, device: device)
    settle()
  }

  func apply(_ fault: NetworkFault, _ device: Int) {
    network.apply(fault, device: device)
    settle()
  }

  // MARK: Short ways

  /// A service of a device, known to another one as if names had been there.
  @discardableResult
  func introduce(
    _ device: Int, to guests: [Int], type: String = "_a._tcp", over interfaces: [NetworkInterface] = [.infrastructure],
    keepAlive: KeepAliveRequest? = nil
  ) -> Int {
    ignoresNames = true
    let host = network.devices[device]
    if !host.listeners.contains(where: { $0.request.type == type }) {
      let peerToPeer = interfaces.contains(.peerToPeer)
      perform(
        .listen(ListenRequest(type: type, name: "s", peerToPeer: peerToPeer, keepAlive: keepAlive)), device)
    }
    let port = host.listeners.first { $0.request.type == type }!.port
    for guest in guests {
      for interface in interfaces {
        network.found(
          type, "s of \(names[device])", hostName: names[device] + ".local", port: port, [], network.devices[guest],
          interface)
      }
    }
    settle()
    return Int(port)
  }

  /// The number under which a device knows a service that was found last.
  func lastEndpoint(_ device: Int) -> EndpointID { EndpointID(network.devices[device].endpoints.count - 1) }

  func connect(
    _ guest: Int, _ id: Int = 0, interfaces: [NetworkInterface] = [.infrastructure], timeout: SimDuration? = nil,
    keepAlive: KeepAliveRequest? = nil
  ) {
    perform(
      .connect(
        ConnectionID(id),
        ConnectRequest(
          endpoint: lastEndpoint(guest), interfaces: interfaces, timeout: timeout, keepAlive: keepAlive)), guest)
  }

  func send(_ octets: [UInt8], _ id: Int, _ device: Int) {
    perform(.send(ConnectionID(id), octets: octets), device)
  }

  /// When an input was told; nil: it was not.
  func instant(_ device: Int, _ input: NetworkInput) -> SimInstant? { log[device].first { $0.input == input }?.instant }
  func told(_ device: Int, _ input: NetworkInput) -> Bool { instant(device, input) != nil }
  func inputs(_ device: Int) -> [NetworkInput] { log[device].map(\.input) }
}
