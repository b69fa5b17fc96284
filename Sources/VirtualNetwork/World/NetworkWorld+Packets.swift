import AppSeam
import NetworkWire
import SimKernel

extension NetworkWorld {
  /// A packet leaves its device.
  func send(_ packet: consuming Packet) {
    let (source, interface) = (packet.source, packet.interface)
    let leaves = devices.with(source) { device in
      if device.isVanished || !device.hasLink(interface) { return false }
      device.statistics.packets += 1
      return true
    }
    if !leaves { return }
    if wantsPackets {
      devices.with(source) { $0.identification &+= 1 }
      packet.identification = devices[source].identification
    }
    guard case .fixed(let delay) = room.air else {
      if isResolved(packet) { air?.accept(packet) }
      return
    }
    if packet.destination != Packet.everybody { return carry(packet, delay, isOne: true) }
    if wantsPackets { capture(packet, packet.source, isOutgoing: true) }
    for device in devices where device.index != source {
      var own = copy packet
      own.destination = device.index
      carry(own, delay, isOne: false)
    }
  }

  /// Over an air that only delays.
  private func carry(_ packet: consuming Packet, _ delay: SimDuration, isOne: Bool) {
    let (from, to) = (packet.source, packet.destination)
    let number = paths.number(from, to)
    let isLost =
      !paths.passes(from, to, packet.interface) || paths.dropsAltogether(from, to, number: number)
      || paths.fails(from, to, number: number, attempt: 0, at: timeline.now)
    if isOne {
      if isLost { devices.with(from) { $0.statistics.losses += 1 } }
      if wantsPackets { capture(packet, from, isOutgoing: true, isLost: isLost) }
    }
    if isLost { return }
    let arrival = departure(packet) + delay + paths.delay(from, to)
    timeline.schedule(
      SimEvent(kind: Kind.arrival.rawValue, target: UInt32(to), argument: UInt64(packets.put(packet))), at: arrival)
  }

  private func departure(_ packet: Packet) -> SimInstant {
    paths.departure(packet.source, packet.destination, octets: packet.octets, at: timeline.now)
  }

  /// A packet has left its device.
  func noteSent(_ packet: Packet) { capture(packet, packet.source, isOutgoing: true) }

  /// A packet has left its device and will not arrive.
  func noteLoss(_ packet: Packet) {
    devices.with(packet.source) { $0.statistics.losses += 1 }
    if wantsPackets { capture(packet, packet.source, isOutgoing: true, isLost: true) }
  }
}
