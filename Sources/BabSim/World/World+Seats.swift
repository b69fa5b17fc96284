import BluetoothWire
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
  public var scenarioEnd: SimInstant? { director.end }

  /// Something comes in at a seat. At a simulated device nothing can.
  public func enter(_ event: ForeignEvent, device: Int) {
    let node = nodes[device]
    digest.combine(event, device: device, at: timeline.now)
    switch node.seat {
    case .simulated: preconditionFailure("\(node.device.name) has no seat")
    case .foreignHost: enterFromHost(event, node)
    case .foreignController: enterFromController(event, node)
    }
    settleInstant()
  }

  /// The next packet that leaves, in the order in which they left.
  public func popOutward() -> (device: Int, packet: [UInt8])? { outward.popFirst().map { ($0.device, $0.octets) } }

  /// The device that uses an address now: its own, or one that a host from outside has given its controller.
  func device(at address: BluetoothAddress) -> Int? {
    nodes.firstIndex { node in
      node.address == address || node.seat == .foreignHost && node.controller.uses(address)
    }
  }

  /// The device at the other end of a link: on our air whatever address it uses there, elsewhere by its address.
  func peerDevice(_ node: DeviceNode, _ handle: HCI.ConnectionHandle, _ address: BluetoothAddress) -> Int? {
    let known = node.seat == .foreignController ? nil : node.controller.peer(of: handle)
    return known ?? device(at: address)
  }

  func leave(_ node: DeviceNode, _ octets: [UInt8]) {
    digest.combine(outward: octets, device: node.index, at: timeline.now)
    outward.append(OutwardPacket(device: node.index, octets: octets))
  }

  private func enterFromHost(_ event: ForeignEvent, _ node: DeviceNode) {
    switch event {
    case .attached: break
    case .detached: node.controller.hostIsGone()
    case .packet(let octets): node.controller.submit(h4: octets)
    }
  }

  private func enterFromController(_ event: ForeignEvent, _ node: DeviceNode) {
    switch event {
    case .attached: switchOn(node)
    case .detached:
      switchOff(node)
      radioGoesOff(node)
    case .packet(let octets):
      let messages: [HCI.ToHost]
      do throws(WireError) {
        messages = try HCI.ToHost.messages(h4: octets)
      } catch {
        return note(step: "\(node.device.name): a packet of its controller is refused: \(error)")
      }
      let allowance = HCI.commandAllowance(h4: octets)
      for message in messages {
        if radio.wantsHCI {
          switch message {
          case .event(let event): record(.radio(.hciEvent(event)), node.index)
          case .acl(let data): record(.radio(.aclToHost(data)), node.index)
          }
        }
        node.host.receive(message, commandAllowance: allowance, at: timeline.now)
      }
      drainHost(node)
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
    world.leave(world.nodes[device], command.h4Octets)
  }

  func submit(_ data: HCI.ACLData) {
    if world.radio.wantsHCI { world.record(.radio(.aclToController(data)), device) }
    world.leave(world.nodes[device], data.h4Octets)
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
