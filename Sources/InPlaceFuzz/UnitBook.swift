import AppSeam
import Bench
import BluetoothWire
import Conformance

/// Units that have passed at the seam before the state, of all devices, and the routes of the hostile one.
final class UnitBook {
  /// Distinct units that are kept, the newest ones.
  private static let limit = 192

  private(set) var units: [[UInt8]] = []
  private var known: Set<[UInt8]> = []
  /// Units of the hostile device, the newest last.
  private(set) var own: [[UInt8]] = []
  /// In the order in which they were used first.
  private(set) var routes: [TappedUnit] = []
  private let device: Int
  private var assembly: PacketAssembly?

  /// - Parameter isOnAir: the advertising channels are a route from the beginning.
  init(device: Int, assembly: PacketAssembly?, isOnAir: Bool = false) {
    self.device = device
    self.assembly = assembly
    if isOnAir { routes = [TappedUnit(device: device, route: .advertising, octets: [])] }
  }

  func note(_ unit: TappedUnit) {
    if unit.device == device, !routes.contains(where: { $0.route == unit.route }) { routes.append(unit) }
    if assembly == nil {
      keep(unit.octets, of: unit.device)
    } else if let packet = assembly?.receive(unit) {
      keep(packet.octets, of: unit.device)
    }
  }

  private func keep(_ octets: [UInt8], of sender: Int) {
    if sender == device {
      own.append(octets)
      if own.count > Self.limit { own.removeFirst() }
    }
    guard known.insert(octets).inserted else { return }
    units.append(octets)
    if units.count > Self.limit { known.remove(units.removeFirst()) }
  }
}

/// Puts the values of each route together to packets.
struct PacketAssembly {
  struct Packet {
    var id: Int
    var octets: [UInt8]
  }

  private struct Partial {
    var device: Int
    var route: UnitRoute
    var id: Int
    var next: Int
    var octets: [UInt8]
  }

  let framing: PacketFraming
  let dialects: [DialectName]
  /// Which part of which packet a value is, by the device that sends it.
  private let places: [@Sendable ([UInt8]) -> PacketFraming.Place?]
  private var partials: [Partial] = []

  init(framing: PacketFraming, dialects: [DialectName]) {
    self.framing = framing
    self.dialects = dialects
    places = dialects.map(framing.place)
  }

  func part(_ unit: TappedUnit) -> ChartWords.Fragment? { places[unit.device](unit.octets)?.part(of: unit.octets) }

  /// A packet that is whole now. One whose parts do not come in order is forgotten.
  mutating func receive(_ unit: TappedUnit) -> Packet? {
    guard let part = part(unit) else { return nil }
    let place = partials.firstIndex { $0.device == unit.device && $0.route == unit.route }
    var partial = Partial(device: unit.device, route: unit.route, id: part.packetID, next: 0, octets: [])
    if let place {
      let old = partials.remove(at: place)
      if old.id == part.packetID, old.next == part.index { partial = old }
    }
    guard partial.next == part.index else { return nil }
    partial.next += 1
    partial.octets += part.body
    if partial.next == part.count { return Packet(id: part.packetID, octets: partial.octets) }
    partials.append(partial)
    return nil
  }
}
