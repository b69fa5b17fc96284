import BluetoothWire
import Expectations
import LinkCrypto
import SimKernel
import Testing

@testable import VirtualRadio

/// The sample data of Core v5.4, Vol 6, Part C, 1, and what else others have computed.
enum SampleData {
  /// LTK, most significant octet first as the specification prints it.
  static let longTermKey = [UInt8].hex("4C68384139F574D836BCF34E9DFB01BF")
  static let session = LinkSession(
    longTermKey: longTermKey.reversed(), diversifiers: (0xACBD_CEDF_E0F1_0213, 0x0213_2435_4657_6879),
    vectors: (0xBADC_AB24, 0xDEAF_BABE))

  struct PDU: CustomTestStringConvertible, Sendable {
    var name: String
    var sender: HCI.Role
    var counter: UInt64
    var llid: UInt8
    var plain: [UInt8]
    var sealed: [UInt8]
    var testDescription: String { name }
  }

  static let pdus: [PDU] = [
    PDU(
      name: "LL_START_ENC_RSP of the central", sender: .central, counter: 0, llid: 3, plain: [0x06],
      sealed: [UInt8].hex("9fcda7f448")),
    PDU(
      name: "LL_START_ENC_RSP of the peripheral", sender: .peripheral, counter: 0, llid: 3, plain: [0x06],
      sealed: [UInt8].hex("a34c13a415")),
    PDU(
      name: "data of the central", sender: .central, counter: 1, llid: 2,
      plain: [UInt8].hex("1700636465666768696a6b6c6d6e6f707131323334353637383930"),
      sealed: [UInt8].hex("7a70d66415226df26b17839a060405596bd6564f796b5b9ce6ff32f75a6d33")),
    PDU(
      name: "data of the peripheral", sender: .peripheral, counter: 1, llid: 2,
      plain: [UInt8].hex("170037363534333231304142434445464748494a4b4c4d4e4f5051"),
      sealed: [UInt8].hex("f38881e7bd94c9c369b9a66846dd4786aa8c39ce540d0dae3adcdf89b96088")),
    // The same session, by OpenSSL (Python's cryptography, AESCCM): the longest payload, and the last packet counter.
    PDU(
      name: "251 octets, counter 0x123456789A", sender: .central, counter: 0x12_3456_789A, llid: 1,
      plain: (0..<251).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }, sealed: [UInt8].hex(long)),
    PDU(
      name: "16 octets, counter 2³⁹ − 1", sender: .peripheral, counter: 1 << 39 - 1, llid: 2,
      plain: (0..<16).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) },
      sealed: [UInt8].hex("8e3cf61abd4fb58d684e90e8688d12d5b20c506c")),
  ]

  private static let long = """
    a735eef507881701991ed06a99677b336e7456e0bf0ba61792d8954af591413a0cdf5e37d6d7681791218109f1889f028663a816ca5ae9fa\
    5810edb7e8cce963b7ada398fb079b2ce213fd6bd720916d6b43ef432fde5b0f460f26e5c4b8d14f97608b3e775f0f22d56ef8c81b3f9824\
    df25e53a20be0b0659e9ab0ffb23805bdcda0a634e3ea5a6ae573817bcce9d46a06e60c7bfa3b5c8d1907b531c2622382de444fa329b668b\
    6ddc5ae1c50f37ac756a5d1c4e7d9e189155642b667d15c481f2a88812a8930e646a9b6662132a55e8d64f195bcf629c3666fbb0c32db770\
    6b684920628fee5dc3b19d0c58cd0087b54aed038d6f90e1e0497dcb7b0ac7
    """

  static func cipher(_ pdu: PDU) -> LinkCipher {
    LinkCipher(key: session.key, iv: session.iv, sender: pdu.sender, packetCounter: pdu.counter)
  }
}

@Suite("Keys and ciphers, against the numbers of others")
struct SecurityVectorTests {
  @Test("AES: the worked example of FIPS-197, appendix B, and the vector of appendix C.1")
  func fips197() {
    equal(
      AESBlock.encrypt(
        key: [UInt8].hex("2b7e151628aed2a6abf7158809cf4f3c"), block: [UInt8].hex("3243f6a8885a308d313198a2e0370734")),
      [UInt8].hex("3925841d02dc09fbdc118597196a0b32"))
    equal(
      AESBlock.encrypt(
        key: [UInt8].hex("000102030405060708090a0b0c0d0e0f"), block: [UInt8].hex("00112233445566778899aabbccddeeff")),
      [UInt8].hex("69c4e0d86a7b0430d8cdb78070b4c55a"))
  }

  @Test("The session of the specification's sample data: IV and key")
  func session() {
    equal(SampleData.session.iv, [UInt8].hex("24abdcbabebaafde"))
    equal(SampleData.session.key, [UInt8].hex("99ad1b5226a37e3e058e3b8e27c2c666"))
  }

  @Test("Sample PDUs are sealed to the specification's octets and opened again", arguments: SampleData.pdus)
  func samples(_ pdu: SampleData.PDU) {
    equal(SampleData.cipher(pdu).seal(pdu.plain, llid: pdu.llid), pdu.sealed)
    equal(SampleData.cipher(pdu).open(pdu.sealed, llid: pdu.llid), pdu.plain)
  }

