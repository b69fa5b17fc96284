import AppSeam
import BluetoothWire
import SimKernel

/// A client's BLE half: it looks for a host when its user joins, and again when it loses it, for the dialect's window.
final class ClientGlue: MessageGlue {
  private static let window = TimerID(MessageGlue.timerOffset - 1)

  private var isJoining = false
  private var attempted: BluetoothAddress?
  private var toSubscribe: [BluetoothUUID] = []

  init(_ engine: any AppEngine, _ dialect: Dialect) { super.init(engine, dialect, .write) }

  override func receive(_ input: AppInput) {
    if case .timer(Self.window) = input { return stop() }
    super.receive(input)
    switch input {
    case .user(let action): acted(action.bab)
    case .radioPower(true): look()
    case .discovered(let advertisement):
      guard isJoining, attempted == nil, dialect.isHost(advertisement) else { return }
      attempted = advertisement.address
      effects += [.stopScanning, .connect(advertisement.address)]
    case .connectFailed: look()
    case .connected(let link, _):
      attempted = nil
      effects.append(.exchangeMTU(link, dialect.wishedATTMTU))
    case .attMTU(let link, _): effects.append(.discover(link, service: dialect.service))
    case .servicesDiscovered(let link, _, let found): discovered(link, found)
    case .subscribed(let link, let characteristic, _):
      toSubscribe.removeAll { $0 == characteristic }
      subscribeOn(link)
    case .disconnected:
      guard isJoining else { return }
      effects.append(.setTimer(Self.window, at: now + dialect.reconnectWindow))
      look()
    default: break
    }
  }

  private func acted(_ action: BabAction?) {
    switch action {
    case .joinHost, .joinHostAt:
      isJoining = true
      look()
    case .leave: stop()
    default: break
    }
  }

  private func look() {
    attempted = nil
    if isJoining, sides.isEmpty { effects.append(.scan(services: dialect.scanFilter)) }
  }

  private func discovered(_ link: LinkID, _ found: [ServiceDefinition.Characteristic]) {
    guard let command = found.first(where: { $0.uuid == dialect.command.uuid }) else {
      effects.append(.disconnect(link))
      return
    }
    if !command.properties.contains(.write) { sender.path = .writeWithoutResponse }
    let offered = dialect.notifying.map(\.uuid)
    toSubscribe = offered.filter { uuid in found.contains { $0.uuid == uuid } }
    subscribeOn(link)
  }

  private func subscribeOn(_ link: LinkID) {
    if let next = toSubscribe.first {
      effects.append(.subscribe(link, characteristic: next, true))
    } else {
      effects.append(.cancelTimer(Self.window))
      know(link)
    }
  }

  private func stop() {
    isJoining = false
    effects += [.stopScanning, .cancelTimer(Self.window)]
    if let attempted { effects.append(.cancelConnect(attempted)) }
    attempted = nil
    for side in sides { effects.append(.disconnect(side.link)) }
  }
}
