import AppSeam
import NetworkWire

/// Questions for hardware addresses, and answers: ARP (RFC 826) over IPv4, neighbour discovery (RFC 4861) over IPv6.
enum AddressQuestion {
  static let arp = EthernetFrame.Kind(rawValue: 0x0806)
  static let icmpv6 = IPPacket.Transport(rawValue: 58)

  /// Octets without Ethernet's header.
  static func octets(_ interface: NetworkInterface) -> Int { interface == .infrastructure ? 28 : 40 + 32 }

  static func frame(
    isAnswer: Bool, target: PacketWriter.Address, from source: PacketWriter.Address,
    to destination: PacketWriter.Address
  ) -> [UInt8] {
    if case .v4 = source.internet { return arp(isAnswer, target, source, destination) }
    return discovery(isAnswer, target, source, destination)
  }

  /// RFC 826: hardware Ethernet, protocol IPv4, lengths 6 and 4, operation, sender, target.
  private static func arp(
    _ isAnswer: Bool, _ target: PacketWriter.Address, _ source: PacketWriter.Address, _ asker: PacketWriter.Address
  ) -> [UInt8] {
    let broadcast = MACAddress(bits: 0xFFFF_FFFF_FFFF)
    var payload: [UInt8] = [0, 1, 8, 0, 6, 4, 0, isAnswer ? 2 : 1]
    payload += source.hardware.octets + source.internet.octets
    payload += isAnswer ? asker.hardware.octets + asker.internet.octets : [0, 0, 0, 0, 0, 0] + target.internet.octets
    return EthernetFrame(
      destination: isAnswer ? asker.hardware : broadcast, source: source.hardware, kind: arp, payload: payload
    ).octets
  }

  /// Neighbour solicitation (RFC 4861, 4.3) and advertisement (4.4: solicited, override).
  private static func discovery(
    _ isAnswer: Bool, _ target: PacketWriter.Address, _ source: PacketWriter.Address, _ asker: PacketWriter.Address
  ) -> [UInt8] {
    var message: [UInt8] = isAnswer ? [136, 0, 0, 0, 0x60, 0, 0, 0] : [135, 0, 0, 0, 0, 0, 0, 0]
    message += target.internet.octets + [isAnswer ? 2 : 1, 1] + source.hardware.octets
    var to = asker
    if !isAnswer {
      // The solicited-node group (RFC 4291, 2.7.1).
      let last = target.internet.octets.suffix(3).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      to.internet = .v6(0xFF02_0000_0000_0000, 0x1_FF00_0000 | last)
      to.hardware = MACAddress(groupOf: to.internet)
    }
    var checksum = InternetChecksum()
    checksum.add(source.internet.octets + to.internet.octets)
    checksum.add(UInt32(message.count))
    checksum.add(UInt16(icmpv6.rawValue))
    checksum.add(message)
    message[2] = UInt8(checksum.value >> 8)
    message[3] = UInt8(checksum.value & 0xFF)
    return PacketWriter.frame(icmpv6, message, from: source, to: to, hopLimit: 255, identification: 0)
  }
}
