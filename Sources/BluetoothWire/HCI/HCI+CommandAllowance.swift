extension HCI {
  /// `Num_HCI_Command_Packets` of an H4 packet: how many commands its controller takes from now on; nil for a packet
  /// that says nothing about that.
  ///
  /// Spec: Core v5.4, Vol 4, Part E, 4.4, 7.7.14 (`HCI_Command_Complete`) and 7.7.15 (`HCI_Command_Status`). The typed
  /// events leave it out: none of our controllers ever says anything but 1. Refuses nothing: any octets may come.
  public static func commandAllowance(h4 octets: [UInt8]) -> UInt8? {
    guard octets.count >= 6, octets[0] == PacketIndicator.event else { return nil }
    switch octets[1] {
    case 0x0E: return octets[3]
    case 0x0F: return octets[4]
    default: return nil
    }
  }
}
