import AppSeam
import SimKernel

/// Listeners and browsers, and what interfaces say of services, as one (NET 7.15).
extension NetworkWorld {
  // MARK: Listeners

  func listen(_ request: ListenRequest, _ device: NetworkDevice) {
    let isTaken = device.listeners.contains { $0.request.type == request.type }
    guard !isTaken, Self.isServiceType(request.type), (1...63).contains(request.name.utf8.count),
      ServiceRecord.isValid(request.record)
    else {
      return tell(device, .listenerFailed(type: request.type, .invalid))
    }
    let listener = NetworkListener(request, port: device.takePort())
    device.listeners.append(listener)
    for interface in NetworkInterface.allCases { register(listener, device, interface) }
    reviewAsks(device)
  }

  func updateRecord(_ type: String, _ record: [UInt8], _ device: NetworkDevice) {
    guard ServiceRecord.isValid(record), let listener = device.listeners.first(where: { $0.request.type == type })
    else { return }
    listener.request.record = record
    for interface in NetworkInterface.allCases { updateRecord(of: listener, device, interface) }
  }

  /// `_name._tcp` or `_name._udp`, the name of 1 … 15 letters, digits and hyphens (RFC 6335, 5.1; RFC 6763, 7).
  private static func isServiceType(_ type: String) -> Bool {
    guard type.hasPrefix("_"), type.hasSuffix("._tcp") || type.hasSuffix("._udp") else { return false }
    let name = type.dropFirst().dropLast(5)
    return (1...15).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
      }
  }

  func stopListening(_ type: String, _ device: NetworkDevice) {
    guard let place = device.listeners.firstIndex(where: { $0.request.type == type }) else { return }
    close(device.listeners.remove(at: place), device, saysGoodbye: true)
    reviewAsks(device)
  }

  /// Streams that its app was not told of end with it.
  func close(_ listener: NetworkListener, _ device: NetworkDevice, saysGoodbye: Bool) {
    for interface in NetworkInterface.allCases { unregister(listener, device, interface, saysGoodbye: saysGoodbye) }
    for leg in legs where leg.listener === listener && leg.connection < 0 { abort(leg) }
  }

  /// A service has got its name on an interface. One that had to give way on one of them does so on all.
  func registered(_ type: String, _ name: String, _ device: NetworkDevice, _ interface: NetworkInterface) {
    guard let listener = device.listeners.first(where: { $0.request.type == type }), listener.name != name else {
      return
    }
    if let known = listener.name, (name.utf8.count, name) < (known.utf8.count, known) {
      return register(listener, device, interface)
    }
    let isFirst = listener.name == nil
    listener.name = name
    tell(device, .listenerReady(type: type, name: name, port: Int(listener.port)))
    if isFirst { return }
    for other in NetworkInterface.allCases where other != interface {
      unregister(listener, device, other, saysGoodbye: true)
      register(listener, device, other)
    }
  }

  // MARK: Browsers

  func browse(_ type: String, _ peerToPeer: Bool, _ device: NetworkDevice) {
    // Nothing is of a type that cannot be.
    if device.browsers.contains(where: { $0.type == type }) || !Self.isServiceType(type) { return }
    device.browsers.append(NetworkBrowser(type: type, peerToPeer: peerToPeer))
    for interface in NetworkInterface.allCases where interface == .infrastructure || peerToPeer {
      search(type, device, interface)
    }
    reviewAsks(device)
  }

  func stopBrowsing(_ type: String, _ device: NetworkDevice) {
    guard let place = device.browsers.firstIndex(where: { $0.type == type }) else { return }
    device.browsers.remove(at: place)
    stopNames(type, device)
    for index in device.endpoints.indices where device.endpoints[index].type == type {
      device.endpoints[index].isThere = false
    }
    reviewAsks(device)
  }

  /// A browser found a service on an interface, or found it at another place.
  func found(
    _ type: String, _ name: String, hostName: String, port: UInt16, _ record: [UInt8], _ device: NetworkDevice,
    _ interface: NetworkInterface
  ) {
    // Nobody looks for the own device's services: a connection to it would not use the network.
    if hostName == device.hostName { return }
    guard let place = device.place(of: name, type) else {
      var endpoint = NetworkEndpoint(
        type: type, name: name, hostName: hostName, record: record, firstFound: timeline.now)
      endpoint.ports[interface.index] = port
      device.endpoints.append(endpoint)
      tell(
        device,
        .found(
          EndpointID(device.endpoints.count - 1), type: type, name: name, interfaces: endpoint.interfaces,
          record: record))
      return reviewConnections(device)
    }
    let before = device.endpoints[place].interfaces
    device.endpoints[place].hostName = hostName
    device.endpoints[place].ports[interface.index] = port
    let after = device.endpoints[place].interfaces
    if before != after { tell(device, .changed(EndpointID(place), interfaces: after)) }
    recordChanged(type, name, record, device)
    reviewConnections(device)
  }

  /// A service that is known says something else of itself, on whichever interface.
  func recordChanged(_ type: String, _ name: String, _ record: [UInt8], _ device: NetworkDevice) {
    guard let place = device.place(of: name, type), device.endpoints[place].record != record else { return }
    device.endpoints[place].record = record
    tell(device, .recordChanged(EndpointID(place), record: record))
  }

  /// A service is no longer known on an interface.
  func lost(_ type: String, _ name: String, _ device: NetworkDevice, _ interface: NetworkInterface) {
    guard let place = device.place(of: name, type), device.endpoints[place].ports[interface.index] != nil else {
      return
    }
    device.endpoints[place].ports[interface.index] = nil
    let after = device.endpoints[place].interfaces
    if after.isEmpty {
      device.endpoints[place].isThere = false
      tell(device, .lost(EndpointID(place)))
    } else {
      tell(device, .changed(EndpointID(place), interfaces: after))
    }
    reviewConnections(device)
  }

  /// An interface has no link any more: what was found there is not.
  func forgetAll(_ device: NetworkDevice, _ interface: NetworkInterface) {
    for place in device.endpoints.indices where device.endpoints[place].isThere {
      lost(device.endpoints[place].type, device.endpoints[place].name, device, interface)
    }
  }
}
