import AppSeam
import BluetoothWire
import SimKernel

/// A client's BLE half: it looks for a host when its user joins, and again when it has lost it, until its user leaves
/// or its engine says that it shall not. Once the engine knows a host, no other one will do (BAB 5.7.7).
final class ClientGlue: MessageGlue {
  private enum RoleTimer {
    static let attempt = 0
    static let retry = 1
  }

  private static let mostStrangers = 32

  private let retryDelay: SimDuration
  /// The engine, or its user, wishes to be with a host.
  private var isWanted = false
  private var isScanning = false
  /// The only host that its user wants; nil: any.
  private var picked: String?
  private var attempted: (address: BluetoothAddress, name: String?)?
  /// The host of this session.
  private var host: (address: BluetoothAddress, name: String?)?
  /// Addresses where no service was (BAB 2.5).
  private var strangers: [BluetoothAddress] = []
  private var failures = 0
  private var toSubscribe: [BluetoothUUID] = []

  init(_ engine: any AppEngine, _ configuration: BabConfiguration) {
    retryDelay = configuration.retryDelay
    super.init(engine, configuration.dialect, .write)
  }

  override func receive(_ input: AppInput) {
    switch input {
    case .user(let action):
      // Before the engine hears of it, which may wish something else.
      if action.bab == .joinHost { join(at: nil) }
      if case .joinHostAt(let address) = action.bab { join(at: address) }
    case .connected(let link, let peer):
      guard peer == attempted?.address else { return effects.append(.disconnect(link)) }
    default: break
    }
    let knew = sides.contains { $0.isKnown }
    super.receive(input)
    switch input {
    case .user(let action):
      guard action.bab == .leave else { return }
      search(false)
      for side in sides { end(side.link) }
    case .background(false): if isScanning { effects.append(.scan(services: dialect.scanFilter)) }
    case .radioPower(let isOn): if isOn { look() } else { forgetAttempt() }
    case .discovered(let advertisement): discovered(advertisement)
    case .connectFailed(let address, _): if address == attempted?.address { failed() }
    case .connected(let link, _):
      effects.append(.cancelTimer(Self.timer(RoleTimer.attempt)))
      effects += [.exchangeMTU(link, dialect.wishedATTMTU), .discover(link, service: dialect.service)]
    case .servicesDiscovered(let link, let service, let found):
      if service == dialect.service { discovered(link, found) }
    case .subscribed(let link, let characteristic, let isOn): subscribed(link, characteristic, isOn)
    case .disconnected: if knew { look() } else { failed() }
    default: break
    }
  }

  override func carriesPackets(_ characteristic: BluetoothUUID) -> Bool {
    dialect.notifying.contains { $0.uuid == characteristic }
  }

  // MARK: Looking

  private func join(at address: String?) {
    guard !isWanted else { return }
    picked = address
    host = nil
    strangers = []
    failures = 0
    search(true)
  }

  override func search(_ isOn: Bool) {
    isWanted = isOn
    if isOn { return look() }
    if isScanning { effects.append(.stopScanning) }
    if let attempted, sides.isEmpty { effects.append(.cancelConnect(attempted.address)) }
    forgetAttempt()
  }

  private func forgetAttempt() {
    isScanning = false
    attempted = nil
    effects += [RoleTimer.attempt, RoleTimer.retry].map { .cancelTimer(Self.timer($0)) }
  }

  private func look() {
    guard isWanted, isRadioOn, !isScanning, sides.isEmpty else { return }
    forgetAttempt()
    isScanning = true
    effects.append(.scan(services: dialect.scanFilter))
  }

  /// Waits for longer after every failure (BAB 8.7, without its draw: one client waits for nobody).
  private func failed() {
    attempted = nil
    guard isWanted, isRadioOn, !isScanning, sides.isEmpty else { return }
    failures += 1
    effects.append(.cancelTimer(Self.timer(RoleTimer.attempt)))
    effects.append(.setTimer(Self.timer(RoleTimer.retry), at: now + retryDelay * Int64(1 << min(failures, 4))))
  }

  override func roleTimerFired(_ number: Int) {
    if number == RoleTimer.attempt, let attempted { effects.append(.cancelConnect(attempted.address)) }
    look()
  }

  private func discovered(_ advertisement: Advertisement) {
    guard isScanning, dialect.isHost(advertisement), !strangers.contains(advertisement.address),
      isAcceptable(advertisement)
    else { return }
    isScanning = false
    attempted = (advertisement.address, advertisement.localName)
    effects += [.stopScanning, .connect(advertisement.address)]
    effects.append(.setTimer(Self.timer(RoleTimer.attempt), at: now + dialect.connectTimeout))
  }

  private func isAcceptable(_ advertisement: Advertisement) -> Bool {
    guard let host else { return picked == nil || advertisement.address.description == picked }
    return advertisement.address == host.address
      || advertisement.localName != nil && advertisement.localName == host.name
  }

  // MARK: A link

  private func discovered(_ link: LinkID, _ found: [ServiceDefinition.Characteristic]) {
    guard let command = found.first(where: { $0.uuid == dialect.command.uuid }),
      found.contains(where: { $0.uuid == dialect.state.uuid && $0.properties.contains(.notify) })
    else {
      if let attempted, strangers.count < Self.mostStrangers { strangers.append(attempted.address) }
      effects.append(.disconnect(link))
      return
    }
    sender.path = command.properties.contains(.write) ? .write : .writeWithoutResponse
    let offered = dialect.notifying.map(\.uuid)
    toSubscribe = offered.filter { uuid in found.contains { $0.uuid == uuid } }
    for uuid in toSubscribe { effects.append(.subscribe(link, characteristic: uuid, true)) }
  }

  private func subscribed(_ link: LinkID, _ characteristic: BluetoothUUID, _ isOn: Bool) {
    guard side(link) != nil, let place = toSubscribe.firstIndex(of: characteristic) else { return }
    guard isOn else { return effects.append(.disconnect(link)) }
    toSubscribe.remove(at: place)
    guard toSubscribe.isEmpty else { return }
    failures = 0
    host = attempted ?? host
    attempted = nil
    sender.setReady(true, link, &effects)
    know(link)
  }
}
