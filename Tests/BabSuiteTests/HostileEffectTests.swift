import AppSeam
import BabSim
import BluetoothWire
import Expectations
import Judging
import SimKernel
import Testing

@testable import BabSuite
@testable import Conformance

/// An app that asks its platform for one odd thing after the other: with each input the next ones.
private final class HostileEngine: AppEngine {
  private var rest: [AppEffect]

  init(_ effects: [AppEffect]) { rest = effects.reversed() }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    let next = rest.suffix(3).reversed()
    rest.removeLast(min(3, rest.count))
    // Goes on when nothing else happens.
    return Array(next) + (rest.isEmpty ? [] : [.setTimer(TimerID(1), at: now + .milliseconds(1))])
  }
}

@Suite("Apps that ask for odd things")
struct HostileEffectTests {
  private static let uuid = BluetoothUUID("BAB1")!
  private static let odd = BluetoothUUID("0000F00D-0000-1000-8000-00805F9B34FC")!
  private static let nobody = BluetoothAddress(kind: .random, bits: 0xC000_0000_0001)

  private static var effects: [AppEffect] {
    let lengths = [0, 1, 20, 21, 512, 513, 600, 65_536]
    let links = [0, 1, 7, 99, Int(Int32.max)].map { LinkID($0) }
    var effects: [AppEffect] = [.cancelTimer(TimerID(-1)), .setTimer(TimerID(Int(-1) << 53), at: .zero)]
    for _ in 0..<2 {
      effects += [.stopAdvertising, .stopScanning, .scan(services: []), .scan(services: [odd, odd, odd, odd])]
      effects.append(.connect(nobody))
      effects += [.connect(nobody), .cancelConnect(nobody), .cancelConnect(BluetoothAddress(kind: .random, bits: 0))]
      effects.append(.advertise(AdvertisementRequest(localName: "", serviceUUIDs: [])))
      effects.append(
        .advertise(
          AdvertisementRequest(
            localName: String(repeating: "ü", count: 300), serviceUUIDs: Array(repeating: odd, count: 40))))
      effects.append(.publish(ServiceDefinition(uuid: uuid, characteristics: [])))
      let many = (0..<400).map { number in
        ServiceDefinition.Characteristic(
          uuid: number % 2 == 0 ? odd : uuid, properties: .init(rawValue: UInt8(truncatingIfNeeded: number)))
      }
      effects.append(.publish(ServiceDefinition(uuid: odd, characteristics: many)))
    }
    for link in links {
      effects += [-1, 0, 22, 23, 517, 518, 65_535].map { .exchangeMTU(link, $0) }
      effects += [.discover(link, service: uuid), .discover(link, service: odd), .discover(link, service: uuid)]
      effects += [.subscribe(link, characteristic: uuid, true), .subscribe(link, characteristic: odd, false)]
      effects.append(.read(link, characteristic: odd))
      for length in lengths {
        let octets = [UInt8](repeating: 0, count: length)
        effects.append(.write(link, characteristic: uuid, octets: octets))
        effects.append(.writeWithoutResponse(link, characteristic: odd, octets: octets))
        effects.append(.notify(link, characteristic: uuid, octets: octets))
        effects.append(.setValue(characteristic: odd, octets: octets))
      }
    }
    for link in links.reversed() { effects += [.disconnect(link), .disconnect(link)] }
    effects += (0..<200).map { .publish(ServiceDefinition(uuid: $0 % 2 == 0 ? odd : uuid, characteristics: [])) }
    effects.append(.setTimer(TimerID(2), at: SimInstant(nanoseconds: 1 << 53)))
    return effects
  }

  /// An app that first does as it should, so that links come up, and then asks for odd things on them.
  private final class TurningEngine: AppEngine {
    private let good: any AppEngine
    private let bad: HostileEngine
    private var isConnected = false

    init(_ good: any AppEngine, _ bad: HostileEngine) {
      self.good = good
      self.bad = bad
    }

    func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
      if case .servicesDiscovered = input { isConnected = true }
      if case .subscribed = input { isConnected = true }
      return isConnected ? bad.handle(input, at: now) : good.handle(input, at: now)
    }
  }

  @Test("No effect makes the bench trap, alone or on a link", arguments: [AppRole.host, .client])
  func noTrap(role: AppRole) throws {
    let purposes = Catalog.all.filter { $0.role == role }
    let effects = Self.effects
    for (index, purpose) in purposes.prefix(4).enumerated() {
      var implementation = ImplementationUnderTest(
        of: .bab, name: "hostile", role: role, dialects: DialectName.bab
      ) {
        _ in HostileEngine(effects)
      }
      if index % 2 == 0 {
        implementation.makeEngine = { configuration in
          let good = try! AppProtocol.bab.makeEngine(name: "reference", configuration)
          return TurningEngine(good, HostileEngine(effects))
        }
      }
      let id = CaseID(purpose: purpose.id, dialect: purpose.dialects[0], seed: 1)
      let result = CaseRunner.run(purpose, id, on: implementation)
      expect(result.verdict != .error, "\(result.finding.map { "\($0)" } ?? "")")
    }
  }
}
