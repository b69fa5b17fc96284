import BluetoothWire

/// The octet side of a controller: what a host from outside sends, and when it leaves.
extension Controller {
  /// Takes one H4 packet, whatever it is. A command whose parameters cannot be what it says is answered with Invalid
  /// HCI Command Parameters; anything else that is not a packet with a Hardware Error event (Vol 4, Part A, 4).
  public func submit(h4 octets: [UInt8]) {
    do throws(WireError) {
      switch try HCI.ToController(decoding: octets) {
      case .command(let command): submit(command)
      case .acl(let data): submit(data)
      case .iso(let data): submit(data)
      }
    } catch {
      guard octets.count >= 4, octets[0] == HCI.PacketIndicator.command else { return emit(.hardwareError(0x00)) }
      let opcode = HCI.Opcode(rawValue: UInt16(octets[1]) | UInt16(octets[2]) << 8)
      let handle = octets.count >= 6 ? (UInt16(octets[4]) | UInt16(octets[5]) << 8) & 0x0FFF : nil
      refuse(opcode, .invalidParameters, handle: handle)
    }
  }

  /// The host has left: the controller goes back to the state after power-on, without any event.
  public func hostIsGone() {
    reset()
  }
}
