import AppSeam
import NetworkWire
import SimKernel

extension NetworkWorld {
  /// A packet leaves its device.
  func send(_ packet: Packet) {
    guard devices.with(packet.source, { !$0.isVanished && $0.hasLink(packet.interface) }) else { return }
    devices.with(packet.source) { $0.statistics.packets += 1 }
    var packet = packet
    if wantsPackets {
      devices.with(packet.source) { $0.identification &+= 1 }
      packet.identification = devices[packet.source].identification
    }
    guard case .fixed(let delay) = room.air else {
      if isResolved(packet) { air?.accept(packet) }
      return
    }
    if packet.destination != Packet.everybody { return carry(packet, delay, isOne: true) }
    if wantsPackets { capture(packet, packet.source, isOutgoing: true) }
    for device in devices where device.index != packet.source {
      var copy = packet
      copy.destination = device.index
      carry(copy, delay, isOne: false)
    }
  }

  /// Over an air that only delays.
  private func carry(_ packet: Packet, _ delay: SimDuration, isOne: Bool) {
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
    let departure = paths.departure(from, to, octets: packet.octets, at: timeline.now)
    let arrival = departure + delay + paths.delay(from, to)
    timeline.schedule(
      SimEvent(kind: Kind.arrival.rawValue, target: UInt32(to), argument: UInt64(packets.put(packet))), at: arrival)
  }

  /// A packet has left its device.
  func noteSent(_ packet: Packet) { capture(packet, packet.source, isOutgoing: true) }

  /// A packet has left its device and will not arrive.
  func noteLoss(_ packet: Packet) {
    devices.with(packet.source) { $0.statistics.losses += 1 }
    if wantsPackets { capture(packet, packet.source, isOutgoing: true, isLost: true) }
  }
}
