import AppSeam
import BeamScribe
import SimKernel

/// A host and its guests on a network that is just enough for them: what is sent arrives in order, after a delay and in
/// drawn pieces; buffers are small; streams can be cut, and devices be away.
final class BeamNet {
  /// One connection, as long as either end knows of it.
  final class Wire {
    let guest: Int
    let guestID: ConnectionID
    let hostID: ConnectionID
    let interface: NetworkInterface
    let start: SimInstant
    /// Octets that the other end has not been given, towards the guest.
    var buffered = 0
    var unread: [[UInt8]] = []
    var isReading = true
    var owesRoom = false
    var isOpenAtHost = true
    var isOpenAtGuest = true
    var lastArrival = SimInstant.zero

    init(guest: Int, guestID: ConnectionID, hostID: ConnectionID, interface: NetworkInterface, start: SimInstant) {
      self.guest = guest
      self.guestID = guestID
      self.hostID = hostID
      self.interface = interface
      self.start = start
    }
  }

  private(set) var now = SimInstant.zero
  private(set) var host: DeviceBed
  private(set) var guests: [DeviceBed] = []
  private(set) var wires: [Wire] = []
  /// All octets that hosts ever handed over, by their stream; a relaunched host goes on with other numbers.
  private(set) var sent: [(wire: Wire, octets: [UInt8], at: SimInstant)] = []
  var interfaces: [NetworkInterface]
  var isAway: [Bool]
  private var isBrowsing: [Bool]
  private var hasFound: [Bool]
  private var registered: String?
  private var endpoint = 0
  /// What a browser was told last.
  private var endpoints: [Int]
  private var nextIncoming = 1
  private var queue: [(at: SimInstant, order: Int, action: () -> Void)] = []
  private var order = 0
  private var stream: RandomStream
  private let buffer: Int
  private let dialect: DialectName

  init(guests count: Int, seed: UInt64, dialect: DialectName = .beamNetwork, buffer: Int = 600) {
    stream = RandomStream(seed: seed, component: "test", purpose: "net")
    self.buffer = buffer
    self.dialect = dialect
    interfaces = Array(repeating: .infrastructure, count: count)
    isAway = Array(repeating: false, count: count)
    isBrowsing = isAway
    hasFound = isAway
    endpoints = Array(repeating: 0, count: count)
    host = Self.bed(.beamHost, dialect)
    for index in 0..<count {
      let guest = Self.bed(.beamGuest, dialect)
      guests.append(guest)
      guest.performs = { [unowned self] effect in performs(effect, guest: index) }
    }
    launchHost()
  }

  private func launchHost() {
    host.performs = { [unowned self] effect in hostPerforms(effect) }
    host.feed(.launched)
  }

  private static func bed(
    _ role: AppRole, _ dialect: DialectName, kept: [UInt8] = [], start: SimInstant = .zero
  ) -> DeviceBed {
    DeviceBed(role, dialect: dialect, kept: kept, start: start) { configuration in
      configuration.pageOctets = 300
      configuration.sendOctets = 200
    }
  }

  // MARK: Time

  private func after(_ delay: SimDuration, _ action: @escaping () -> Void) {
    queue.append((now + delay, order, action))
    order += 1
  }

  private func milliseconds(_ range: ClosedRange<Int64>) -> SimDuration { .milliseconds(stream.within(range)) }

  func run(for duration: SimDuration) {
    let end = now + duration
    while let next = ([queue.map(\.at).min()] + (guests + [host]).map(\.due)).compactMap({ $0 }).min(), next <= end {
      now = next
      for bed in guests + [host] { bed.run(to: now) }
      let due = queue.indices.filter { queue[$0].at <= now }.min { queue[$0].order < queue[$1].order }
      if let due { queue.remove(at: due).action() }
    }
    now = end
    for bed in guests + [host] { bed.run(to: now) }
  }

  // MARK: Guests

