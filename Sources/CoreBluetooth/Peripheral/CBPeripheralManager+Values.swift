import AppSeam
import BluetoothWire

extension CBPeripheralManager {
  func update(_ value: Data, _ characteristic: CBMutableCharacteristic, _ centrals: [CBCentral]?) -> Bool {
    guard let phone, !phone.locked({ phone.isEnded }) else { return false }
    let method = "updateValue(_:for:onSubscribedCentrals:)"
    let arguments = [
      CallText.of(value), CallText.of(characteristic), centrals.map { "[\(CallText.count($0, "central"))]" } ?? "nil",
    ]
    let peer = centrals?.count == 1 ? centrals?.first.map { CallText.of($0) } : nil
    return phone.note({
      .call(method: traced(method), peer: peer, arguments: arguments, result: "\($0)")
    }) {
      guard isReady(after: method) else { return false }
      guard let key = characteristic.key, characteristic.publisher === self else {
        phone.remark(
          .misuse, .characteristicNotPublished,
          "updateValue of characteristic \(characteristic.uuid), which this manager has not published")
        return false
      }
      let updates: CBCharacteristicProperties = [
        .notify, .indicate, .notifyEncryptionRequired, .indicateEncryptionRequired,
      ]
      guard !characteristic.properties.isDisjoint(with: updates) else {
        phone.remark(
          .misuse, .updateNotNotifying,
          "updateValue of characteristic \(characteristic.uuid), which has neither notifications nor indications")
        return false
      }
      return update(Array(value), key, characteristic.uuid.wire, to: centrals, phone)
    }
  }

  private func update(
    _ octets: [UInt8], _ key: AttributeKey, _ type: BluetoothUUID, to centrals: [CBCentral]?, _ phone: VirtualPhone
  ) -> Bool {
    let links = phone.links.filter { link in
      link.subscriptions.contains(key) && (centrals?.contains { $0.address == link.peer } ?? true)
    }
    for central in centrals ?? [] where !links.contains(where: { $0.peer == central.address }) {
      phone.remark(
        .note, .foreignCentral, "updateValue for central \(central.identifier), which has not subscribed; ignored")
    }
    guard links.allSatisfy({ $0.notifications.hasRoom(depth: phone.settings.transmitDepth) }) else {
      if owesReady, !isRefusalRemarked {
        isRefusalRemarked = true
        phone.remark(.note, .updateIgnored, "updateValue after it returned false, before the manager is ready again")
      }
      owesReady = true
      return false
    }
    for link in links {
      if octets.count > link.attMTU - 3 {
        phone.remark(
          .misuse, .updateTruncated, "updateValue with \(octets.count) octets where \(link.attMTU - 3) fit; it is cut")
      }
      let item = Outbox<AttributeKey>.Item(
        attribute: key, type: type, octets: Array(octets.prefix(link.attMTU - 3)))
      phone.submit(item, on: link)
    }
    return true
  }

  /// A link has room.
  func roomAgain() {
    guard let phone, owesReady else { return }
    guard phone.links.allSatisfy({ $0.subscriptions.isEmpty || $0.notifications.isIdle }) else { return }
    owesReady = false
    isRefusalRemarked = false
    call { [weak self] in
      guard let self else { return }
      tell("peripheralManagerIsReady(toUpdateSubscribers:)") { $0.peripheralManagerIsReady(toUpdateSubscribers: self) }
    }
  }

  func subscription(_ link: PhoneLink, _ key: AttributeKey, _ isOn: Bool) {
    guard let characteristic = phone?.local.characteristic(key) else { return }
    let central = central(link.peer)
    call { [weak self] in
      guard let self else { return }
      characteristic.subscribers.removeAll { $0 === central }
      if isOn {
        characteristic.subscribers.append(central)
        tell(
          "peripheralManager(_:central:didSubscribeTo:)", central, with: ["central", CallText.of(characteristic)]
        ) {
          $0.peripheralManager(self, central: central, didSubscribeTo: characteristic)
        }
      } else {
        tell(
          "peripheralManager(_:central:didUnsubscribeFrom:)", central, with: ["central", CallText.of(characteristic)]
        ) {
          $0.peripheralManager(self, central: central, didUnsubscribeFrom: characteristic)
        }
      }
    }
  }

  /// The subscriptions of a link end with it, and so do requests without an answer.
  func linkEnded(_ link: PhoneLink) {
    guard let phone else { return }
    for request in requests where request.link == link.id && request.needsAnswer {
      phone.remark(.misuse, .unanswered, "a link has ended with a request that the app has not answered")
    }
    requests.removeAll { $0.link == link.id }
    for key in link.subscriptions where phone.local.owner(of: key) === self { subscription(link, key, false) }
    roomAgain()
  }

  func wish(_ latency: CBPeripheralManagerConnectionLatency, _ central: CBCentral) {
    guard isReady(for: "setDesiredConnectionLatency(_:for:)", central, with: ["\(latency)", "central"]), let phone
    else { return }
    let range = latency.intervals
    phone.locked {
      guard let link = phone.link(with: central.address) else {
        return phone.remark(
          .note, .foreignCentral, "setDesiredConnectionLatency for a central that is not connected; ignored")
      }
      phone.ask(.gap(.requestInterval(link.id, shortest: range.lowerBound, longest: range.upperBound)))
    }
  }
}
