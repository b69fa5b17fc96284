import CoreBluetooth
import LobbyRules

/// One thing that guides do, and the sound client does not: what the suite says of it alone.
enum Mistake: String, CaseIterable {
  /// Does not keep the `CBPeripheral` that it connects to.
  case forgetsPeripheral = "forgets-peripheral"
  /// Never calls `stopScan`.
  case scansOn = "scans-on"
  /// Connects to each host that it discovers.
  case takesAll = "takes-all"
  /// Waits for `didConnect` without a limit.
  case waitsForever = "waits-forever"
  /// Unwraps what discovery has found.
  case unwraps = "unwraps"
  /// Says its first packet in `didConnect`, when there is no characteristic to write to.
  case speaksAtOnce = "speaks-at-once"
  /// Does not look at the error of `didUpdateNotificationStateFor`.
  case ignoresState = "ignores-state"
  /// Cuts the text every 182 octets, and adds no header.
  case rawChunks = "raw-chunks"
  /// Cuts values of 182 octets, whatever one write can carry.
  case fixedLength = "fixed-length"
  /// Cuts values by `maximumWriteValueLength(for: .withResponse)`, which are long writes.
  case longWrites = "long-writes"
  /// Writes with response, whatever the characteristic offers.
  case oneType = "one-type"
  /// Does not look at `canSendWriteWithoutResponse`.
  case ignoresRoom = "ignores-room"
  /// Does not look at the error of `didWriteValueFor`.
  case ignoresError = "ignores-error"
  /// Takes each notification for a whole packet.
  case firstValue = "first-value"
  /// Reads the header of a notification without a look at its length.
  case readsHeader = "reads-header"
  /// Keeps what came of a packet when its link ends.
  case keepsParts = "keeps-parts"
  /// Subscribes on the first link only.
  case subscribesOnce = "subscribes-once"
  /// Uses the characteristics of the first link on the next one.
  case keepsCharacteristics = "keeps-characteristics"
  /// Waits for `didDisconnectPeripheral` when Bluetooth is switched off.
  case missesPowerOff = "misses-power-off"
  /// Encodes by Foundation, whose keys have no order.
  case foundationJSON = "foundation-json"
}

/// The sound client with one mistake.
final class MistakenClient: ClientManager {
  private let mistake: Mistake
  private let buffer = Reassembler()
  private var kept: [CBPeripheral] = []
  private var hasSubscribed = false
  private var remembered: [CBCharacteristic] = []

  init(_ mistake: Mistake) { self.mistake = mistake }

  // MARK: Looking for a host

  override func hold(_ peripheral: CBPeripheral) { if mistake != .forgetsPeripheral { super.hold(peripheral) } }

  override func stopScan() { if mistake != .scansOn && mistake != .takesAll { super.stopScan() } }

  override func found(_ peripheral: CBPeripheral) {
    guard mistake == .takesAll else { return super.found(peripheral) }
    kept.append(peripheral)
    connect(peripheral)
  }

  override var attemptLimit: DispatchTimeInterval { mistake == .waitsForever ? .never : super.attemptLimit }

  // MARK: The link

  override func connected(_ peripheral: CBPeripheral) {
    if mistake == .speaksAtOnce { speak() }
    if !remembered.isEmpty { return take(remembered, of: peripheral) }
    super.connected(peripheral)
  }

  override func take(_ characteristics: [CBCharacteristic], of peripheral: CBPeripheral) {
    if mistake == .keepsCharacteristics { remembered = characteristics }
    super.take(characteristics, of: peripheral)
  }

  override func discovered(_ peripheral: CBPeripheral) {
    guard mistake == .unwraps else { return super.discovered(peripheral) }
    peripheral.discoverCharacteristics([Self.commandUUID, Self.stateUUID], for: peripheral.services!.first!)
  }

  override func subscribe(to characteristics: [CBCharacteristic], of peripheral: CBPeripheral) {
    if mistake == .subscribesOnce, hasSubscribed { return speak() }
    hasSubscribed = true
    super.subscribe(to: characteristics, of: peripheral)
  }

  override func subscribed(_ peripheral: CBPeripheral, _ error: Error?) {
    switch mistake {
    case .speaksAtOnce: break
    case .ignoresState: speak()
    default: super.subscribed(peripheral, error)
    }
  }

  override func poweredOff() { if mistake != .missesPowerOff { super.poweredOff() } }

  // MARK: Sending

  override func encode(_ packet: JSON) -> Data {
    guard mistake == .foundationJSON else { return super.encode(packet) }
    return packet.encodedByFoundation
  }

  override func cut(_ packet: Data, for peripheral: CBPeripheral) -> [Data] {
    switch mistake {
    case .rawChunks:
      Fragments.chunks(of: packet)
    case .fixedLength: cut(packet, longest: 182)
    case .longWrites: cut(packet, longest: peripheral.maximumWriteValueLength(for: .withResponse))
    default: super.cut(packet, for: peripheral)
    }
  }

  override func submit(_ fragment: Data, to command: CBCharacteristic, of peripheral: CBPeripheral) -> Bool {
    switch mistake {
    case .oneType:
      peripheral.writeValue(fragment, for: command, type: .withResponse)
      return true
    case .ignoresRoom where !command.properties.contains(.write):
      peripheral.writeValue(fragment, for: command, type: .withoutResponse)
      return true
    default: return super.submit(fragment, to: command, of: peripheral)
    }
  }

  override func wrote(_ peripheral: CBPeripheral, _ error: Error?) {
    super.wrote(peripheral, mistake == .ignoresError ? nil : error)
  }

  // MARK: Receiving

  override func makeReassembler() -> Reassembler {
    mistake == .keepsParts ? buffer : super.makeReassembler()
  }

  override func packet(from value: Data) -> Data? {
    switch mistake {
    case .firstValue: return value.dropFirst(4)
    case .readsHeader:
      _ = (value[0], value[1], value[2], value[3])
      return super.packet(from: value)
    default: return super.packet(from: value)
    }
  }
}
