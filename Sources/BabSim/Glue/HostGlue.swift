import AppSeam
import BluetoothWire
import SimKernel

/// A host's BLE half: it publishes, and is found while a link is free, until its engine says that it shall not be.
final class HostGlue: MessageGlue {
  private static let retry = 0
  private static let retryDelay = SimDuration.seconds(1)

  private var isHosting = false
  private var hasPublished = false
  /// The engine wishes to be found.
  private var isWanted = false
  private var isAdvertising = false
  private let request: AdvertisementRequest

  init(_ engine: any AppEngine, _ configuration: BabConfiguration) {
    let dialect = configuration.dialect
    let name = dialect.advertisedName(peerID: configuration.peerID, displayName: configuration.displayName)
    request = AdvertisementRequest(localName: name, serviceUUIDs: [dialect.service])
    super.init(engine, dialect, .notify)
  }

  override func receive(_ input: AppInput) {
    // Before the engine hears of it, which may wish something else.
    if case .user(let action) = input, action.bab == .startHosting, !isHosting { open() }
    super.receive(input)
    switch input {
    case .user(let action) where action.bab == .leave:
      search(false)
      isHosting = false
    case .radioPower(false):
      isAdvertising = false
      hasPublished = false
    case .radioPower(true) where isHosting:
      publish()
      search(isWanted)
    case .connected(let link, _):
      if isHosting { know(link) } else { effects.append(.disconnect(link)) }
      // Platforms stop advertising with a connection.
      search(isWanted)
    case .disconnected, .background(false): search(isWanted)
    case .advertisingStarted(false):
      if isAdvertising { effects.append(.setTimer(Self.timer(Self.retry), at: now + Self.retryDelay)) }
    case .subscribed(let link, dialect.state.uuid, let isOn):
      sender.setReady(isOn, link, &effects)
    default: break
    }
  }

  override func carriesPackets(_ characteristic: BluetoothUUID) -> Bool { characteristic == dialect.command.uuid }

  override func roleTimerFired(_ number: Int) { search(isWanted) }

  private func open() {
    isHosting = true
    isWanted = true
    publish()
    search(true)
  }

  private func publish() {
    if hasPublished { return }
    hasPublished = true
    effects.append(.publish(dialect.serviceDefinition))
  }

  override func search(_ isOn: Bool) {
    isWanted = isOn
    guard isHosting, isRadioOn else { return }
    if isOn, sides.count < dialect.capacity - 1 {
      isAdvertising = true
      effects.append(.advertise(request))
    } else if isAdvertising {
      isAdvertising = false
      effects.append(.stopAdvertising)
    }
  }
}
