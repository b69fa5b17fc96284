import CoreBluetooth
import LobbyRules

/// A central that keeps the clauses: one host at a time, an end for each attempt, nothing said before it can be heard,
/// and one packet after the other in values that fit.
class ClientManager: NSObject {
  static let serviceUUID = CBUUID(string: LobbyUUID.service)
  static let commandUUID = CBUUID(string: LobbyUUID.command)
  static let stateUUID = CBUUID(string: LobbyUUID.state)
  private static let mostPackets = 4_096
  private static let mostRefusals = 3

  var guest: LobbyGuest!
  /// Between two HEARTBEATs; `.never`: none (bab.md 8.8).
  var heartbeatInterval = DispatchTimeInterval.never
  private(set) var manager: CBCentralManager?
  private(set) var isInSession = false
  /// The host that is, or is to be, connected. Who holds none loses it: the manager does not.
  private(set) var peripheral: CBPeripheral?
  /// What the bench calls the link with a host, for reports.
  var linkNumber: (CBPeripheral) -> Int = { _ in 0 }
  /// The host that gave a seat, which is looked for when its link is lost (5.7.7).
  private var home: CBPeripheral?
  private var strangers: [UUID] = []
  private var failures = 0
  private var refusals = 0
  private let attempt = Alarm()
  private let pause = Alarm()
  private let window = Alarm()
  private let heartbeat = Alarm()

  // What belongs to one link.
  private(set) var command: CBCharacteristic?
  private(set) var subscriptions: [CBCharacteristic] = []
  private(set) lazy var reassembler = makeReassembler()
  private var packets: [(type: String, octets: Data)] = []
  /// The packet that is on its way, and its fragments that are not.
  private var current: (type: String, fragmentCount: Int)?
  private var fragments: [Data] = []
  private(set) var packetID: UInt16 = 0
  private var isWriting = false

  // MARK: The session

  func join() {
    if isInSession { return }
    isInSession = true
    (home, strangers, failures, refusals) = (nil, [], 0, 0)
    guest.began()
    if manager == nil { manager = CBCentralManager(delegate: self, queue: .main) } else { look() }
  }

  func leave() { endSession("left") }

  private func endSession(_ reason: String) {
    guard isInSession else { return }
    isInSession = false
    for alarm in [attempt, pause, window, heartbeat] { alarm.cancel() }
    stopScan()
    if let peripheral { release(peripheral) }
    guest.ended(reason)
  }

  /// Ends a link, or an attempt; `didDisconnectPeripheral` comes.
  func release(_ peripheral: CBPeripheral) {
    if manager?.state == .poweredOn { manager?.cancelPeripheralConnection(peripheral) }
  }

  // MARK: Looking for a host (2.4, 2.5, 8.5, 8.7)

  func look() {
    guard isInSession, peripheral == nil, let manager, manager.state == .poweredOn else { return }
    if let home {
      connect(home)
    } else {
      manager.scanForPeripherals(withServices: [Self.serviceUUID])
    }
  }

  func found(_ peripheral: CBPeripheral) {
    guard isInSession, self.peripheral == nil, !strangers.contains(peripheral.identifier) else { return }
    stopScan()
    connect(peripheral)
  }

  func stopScan() { if manager?.isScanning == true { manager?.stopScan() } }

  /// A connection attempt of CoreBluetooth has no end of its own.
  var attemptLimit: DispatchTimeInterval { .seconds(10) }

  func hold(_ peripheral: CBPeripheral) { self.peripheral = peripheral }

  func connect(_ peripheral: CBPeripheral) {
    hold(peripheral)
    peripheral.delegate = self
    manager?.connect(peripheral)
    attempt.set(after: attemptLimit) { [weak self, weak peripheral] in
      if let peripheral { self?.release(peripheral) }
    }
  }

  /// Something that advertises as a host does, and is none.
  func isStranger(_ peripheral: CBPeripheral) {
    strangers.append(peripheral.identifier)
    release(peripheral)
  }

  // MARK: The link

  func connected(_ peripheral: CBPeripheral) {
    attempt.cancel()
    guest.connected(link: linkNumber(peripheral))
    peripheral.discoverServices([Self.serviceUUID])
  }

  func discovered(_ peripheral: CBPeripheral) {
    guard let service = peripheral.services?.first(where: { $0.uuid == Self.serviceUUID }) else {
      return isStranger(peripheral)
    }
    peripheral.discoverCharacteristics(nil, for: service)
  }

  /// Its characteristics are there: both characteristics are needed, and notifications of the second one.
  func take(_ characteristics: [CBCharacteristic], of peripheral: CBPeripheral) {
    let command = characteristics.first { $0.uuid == Self.commandUUID }
    let state = characteristics.first { $0.uuid == Self.stateUUID }
    guard let command, !command.properties.isDisjoint(with: [.write, .writeWithoutResponse]), let state else {
      return isStranger(peripheral)
    }
    self.command = command
    subscribe(to: characteristics.filter { $0 === state || $0.properties.contains(.notify) }, of: peripheral)
  }

