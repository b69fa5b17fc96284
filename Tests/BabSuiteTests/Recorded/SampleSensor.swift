import AppSeam
import BluetoothWire
import SimKernel

/// A device as somebody has one: it counts reads, answers commands in parts, refuses one, and tells levels.
final class SampleSensor: AppEngine {
  static let service = BluetoothUUID(0xFFE0)
  static let info = BluetoothUUID(0xFFE1)
  static let command = BluetoothUUID(0xFFE2)
  static let answers = BluetoothUUID(0xFFE3)
  static let levels = BluetoothUUID(0xFFE4)
  static let manufacturerData: [UInt8] = [5, 0xFF, 0x34, 0x12, 0xAA, 0x55]
  static let advertising: [UInt8] = [2, 0x01, 0x06, 3, 0x03, 0xE0, 0xFF] + manufacturerData
  static let scanResponse: [UInt8] = [7, 0x09] + Array("sensor".utf8)

  private var reads: UInt8 = 0
  private var link: LinkID?
  private var level: UInt8 = 0
  private var parts: [[UInt8]] = []
  private static let levelTimer = TimerID(1)
  private static let partTimer = TimerID(2)

  private static func characteristic(
    _ key: Int, _ uuid: BluetoothUUID, _ properties: UInt8, _ permissions: AttributePermissions
  ) -> LocalCharacteristic {
    LocalCharacteristic(key: AttributeKey(key), uuid: uuid, properties: properties, permissions: permissions)
  }

  static let definition = LocalService(
    key: ServiceKey(0), uuid: service,
    characteristics: [
      characteristic(1, info, 0x02, .read), characteristic(2, command, 0x0C, .write),
      characteristic(3, answers, 0x10, []), characteristic(4, levels, 0x20, []),
    ])

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    switch input {
    case .launched: return [.gatt(.publish(Self.definition)), advertise]
    case .connected(let link, _):
      self.link = link
      return []
    case .disconnected:
      (link, parts) = (nil, [])
      return [.cancelTimer(Self.levelTimer), .cancelTimer(Self.partTimer), advertise]
    case .timer(Self.levelTimer):
      guard let link else { return [] }
      level += 1
      let next: [AppEffect] = level < 5 ? [.setTimer(Self.levelTimer, at: now + .milliseconds(700))] : []
      return [.gatt(.notify(link, AttributeKey(4), type: Self.levels, octets: [level]))] + next
    case .timer(Self.partTimer):
      guard let link, !parts.isEmpty else { return [] }
      let part = parts.removeFirst()
      let next: [AppEffect] = parts.isEmpty ? [] : [.setTimer(Self.partTimer, at: now + .milliseconds(60))]
      return [.gatt(.notify(link, AttributeKey(3), type: Self.answers, octets: part))] + next
    case .gatt(let input): return effects(of: input, now)
    default: return []
    }
  }

  private var advertise: AppEffect {
    .gap(.advertise(data: Self.advertising, scanResponse: Self.scanResponse))
  }

  private func effects(of input: GATTInput, _ now: SimInstant) -> [AppEffect] {
    switch input {
    case .readAsked(let request, _, _, _, let offset):
      // Longer than a response holds: clients read the rest in blobs.
      if offset == 0 { reads += 1 }
      let value = [reads] + [UInt8](repeating: 0x77, count: 400)
      return [.gatt(.answer(request, value: Array(value.dropFirst(offset)), error: nil))]
    case .writesAsked(let request, _, _, let written, let needsAnswer):
      let octets = written.flatMap(\.octets)
      let error: UInt8? = octets == [0xEE] ? 0x80 : nil
      if error == nil, let first = octets.first { parts += [[first, 1], [first, 2], [first, 3, reads]] }
      let answer: [AppEffect] = needsAnswer ? [.gatt(.answer(request, value: [], error: error))] : []
      return answer + (parts.isEmpty ? [] : [.setTimer(Self.partTimer, at: now + .milliseconds(150))])
    case .subscription(_, AttributeKey(4), _, true): return [.setTimer(Self.levelTimer, at: now + .milliseconds(300))]
    default: return []
    }
  }
}

/// An app that asks everything of the device, twice: it leaves and comes back.
final class SamplePhone: AppEngine {
  private enum Ask {
    case read(BluetoothUUID)
    case write(BluetoothUUID, [UInt8])
    case command(BluetoothUUID, [UInt8])
    case subscribe(BluetoothUUID)
    case pause(Int64)
  }

  private static let script: [Ask] = [
    .read(SampleSensor.info), .subscribe(SampleSensor.answers), .command(SampleSensor.command, [0xA1]), .pause(800),
    .write(SampleSensor.command, [0xA2, 0x02]), .pause(900), .write(SampleSensor.command, [0xEE]), .pause(100),
    .read(SampleSensor.info), .subscribe(SampleSensor.levels), .pause(1_600),
    .command(SampleSensor.command, [0xA1]), .pause(4_000), .read(SampleSensor.info), .pause(500),
  ]

  private var found: [FoundCharacteristic] = []
  private var link: LinkID?
  private var place = 0
  private var isConnecting = false
  private var visits = 0
  /// What it asks beside the script, of which no recording knows.
  private let unknown: [UInt8]?

  init(unknown: [UInt8]? = nil) { self.unknown = unknown }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    switch input {
    case .launched: return [.scan(services: [SampleSensor.service])]
    case .discovered(let advertisement):
      // Its name is in the scan response: the capture has that too.
      if isConnecting || advertisement.localName == nil { return [] }
      isConnecting = true
      return [.stopScanning, .connect(advertisement.address)]
    case .connected(let link, _):
      self.link = link
      return [.gatt(.discoverServices(link, [SampleSensor.service]))]
    case .disconnected:
      (link, place, isConnecting) = (nil, 0, false)
      visits += 1
      return visits == 2 ? [] : [.scan(services: [SampleSensor.service])]
    case .gatt(.services(let link, let services, _)):
      return services.first.map { [.gatt(.discoverCharacteristics(link, $0))] } ?? []
    case .gatt(.characteristics(_, _, let characteristics, _)):
      found = characteristics
      return next(now)
    case .gatt(.valueRead), .gatt(.valueWritten), .gatt(.configured), .gatt(.submitted), .timer: return next(now)
    default: return []
    }
  }

  private func next(_ now: SimInstant) -> [AppEffect] {
    guard let link else { return [] }
    defer { place += 1 }
    if let unknown, place == Self.script.count, let value = found.first(where: { $0.uuid == SampleSensor.command }) {
      return [.gatt(.write(link, value.value, type: value.uuid, octets: unknown))]
    }
    guard place < Self.script.count else { return [.disconnect(link)] }
    func handle(_ uuid: BluetoothUUID) -> ATT.Handle { found.first { $0.uuid == uuid }?.value ?? 0 }
    switch Self.script[place] {
    case .read(let uuid): return [.gatt(.read(link, handle(uuid), type: uuid))]
    case .write(let uuid, let octets): return [.gatt(.write(link, handle(uuid), type: uuid, octets: octets))]
    case .command(let uuid, let octets):
      return [.gatt(.writeWithoutResponse(link, handle(uuid), type: uuid, octets: octets))]
    case .subscribe(let uuid): return [.gatt(.configure(link, handle(uuid), type: uuid, true))]
    case .pause(let milliseconds): return [.setTimer(TimerID(1), at: now + .milliseconds(milliseconds))]
    }
  }
}
