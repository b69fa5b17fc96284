import AppSeam
import BluetoothWire
import SimKernel

/// One end of the links of a device that speaks a protocol file: it publishes and advertises what its role does, or
/// looks for somebody who does, asks for an ATT_MTU, discovers and subscribes. What it says is up to whoever has it.
struct FilePeer {
  /// How far it goes by itself.
  enum Stage: Int, Comparable {
    case idle, sought, linked, joined
    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  struct Link {
    var id: LinkID
    var isUp = true
    /// This end has asked for it, and is the client.
    var isCentral: Bool
    var stage = Stage.linked
    var attMTU = 23
    /// Questions that are still to be asked on the way, in order.
    var ahead: [AppEffect] = []
    var outbox: [AppEffect] = []
    var isWaiting = false
    var subscriptions: [BluetoothUUID] = []
    fileprivate var cutters: [BluetoothUUID: FileCutter] = [:]
    fileprivate var assemblers: [BluetoothUUID: FileAssembler] = [:]
  }

  /// A packet that has come, or octets that are none.
  struct Heard {
    var link: LinkID
    var packet: FilePacket?
    var refusal: String?
  }

  static let wishedATTMTU = 247

  let form: ProtocolForm
  let role: AppRole
  private let codec: PacketCodec
  private(set) var links: [Link] = []
  private var isSeeking = false
  /// Whether it looks again when a link ends on which it had joined.
  var comesBack = true
  /// Attempts to connect that have not ended.
  private var hasAsked = false

  init(_ form: ProtocolForm, _ role: AppRole) {
    self.form = form
    self.role = role
    codec = PacketCodec(form: form)
  }

  var serves: Bool { form.serves(role) }
  var link: Link? { links.last { $0.isUp } }
  /// Whether the newest link's client has subscribed to all that can be subscribed to here.
  var isWhollySubscribed: Bool {
    own.flatMap(\.characteristics).allSatisfy { characteristic in
      characteristic.properties.isDisjoint(with: [.notify, .indicate])
        || link?.subscriptions.contains(characteristic.uuid) ?? false
    }
  }
  var stage: Stage { link?.stage ?? (isSeeking ? .sought : .idle) }

  private var own: [ProtocolForm.Service] { form.services.filter { $0.role == role } }
  /// What it looks for: services of others.
  private var foreign: [ProtocolForm.Service] { form.services.filter { $0.role != role } }

  /// What it asks first: its services and advertising, or a search.
  mutating func begin() -> [AppEffect] {
    guard serves else { return seek() }
    return own.filter { !$0.characteristics.isEmpty }.map { service in
      .publish(
        ServiceDefinition(
          uuid: service.uuid,
          characteristics: service.characteristics.map { .init(uuid: $0.uuid, properties: $0.properties) }))
    } + advertise
  }

  private var advertise: [AppEffect] {
    form.role(role).map { [.advertise(advertisement(named: $0.localName ?? ""))] } ?? []
  }

  /// What its role advertises, under a name.
  func advertisement(named name: String) -> AdvertisementRequest {
    let advertised = form.role(role)?.advertised ?? []
    return AdvertisementRequest(localName: name, serviceUUIDs: advertised.map { form.services[$0].uuid })
  }

  /// What it scans for: the first service of others.
  var wanted: [BluetoothUUID] { foreign.prefix(1).map(\.uuid) }

  private mutating func seek() -> [AppEffect] {
    isSeeking = true
    hasAsked = false
    return [.scan(services: wanted)]
  }

  mutating func leave() -> [AppEffect] {
    isSeeking = false
    return links.filter(\.isUp).map { .disconnect($0.id) } + (serves ? [.stopAdvertising] : [.stopScanning])
  }

  // MARK: Being told

  /// - Returns: what it asks by itself, and the packets that have become whole.
  mutating func take(_ input: AppInput) -> (effects: [AppEffect], heard: [Heard]) {
    switch input {
    case .discovered(let advertisement):
      guard isSeeking, !hasAsked, isMine(advertisement) else { return ([], []) }
      hasAsked = true
      return ([.stopScanning, .connect(advertisement.address)], [])
    case .connectFailed: return (isSeeking ? seek() : [], [])
    case .connected(let id, _): return (connected(id), [])
    case .disconnected(let id, _):
      if let place = place(id) {
        links[place].isUp = false
        if links[place].stage == .joined, !comesBack { isSeeking = false }
      }
      return (serves ? advertise : isSeeking ? seek() : [], [])
    case .attMTU(let id, let attMTU):
      if let place = place(id) { links[place].attMTU = attMTU }
      return (next(id, after: { if case .exchangeMTU = $0 { true } else { false } }), [])
    case .servicesDiscovered(let id, let uuid, let found):
      let known = foreign.first { $0.uuid == uuid }?.characteristics ?? []
      if let place = place(id) {
        links[place].ahead += found.filter { found in
          known.contains { $0.uuid == found.uuid }
            && !found.properties.isDisjoint(with: [.notify, .indicate])
        }.map { .subscribe(id, characteristic: $0.uuid, true) }
      }
      return (next(id, after: { if case .discover(_, let service) = $0 { service == uuid } else { false } }), [])
    case .subscribed(let id, let characteristic, let isOn): return (subscribed(id, characteristic, isOn), [])
    case .valueReceived(let id, let characteristic, let octets): return ([], receive(id, characteristic, octets))
    case .submitted(let id, _, let isAccepted): return (answered(id, isAccepted: isAccepted), [])
    case .writeCompleted(let id, _, _): return (answered(id, isAccepted: true), [])
    case .readyToSend(let id):
      if let place = place(id) { links[place].isWaiting = false }
      return (pump(id), [])
    default: return ([], [])
    }
  }

