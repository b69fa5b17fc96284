extension SMP.PDU {
  /// Reads the PDU that fills `octets` from `start` on.
  ///
  /// Refuses: reserved codes, every length but that of the code, an identity address of another type than 0 and 1.
  /// Values that a receiver must look at (key sizes, reserved bits) are left as they are.
  /// - Throws: `WireError`.
  public init(decoding octets: [UInt8], from start: Int = 0) throws(WireError) {
    var reader = OctetReader(octets, from: start, to: octets.count)
    let codeOffset = reader.offset
    guard let blank = Self.forms[try reader.u8()] else { throw WireError(.unknownOpcode, at: codeOffset) }
    self = try Self.read(blank, &reader)
  }

  public var octets: [UInt8] {
    var octets: [UInt8] = []
    appendForm(to: &octets)
    return octets
  }

  public var code: UInt8 { declaredCode }

  /// The octets of a PDU with that code, the code included; nil for a code that is reserved (3.3, Table 3.3).
  public static func length(of code: UInt8) -> Int? { lengths[code] }

  private static let forms = blanksByCode()
  private static let lengths = forms.mapValues(\.octets.count)
}

extension SMP.PDU: FormedPDU {
  typealias Code = UInt8

  static let blanks: [Self] = [
    .pairingRequest(.blank), .pairingResponse(.blank), .pairingConfirm(key), .pairingRandom(key),
    .pairingFailed(.keyRejected), .encryptionInformation(key), .centralIdentification(diversifier: 0, random: 0),
    .identityInformation(key), .identityAddressInformation(.blank), .signingInformation(key), .securityRequest([]),
    .pairingPublicKey([UInt8](repeating: 0, count: 64)), .pairingDHKeyCheck(key), .keypressNotification(.entryStarted),
  ]

  private static let key = [UInt8](repeating: 0, count: SMP.keyLength)

  func declare(_ form: inout PDUForm<Self>) {
    switch self {
    case .pairingRequest(let features): form(0x01, Self.pairingRequest, features)
    case .pairingResponse(let features): form(0x02, Self.pairingResponse, features)
    case .pairingConfirm(let value): form(0x03, { .pairingConfirm($0.value) }, Octets<16>(value))
    case .pairingRandom(let value): form(0x04, { .pairingRandom($0.value) }, Octets<16>(value))
    case .pairingFailed(let reason): form(0x05, Self.pairingFailed, reason)
    case .encryptionInformation(let key): form(0x06, { .encryptionInformation($0.value) }, Octets<16>(key))
    case .centralIdentification(let diversifier, let random):
      form(0x07, Self.centralIdentification, diversifier, random)
    case .identityInformation(let key): form(0x08, { .identityInformation($0.value) }, Octets<16>(key))
    case .identityAddressInformation(let address):
      form(0x09, { .identityAddressInformation($0.value) }, WholeAddress(value: address))
    case .signingInformation(let key): form(0x0A, { .signingInformation($0.value) }, Octets<16>(key))
    case .securityRequest(let requirements): form(0x0B, Self.securityRequest, requirements)
    case .pairingPublicKey(let key): form(0x0C, { .pairingPublicKey($0.value) }, Octets<64>(key))
    case .pairingDHKeyCheck(let check): form(0x0D, { .pairingDHKeyCheck($0.value) }, Octets<16>(check))
    case .keypressNotification(let keypress): form(0x0E, Self.keypressNotification, keypress)
    }
  }
}

/// Address type and address; a wrong length is told before a wrong type.
private struct WholeAddress: WireValue {
  var value: BluetoothAddress
  init(value: BluetoothAddress) { self.value = value }

  init(reading reader: inout OctetReader) throws(WireError) {
    try reader.require(7)
    value = try reader.next()
  }

  func append(to octets: inout [UInt8]) { value.append(to: &octets) }
}

extension SMP.PairingFeatures: WireRecord {
  static let blank = Self(ioCapability: .displayOnly, requirements: [], initiatorKeys: [], responderKeys: [])

  /// The six octets after the code.
  public var octets: [UInt8] {
    var octets: [UInt8] = []
    append(to: &octets)
    return octets
  }

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&ioCapability, &oobDataFlag, &requirements)
    try pass.fields(&maximumKeySize, &initiatorKeys, &responderKeys)
  }
}