  private func performs(_ effect: AppEffect, guest: Int) -> Bool {
    guard case .network(let effect) = effect else { return false }
    switch effect {
    case .browse:
      isBrowsing[guest] = true
      tellFound(guest)
    case .stopBrowsing:
      isBrowsing[guest] = false
      hasFound[guest] = false
    case .connect(let id, let request): connect(id, request, guest)
    case .send(let id, let octets):
      guests[guest].feed(.submitted(id, accepted: true))
      if let wire = wire(id, guest) {
        after(milliseconds(1...20)) { [self] in
          if wire.isOpenAtHost { host.feed(.received(wire.hostID, octets: octets)) }
        }
      }
    case .cancel(let id):
      guests[guest].feed(.cancelled(id))
      if let wire = wire(id, guest) {
        let isReset = wire.buffered > 0
        wire.isOpenAtGuest = false
        after(milliseconds(1...20)) { [self] in endAtHost(wire, isReset) }
      }
    case .read(let id, let isReading):
      guard let wire = wire(id, guest) else { break }
      wire.isReading = isReading
      let pieces = wire.unread
      wire.unread = []
      if isReading { for piece in pieces { after(.zero) { [self] in arrive(piece, wire) } } }
    default: break
    }
    return true
  }

  private func wire(_ id: ConnectionID, _ guest: Int) -> Wire? {
    wires.first { $0.guest == guest && $0.guestID == id && $0.isOpenAtGuest }
  }

  private func connect(_ id: ConnectionID, _ request: ConnectRequest, _ guest: Int) {
    let interface = request.interfaces.count == 1 ? request.interfaces[0] : interfaces[guest]
    let bed = guests[guest]
    after(milliseconds(1...40)) { [self] in
      if isAway[guest] { return }
      guard registered != nil else {
        bed.feed(.failed(id, .refused))
        return
      }
      let hostID = ConnectionID(nextIncoming)
      nextIncoming += 2
      let wire = Wire(guest: guest, guestID: id, hostID: hostID, interface: interface, start: now)
      wires.append(wire)
      host.feed(.incoming(hostID, interface, peer: "guest-\(guest)"))
      bed.feed(.ready(id, interface))
    }
  }

  private func tellFound(_ guest: Int) {
    guard let name = registered, isBrowsing[guest], !hasFound[guest], !isAway[guest] else { return }
    hasFound[guest] = true
    endpoint += 1
    endpoints[guest] = endpoint
    let type = BeamConfiguration(dialect: dialect, peerID: "", displayName: "").serviceType
    let found = NetworkInput.found(EndpointID(endpoint), type: type, name: name, interfaces: [interfaces[guest]])
    after(milliseconds(1...200)) { [self] in
      if isBrowsing[guest], hasFound[guest] { guests[guest].feed(found) }
    }
  }

  // MARK: Host

  private func hostPerforms(_ effect: AppEffect) -> Bool {
    guard case .network(let effect) = effect else { return false }
    switch effect {
    case .listen(let request):
      let bed = host
      after(milliseconds(700...900)) { [self] in
        if bed !== host { return }
        registered = request.name
        host.feed(.listenerReady(type: request.type, name: request.name, port: 1))
        for guest in guests.indices { tellFound(guest) }
      }
    case .stopListening: unregister()
    case .send(let id, let octets): send(id, octets)
    case .finish(let id): if let wire = wire(id) { deliver(wire) { [self] in endAtGuest(wire, isReset: false) } }
    case .cancel(let id):
      host.feed(.cancelled(id))
      guard let wire = wire(id) else { break }
      wire.isOpenAtHost = false
      after(milliseconds(1...20)) { [self] in endAtGuest(wire, isReset: true) }
    default: break
    }
    return true
  }

  private func wire(_ id: ConnectionID) -> Wire? { wires.first { $0.hostID == id && $0.isOpenAtHost } }

  private func unregister() {
    registered = nil
    for guest in guests.indices where hasFound[guest] {
      hasFound[guest] = false
      let lost = NetworkInput.lost(EndpointID(endpoints[guest]))
      after(milliseconds(1...50)) { [self] in if !isAway[guest] { guests[guest].feed(lost) } }
    }
  }

