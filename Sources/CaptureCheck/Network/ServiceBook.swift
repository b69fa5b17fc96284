import NetworkWire

/// Follows which services are announced and taken back by Multicast DNS (RFC 6762, 10; RFC 6763), as each interface of
/// each capture hears it.
///
/// A service is known by its SRV record, and changes with that, its TXT record and the addresses of its host; at most
/// `TrafficLimits.services` are, and as many hosts. Not modelled: records that run out because nobody renews them, and
/// answers of other servers of DNS.
final class ServiceBook {
  private struct Key: Hashable {
    var file: Int
    var interface: Int
    var name: DNSName
  }

  private let output: TrafficOutput
  /// What has been told, in the order of the first announcements.
  @exclusivity(unchecked) private var services: [(key: Key, service: TrafficService, isThere: Bool)] = []
  /// Places in `services`. Looked up only, never gone through, as the next one.
  @exclusivity(unchecked) private var places: [Key: Int] = [:]
  @exclusivity(unchecked) private var addresses: [Key: [IPAddress]] = [:]

  init(_ output: TrafficOutput) { self.output = output }

  func read(_ message: DNSMessage, _ packet: NetworkPacket) {
    guard message.isResponse else { return }
    let key = { [file = output.place.file] (name: DNSName) in
      Key(file: file, interface: packet.interface, name: name)
    }
    let records = message.answers + message.additionals
    let hosts = readAddresses(records, key)
    var told: [Int] = []
    for record in records {
      switch record.content {
      case .service(let port, let host):
        if record.timeToLive == 0 {
          withdraw(key(record.name))
        } else if let place = note(key(record.name), host: host, port: port, packet) {
          told.append(place)
        }
      case .pointer(let name): if record.timeToLive == 0 { withdraw(key(name)) }
      default: break
      }
    }
    for record in records {
      guard case .text(let strings) = record.content, record.timeToLive > 0, let place = places[key(record.name)],
        services[place].service.text != strings
      else { continue }
      services[place].service.text = strings
      told.append(place)
    }
    if !hosts.isEmpty {
      for place in services.indices where services[place].isThere {
        // Each interface hears hosts of its own, though they may have one name.
        let (own, service) = (services[place].key, services[place].service)
        let heard = Key(file: own.file, interface: own.interface, name: service.host)
        guard let host = hosts.first(where: { $0 == heard }) else { continue }
        let known = addresses[host] ?? []
        if known == service.addresses { continue }
        services[place].service.addresses = known
        told.append(place)
      }
    }
    for place in Set(told).sorted() where services[place].isThere {
      output.emit(network: .serviceAnnounced(services[place].service))
    }
  }

  /// - Returns: hosts whose addresses have changed, in their order.
  private func readAddresses(_ records: [DNSRecord], _ key: (DNSName) -> Key) -> [Key] {
    var changed: [Key] = []
    var renewed: Set<Renewal> = []
    for record in records {
      guard case .address(let address) = record.content else { continue }
      let host = key(record.name)
      guard addresses[host] != nil || addresses.count < TrafficLimits.services else { continue }
      var known = addresses[host] ?? []
      let before = known
      // "No other record of the name and kind is right" (RFC 6762, 10.2): those of this message belong together.
      if record.isUnique, renewed.insert(Renewal(host: host, kind: record.kind)).inserted {
        known.removeAll { DNSRecord.Kind(of: $0) == record.kind }
      }
      known.removeAll { $0 == address }
      if record.timeToLive > 0, known.count < TrafficLimits.addressesOfHost { known.append(address) }
      addresses[host] = known
      if known != before, !changed.contains(host) { changed.append(host) }
    }
    return changed
  }

  private struct Renewal: Hashable {
    var host: Key
    var kind: DNSRecord.Kind
  }

  /// - Returns: the place of the service when that is news.
  private func note(_ key: Key, host: DNSName, port: UInt16, _ packet: NetworkPacket) -> Int? {
    let labels = key.name.labels
    // Instance, service, transport, domain (RFC 6763, 4.1).
    guard labels.count >= 4, labels[1].hasPrefix("_"), labels[2].hasPrefix("_") else { return nil }
    let known = addresses[Key(file: key.file, interface: key.interface, name: host)] ?? []
    if let place = places[key] {
      let old = services[place]
      if old.isThere, old.service.host == host, old.service.port == port { return nil }
      services[place].service.host = host
      services[place].service.port = port
      services[place].service.addresses = known
      services[place].isThere = true
      return place
    }
    guard services.count < TrafficLimits.services else { return nil }
    places[key] = services.count
    services.append(
      (
        key,
        TrafficService(
          file: key.file, interface: key.interface, interfaceName: packet.interfaceName, name: key.name,
          instance: labels[0], type: labels[1] + "." + labels[2], host: host, port: port, addresses: known),
        true
      ))
    return services.count - 1
  }

  private func withdraw(_ key: Key) {
    guard let place = places[key], services[place].isThere else { return }
    services[place].isThere = false
    output.emit(network: .serviceWithdrawn(services[place].service))
  }
}

extension DNSRecord.Kind {
  fileprivate init(of address: IPAddress) {
    if case .v4 = address { self = .a } else { self = .aaaa }
  }
}
