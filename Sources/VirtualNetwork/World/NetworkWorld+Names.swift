import AppSeam
import NetworkWire
import SimKernel

/// The services of names of each device's interfaces: their messages travel as packets, their events become inputs.
extension NetworkWorld {
  /// After new neighbours have seen each other, names are said again (NET 4.13).
  static let greetingWait: ClosedRange<SimDuration> = .milliseconds(20)...SimDuration.milliseconds(120)

  /// One for each interface that has a link, and none for others.
  func reviewNames(_ device: NetworkDevice) {
    for interface in NetworkInterface.allCases {
      let hasLink = device.hasLink(interface)
      if !hasLink, device.names[interface.index] != nil {
        device.names[interface.index] = nil
        cancel(&device.namesEvents[interface.index])
        forgetAll(device, interface)
      } else if hasLink, device.names[interface.index] == nil {
        device.names[interface.index] = makeNames(device, interface)
        for listener in device.listeners { register(listener, device, interface) }
        for browser in device.browsers where browser.uses(interface) { search(browser.type, device, interface) }
      }
    }
  }

  private func makeNames(_ device: NetworkDevice, _ interface: NetworkInterface) -> NameService {
    device.namesMade += 1
    let component = "network/\(device.station.name)/\(interface.rawValue)"
    return NameService(
      hostName: device.hostName, addresses: [PacketWriter.Address(device, interface).internet],
      stream: RandomStream(seed: seed, component: component, purpose: "names \(device.namesMade)"))
  }

  // MARK: What apps ask

  func register(_ listener: NetworkListener, _ device: NetworkDevice, _ interface: NetworkInterface) {
    guard listener.takes(interface), let names = device.names[interface.index] else { return }
    names.register(
      type: listener.request.type, name: listener.name ?? listener.request.name, port: listener.port,
      record: listener.request.record, at: timeline.now)
    settleNames(device, interface)
  }

  func updateRecord(of listener: NetworkListener, _ device: NetworkDevice, _ interface: NetworkInterface) {
    device.names[interface.index]?.update(
      record: listener.request.record, type: listener.request.type, at: timeline.now)
    settleNames(device, interface)
  }

  func unregister(
    _ listener: NetworkListener, _ device: NetworkDevice, _ interface: NetworkInterface, saysGoodbye: Bool
  ) {
    device.names[interface.index]?.unregister(type: listener.request.type, saysGoodbye: saysGoodbye)
    settleNames(device, interface)
  }

  func search(_ type: String, _ device: NetworkDevice, _ interface: NetworkInterface) {
    device.names[interface.index]?.browse(type: type, at: timeline.now)
    settleNames(device, interface)
  }

  func stopNames(_ type: String, _ device: NetworkDevice) {
    for interface in NetworkInterface.allCases {
      device.names[interface.index]?.stopBrowsing(type: type)
      settleNames(device, interface)
    }
  }

  // MARK: Time and messages

  func namesAreDue(_ index: Int, _ interface: NetworkInterface) {
    let device = devices[index]
    device.namesEvents[interface.index] = nil
    device.names[interface.index]?.advance(to: timeline.now)
    settleNames(device, interface)
  }

  func receive(_ message: DNSMessage, _ packet: Packet) {
    let device = devices[packet.destination]
    device.names[packet.interface.index]?.receive(message, at: timeline.now)
    settleNames(device, packet.interface)
  }

  /// Somebody is there whom names have not reached.
  func neighbourAppeared(_ device: NetworkDevice) {
    device.greetings += 1
    let wait = draw(Self.greetingWait, .greeting, device.number, device.greetings)
    _ = schedule(.greeting, device.index, after: wait)
  }

  func greet(_ device: NetworkDevice) {
    device.names[NetworkInterface.peerToPeer.index]?.networkChanged(at: timeline.now)
    settleNames(device, .peerToPeer)
  }

  /// What follows from anything that was done to a service of names.
  private func settleNames(_ device: NetworkDevice, _ interface: NetworkInterface) {
    guard let names = device.names[interface.index] else { return }
    while let message = names.outgoing.popFirst() {
      send(
        Packet(
          source: device.index, destination: Packet.everybody, interface: interface, content: .names(message)))
    }
    while let event = names.happened.popFirst() {
      switch event {
      case .registered(let type, let name): registered(type, name, device, interface)
      case .found(let type, let name, let hostName, let port, let record):
        found(type, name, hostName: hostName, port: port, record, device, interface)
      case .recordChanged(let type, let name, let record): recordChanged(type, name, record, device)
      case .lost(let type, let name): lost(type, name, device, interface)
      }
    }
    guard let deadline = names.deadline else { return cancel(&device.namesEvents[interface.index]) }
    let instant = max(deadline, timeline.now)
    if let event = device.namesEvents[interface.index] {
      timeline.reschedule(event, to: instant)
    } else {
      device.namesEvents[interface.index] = schedule(
        .names, device.index, interface.index, after: instant - timeline.now)
    }
  }
}