  private func send(_ id: ConnectionID, _ octets: [UInt8]) {
    guard let wire = wire(id) else { return }
    guard wire.buffered == 0 || wire.buffered + octets.count <= buffer else {
      wire.owesRoom = true
      host.feed(.submitted(id, accepted: false))
      return
    }
    wire.buffered += octets.count
    sent.append((wire, octets, now))
    host.feed(.submitted(id, accepted: true))
    var rest = octets[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int(stream.within(1...64)))
      rest = rest.dropFirst(piece.count)
      deliver(wire) { [self] in arrive(Array(piece), wire) }
    }
  }

  /// In the order of sending.
  private func deliver(_ wire: Wire, _ action: @escaping () -> Void) {
    wire.lastArrival = max(wire.lastArrival, now + milliseconds(1...30))
    after(wire.lastArrival - now, action)
  }

  private func arrive(_ piece: [UInt8], _ wire: Wire) {
    guard wire.isOpenAtGuest else { return }
    guard wire.isReading, !isAway[wire.guest] else { return wire.unread.append(piece) }
    wire.buffered -= piece.count
    guests[wire.guest].feed(.received(wire.guestID, octets: piece))
    if wire.owesRoom, wire.isOpenAtHost, wire.buffered <= buffer / 2 {
      wire.owesRoom = false
      host.feed(.room(wire.hostID))
    }
  }

  private func endAtGuest(_ wire: Wire, isReset: Bool) {
    guard wire.isOpenAtGuest, !isAway[wire.guest] else { return }
    guard isReset || wire.unread.isEmpty else {
      after(.milliseconds(100)) { [self] in endAtGuest(wire, isReset: isReset) }
      return
    }
    if isReset { wire.isOpenAtGuest = false }
    guests[wire.guest].feed(isReset ? .failed(wire.guestID, .reset) : .ended(wire.guestID))
  }

  private func endAtHost(_ wire: Wire, _ isReset: Bool) {
    guard wire.isOpenAtHost else { return }
    if isReset { wire.isOpenAtHost = false }
    host.feed(isReset ? .failed(wire.hostID, .reset) : .ended(wire.hostID))
  }

  // MARK: Faults

  /// All streams of a guest fail at both ends.
  func cut(_ guest: Int) {
    for wire in wires where wire.guest == guest {
      if wire.isOpenAtHost {
        wire.isOpenAtHost = false
        host.feed(.failed(wire.hostID, .timedOut))
      }
      if wire.isOpenAtGuest {
        wire.isOpenAtGuest = false
        guests[guest].feed(.failed(wire.guestID, .timedOut))
      }
    }
  }

  /// Nothing comes from or to a guest until it is back.
  func setAway(_ guest: Int, _ isAway: Bool) {
    self.isAway[guest] = isAway
    for wire in wires where wire.guest == guest {
      if wire.isOpenAtHost { host.feed(.viable(wire.hostID, !isAway)) }
      if wire.isOpenAtGuest { guests[guest].feed(.viable(wire.guestID, !isAway)) }
    }
    if isAway { return }
    tellFound(guest)
    for wire in wires where wire.guest == guest && wire.isOpenAtGuest {
      let pieces = wire.unread
      wire.unread = []
      for piece in pieces { after(.zero) { [self] in arrive(piece, wire) } }
      if !wire.isOpenAtHost { after(.zero) { [self] in endAtGuest(wire, isReset: true) } }
    }
  }

  func offerBetterPath(_ guest: Int) {
    for wire in wires where wire.guest == guest && wire.isOpenAtGuest && wire.interface == .peerToPeer {
      guests[guest].feed(.betterPath(wire.guestID, true))
    }
  }

  /// The host's app ends without a word and is launched again with what it kept.
  func relaunchHost() {
    let kept = host.kept
    unregister()
    for wire in wires where wire.isOpenAtHost {
      wire.isOpenAtHost = false
      after(milliseconds(1...20)) { [self] in endAtGuest(wire, isReset: true) }
    }
    host = Self.bed(.beamHost, dialect, kept: kept, start: now)
    launchHost()
  }
}
