import AppSeam
import BluetoothWire

/// What is told beyond the seam, or lifted from it.
extension VirtualPhone {
  func take(_ fact: PhoneFact) {
    switch fact {
    case .published(let key, let error): local.owner(of: key)?.published(key, error)
    case .subscription(let id, let attribute, let isOn): subscription(id, attribute, isOn)
    case .readAsked(let request, let id, let attribute, let offset):
      guard let link = link(id) else { return }
      guard let owner = local.owner(of: attribute) else {
        ask(.answer(request, value: [], error: ATT.ErrorCode.invalidHandle.rawValue))
        return
      }
      owner.readAsked(request, link, attribute, offset: offset)
    case .writesAsked(let request, let parts, let needsAnswer): writesAsked(request, parts, needsAnswer)
    case .notifySubmitted(let id, _, let accepted):
      guard let link = link(id) else { return }
      link.notifications.answered(accepted: accepted) { link.subscriptions.contains($0) }
      tellReady(link)
    case .submitted(let id, _, let accepted):
      guard let link = link(id) else { return }
      link.writes.answered(accepted: accepted) { _ in true }
      tellReady(link)
    case .channelPublished, .channelUnpublished, .channelOpened, .channelReceived, .channelSent, .channelClosed:
      takeChannel(fact)
    default: takeClient(fact)
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

  private func writesAsked(_ request: RequestID, _ parts: [WritePart], _ needsAnswer: Bool) {
    guard let first = parts.first, let link = link(first.link) else { return }
    guard let owner = local.owner(of: first.attribute) else {
      if needsAnswer { ask(.answer(request, value: [], error: ATT.ErrorCode.invalidHandle.rawValue)) }
      return
    }
    owner.writesAsked(request, link, parts, needsAnswer: needsAnswer)
  }

  private func takeClient(_ fact: PhoneFact) {
    switch fact {
    case .services(let id, let found, let error):
      link(id)?.foundServices += found.map(\.uuid)
      answer(id, .services) { $0.servicesFound(found, error) }
    case .included(let id, let service, let found, let error):
      answer(id, .included(service.start)) { $0.includedFound(service, found, error) }
    case .characteristics(let id, let service, let found, let error):
      answer(id, .characteristics(service.start)) { $0.characteristicsFound(service, found, error) }
    case .descriptors(let id, let characteristic, let found, let error):
      answer(id, .descriptors(characteristic.value)) { $0.descriptorsFound(characteristic, found, error) }
    case .valueRead(let id, let handle, let octets, let error):
      answer(id, .read(handle)) { $0.valueRead(handle, octets, error) }
    case .valueWritten(let id, let handle, let error):
      answer(id, .write(handle)) { $0.valueWritten(handle, error) }
    case .configured(let id, let handle, let isOn, let error):
      answer(id, .configure(handle)) { $0.configured(handle, isOn, error) }
    case .rssi(let id, let level):
      answer(id, .rssi) { $0.rssiRead(level) }
    case .notified(let id, let handle, let octets):
      for peripheral in peripherals(on: id) { peripheral.notified(handle, octets) }
    case .servicesChanged(let id, let start, let end):
      for peripheral in peripherals(on: id) { peripheral.servicesChanged(start, end) }
    default: break
    }
  }

  /// Tells the peripheral that has waited longest for this answer.
  private func answer(_ id: LinkID, _ kind: PendingAnswer.Kind, _ tell: (CBPeripheral) -> Void) {
    guard let index = pending.firstIndex(where: { $0.link == id && $0.kind == kind }) else { return }
    if let peripheral = pending.remove(at: index).peripheral { tell(peripheral) }
  }

  private func peripherals(on id: LinkID) -> [CBPeripheral] {
    guard let link = link(id) else { return [] }
    return liveCentrals.filter { link.holders.contains($0.number) }.compactMap { $0.known(link.peer) }
  }

  /// A command of a peripheral that is answered later.
  func ask(_ wish: PhoneWish, on id: LinkID, _ kind: PendingAnswer.Kind, by peripheral: CBPeripheral) {
    pending.append(PendingAnswer(link: id, kind: kind, peripheral: peripheral))
    ask(wish)
  }
}
