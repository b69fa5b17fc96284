import AppSeam
import Bench
import Conformance
import SimKernel

/// Stands at the tap: keeps a book until the state, and then carries out an attack.
final class Interceptor {
  private let device: Int
  private let framing: PacketAssembly?
  private let world: World
  let book: UnitBook
  private var attack: Attack?
  /// Units of the hostile device since the state.
  private var passed = 0
  private var assembly: PacketAssembly?
  /// Values of packets that are swallowed, by what they began.
  private var held: [TappedUnit] = []
  /// The number of the next packet that the engine knows nothing of.
  private var nextPacketID = 0x8000
  /// Is told which stroke does what: the unit that goes out now, or nil where one is swallowed.
  var witness: ((_ stroke: Int, TappedUnit?) -> Void)?

  /// The book goes on after the state, because links may come and go for a long time.
  private let keepsBook: Bool
  /// Sees what other devices send.
  private let answers: ((TappedUnit) -> Void)?

  init(
    world: World, device: Int, seam: FuzzSeam, framing: PacketAssembly?, keepsBook: Bool = false,
    answers: ((TappedUnit) -> Void)? = nil
  ) {
    self.keepsBook = keepsBook
    self.answers = answers
    self.world = world
    self.device = device
    self.framing = seam == .packet ? framing : nil
    book = UnitBook(device: device, assembly: self.framing, isOnAir: seam == .air)
    world.tap(seam.seam) { [unowned self] unit in takes(unit) }
  }

  /// From now on the device is hostile; an attack before ends.
  func begin(_ attack: Attack) {
    self.attack = attack
    passed = 0
    assembly = framing
    let routes = book.routes.filter(world.isUp)
    for (number, stroke) in attack.strokes.enumerated() {
      guard case .send(let span, let route) = stroke.manner, !routes.isEmpty else { continue }
      var unit = routes[route % routes.count]
      unit.octets = stroke.octets
      send(values(of: unit), after: span, for: number)
    }
  }

  private func takes(_ unit: TappedUnit) -> Bool {
    if attack == nil || keepsBook { book.note(unit) }
    guard let attack else { return false }
    guard unit.device == device else {
      answers?(unit)
      return false
    }
    guard framing != nil else { return strike(attack, [unit], packetID: nil) }
    // The rest of a packet that had begun before the state goes its way.
    guard let part = assembly?.part(unit), part.index == 0 || held.contains(where: { $0.route == unit.route }) else {
      return false
    }
    held.append(unit)
    guard let packet = assembly?.receive(unit) else { return true }
    let values = held.filter { $0.route == unit.route }
    held.removeAll { $0.route == unit.route }
    if !strike(attack, values, packetID: packet.id) { world.send(values, after: .zero) }
    return true
  }

  /// Whether something was done to a unit, which then does not go out.
  private func strike(_ attack: Attack, _ values: [TappedUnit], packetID: Int?) -> Bool {
    defer { passed += 1 }
    return attack.strike(
      unit: passed,
      drop: { witness?($0, nil) },
      replace: { octets, stroke in
        var unit = values[0]
        unit.octets = octets
        send(self.values(of: unit, packetID: packetID), after: .zero, for: stroke)
      },
      send: { send(values, after: $0, for: $1) })
  }

  private func send(_ values: [TappedUnit], after span: SimDuration, for stroke: Int) {
    world.send(values, after: span, sent: witness.map { witness in { witness(stroke, $0) } })
  }

  /// A unit as the tap takes it: a packet in values.
  private func values(of unit: TappedUnit, packetID: Int? = nil) -> [TappedUnit] {
    guard let framing else { return [unit] }
    nextPacketID += packetID == nil ? 1 : 0
    let octets = framing.framing.cut(
      unit.octets, packetID ?? nextPacketID, world.attMTU(of: unit) ?? 23, framing.dialects[device])
    return octets.map { TappedUnit(device: unit.device, route: unit.route, octets: $0) }
  }
}
