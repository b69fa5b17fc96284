import BluetoothWire

/// Commands with which Zephyr extends HCI and which its host and its tools send: of a controller whose configuration
/// says so, of no other (Vol 4, Part E, 5.4.1: OGF 0x3F is for vendors). Read Key Hierarchy Roots and what concerns a
/// chip (temperature, traces, faults, transmit power) are not there.
extension Controller {
  private enum VendorCommand: UInt16, CaseIterable {
    case readVersionInformation = 0x001
    case readSupportedCommands = 0x002
    case readSupportedFeatures = 0x003
    case writeBDADDR = 0x006
    case readBuildInformation = 0x008
    case readStaticAddresses = 0x009

    var opcode: HCI.Opcode { HCI.Opcode(ogf: 0x3F, ocf: rawValue) }
    var parameterOctets: Int { self == .writeBDADDR ? 6 : 0 }

    /// Bit n is the command with OCF n + 1.
    static let mask: UInt64 = allCases.reduce(0) { $0 | 1 << UInt64($1.rawValue - 1) }
  }

  /// False: it is none of them.
  func executeVendor(_ opcode: HCI.Opcode, _ parameters: [UInt8]) -> Bool {
    if opcode == HCI.MultiAdvertising.opcode, radio.configuration.hasMultiAdvertising {
      executeMultiAdvertising(parameters)
      return true
    }
    guard radio.configuration.hasZephyrCommands,
      let command = VendorCommand.allCases.first(where: { $0.opcode == opcode })
    else { return false }
    guard parameters.count == command.parameterOctets else {
      complete(opcode, status: .invalidParameters)
      return true
    }
    switch command {
    case .readVersionInformation:
      // Platform, variant of it, variant of the firmware, its version, revision and build: none is claimed.
      complete(opcode, returning: [UInt8](repeating: 0, count: 12))
    case .readSupportedCommands:
      complete(opcode, returning: little(VendorCommand.mask, octets: 8) + [UInt8](repeating: 0, count: 56))
    case .readSupportedFeatures: complete(opcode, returning: [UInt8](repeating: 0, count: 8))
    case .writeBDADDR: complete(opcode, status: setPublicAddress(parameters) ? .success : .commandDisallowed)
    case .readBuildInformation: complete(opcode, returning: Array("babbench\0".utf8))
    case .readStaticAddresses:
      // One, with an identity root of zeros, which says that there is none.
      complete(opcode, returning: [1] + staticAddress + [UInt8](repeating: 0, count: 16))
    }
    return true
  }

  /// Not while an address may be in use, as with LE Set Random Address. It stays over a reset.
  private func setPublicAddress(_ octets: [UInt8]) -> Bool {
    if !links.isEmpty || radio.advertisers.contains(where: \.isEnabled) || radio.scanner.isScanning
      || radio.scanner.initiation != nil
    {
      return false
    }
    let bits = octets.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    writtenAddress = BluetoothAddress(kind: .publicDevice, bits: bits)
    return true
  }

  /// The device's address, its two highest bits set (Vol 6, Part B, 1.3.2.1).
  private var staticAddress: [UInt8] { BluetoothAddress(kind: .random, bits: address.bits | 0xC0 << 40).octets }
}
