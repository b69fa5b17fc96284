import AppSeam
import BluetoothWire

/// A remote device that a central manager has found or connected to.
///
/// One object per device and manager, as long as the app retains it. Commands need the state `connected`; others are
/// logged as API misuse and ignored. Source: Apple, `CBPeripheral`.
open class CBPeripheral: CBPeer, KeyValueObserved {
  weak var manager: CBCentralManager?
  /// The link, as the phone knows it, which is ahead of what the app has been told.
  var link: PhoneLink?
  let observers = KeyValueObservers()
  var shownState = CBPeripheralState.disconnected { didSet { if shownState != oldValue { changed() } } }
  /// Set with each discovery.
  var shownName: String? { didSet { if shownName != oldValue { changed() } } }
  var serviceList: [CBService]? { didSet { changed() } }

  /// Whoever is told; not retained.
  open weak var delegate: (any CBPeripheralDelegate)?

  init(address: BluetoothAddress, manager: CBCentralManager) {
    self.manager = manager
    shownName = manager.phone?.book[address]?.name
    super.init(
      address: address,
      identifier: manager.phone?.identifier(of: address) ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    )
  }

  deinit {
    guard shownState != .disconnected, let manager, let phone = manager.phone else { return }
    phone.remark(
      .misuse, .peripheralNotRetained,
      "the \(shownState == .connected ? "link" : "attempt to connect") to \(peerIdentifier) is ended, because nobody"
        + " retains its peripheral")
    phone.locked { _ = phone.cancel(address, manager: manager.number) }
  }

  /// `<CBPeripheral: 0x…, identifier = …, name = …, mtu = 23, state = connected>`; mtu is 0 without a link.
  open override var description: String {
    let mtu = manager?.phone?.locked { link?.attMTU ?? 0 } ?? 0
    return ObjectText.of(
      self,
      [
        "identifier": identifier.uuidString, "name": ObjectText.of(name), "mtu": "\(mtu)", "state": "\(state)",
      ])
  }
  /// Its name: advertised, or read once and remembered by the phone; nil as long as it is not known.
  open var name: String? { shownName }
  /// The state of the connection, as the app was last told.
  open var state: CBPeripheralState { shownState }
  /// The services that were discovered; nil before that, and after a disconnection.
  open var services: [CBService]? { serviceList }
  /// Always false: the Apple Notification Center Service is not modelled.
  open var ancsAuthorized: Bool { false }

  /// A property by its name: `identifier`, `name`, `state`; nil for others.
  open override func value(forKey key: String) -> Any? {
    switch key {
    case "name": name
    case "state": NSNumber(value: state.rawValue)
    default: super.value(forKey: key)
    }
  }

  // MARK: Discovery

  /// Finds services of these types, or all; `peripheral(_:didDiscoverServices:)` follows.
  open func discoverServices(_ serviceUUIDs: [CBUUID]?) { findServices(serviceUUIDs) }

  /// Finds the services that a service includes.
  open func discoverIncludedServices(_ includedServiceUUIDs: [CBUUID]?, for service: CBService) {
    findIncluded(includedServiceUUIDs, service)
  }

  /// Finds characteristics of these types in a service, or all of it.
  open func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
    findCharacteristics(characteristicUUIDs, service)
  }

  /// Finds the descriptors of a characteristic.
  open func discoverDescriptors(for characteristic: CBCharacteristic) { findDescriptors(characteristic) }

  // MARK: Values

  /// Reads a value of up to 512 octets; `peripheral(_:didUpdateValueFor:error:)` follows.
  open func readValue(for characteristic: CBCharacteristic) { read(characteristic) }

  /// Reads a descriptor.
  open func readValue(for descriptor: CBDescriptor) { read(descriptor) }

  /// How many octets one write may have: ATT_MTU − 3 without response, 512 with it.
  open func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int { longestWrite(type) }

  /// Writes a value. With response, `peripheral(_:didWriteValueFor:error:)` follows; without, nothing does.
  ///
  /// A write without response that is too long, or for which there is no room, is dropped.
  open func writeValue(_ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType) {
    write(data, characteristic, type)
  }

  /// Writes a descriptor. The Client Characteristic Configuration is written by `setNotifyValue` only.
  open func writeValue(_ data: Data, for descriptor: CBDescriptor) { write(data, descriptor) }

  /// Whether there is room for a write without response; once false, the delegate is told when there is.
  open var canSendWriteWithoutResponse: Bool { hasRoomToWrite }

  /// Switches notifications on or off, or indications where there are no notifications.
  open func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
    configure(characteristic, enabled)
  }

  /// Reads the signal strength of the link; `peripheral(_:didReadRSSI:error:)` follows.
  open func readRSSI() { readSignalStrength() }

  /// Opens an L2CAP channel; `peripheral(_:didOpen:error:)` follows.
  open func openL2CAPChannel(_ PSM: CBL2CAPPSM) { openChannel(PSM) }

  // MARK: For the phone

  /// The phone and the link, if commands are accepted; else the remark that a phone logs.
  func ready(
    for command: String, with arguments: @autoclosure () -> [String] = []
  ) -> (phone: VirtualPhone, link: PhoneLink)? {
    guard let phone = manager?.phone else { return nil }
    phone.note(.call(method: "CBPeripheral." + command, peer: CallText.of(self), arguments: arguments()))
    guard shownState == .connected else {
      phone.remark(
        .misuse, .notConnected,
        "\(command.methodName) while the peripheral's state is \(shownState), not connected; the call is ignored")
      return nil
    }
    // A link that has ended, which the app will hear next, takes no more commands.
    return link.map { (phone, $0) }
  }

  private func changed() { manager?.phone?.changed(self) }

  func linkIsGone() { link = nil }

  /// The connection has ended for the app: what was discovered is void.
  func ended() {
    shownState = .disconnected
    for service in serviceList ?? [] {
      for characteristic in service.characteristicList ?? [] { characteristic.notifies = false }
    }
    serviceList = nil
  }

  /// Calls the delegate on the manager's queue; `change` is what the app sees from then on.
  func tell(
    _ method: String, with arguments: @autoclosure @escaping () -> [String] = [],
    change: @escaping (CBPeripheral) -> Void = { _ in },
    _ body: @escaping (any CBPeripheralDelegate, CBPeripheral) -> Void
  ) {
    guard let manager else { return }
    let phone = manager.phone
    manager.call { [weak self] in
      guard let self else { return }
      change(self)
      if let delegate {
        phone?.note(.callback(method: method, peer: CallText.of(self), arguments: arguments()))
        body(delegate, self)
      } else {
        phone?.remark(.note, .noPeripheralDelegate, "a peripheral without a delegate had something to tell")
      }
    }
  }
}
