import AppSeam
import BluetoothWire
import VirtualRadio

/// Apps that name attributes one by one: what they ask, and what they are told.
extension DevicePlatform {
  func perform(_ effect: GATTEffect) {
    switch effect {
    case .publish(let service): publish(service)
    case .unpublish(let key):
      guard let service = attributes.remove(key) else { return }
      host.unpublish(service.found.handles)
    case .answer(let request, let value, let error):
      host.answer(request: request.rawValue, value: value, error: error.map { ATT.ErrorCode($0) })
    case .notify(let id, let key, let type, let octets):
      submit(Value(link: id, characteristic: type, octets: octets, place: .own(key)), as: .notification)
    case .write(let id, let handle, let type, let octets):
      submit(Value(link: id, characteristic: type, octets: octets, place: .remote(handle)), as: .write)
    case .writeWithoutResponse(let id, let handle, let type, let octets):
      submit(Value(link: id, characteristic: type, octets: octets, place: .remote(handle)), as: .writeCommand)
    case .discoverServices, .discoverIncluded, .discoverCharacteristics, .discoverDescriptors, .read, .configure,
      .readRSSI, .prepare, .execute:
      askPeer(effect)
    }
  }

  private func publish(_ service: LocalService) {
    let error = enter(service) ? nil : ATT.ErrorCode.insufficientResources
    tell(.gatt(.published(service.key, error: error?.rawValue)))
  }

  private func enter(_ service: LocalService) -> Bool {
    let included = service.included.compactMap { attributes[$0]?.found }
    guard attributes[service.key] == nil, included.count == service.included.count,
      let range = host.publish(GATT.Service(service, included: included))
    else { return false }
    let handles = host.valueHandles(in: range)
    attributes.add(
      LocalAttributeTable.Service(
        definition: service, found: GATT.DiscoveredService(uuid: service.uuid, start: range.start, end: range.end),
        attributes: zip(service.characteristics, handles).flatMap { own, handle in
          [LocalAttributeTable.Attribute(key: own.key, uuid: own.uuid, handle: handle)]
            + zip(own.descriptors, host.descriptorHandles(ofValue: handle)).map {
              LocalAttributeTable.Attribute(key: $0.key, uuid: $0.uuid, handle: $1)
            }
        }))
    return true
  }

  /// A new stack has the same services: they stay while Bluetooth is off (see corebluetooth.md).
  func enterAllAgain() {
    let definitions = attributes.definitions
    attributes.removeAll()
    for definition in definitions { _ = enter(definition) }
  }

  /// What goes to the server at the other end; nothing is answered when the link is gone, which the app is told.
  private func askPeer(_ effect: GATTEffect) {
    switch effect {
    case .discoverServices(let id, let types):
      guard let link = link(id) else { return }
      host.discoverServices(link.handle, tag: link.keep(.services(types)))
    case .discoverIncluded(let id, let service):
      guard let link = link(id) else { return }
      host.discoverIncluded(link.handle, in: service.handles, tag: link.keep(.included(service)))
    case .discoverCharacteristics(let id, let service):
      guard let link = link(id) else { return }
      host.discoverCharacteristics(link.handle, in: service.handles, tag: link.keep(.characteristics(service)))
    case .discoverDescriptors(let id, let characteristic):
      guard let link = link(id) else { return }
      guard characteristic.value < characteristic.end else {
        return tell(.gatt(.descriptors(id, of: characteristic, [], error: nil)))
      }
      host.discoverDescriptors(
        link.handle, in: ATT.HandleRange(start: characteristic.value + 1, end: characteristic.end),
        tag: link.keep(.descriptors(characteristic)))
    case .read(let id, let handle, let type):
      guard let link = link(id) else { return }
      host.read(link.handle, attribute: handle, tag: link.keep(.read(type)))
    case .configure(let id, let handle, let type, let isOn):
      guard let link = link(id) else { return }
      host.configure(link.handle, attribute: handle, isOn, tag: link.keep(.configure(type)))
    case .readRSSI(let id): if let link = link(id) { host.readRSSI(link.handle) }
    case .prepare(let id, let handle, let type, let offset, let octets):
      guard let link = link(id) else { return }
      host.prepareWrite(
        link.handle, attribute: handle, offset: offset, value: octets, tag: link.keep(.prepare(type, octets)))
    case .execute(let id, let isMeant): if let link = link(id) { host.executeWrites(link.handle, isMeant) }
    default: break
    }
  }

  // MARK: What the host stack tells

