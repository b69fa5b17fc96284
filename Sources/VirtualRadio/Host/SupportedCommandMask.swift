import BluetoothWire

/// The answer to `HCI_Read_Local_Supported_Commands`, as far as this stack asks for what not every controller has.
///
/// Spec: Core v5.4, Vol 4, Part E, 6.27 and 7.4.2.
struct SupportedCommandMask {
  /// An optional command, by its octet and bit.
  enum Optional {
    case leReadRemoteFeatures
    case leSetDataLength
    case leSetDefaultPHY
    case leSetPHY
    case leReadLocalP256PublicKey
    case leGenerateDHKey

    fileprivate var place: (octet: Int, bit: UInt8) {
      switch self {
      case .leReadRemoteFeatures: (27, 5)
      case .leSetDataLength: (33, 6)
      case .leSetDefaultPHY: (35, 5)
      case .leSetPHY: (35, 6)
      case .leReadLocalP256PublicKey: (34, 1)
      case .leGenerateDHKey: (34, 2)
      }
    }
  }

  private var octets: [UInt8]

  /// An answer that is too short says nothing: then everything is asked for, and a refusal does no harm.
  init(_ octets: [UInt8]) { self.octets = octets.count < 64 ? [] : octets }

  func contains(_ command: Optional) -> Bool {
    octets.isEmpty || octets[command.place.octet] & 1 << command.place.bit != 0
  }
}
