import BluetoothWire
import SimKernel
import VirtualRadio

/// What an app asks of its platform.
extension World {
  /// Performs the effects of one input in order; what the host stack has to say to them comes behind the last one.
  func perform(_ effects: [AppEffect], _ node: DeviceNode) {
    if effects.isEmpty { return }
    node.host.advance(to: timeline.now)
    for effect in effects { perform(effect, node) }
    drainHost(node)
  }

  private func perform(_ effect: AppEffect, _ node: DeviceNode) {
    if case .report(let report) = effect {
      note(report, node)
      return
    }
    digest.combine(effect, device: node.index, at: timeline.now)
    record(.effect(effect), node.index)
    switch effect {
    case .setTimer(let id, let instant): setTimer(node, id, at: instant)
    case .cancelTimer(let id): cancelTimer(node, id)
    case .report: break
    default:
      guard node.isPoweredOn else {
        node.held.append(effect)
        return
      }
      performOnPlatform(effect, node)
    }
  }

  /// The stack has come up: what the app asked for meanwhile is done now.
  func releaseHeld(_ node: DeviceNode) {
    let held = node.held
    node.held.removeAll()
    for effect in held { performOnPlatform(effect, node) }
  }

  private func performOnPlatform(_ effect: AppEffect, _ node: DeviceNode) {
    switch effect {
    case .publish(let service):
      node.services.removeAll { $0.uuid == service.uuid }
      node.services.append(service)
      node.host.publish(GATT.Service(service))
    case .advertise(let request):
      node.advertisement = request
      refreshAdvertising(node)
    case .stopAdvertising:
      node.advertisement = nil
      refreshAdvertising(node)
    case .scan(let services):
      node.scanFilter = services
      refreshScanning(node)
    case .stopScanning:
      node.scanFilter = nil
      refreshScanning(node)
    case .connect(let address):
      guard node.isRadioOn else {
        tell(node, .connectFailed(address, reason: .commandDisallowed))
        return
      }
      if !node.connecting.contains(address) { node.connecting.append(address) }
      node.host.connect(to: address)
    case .cancelConnect(let address):
      node.connecting.removeAll { $0 == address }
      node.host.cancelConnect(address)
    case .disconnect(let id):
      if let link = node.link(id) { node.host.disconnect(link.handle, reason: .remoteUserTerminatedConnection) }
    case .setValue(let characteristic, let octets): node.host.setValue(octets, characteristic: characteristic)
    default: performOnLink(effect, node)
    }
  }

  private func performOnLink(_ effect: AppEffect, _ node: DeviceNode) {
    switch effect {
    case .exchangeMTU(let id, let wish): exchangeMTU(node, id, wish)
    case .discover(let id, let service):
      if let link = node.link(id) { node.host.discover(link.handle, service: service) }
    case .subscribe(let id, let characteristic, let isOn):
      if let link = node.link(id) { node.host.subscribe(link.handle, characteristic: characteristic, isOn) }
    case .read(let id, let characteristic):
      if let link = node.link(id) { node.host.read(link.handle, characteristic: characteristic) }
    case .write(let id, let characteristic, let octets):
      submit(Value(link: id, characteristic: characteristic, octets: octets), as: .write, node)
    case .writeWithoutResponse(let id, let characteristic, let octets):
      submit(Value(link: id, characteristic: characteristic, octets: octets), as: .writeCommand, node)
    case .notify(let id, let characteristic, let octets):
      submit(Value(link: id, characteristic: characteristic, octets: octets), as: .notification, node)
    default: break
    }
  }

  /// A platform that exchanges on its own answers with what it has, or will answer when it has done so.
  private func exchangeMTU(_ node: DeviceNode, _ id: LinkID, _ wish: Int) {
    guard let link = node.link(id) else { return }
    let habits = node.device.phone.att
    if habits.exchangesAutomatically || !habits.appMayExchange {
      if link.attMTU > 23 || !habits.exchangesAutomatically { tell(node, .attMTU(id, link.attMTU)) }
    } else {
      node.host.exchangeMTU(link.handle, min(wish, habits.clientMTU))
    }
  }

  // MARK: Timers

  private func setTimer(_ node: DeviceNode, _ id: TimerID, at instant: SimInstant) {
    let due = max(instant, timeline.now)
    if let index = node.timers.firstIndex(where: { $0.id == id }) {
      if timeline.reschedule(node.timers[index].handle, to: due) { return }
      node.timers.remove(at: index)
    }
    let handle = timeline.schedule(
      SimEvent(
        kind: Kind.appTimer.rawValue, target: UInt32(node.index), argument: UInt64(bitPattern: Int64(id.rawValue))),
      at: due)
    node.timers.append(AppTimer(id: id, handle: handle))
  }

  private func cancelTimer(_ node: DeviceNode, _ id: TimerID) {
    guard let index = node.timers.firstIndex(where: { $0.id == id }) else { return }
    timeline.cancel(node.timers[index].handle)
    node.timers.remove(at: index)
  }

  func timerFired(_ node: DeviceNode, _ id: TimerID) {
    node.timers.removeAll { $0.id == id }
    tell(node, .timer(id))
  }

  // MARK: Advertising and scanning, as the platform allows them

  /// Starts, changes or stops advertising, by what the app wants and the platform allows.
  func refreshAdvertising(_ node: DeviceNode) {
    let habits = node.device.phone.background
    let isAllowed = node.isRadioOn && !(node.isInBackground && habits.advertising == .stops)
    guard let wanted = node.advertisement, isAllowed else {
      if node.isAdvertising { node.host.stopAdvertising() }
      node.isAdvertising = false
      return
    }
    let packets = AdvertisingDataBuilder.build(
      localName: wanted.localName, serviceUUIDs: wanted.serviceUUIDs, phone: node.device.phone,
      isInBackground: node.isInBackground)
    guard let packets else {
      node.isAdvertising = false
      tell(node, .advertisingStarted(false))
      return
    }
    if node.isAdvertising { node.host.stopAdvertising() }
    node.isAdvertising = true
    node.host.startAdvertising(data: packets.data, scanResponse: packets.scanResponse)
  }

  func refreshScanning(_ node: DeviceNode) {
    let rule = node.device.phone.background.scanning
    var isAllowed = node.isRadioOn
    if node.isInBackground {
      if rule == .stops || rule == .filteredOnly && (node.scanFilter?.isEmpty ?? true) { isAllowed = false }
    }
    if node.scanFilter != nil, isAllowed {
      node.host.startScanning()
    } else {
      node.host.stopScanning()
    }
  }
}

extension GATT.Service {
  init(_ service: ServiceDefinition) {
    self.init(
      uuid: service.uuid,
      characteristics: service.characteristics.map {
        GATT.Characteristic(uuid: $0.uuid, properties: GATT.Properties(rawValue: $0.properties.rawValue))
      })
  }
}
