import BluetoothWire
import Expectations
import Testing

@Suite("PDUs of the Security Manager (Core v5.4, Vol 3, Part H, 3.5 and 3.6)")
struct SMPPDUTests {
  private static let value = (0..<16).map { UInt8($0) }

  /// Octets made by Bumble 0.0.236 (`bumble.smp`).
  static let golden: [(hex: String, pdu: SMP.PDU)] = [
    (
      "0104002d100703",
      .pairingRequest(
        .init(
          ioCapability: .keyboardDisplay, requirements: [.bonding, .authentication, .secureConnections, .conversion2],
          initiatorKeys: [.encryption, .identity, .signing], responderKeys: [.encryption, .identity]))
    ),
    (
      "02010109070102",
      .pairingResponse(
        .init(
          ioCapability: .displayYesNo, oobDataFlag: 1, requirements: [.bonding, .secureConnections],
          maximumKeySize: 7, initiatorKeys: .encryption, responderKeys: .identity))
    ),
    ("03000102030405060708090a0b0c0d0e0f", .pairingConfirm(value)),
    ("04000102030405060708090a0b0c0d0e0f", .pairingRandom(value)),
    ("0504", .pairingFailed(.confirmValueFailed)),
    ("06000102030405060708090a0b0c0d0e0f", .encryptionInformation(value)),
    ("0734120102030405060708", .centralIdentification(diversifier: 0x1234, random: 0x0807_0605_0403_0201)),
    ("08000102030405060708090a0b0c0d0e0f", .identityInformation(value)),
    ("0901f5f4f3f2f1f0", .identityAddressInformation(.init(kind: .random, bits: 0xF0F1_F2F3_F4F5))),
    ("0a000102030405060708090a0b0c0d0e0f", .signingInformation(value)),
    ("0b0d", .securityRequest([.bonding, .authentication, .secureConnections])),
    (
      "0c000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        + "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f",
      .pairingPublicKey((0..<64).map { UInt8($0) })
    ),
    ("0d000102030405060708090a0b0c0d0e0f", .pairingDHKeyCheck(value)),
    ("0e02", .keypressNotification(.digitErased)),
  ]

  @Test("Octets of another stack decode to the fields it was given, and encode back", arguments: golden.indices)
  func goldenOctets(index: Int) throws {
    let (hex, pdu) = Self.golden[index]
    let octets = [UInt8].hex(hex)
    try equal(SMP.PDU(decoding: octets), pdu)
    try equal(SMP.PDU(decoding: [9, 9] + octets, from: 2), pdu)
    equal(pdu.octets, octets)
    equal(pdu.code, octets[0])
    equal(SMP.PDU.length(of: octets[0]), octets.count)
  }

  @Test("Every shorter and every longer PDU is refused", arguments: golden.indices)
  func lengths(index: Int) {
    let octets = [UInt8].hex(Self.golden[index].hex)
    for prefix in Octets.properPrefixes(octets) {
      #expect(throws: WireError(.truncated, at: prefix.count)) { try SMP.PDU(decoding: prefix) }
    }
    #expect(throws: WireError(.trailingOctets, at: octets.count)) { try SMP.PDU(decoding: octets + [0]) }
  }

  @Test("Reserved codes have no length and are refused", arguments: [0x00, 0x0F, 0x10, 0x7F, 0xFF] as [UInt8])
  func reservedCodes(code: UInt8) {
    expect(SMP.PDU.length(of: code) == nil)
    #expect(throws: WireError(.unknownOpcode, at: 0)) { try SMP.PDU(decoding: [code, 1, 2, 3]) }
  }

  @Test("An identity address has type 0 or 1")
  func identityAddressTypes() throws {
    let address = [UInt8].hex("f5f4f3f2f1f0")
    try equal(
      SMP.PDU(decoding: [9, 0] + address),
      .identityAddressInformation(.init(kind: .publicDevice, bits: 0xF0F1_F2F3_F4F5)))
    for type in 2...255 as ClosedRange<UInt8> {
      #expect(throws: WireError(.valueOutOfRange, at: 1)) { try SMP.PDU(decoding: [9, type] + address) }
    }
    #expect(throws: WireError(.truncated, at: 3)) { try SMP.PDU(decoding: [9, 2, 3]) }
  }

  @Test("Values of any kind survive: bonding flags, key sizes, reserved bits")
  func openValues() throws {
    let octets: [UInt8] = [1, 0xFF, 2, 0xFE, 255, 0xF0, 0x88]
    let pdu = try SMP.PDU(decoding: octets)
    equal(pdu.octets, octets)
    guard case .pairingRequest(let features) = pdu else { return expect(false) }
    expect(!features.requirements.asksForBonding)
    equal(features.octets, Array(octets.dropFirst()))
    expect(SMP.AuthenticationRequirements(rawValue: 0x0D).asksForBonding)
  }

  @Test("No octets trap, and what decodes encodes back to the same octets", arguments: 1...4 as ClosedRange<UInt64>)
  func hostileOctets(seed: UInt64) {
    var stream = HostileStream(state: seed)
    var decoded = 0
    for _ in 0..<5_000 {
      var octets = stream.octets(upTo: 70)
      if !octets.isEmpty, stream.next() % 2 == 0 {
        octets[0] = UInt8(stream.next() % 16)
        if let length = SMP.PDU.length(of: octets[0]), length <= octets.count { octets = Array(octets.prefix(length)) }
      }
      if let pdu = try? SMP.PDU(decoding: octets) {
        equal(pdu.octets, octets)
        decoded += 1
      }
    }
    for golden in Self.golden {
      for damaged in Octets.damaged([UInt8].hex(golden.hex)) {
        if let pdu = try? SMP.PDU(decoding: damaged) { equal(pdu.octets, damaged) }
      }
    }
    expect(decoded > 500)
  }
}
