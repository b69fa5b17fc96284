import AppSeam
import BluetoothWire
import VirtualRadio

/// What a client keeps of the services of its peers from one link to the next.
struct ServiceCache {
  /// What an app, or the platform itself, asks of a server's services.
  enum Question: Hashable {
    case byType(BluetoothUUID)
    case services([BluetoothUUID])
    case included(FoundService)
    case characteristics(FoundService)
    case descriptors(FoundCharacteristic)
  }

  struct Peer {
    var identity: BluetoothAddress
    /// Answers as an app is told them on a link.
    var answers: [(question: Question, told: (LinkID) -> AppInput)] = []
    var characteristics: [GATT.DiscoveredCharacteristic] = []
    var namesHandles = false
  }

  private var peers: [Peer] = []

  subscript(identity: BluetoothAddress) -> Peer? { peers.first { $0.identity == identity } }

  mutating func keep(
    _ question: Question, of identity: BluetoothAddress, _ characteristics: [GATT.DiscoveredCharacteristic],
    byHandle: Bool, _ told: @escaping (LinkID) -> AppInput
  ) {
    let place = peers.firstIndex { $0.identity == identity } ?? peers.count
    if place == peers.count { peers.append(Peer(identity: identity)) }
    peers[place].answers.removeAll { $0.question == question }
    peers[place].answers.append((question, told))
    peers[place].characteristics.removeAll { known in characteristics.contains { $0.value == known.value } }
    peers[place].characteristics += characteristics
    if byHandle { peers[place].namesHandles = true }
  }

  mutating func forget(_ identity: BluetoothAddress) { peers.removeAll { $0.identity == identity } }
  mutating func removeAll() { peers.removeAll() }
  mutating func removeAll(unless bonded: (BluetoothAddress) -> Bool) { peers.removeAll { !bonded($0.identity) } }
}

/// Phones that answer a discovery from what they know of an earlier link, until Service Changed or a step says
/// otherwise: an app whose peer has changed its services meanwhile writes to handles that are gone.
extension DevicePlatform {
  /// By which the cache knows the peer of a link; nil: nothing is kept of it.
  private func cachedIdentity(_ link: AppLink) -> BluetoothAddress? {
    guard link.role == .central else { return nil }
    let bond = host.bond(with: link.peer)?.identity
    return switch phone.att.cachesServices {
    case .never: nil
    case .bonded: bond
    case .always: bond ?? link.peer
    }
  }

  /// A link as central is there: what is known of its server is so from the start.
  func restoreServices(_ link: AppLink) {
    guard phone.att.cachesServices != .never, let identity = cachedIdentity(link) else { return }
    if let known = serviceCache[identity] {
      host.restore(link.handle, known.characteristics, namesHandles: known.namesHandles)
    }
    watchServices(link)
  }

  /// Whether what the app asks for is answered by what is known.
  func isAnsweredFromCache(_ effect: AppEffect) -> Bool {
    guard let (question, id) = effect.cacheQuestion, let link = link(id), let identity = cachedIdentity(link),
      let answer = serviceCache[identity]?.answers.first(where: { $0.question == question })
    else { return false }
    link.usesCache = true
    tell(answer.told(id))
    return true
  }

  /// A server has answered.
  func keep(
    _ question: ServiceCache.Question, of link: AppLink, _ characteristics: [GATT.DiscoveredCharacteristic] = [],
    byHandle: Bool = true, _ told: @escaping (LinkID) -> AppInput
  ) {
    guard phone.att.cachesServices != .never, let identity = cachedIdentity(link) else { return }
    serviceCache.keep(question, of: identity, characteristics, byHandle: byHandle, told)
  }

  func servicesChanged(_ link: AppLink) {
    link.usesCache = false
    if let identity = cachedIdentity(link) { serviceCache.forget(identity) }
  }

  /// A request about an attribute that the server does not have, on a link whose attributes were not discovered.
  func noticeStaleCache(_ link: AppLink, _ error: ATT.ErrorCode?) {
    guard link.usesCache, !link.isKnownStale, error == .invalidHandle || error == .attributeNotFound else { return }
    link.isKnownStale = true
    observe(
      .staleServices, link.id,
      "its services were taken from an earlier link and have changed since, the peer answers"
        + " 0x\(String(hexadecimal: error?.rawValue ?? 0, digits: 2, uppercase: true))")
  }
}

extension AppEffect {
  fileprivate var cacheQuestion: (ServiceCache.Question, LinkID)? {
    switch self {
    case .discover(let link, let service): (.byType(service), link)
    case .gatt(.discoverServices(let link, let types)): (.services(types), link)
    case .gatt(.discoverIncluded(let link, let service)): (.included(service), link)
    case .gatt(.discoverCharacteristics(let link, let service)): (.characteristics(service), link)
    case .gatt(.discoverDescriptors(let link, let characteristic)): (.descriptors(characteristic), link)
    default: nil
    }
  }
}
