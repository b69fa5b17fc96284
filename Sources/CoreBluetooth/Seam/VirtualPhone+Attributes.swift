import AppSeam
import BluetoothWire

/// What is told about attributes.
extension VirtualPhone {
  func take(_ input: GATTInput) {
    switch input {
    case .published(let key, let error): local.owner(of: key)?.published(key, error)
    case .subscription(let id, let attribute, _, let isOn): subscription(id, attribute, isOn)
    case .readAsked(let request, let id, let attribute, _, let offset):
      guard let link = link(id) else { return }
      guard let owner = local.owner(of: attribute) else {
        return ask(.gatt(.answer(request, value: [], error: ATT.ErrorCode.invalidHandle.rawValue)))
      }
      owner.readAsked(request, link, attribute, offset: offset)
    case .writesAsked(let request, let id, _, let parts, let needsAnswer): writesAsked(request, id, parts, needsAnswer)
    case .notifySubmitted(let id, _, _, let accepted):
      guard let link = link(id) else { return }
      link.notifications.answered(accepted: accepted) { link.subscriptions.contains($0) }
      tellReady(link)
    case .submitted(let id, _, _, let accepted):
      guard let link = link(id) else { return }
      link.writes.answered(accepted: accepted) { _ in true }
      tellReady(link)
    default: takeClient(input)
    }
  }

  private func subscription(_ id: LinkID, _ attribute: AttributeKey, _ isOn: Bool) {
    guard let link = link(id), let owner = local.owner(of: attribute) else { return }
    guard link.subscriptions.contains(attribute) != isOn else { return }
    if isOn {
      link.subscriptions.append(attribute)
    } else {
      link.subscriptions.removeAll { $0 == attribute }
      link.notifications.forget(attribute)
    }
    owner.subscription(link, attribute, isOn)
    if !isOn { tellReady(link) }
  }

  private func writesAsked(_ request: RequestID, _ id: LinkID, _ parts: [WritePart], _ needsAnswer: Bool) {
    guard let first = parts.first, let link = link(id) else { return }
    guard let owner = local.owner(of: first.attribute) else {
      if needsAnswer { ask(.gatt(.answer(request, value: [], error: ATT.ErrorCode.invalidHandle.rawValue))) }
      return
    }
    owner.writesAsked(request, link, parts, needsAnswer: needsAnswer)
  }

  private func takeClient(_ input: GATTInput) {
    switch input {
    case .services(let id, let found, let error):
      link(id)?.foundServices += found.map(\.uuid)
      answer(id, .services) { $0.servicesFound(found.filter { !Self.hiddenServices.contains($0.uuid) }, error) }
    case .included(let id, let service, let found, let error):
      answer(id, .included(service.start)) { peripheral, types in
        peripheral.includedFound(service, found.filter { types?.contains($0.uuid) ?? true }, error)
      }
    case .characteristics(let id, let service, let found, let error):
      answer(id, .characteristics(service.start)) { peripheral, types in
        peripheral.characteristicsFound(service, found.filter { types?.contains($0.uuid) ?? true }, error)
      }
    case .descriptors(let id, let characteristic, let found, let error):
      answer(id, .descriptors(characteristic.value)) { $0.descriptorsFound(characteristic, found, error) }
    case .valueRead(let id, let handle, _, let octets, let error):
      answer(id, .read(handle)) { $0.valueRead(handle, octets, error) }
    case .valueWritten(let id, let handle, _, let error):
      answer(id, .write(handle)) { $0.valueWritten(handle, error) }
    case .configured(let id, let handle, _, let isOn, let error):
      answer(id, .configure(handle)) { $0.configured(handle, isOn, error) }
    case .rssi(let id, let level):
      answer(id, .rssi) { $0.rssiRead(level == 127 ? nil : level) }
    case .notified(let id, let handle, _, let octets):
      for peripheral in peripherals(on: id) { peripheral.notified(handle, octets) }
    case .servicesChanged(let id, let start, let end):
      for peripheral in peripherals(on: id) { peripheral.servicesChanged(start, end) }
    default: break
    }
  }

  /// Generic Access and Generic Attribute: the system's own business (see corebluetooth.md).
  private static let hiddenServices = [BluetoothUUID.genericAccess, .genericAttribute]

  /// Tells the peripheral that has waited longest for this answer.
  private func answer(_ id: LinkID, _ kind: PendingAnswer.Kind, _ tell: (CBPeripheral) -> Void) {
    answer(id, kind) { peripheral, _ in tell(peripheral) }
  }

  private func answer(_ id: LinkID, _ kind: PendingAnswer.Kind, _ tell: (CBPeripheral, [BluetoothUUID]?) -> Void) {
    guard let index = pending.firstIndex(where: { $0.link == id && $0.kind == kind }) else { return }
    let answered = pending.remove(at: index)
    if let peripheral = answered.peripheral { tell(peripheral, answered.types) }
  }

  private func peripherals(on id: LinkID) -> [CBPeripheral] {
    guard let link = link(id) else { return [] }
    return liveCentrals.filter { link.holders.contains($0.number) }.compactMap { $0.known(link.peer) }
  }

  /// A command of a peripheral that is answered later; of what is found, only these types are told.
  func ask(
    _ effect: GATTEffect, on id: LinkID, _ kind: PendingAnswer.Kind, only types: [BluetoothUUID]? = nil,
    by peripheral: CBPeripheral
  ) {
    pending.append(PendingAnswer(link: id, kind: kind, types: types, peripheral: peripheral))
    ask(.gatt(effect))
  }
}
