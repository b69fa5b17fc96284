import AppSeam
import BluetoothWire

/// A host's BLE half: it publishes, and is found until its engine says that it shall not be.
final class HostGlue: MessageGlue {
  private var isHosting = false
  private var isWanted = false
  /// What it advertises.
  private let name: String

  init(_ engine: any AppEngine, _ dialect: Dialect, name: String) {
    self.name = name
    super.init(engine, dialect, .notify)
  }

  override func receive(_ input: AppInput) {
    super.receive(input)
    switch input {
    case .user(let action) where action.bab == .startHosting:
      isHosting = true
      effects.append(.publish(dialect.serviceDefinition))
      advertise(true)
    case .radioPower(true) where isHosting:
      effects.append(.publish(dialect.serviceDefinition))
      advertise(isWanted)
    // Platforms stop advertising with a connection.
    case .connected, .disconnected: if isWanted { advertise(true) }
    case .subscribed(let link, dialect.state.uuid, let isOn):
      if isOn { know(link) } else { sender.setReady(false, link, &effects) }
    default: break
    }
  }

  override func advertise(_ isOn: Bool) {
    isWanted = isOn
    guard isHosting else { return }
    let isFree = sides.count < dialect.capacity - 1
    effects.append(
      isOn && isFree
        ? .advertise(AdvertisementRequest(localName: name, serviceUUIDs: [dialect.service])) : .stopAdvertising)
  }
}