  private func isMine(_ advertisement: Advertisement) -> Bool {
    foreign.contains { advertisement.serviceUUIDs.contains($0.uuid) }
      || form.roles.contains { $0.role != role && $0.localName != nil && $0.localName == advertisement.localName }
  }

  private func place(_ id: LinkID) -> Int? { links.lastIndex { $0.id == id } }

  private mutating func connected(_ id: LinkID) -> [AppEffect] {
    let isCentral = isSeeking && hasAsked
    links.append(Link(id: id, isCentral: isCentral))
    if links.count > 16 { links.removeFirst() }
    guard isCentral else { return advertise }
    links[links.count - 1].ahead =
      [.exchangeMTU(id, Self.wishedATTMTU)] + foreign.map { .discover(id, service: $0.uuid) }
    return Array(links[links.count - 1].ahead.prefix(1))
  }

  /// The answer to the question that was asked; the next one.
  private mutating func next(_ id: LinkID, after isAnswered: (AppEffect) -> Bool) -> [AppEffect] {
    guard let place = place(id), let first = links[place].ahead.first, isAnswered(first) else { return [] }
    links[place].ahead.removeFirst()
    if links[place].ahead.isEmpty { links[place].stage = .joined }
    return Array(links[place].ahead.prefix(1))
  }

  private mutating func subscribed(_ id: LinkID, _ characteristic: BluetoothUUID, _ isOn: Bool) -> [AppEffect] {
    guard let place = place(id) else { return [] }
    if links[place].isCentral {
      return next(id, after: { if case .subscribe(_, characteristic, _) = $0 { true } else { false } })
    }
    links[place].subscriptions.removeAll { $0 == characteristic }
    if isOn { links[place].subscriptions.append(characteristic) }
    links[place].stage = links[place].subscriptions.isEmpty ? .linked : .joined
    // What was for a characteristic that nobody had subscribed to goes now.
    if isOn { links[place].isWaiting = false }
    return isOn ? pump(id) : []
  }

  private mutating func receive(_ id: LinkID, _ characteristic: BluetoothUUID, _ octets: [UInt8]) -> [Heard] {
    guard let place = place(id), let found = form.characteristic(characteristic) else { return [] }
    let outcomes = links[place].assemblers[characteristic, default: FileAssembler(found.framing)].receive(octets)
    return outcomes.map { outcome in
      switch outcome {
      case .dropped(let reason): return Heard(link: id, packet: nil, refusal: reason)
      case .packet(let text, _):
        do throws(PacketRefusal) {
          return Heard(link: id, packet: try codec.decode(text, on: characteristic), refusal: nil)
        } catch {
          return Heard(link: id, packet: nil, refusal: error.reason)
        }
      }
    }
  }

  // MARK: Saying

  /// Queues octets as one packet on a link.
  /// - Throws: what cannot be sent.
  mutating func say(
    _ packet: [UInt8], on characteristic: BluetoothUUID, to id: LinkID
  ) throws(PacketRefusal) -> [AppEffect] {
    guard let place = place(id), links[place].isUp else { throw PacketRefusal(reason: "the link has ended") }
    guard let found = form.characteristic(characteristic) else { throw PacketRefusal(reason: "no such characteristic") }
    var cutter = links[place].cutters[characteristic] ?? FileCutter(found.framing)
    let values = try cutter.values(of: packet, attMTU: links[place].attMTU)
    links[place].cutters[characteristic] = cutter
    links[place].outbox += values.map { octets in
      if own.contains(where: { $0.characteristics.contains { $0.uuid == characteristic } }) {
        return .notify(id, characteristic: characteristic, octets: octets)
      }
      return found.properties.contains(.write)
        ? .write(id, characteristic: characteristic, octets: octets)
        : .writeWithoutResponse(id, characteristic: characteristic, octets: octets)
    }
    return pump(id)
  }

  private mutating func pump(_ id: LinkID) -> [AppEffect] {
    guard let place = place(id), links[place].isUp, !links[place].isWaiting, let first = links[place].outbox.first
    else { return [] }
    links[place].isWaiting = true
    return [first]
  }

  private mutating func answered(_ id: LinkID, isAccepted: Bool) -> [AppEffect] {
    guard let place = place(id), links[place].isWaiting, !links[place].outbox.isEmpty else { return [] }
    // A value without room goes again when there is some.
    guard isAccepted else { return [] }
    links[place].outbox.removeFirst()
    links[place].isWaiting = false
    return pump(id)
  }
}