  /// Whether the event is about attributes that are named one by one.
  func translateAttribute(_ event: HostEvent) -> Bool {
    switch event {
    case .readRequested(let handle, let request, let attribute, let offset):
      guard let link = link(handle), let own = attributes[attribute] else {
        host.answer(request: request, value: [], error: .invalidHandle)
        return true
      }
      tell(.gatt(.readAsked(RequestID(request), link.id, own.key, type: own.uuid, offset: offset)))
    case .writeRequested(let handle, let request, let parts, let needsAnswer):
      writeRequested(handle, request, parts, needsAnswer)
    case .partRequested(let handle, let request, let part):
      guard let link = link(handle), let own = attributes[part.attribute] else {
        host.answer(request: request, value: [], error: .invalidHandle)
        return true
      }
      tell(.gatt(.partAsked(RequestID(request), link.id, type: own.uuid, told([part])[0])))
    case .executeRequested(let handle, let request, let parts, let isMeant):
      guard let link = link(handle), let own = attributes[parts[0].attribute] else {
        host.answer(request: request, value: [], error: .invalidHandle)
        return true
      }
      if isMeant { valuesReceived += 1 }
      tell(.gatt(.executeAsked(RequestID(request), link.id, type: own.uuid, told(parts), isMeant: isMeant)))
    case .configurationWritten(let handle, let attribute, let isOn):
      guard let link = link(handle), let own = attributes[attribute] else { return true }
      tell(.gatt(.subscription(link.id, own.key, type: own.uuid, isOn)))
    case .attributeNotified(let handle, let attribute, let characteristic, let value):
      guard let id = id(of: handle) else { return true }
      arrived(Value(link: id, characteristic: characteristic, octets: value, place: .remote(attribute)))
    case .attributeWritten(let handle, _, let error, let tag):
      if let link = link(handle) { writeCompleted(link, tag: tag, error: error) }
    case .writePrepared(let handle, let attribute, let offset, let value, let error, let tag):
      guard let link = link(handle), case .prepare(let type, let octets)? = link.question(tag) else { return true }
      link.end(.write)
      if waitsForSecurity(error, link, { .prepare(attribute, type: type, offset: offset, octets, $0) }) { return true }
      tell(
        .gatt(
          .prepared(link.id, attribute, type: type, offset: offset, octets: value, error: error?.rawValue)))
    case .writesExecuted(let handle, let error):
      if let link = link(handle) { tell(.gatt(.executed(link.id, error: error?.rawValue))) }
    default: return translateAnswer(event)
    }
    return true
  }

  private func translateAnswer(_ event: HostEvent) -> Bool {
    switch event {
    case .primaryServices(let handle, let services, let tag):
      guard let link = link(handle), case .services(let types)? = link.question(tag) else { return true }
      link.end(.discovery)
      watchServices(link, services)
      let found = services.filter { types.isEmpty || types.contains($0.uuid) }
        .map { FoundService(uuid: $0.uuid, start: $0.start, end: $0.end) }
      keep(.services(types), of: link) { .gatt(.services($0, found, error: nil)) }
      tell(.gatt(.services(link.id, found, error: nil)))
    case .includedFound(let handle, _, let services, let error, let tag):
      guard let link = link(handle), case .included(let service)? = link.question(tag) else { return true }
      link.end(.discovery)
      let found = services.map { FoundService(uuid: $0.uuid, isPrimary: false, start: $0.start, end: $0.end) }
      if error == nil { keep(.included(service), of: link) { .gatt(.included($0, of: service, found, error: nil)) } }
      tell(.gatt(.included(link.id, of: service, found, error: error?.rawValue)))
    case .characteristicsFound(let handle, _, let characteristics, let error, let tag):
      guard let link = link(handle), let question = link.question(tag) else { return true }
      guard case .characteristics(let service) = question else {
        watchServices(link, in: characteristics)
        return true
      }
      link.end(.discovery)
      let found = characteristics.map {
        FoundCharacteristic(uuid: $0.uuid, properties: $0.properties.rawValue, value: $0.value, end: $0.end)
      }
      if error == nil {
        keep(.characteristics(service), of: link, characteristics) {
          .gatt(.characteristics($0, of: service, found, error: nil))
        }
      }
      tell(.gatt(.characteristics(link.id, of: service, found, error: error?.rawValue)))
    case .descriptorsFound(let handle, _, let descriptors, let error, let tag):
      guard let link = link(handle), case .descriptors(let characteristic)? = link.question(tag) else { return true }
      link.end(.discovery)
      let found = descriptors.map { FoundDescriptor(uuid: $0.type.uuid, handle: $0.handle) }
      if error == nil {
        keep(.descriptors(characteristic), of: link) { .gatt(.descriptors($0, of: characteristic, found, error: nil)) }
      }
      tell(.gatt(.descriptors(link.id, of: characteristic, found, error: error?.rawValue)))
    case .attributeRead(let handle, let attribute, let value, let error, let tag):
      guard let link = link(handle), case .read(let type)? = link.question(tag) else { return true }
      link.end(.read)
      noticeStaleCache(link, error)
      if waitsForSecurity(error, link, { .read(attribute, type: type, $0) }) { return true }
      tell(
        .gatt(
          .valueRead(link.id, attribute, type: type, octets: error == nil ? value : [], error: error?.rawValue)))
    case .attributeConfigured(let handle, let attribute, let isOn, let error, let tag):
      guard let link = link(handle), case .configure(let type)? = link.question(tag) else { return true }
      link.end(.subscription)
      noticeStaleCache(link, error)
      if waitsForSecurity(error, link, { .configure(attribute, type: type, isOn, $0) }) { return true }
      tell(.gatt(.configured(link.id, attribute, type: type, isOn, error: error?.rawValue)))
    case .servicesChanged(let handle, let start, let end):
      guard let link = link(handle), link.watchesServices else { return true }
      servicesChanged(link)
      tell(.gatt(.servicesChanged(link.id, start: start, end: end)))
    case .rssi(let handle, let level):
      if let link = link(handle) { tell(.gatt(.rssi(link.id, Int(level)))) }
    default: return false
    }
    return true
  }