  func subscribe(to characteristics: [CBCharacteristic], of peripheral: CBPeripheral) {
    subscriptions = characteristics
    for characteristic in characteristics { peripheral.setNotifyValue(true, for: characteristic) }
  }

  /// Nothing is said before all that notifies is heard (5.1.4).
  func subscribed(_ peripheral: CBPeripheral, _ error: Error?) {
    if error != nil { return isStranger(peripheral) }
    if subscriptions.allSatisfy(\.isNotifying) { speak() }
  }

  func speak() {
    guest.arrived()
    beat()
  }

  private func beat() {
    heartbeat.set(after: heartbeatInterval) { [weak self] in
      self?.guest.beat()
      self?.beat()
    }
  }

  /// The link, or the attempt, is over: nothing of it is left (3.16, 5.9.5).
  func ended(_ peripheral: CBPeripheral, _ error: Error?) {
    let isRefused = (error as? CBError)?.code == .peripheralDisconnected && !guest.isSeated
    if guest.isSeated { home = peripheral }
    forgetLink()
    guard isInSession else { return guest.left(comesBack: false) }
    if guest.isOver { return endSession("the game is over") }
    refusals += isRefused ? 1 : 0
    if refusals == Self.mostRefusals { return endSession("the host refuses") }
    if guest.isSeated { window.set(after: .seconds(30)) { [weak self] in self?.endSession("the host is lost") } }
    guest.left(comesBack: true)
    failures += 1
    // 100 ms, and up to 1.6 s more.
    let wait = 100 + Int.random(in: 0...(100 << min(failures, 4)))
    pause.set(after: .milliseconds(wait)) { [weak self] in self?.look() }
  }

  func forgetLink() {
    attempt.cancel()
    heartbeat.cancel()
    peripheral = nil
    command = nil
    subscriptions = []
    (packets, current, fragments, packetID, isWriting) = ([], nil, [], 0, false)
    reassembler = makeReassembler()
  }

  // MARK: Sending

  func encode(_ packet: JSON) -> Data { Data(packet.ordered.utf8) }

  /// Values of what one write can carry, with or without response: a longer one would become several requests.
  func cut(_ packet: Data, for peripheral: CBPeripheral) -> [Data] {
    cut(packet, longest: peripheral.maximumWriteValueLength(for: .withoutResponse))
  }

  func cut(_ packet: Data, longest: Int) -> [Data] {
    let values = Fragments.cut(packet, id: packetID, longest: longest)
    if !values.isEmpty { packetID &+= 1 }
    return values
  }

  /// One value with response at a time; without response while there is room.
  /// - Returns: false when there is no room; a callback says when there is some again.
  func submit(_ fragment: Data, to command: CBCharacteristic, of peripheral: CBPeripheral) -> Bool {
    if command.properties.contains(.write) {
      isWriting = true
      peripheral.writeValue(fragment, for: command, type: .withResponse)
    } else {
      guard peripheral.canSendWriteWithoutResponse else { return false }
      peripheral.writeValue(fragment, for: command, type: .withoutResponse)
    }
    return true
  }

  func flush() {
    guard let peripheral, let command else { return }
    while let fragment = nextFragment(for: peripheral), submit(fragment, to: command, of: peripheral) {
      fragments.removeFirst()
    }
  }

  private func nextFragment(for peripheral: CBPeripheral) -> Data? {
    if isWriting { return nil }
    while fragments.isEmpty {
      // Its last value was taken, or answered (5.9.3).
      if let current { guest.sent(current.type, fragmentCount: current.fragmentCount) }
      current = nil
      if packets.isEmpty { return nil }
      let packet = packets.removeFirst()
      fragments = cut(packet.octets, for: peripheral)
      if !fragments.isEmpty { current = (packet.type, fragments.count) }
    }
    return fragments.first
  }

  /// A host that refuses a write is left, and asked again (5.9.6).
  func wrote(_ peripheral: CBPeripheral, _ error: Error?) {
    isWriting = false
    if error == nil { flush() } else { release(peripheral) }
  }

  // MARK: Receiving

  func makeReassembler() -> Reassembler { Reassembler() }

  /// The packet that a notified value completes.
  func packet(from value: Data) -> Data? { reassembler.take(value) }

  func received(_ value: Data) {
    guard let packet = packet(from: value) else { return }
    guest.received(packet)
    guard guest.isSeated else { return }
    (failures, refusals) = (0, 0)
    window.cancel()
  }

  /// Bluetooth is off: there is no link any more, and no callback says so.
  func poweredOff() {
    if let peripheral { ended(peripheral, nil) }
  }
}

extension ClientManager: GuestCarrier {
  func send(_ packet: JSON) {
    guard let peripheral else { return }
    guard packets.count < Self.mostPackets else { return release(peripheral) }
    packets.append((packet.type, encode(packet)))
    flush()
  }
}
