import BluetoothWire

/// The answer to `HCI_Read_Local_Supported_Commands`: one bit per command that the controller knows
/// (Vol 4, Part E, 6.27).
enum SupportedCommands {
  /// (octet, bit) of each modelled command.
  private static let bits: [(octet: Int, bit: UInt8)] = [
    (0, 5), (2, 7), (5, 6), (5, 7), (14, 3), (14, 5), (15, 1), (15, 5),
    (25, 0), (25, 1), (25, 2), (25, 4), (25, 5), (25, 7),
    (26, 0), (26, 1), (26, 2), (26, 3), (26, 4), (26, 5), (26, 6), (26, 7),
    (27, 0), (27, 1), (27, 2), (27, 3), (27, 4), (27, 5),
    (33, 4), (33, 5), (33, 6), (33, 7), (34, 0), (35, 3), (35, 4), (35, 5), (35, 6),
  ]

  static let octets: [UInt8] = {
    var octets = [UInt8](repeating: 0, count: 64)
    for (octet, bit) in bits { octets[octet] |= 1 << bit }
    return octets
  }()
}
