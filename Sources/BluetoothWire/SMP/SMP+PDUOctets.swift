extension SMP.PDU {
  /// Reads the PDU that fills `octets` from `start` on.
  ///
  /// Refuses: reserved codes, every length but that of the code, an identity address of another type than 0 and 1.
  /// Values that a receiver must look at (key sizes, reserved bits) are left as they are.
  /// - Throws: `WireError`.
  public init(decoding octets: [UInt8], from start: Int = 0) throws(WireError) {
    var reader = OctetReader(octets, from: start, to: octets.count)
    let codeOffset = reader.offset
    switch try reader.u8() {
    case 0x01: self = .pairingRequest(try reader.pairingFeatures())
    case 0x02: self = .pairingResponse(try reader.pairingFeatures())
    case 0x03: self = .pairingConfirm(try reader.take(SMP.keyLength))
    case 0x04: self = .pairingRandom(try reader.take(SMP.keyLength))
    case 0x05: self = .pairingFailed(SMP.FailureReason(rawValue: try reader.u8()))
    case 0x06: self = .encryptionInformation(try reader.take(SMP.keyLength))
    case 0x07: self = .centralIdentification(diversifier: try reader.u16(), random: try reader.u64())
    case 0x08: self = .identityInformation(try reader.take(SMP.keyLength))
    case 0x09:
      let typeOffset = reader.offset
      // A wrong length is told before a wrong value.
      try reader.require(7)
      guard let kind = BluetoothAddress.Kind(rawValue: try reader.u8()) else {
        throw WireError(.valueOutOfRange, at: typeOffset)
      }
      self = .identityAddressInformation(try reader.address(kind))
    case 0x0A: self = .signingInformation(try reader.take(SMP.keyLength))
    case 0x0B: self = .securityRequest(SMP.AuthenticationRequirements(rawValue: try reader.u8()))
    case 0x0C: self = .pairingPublicKey(try reader.take(64))
    case 0x0D: self = .pairingDHKeyCheck(try reader.take(SMP.keyLength))
    case 0x0E: self = .keypressNotification(SMP.Keypress(rawValue: try reader.u8()))
    default: throw WireError(.unknownOpcode, at: codeOffset)
    }
    try reader.finish()
  }

  public var octets: [UInt8] {
    var octets: [UInt8] = [code]
    switch self {
    case .pairingRequest(let features), .pairingResponse(let features): octets += features.octets
    case .pairingConfirm(let value), .pairingRandom(let value), .encryptionInformation(let value),
      .identityInformation(let value), .signingInformation(let value), .pairingPublicKey(let value),
      .pairingDHKeyCheck(let value):
      octets += value
    case .pairingFailed(let reason): octets.append(reason.rawValue)
    case .centralIdentification(let diversifier, let random):
      octets.append(littleEndian: diversifier)
      octets.append(littleEndian: random, count: 8)
    case .identityAddressInformation(let address): octets += [address.kind.rawValue] + address.octets
    case .securityRequest(let requirements): octets.append(requirements.rawValue)
    case .keypressNotification(let keypress): octets.append(keypress.rawValue)
    }
    return octets
  }
}

extension SMP.PairingFeatures {
  /// The six octets after the code.
  public var octets: [UInt8] {
    [
      ioCapability.rawValue, oobDataFlag, requirements.rawValue, maximumKeySize, initiatorKeys.rawValue,
      responderKeys.rawValue,
    ]
  }
}

extension OctetReader {
  fileprivate mutating func pairingFeatures() throws(WireError) -> SMP.PairingFeatures {
    SMP.PairingFeatures(
      ioCapability: SMP.IOCapability(rawValue: try u8()), oobDataFlag: try u8(),
      requirements: SMP.AuthenticationRequirements(rawValue: try u8()), maximumKeySize: try u8(),
      initiatorKeys: SMP.KeyDistribution(rawValue: try u8()), responderKeys: SMP.KeyDistribution(rawValue: try u8()))
  }
}
