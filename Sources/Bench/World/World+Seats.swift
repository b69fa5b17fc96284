package import BluetoothWire
import Platform
public import SimKernel
public import VirtualRadio

/// An H4 packet on its way out.
struct OutwardPacket {
  var device: Int
  var octets: [UInt8]
}

/// The world's seats for hosts and controllers from outside (ADR 0013).
///
/// What enters is the only thing about outsiders that a world knows, and it enters at `now`: the same scenario, seed
/// and seats with the same packets at the same instants give the same trace and digest, with nobody outside.
extension World {
  public var nextInstant: SimInstant? { timeline.nextInstant }

  /// When the scenario's steps, expectations and duration are through; nil as long as that is open.
  public var scenarioEnd: SimInstant? { scheduler.end }

  /// Something comes in at a seat. At a simulated device nothing can.
  public func enter(_ event: ForeignEvent, device: Int) {
    digest.combine(event, device: device, at: timeline.now)
    switch options.seat(of: device) {
    case .simulated: preconditionFailure("\(scenario.devices[device].name) has no seat")
    case .foreignHost: enterFromHost(event, device)
    case .foreignLinkLayer: enterFromProgram(event, device)
    case .foreignController: enterFromController(event, device)
    }
    settleInstant()
  }

  /// The next packet that leaves, in the order in which they left.
  public func popOutward() -> (device: Int, packet: [UInt8])? { outward.popFirst().map { ($0.device, $0.octets) } }

  /// The device that uses an address now: its own, or one that a host from outside has given its controller.
  package func device(at address: BluetoothAddress) -> Int? {
    header.device(at: address)
      ?? platforms.firstIndex { $0.seat == .foreignHost && radio.controllers[$0.index].uses(address) }
  }

  /// The device at the other end of a link: on our air whatever address it uses there, elsewhere by its address.
  package func peerDevice(of device: Int, _ handle: HCI.ConnectionHandle, _ address: BluetoothAddress) -> Int? {
    let known = options.seat(of: device) == .foreignController ? nil : radio.controllers[device].peer(of: handle)
    return known ?? self.device(at: address)
  }

  func sendOutward(_ octets: [UInt8], from device: Int) {
    digest.combine(outward: octets, device: device, at: timeline.now)
    outward.append(OutwardPacket(device: device, octets: octets))
  }

  private func enterFromHost(_ event: ForeignEvent, _ device: Int) {
    switch event {
    case .attached: break
    case .detached: radio.controllers[device].hostIsGone()
    case .packet(let octets): radio.controllers[device].submit(h4: octets)
    }
  }

  private func enterFromProgram(_ event: ForeignEvent, _ device: Int) {
    switch event {
    case .attached: radio.airProgram(isThere: true, device: device)
    case .detached: radio.airProgram(isThere: false, device: device)
    case .packet(let octets): radio.enterAir(octets, device: device)
    }
  }

  private func enterFromController(_ event: ForeignEvent, _ device: Int) {
    let platform = platforms[device]
    switch event {
    case .attached: platform.switchOn()
    case .detached:
      platform.switchOff()
      platform.radioGoesOff()
    case .packet(let octets):
      let messages: [HCI.ToHost]
      do throws(WireError) {
        messages = try HCI.ToHost.messages(h4: octets)
      } catch {
        return note(step: "\(scenario.devices[device].name): a packet of its controller is refused: \(error)")
      }
      let allowance = HCI.commandAllowance(h4: octets)
      for message in messages {
        if radio.wantsHCI {
          switch message {
          case .event(let event): record(.radio(.hciEvent(event)), device)
          case .acl(let data): record(.radio(.aclToHost(data)), device)
          case .iso(let data): record(.radio(.isoToHost(data)), device)
          }
        }
        platform.receive(message, commandAllowance: allowance)
      }
      platform.drainHost()
    }
  }
}

/// The door of a host stack whose controller is outside.
final class OutwardDoor: HCIDoor {
  unowned let world: World
  let device: Int

  init(world: World, device: Int) {
    self.world = world
    self.device = device
  }

  func submit(_ command: HCI.Command) {
    if world.radio.wantsHCI { world.record(.radio(.hciCommand(command)), device) }
    world.sendOutward(command.h4Octets, from: device)
  }

  func submit(_ data: HCI.ACLData) {
    if world.radio.wantsHCI { world.record(.radio(.aclToController(data)), device) }
    world.sendOutward(data.h4Octets, from: device)
  }

  func submit(_ data: HCI.ISOData) {
    if world.radio.wantsHCI { world.record(.radio(.isoToController(data)), device) }
    world.sendOutward(data.h4Octets, from: device)
  }
}

extension TraceDigest {
  mutating func combine(_ event: ForeignEvent, device: Int, at instant: SimInstant) {
    combine(UInt64(bitPattern: instant.nanoseconds))
    switch event {
    case .attached: combine(UInt64(device) << 8 | 1)
    case .detached: combine(UInt64(device) << 8 | 2)
    case .packet(let octets):
      combine(UInt64(device) << 8 | 3)
      combine(octets: octets)
    }
  }

  mutating func combine(outward octets: [UInt8], device: Int, at instant: SimInstant) {
    combine(UInt64(bitPattern: instant.nanoseconds))
    combine(UInt64(device) << 8 | 4)
    combine(octets: octets)
  }
}