  /// Whether the event is about the PHYs of a link.
  func translatePHY(_ event: HostEvent) -> Bool {
    switch event {
    case .phy(let handle, let tx, let rx):
      guard let link = link(handle) else { return true }
      link.phys = (tx.rawValue, rx.rawValue)
      tellPHY(link, error: nil)
    case .phyRefused(let handle, let reason): if let link = link(handle) { tellPHY(link, error: reason.rawValue) }
    default: return false
    }
    return true
  }

  private func tellPHY(_ link: AppLink, error: UInt8?) {
    let isAnswer = link.physAsked > 0
    if isAnswer { link.physAsked -= 1 }
    guard isAnswer || watches.links && error == nil else { return }
    tell(.gap(.phy(link.id, tx: link.phys.tx, rx: link.phys.rx, error: error)))
  }

  /// The platform looks for Service Changed on a link by itself, whatever its app does.
  func watchServices(_ link: AppLink) {
    guard !link.watchesServices else { return }
    link.watchesServices = true
    host.discover(link.handle, service: .genericAttribute)
  }

  /// Whether what a server has answered is the platform's own business.
  func isOwnAnswer(_ link: AppLink, service: BluetoothUUID, _ found: [GATT.DiscoveredCharacteristic]) -> Bool {
    guard service == .genericAttribute, link.watchesServices else { return false }
    keep(.byType(service), of: link, found, byHandle: false) {
      .servicesDiscovered($0, service: service, characteristics: [])
    }
    if !found.isEmpty { host.subscribe(link.handle, characteristic: .serviceChanged, true) }
    return true
  }

  /// The platform subscribes to Service Changed by itself, as phones do, once it knows where the services are.
  private func watchServices(_ link: AppLink, _ services: [GATT.DiscoveredService]) {
    guard !link.watchesServices, let own = services.first(where: { $0.uuid == .genericAttribute }) else { return }
    link.watchesServices = true
    host.discoverCharacteristics(link.handle, in: own.handles, tag: link.keep(.ownCharacteristics))
  }

  private func watchServices(_ link: AppLink, in characteristics: [GATT.DiscoveredCharacteristic]) {
    guard let changes = characteristics.first(where: { $0.uuid == .serviceChanged }) else { return }
    host.configure(link.handle, attribute: changes.value, true, tag: link.keep(.ownConfigure))
  }

  private func writeRequested(
    _ handle: HCI.ConnectionHandle, _ request: Int, _ parts: [WrittenPart], _ needsAnswer: Bool
  ) {
    guard let link = link(handle), let own = attributes[parts[0].attribute] else {
      if needsAnswer { host.answer(request: request, value: [], error: .invalidHandle) }
      return
    }
    let asked = AskedWrite(request: RequestID(request), needsAnswer: needsAnswer)
    if parts.count == 1, parts[0].offset == 0 {
      return arrived(
        Value(link: link.id, characteristic: own.uuid, octets: parts[0].value, place: .own(own.key), asked: asked))
    }
    // A broken stack spoils whole values only.
    valuesReceived += 1
    tell(
      .gatt(
        .writesAsked(
          asked.request, link.id, type: own.uuid, told(parts), needsAnswer: needsAnswer)))
  }

  private func told(_ parts: [WrittenPart]) -> [WritePart] {
    parts.compactMap { part in
      attributes[part.attribute].map { WritePart(attribute: $0.key, offset: part.offset, octets: part.value) }
    }
  }

  /// What a write comes to for the app, and the answer to a client whose value a broken stack keeps.
  func deliver(_ value: Value, _ key: AttributeKey, _ asked: AskedWrite) {
    tell(
      .gatt(
        .writesAsked(
          asked.request, value.link, type: value.characteristic,
          [WritePart(attribute: key, offset: 0, octets: value.octets)], needsAnswer: asked.needsAnswer)))
  }

  /// The value does not reach the app now, and its client must not wait for that.
  func answerKept(_ value: inout Value) {
    guard let asked = value.asked, asked.needsAnswer else { return }
    host.answer(request: asked.request.rawValue, value: [], error: nil)
    value.asked?.needsAnswer = false
  }

  /// The services of an app that has died go with it.
  func unpublishAll() {
    for service in attributes.services {
      host.unpublish(service.found.handles)
    }
    attributes.removeAll()
  }
}

extension GATT.DiscoveredService {
  fileprivate var handles: ATT.HandleRange { ATT.HandleRange(start: start, end: end) }
}

extension FoundService {
  fileprivate var handles: ATT.HandleRange { ATT.HandleRange(start: start, end: end) }
}
