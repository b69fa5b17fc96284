package import AppSeam
import BluetoothWire

/// A phone's memory in words of the seam, as a program hands it over and gets it back.
extension PhoneMemory {
  /// - Parameter isRestored: The platform keeps links and services for the app; nothing but the peers is known else.
  package init(_ words: AppMemory?, isRestored: Bool) {
    self.init()
    guard let words else { return }
    peers = words.peers.map { Peer(address: Self.address($0.address), name: $0.name) }
    guard isRestored else { return }
    centrals = words.centrals.map(Central.init)
    servers = words.servers.map(Server.init)
    below = KeptBelow(words)
  }

  /// The text does not say the kind; peers of the bench have random addresses.
  fileprivate static func address(_ text: String) -> BluetoothAddress {
    BluetoothAddress(kind: .random, bits: BluetoothAddress.bits(of: text) ?? 0)
  }
}

extension VirtualPhone {
  /// What the phone would keep if its app ended now.
  package func inWords() -> AppMemory {
    let memory = remember(isRestored: true)
    var words = AppMemory()
    words.peers = memory.peers.map { AppMemory.KnownDevice(address: $0.address.description, name: $0.name) }
    words.centrals = memory.centrals.map(\.words)
    words.servers = memory.servers.map(\.words)
    guard let below = memory.below else { return words }
    words.links = below.links.map(\.words)
    words.attempts = below.attempts.map(\.description)
    words.scans = below.scan.map { [$0] } ?? []
    words.advertisements = below.advertisement.map { [$0] } ?? []
    words.nextNumber = below.nextNumber
    return words
  }
}

extension PhoneMemory.Central {
  fileprivate init(_ words: AppMemory.Central) {
    self.init(
      identifier: words.identifier, peers: words.peers.map(PhoneMemory.address),
      scan: words.scans ? words.services : nil,
      allowsDuplicates: words.allowsDuplicates)
    found = words.found.map(KeptPeripheral.init)
    solicited = words.solicited
  }

  fileprivate var words: AppMemory.Central {
    AppMemory.Central(
      identifier: identifier, peers: peers.map(\.description), found: found.map(\.words), scans: scan != nil,
      services: scan ?? [], solicited: solicited, allowsDuplicates: allowsDuplicates)
  }
}

extension PhoneMemory.Server {
  fileprivate init(_ words: AppMemory.Server) {
    self.init(
      identifier: words.identifier, services: words.services, publishedPSMs: words.published.map(\.psm),
      localName: words.localName, advertised: words.advertised, isAdvertising: words.isAdvertising)
  }

  fileprivate var words: AppMemory.Server {
    AppMemory.Server(
      identifier: identifier, services: services, published: publishedPSMs.map { AppMemory.PublishedPSM(psm: $0) },
      localName: localName, advertised: advertised, isAdvertising: isAdvertising)
  }
}

extension KeptBelow {
  fileprivate init(_ words: AppMemory) {
    self.init(
      links: words.links.map(Link.init), attempts: words.attempts.map(PhoneMemory.address), scan: words.scans.first,
      advertisement: words.advertisements.first, nextNumber: words.nextNumber)
  }
}

extension KeptBelow.Link {
  fileprivate init(_ words: AppMemory.Link) {
    self.init(
      id: words.id, peer: PhoneMemory.address(words.address), isOurs: words.isOutgoing, attMTU: words.attMTU,
      holders: words.holders, subscriptions: words.subscriptions, foundServices: words.services)
  }

  fileprivate var words: AppMemory.Link {
    AppMemory.Link(
      id: id, address: peer.description, isOutgoing: isOurs, attMTU: attMTU, holders: holders,
      subscriptions: subscriptions, services: foundServices)
  }
}

extension KeptPeripheral {
  fileprivate init(_ words: AppMemory.FoundDevice) {
    self.init(
      peer: PhoneMemory.address(words.address),
      services: words.isKnown
        ? words.services.map { service in
          Service(
            found: service.found,
            characteristics: service.isKnown
              ? service.characteristics.map {
                Characteristic(
                  found: $0.found, isNotifying: $0.isNotifying, descriptors: $0.isKnown ? $0.descriptors : nil)
              } : nil)
        } : nil)
  }

  fileprivate var words: AppMemory.FoundDevice {
    AppMemory.FoundDevice(
      address: peer.description, isKnown: services != nil,
      services: (services ?? []).map { service in
        AppMemory.KeptService(
          found: service.found, isKnown: service.characteristics != nil,
          characteristics: (service.characteristics ?? []).map {
            AppMemory.KeptCharacteristic(
              found: $0.found, isNotifying: $0.isNotifying, isKnown: $0.descriptors != nil,
              descriptors: $0.descriptors ?? [])
          })
      })
  }
}
