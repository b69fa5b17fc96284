import BluetoothWire
import Platform
import SimKernel
import VirtualRadio

/// The one tap of a world: hands units to the listener, and sends what it is given.
final class WorldTap: ValueTap, PDUTap {
  /// How long a value waits for room in its stack, and how often it asks.
  private static let patience = SimDuration.milliseconds(5)
  private static let attempts = 400

  private unowned let world: World
  private let seam: Seam
  private let listener: (TappedUnit) -> Bool
  private var planned: [Plan] = []
  /// Units that take the place of the next PDUs on the advertising channels, by device.
  private var disguises: [Int: [(unit: TappedUnit, sent: ((TappedUnit) -> Void)?)]] = [:]

  /// Units that follow each other.
  private struct Plan {
    var units: ArraySlice<TappedUnit>
    var device: Int
    var sent: ((TappedUnit) -> Void)?
    var attempts = WorldTap.attempts
  }

  init(_ world: World, _ seam: Seam, _ listener: @escaping (TappedUnit) -> Bool) {
    self.world = world
    self.seam = seam
    self.listener = listener
  }

  func takes(_ value: Value, as carrier: ValueCarrier, device: Int) -> Bool {
    listener(
      TappedUnit(
        device: device, route: .value(value.link, value.characteristic, UnitCarrier(carrier)), octets: value.octets))
  }

  func takes(_ frame: [UInt8], on handle: HCI.ConnectionHandle, device: Int) -> Bool {
    guard seam == .att else { return listener(TappedUnit(device: device, route: .frame(handle), octets: frame)) }
    guard frame.count >= L2CAP.headerLength,
      L2CAP.ChannelID(rawValue: UInt16(frame[2]) | UInt16(frame[3]) << 8) == .attribute
    else { return false }
    let pdu = Array(frame[L2CAP.headerLength...])
    return listener(TappedUnit(device: device, route: .frame(handle), octets: pdu))
  }

  func takes(h4 octets: [UInt8], device: Int) -> Bool {
    seam == .hci && listener(TappedUnit(device: device, route: .controller, octets: octets))
  }

  func takes(_ pdu: HostilePDU, on handle: HCI.ConnectionHandle, device: Int) -> Bool {
    let header = seam == .air ? [pdu.flags, UInt8(pdu.payload.count)] : [pdu.flags & 0b11]
    return listener(TappedUnit(device: device, route: .frame(handle), octets: header + pdu.payload))
  }

  func replacement(forAdvertising pdu: [UInt8], device: Int) -> [UInt8]? {
    guard seam == .air else { return nil }
    if let octets = nextDisguise(of: device) { return octets }
    guard listener(TappedUnit(device: device, route: .advertising, octets: pdu)) else { return nil }
    // Taken, and nothing in its place: what is on the air is nothing that can be read.
    return nextDisguise(of: device) ?? [0x0F]
  }

  private func nextDisguise(of device: Int) -> [UInt8]? {
    guard disguises[device]?.isEmpty == false, let (unit, sent) = disguises[device]?.removeFirst() else { return nil }
    sent?(unit)
    return unit.octets
  }

  func plan(_ units: [TappedUnit], after span: SimDuration, sent: ((TappedUnit) -> Void)?) {
    guard let first = units.first else { return }
    if first.route == .advertising, span == .zero {
      for unit in units { disguises[unit.device, default: []].append((unit, sent)) }
      return
    }
    planned.append(Plan(units: units[...], device: first.device, sent: sent))
    schedule(planned.count - 1, after: span)
  }

  private func schedule(_ index: Int, after span: SimDuration) {
    let event = SimEvent(
      kind: World.Kind.tap.rawValue, target: UInt32(planned[index].device), argument: UInt64(index))
    world.timeline.schedule(event, at: world.timeline.now + span)
  }

  func sendsLate(_ argument: UInt64) {
    let index = Int(argument)
    while let unit = planned[index].units.first {
      guard sends(unit, planned[index].sent) else {
        planned[index].attempts -= 1
        if planned[index].attempts > 0 { schedule(index, after: Self.patience) }
        return
      }
      planned[index].units.removeFirst()
      if unit.route != .advertising { planned[index].sent?(unit) }
      let name = world.scenario.devices[unit.device].name
      world.note(step: "\(name) sends a hostile \(seam.rawValue) of \(unit.octets.count) octets")
    }
  }

  /// False when there is no room at the moment.
  private func sends(_ unit: TappedUnit, _ sent: ((TappedUnit) -> Void)?) -> Bool {
    let platform = world.platforms[unit.device]
    switch unit.route {
    case .frame(let handle) where seam == .ll || seam == .air:
      world.radio.sendPastTap(HostilePDU(unit: unit.octets, seam), on: handle, device: unit.device)
    case .value(let link, let characteristic, let carrier):
      let value = Value(link: link, characteristic: characteristic, octets: unit.octets)
      return platform.sendPastTap(value, as: carrier.carrier)
    case .frame(let handle):
      let isPayload = seam == .att
      let frame = isPayload ? L2CAP.Frame(channel: .attribute, payload: unit.octets).octets : unit.octets
      platform.host.advance(to: world.timeline.now)
      platform.host.sendPastTap(frame, on: handle)
      platform.drainHost()
    case .controller: world.radio.controllers[unit.device].submit(h4: unit.octets)
    case .advertising: disguises[unit.device, default: []].append((unit, sent))
    }
    return true
  }
}

final class FrameListener: FrameTap {
  private let tap: WorldTap
  private let device: Int

  init(tap: WorldTap, device: Int) {
    self.tap = tap
    self.device = device
  }

  func takes(_ frame: [UInt8], on handle: HCI.ConnectionHandle) -> Bool { tap.takes(frame, on: handle, device: device) }
}

/// The door of a host stack whose HCI is tapped; without a tap everything passes.
final class TappedDoor: HCIDoor {
  private unowned let world: World
  private let device: Int
  private let controller: Controller

  init(world: World, device: Int, controller: Controller) {
    self.world = world
    self.device = device
    self.controller = controller
  }

  func submit(_ command: HCI.Command) {
    if let tap = world.tap, tap.takes(h4: command.h4Octets, device: device) { return }
    controller.submit(command)
  }

  func submit(_ data: consuming HCI.ACLData) {
    if let tap = world.tap, tap.takes(h4: data.h4Octets, device: device) { return }
    controller.submit(data)
  }

  func submit(_ data: consuming HCI.ISOData) {
    if let tap = world.tap, tap.takes(h4: data.h4Octets, device: device) { return }
    controller.submit(data)
  }
}

extension HostilePDU {
  /// A unit of the seams `ll` and `air` on a connection.
  package init(unit: [UInt8], _ seam: Seam) {
    let flags = unit.first ?? 0
    guard seam == .air else {
      self.init(flags: flags, hasFlags: false, payload: Array(unit.dropFirst()))
      return
    }
    self.init(flags: flags, hasFlags: true, payload: Array(Self.wholePDU(unit).dropFirst(2)))
  }
}