  @Test("One bit, the LLID, the counter or the direction wrong: the MIC does not fit", arguments: SampleData.pdus)
  func damaged(_ pdu: SampleData.PDU) {
    for bit in 0..<pdu.sealed.count * 8 {
      var damaged = pdu.sealed
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      expect(SampleData.cipher(pdu).open(damaged, llid: pdu.llid) == nil)
    }
    for count in 0..<pdu.sealed.count {
      expect(SampleData.cipher(pdu).open(Array(pdu.sealed.prefix(count)), llid: pdu.llid) == nil)
    }
    expect(SampleData.cipher(pdu).open(pdu.sealed, llid: pdu.llid ^ 1) == nil)
    for change in 0..<2 {
      var wrong = pdu
      if change == 0 { wrong.counter ^= 1 } else { wrong.sender = pdu.sender == .central ? .peripheral : .central }
      expect(SampleData.cipher(wrong).open(pdu.sealed, llid: pdu.llid) == nil)
      expect(SampleData.cipher(wrong).seal(pdu.plain, llid: pdu.llid) != pdu.sealed)
    }
  }

  @Test("The counter goes up by one for each PDU and starts again behind 39 bits")
  func counter() {
    let cipher = SampleData.session.cipher(sender: .central)
    equal(cipher.seal(SampleData.pdus[0].plain, llid: 3), SampleData.pdus[0].sealed)
    equal(cipher.seal(SampleData.pdus[2].plain, llid: 2), SampleData.pdus[2].sealed)
    equal(cipher.packetCounter, 2)
    let last = SampleData.cipher(SampleData.pdus[5])
    _ = last.seal([1], llid: 2)
    equal(last.packetCounter, 0)
  }

  /// Vol 2, Part G, 7.1.2.1: the first set of P-256 sample data; its private key A is the debug key of
  /// Vol 3, Part H, 2.3.5.6.1. Computed again with OpenSSL.
  @Test("P-256: public keys and DHKey of the specification's sample data, from either side")
  func p256() throws {
    let b = try required(
      P256KeyPair(
        privateKey: [UInt8].hex("55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd").reversed()))
    let publicA =
      [UInt8].hex("20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6").reversed()
      + [UInt8].hex("dc809c49652aeb6d63329abf5a52155c766345c28fed3024741c8ed01589d28b").reversed()
    let publicB =
      [UInt8].hex("1ea1f0f01faf1d9609592284f19e4c0047b58afd8615a69f559077b22faaa190").reversed()
      + [UInt8].hex("4c55f33e429dad377356703a9ab85160472d1130e28e36765f89aff915b1214a").reversed()
    equal(P256KeyPair.debug.publicKey, publicA)
    equal(b.publicKey, publicB)
    let secret: [UInt8] = [UInt8].hex("ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698").reversed()
    equal(P256KeyPair.debug.sharedSecret(with: publicB), secret)
    equal(b.sharedSecret(with: publicA), secret)
  }

  @Test("A point beside the curve, the origin and a key of another length have no DHKey")
  func invalidPoints() {
    let good = P256KeyPair.debug.publicKey
    for index in [0, 31, 32, 63] {
      var bad = good
      bad[index] ^= 1
      expect(P256KeyPair.debug.sharedSecret(with: bad) == nil)
    }
    expect(P256KeyPair.debug.sharedSecret(with: [UInt8](repeating: 0, count: 64)) == nil)
    expect(P256KeyPair.debug.sharedSecret(with: [UInt8](repeating: 0xFF, count: 64)) == nil)
    expect(P256KeyPair.debug.sharedSecret(with: Array(good.dropLast())) == nil)
    expect(P256KeyPair(privateKey: [UInt8](repeating: 0, count: 32)) == nil)
    expect(P256KeyPair(privateKey: [UInt8](repeating: 0xFF, count: 32)) == nil)
  }

  @Test("One cipher seals and opens by turns, and goes on after a PDU that it refuses")
  func turns() throws {
    let (here, there) = (SampleData.session.cipher(sender: .central), SampleData.session.cipher(sender: .central))
    for count in [1, 15, 16, 17, 251, 16] {
      let plain = [UInt8](repeating: UInt8(count), count: count)
      let sealed = here.seal(plain, llid: 2)
      equal(there.open(sealed, llid: 2), plain)
      expect(there.open(sealed, llid: 2) == nil)
      expect(here.open([], llid: 2) == nil)
      equal(here.open(there.seal(plain, llid: 1), llid: 1), plain)
    }
    expect(here.packetCounter == 18 && there.packetCounter == 18)
  }

  @Test("The same seed draws the same key pairs, another seed others")
  func drawn() {
    func keys(seed: UInt64) -> [[UInt8]] {
      var material = KeyMaterial(seed: seed, component: "radio/a")
      return (0..<3).map { _ in material.makePair().publicKey }
    }
    equal(keys(seed: 1), keys(seed: 1))
    expect(keys(seed: 1) != keys(seed: 2))
    expect(keys(seed: 1)[0] != keys(seed: 1)[1])
  }
}
