import BluetoothWire
import Expectations
import LinkCrypto
import Testing

@testable import VirtualRadio

/// Values of RFC 4493, 4, and of Core v5.4, Vol 3, Part H, 2.2.3, 2.2.4 and Appendix D, as the unit tests of Bumble
/// (`tests/smp_test.py`) have them. Text is most significant octet first.
@Suite("The cryptographic toolbox (Core v5.4, Vol 3, Part H, 2.2)")
struct SecurityToolboxTests {
  private func wire(_ text: String) -> [UInt8] { [UInt8].hex(text).reversed() }

  private let messages = """
    6bc1bee2 2e409f96 e93d7e11 7393172a ae2d8a57 1e03ac9c 9eb76fac 45af8e51 30c81c46 a35ce411 e5fbc119 1a0a52ef \
    f69f2445 df4f9b17 ad2b417b e66c3710
    """

  @Test(
    "AES-CMAC of RFC 4493",
    arguments: [
      (0, "bb1d6929 e9593728 7fa37d12 9b756746"), (16, "070a16b4 6b4d4144 f79bdd9d d04a287c"),
      (40, "dfa66747 de9ae630 30ca3261 1497c827"), (64, "51f0bebf 7e3b9d92 fc497417 79363cfe"),
    ])
  func cmac(count: Int, code: String) {
    let key = [UInt8].hex("2b7e1516 28aed2a6 abf71588 09cf4f3c")
    equal(CMAC.code(key: key, message: Array([UInt8].hex(messages).prefix(count))), [UInt8].hex(code))
  }

  @Test("c1 and s1 of legacy pairing")
  func legacy() {
    let zero = [UInt8](repeating: 0, count: 16)
    let confirm = SecurityToolbox.c1(
      key: zero, random: wire("5783D52156AD6F0E6388274EC6702EE0"), request: wire("07071000000101"),
      response: wire("05000800000302"), initiator: BluetoothAddress(kind: .random, bits: 0xA1A2_A3A4_A5A6),
      responder: BluetoothAddress(kind: .publicDevice, bits: 0xB1B2_B3B4_B5B6))
    equal(confirm, wire("1e1e3fef878988ead2a74dc5bef13b86"))
    let key = SecurityToolbox.s1(
      key: zero, responderRandom: wire("000F0E0D0C0B0A091122334455667788"),
      initiatorRandom: wire("010203040506070899AABBCCDDEEFF00"))
    equal(key, wire("9a1fe1f0e8b0f49b5b4216ae796da062"))
  }

  private var keyU: [UInt8] { wire("20b003d2 f297be2c 5e2c83a7 e9f9a5b9 eff49111 acf4fddb cc030148 0e359de6") }
  private var keyV: [UInt8] { wire("55188b3d 32f6bb9a 900afcfb eed4e72a 59cb9ac2 f19d7cfb 6b4fdd49 f47fc5fd") }
  private var nonce1: [UInt8] { wire("d5cb8454 d177733e ffffb2ec 712baeab") }
  private var nonce2: [UInt8] { wire("a6e8e7cc 25a75f6e 216583f7 ff3dc4cf") }
  private let initiator = BluetoothAddress(kind: .publicDevice, bits: 0x5612_3737_BFCE)
  private let responder = BluetoothAddress(kind: .publicDevice, bits: 0xA713_702D_CFC1)

  @Test("f4, f5, f6 and g2 of Secure Connections")
  func secureConnections() {
    equal(
      SecurityToolbox.f4(keyU, keyV, random: nonce1, 0), wire("f2c916f1 07a9bd1c f1eda1be a974872d"))
    let keys = SecurityToolbox.f5(
      secret: wire("ec0234a3 57c8ad05 341010a6 0a397d9b 99796b13 b4f866f1 868d34f3 73bfa698"),
      initiatorRandom: nonce1, responderRandom: nonce2, initiator: initiator, responder: responder)
    equal(keys.macKey, wire("2965f176 a1084a02 fd3f6a20 ce636e20"))
    equal(keys.longTermKey, wire("69867911 69d7cd23 980522b5 94750a38"))
    let check = SecurityToolbox.f6(
      macKey: keys.macKey, nonce1, nonce2, wire("12a3343b b453bb54 08da42d2 0c2d0fc8"), capabilities: wire("010102"),
      initiator, responder)
    equal(check, wire("e3c47398 9cd0e8c5 d26c0b09 da958f61"))
    equal(SecurityToolbox.g2(keyU, keyV, nonce1, nonce2), 0x2F9E_D5BA)
  }

  @Test("h6, h7 and ah")
  func conversion() {
    let key = wire("ec0234a3 57c8ad05 341010a6 0a397d9b")
    equal(SecurityToolbox.h6(key, wire("6c656272")), wire("2d9ae102 e76dc91c e8d3a9e2 80b16399"))
    let salt = wire("00000000 00000000 00000000 746D7031")
    equal(SecurityToolbox.h7(salt: salt, key), wire("fb173597 c6a3c0ec d2998c2a 75a57011"))
    equal(SecurityToolbox.ah(key, prand: 0x708194), 0x0DFBAA)
  }

  @Test("Both conversions of an LTK to a link key")
  func linkKeys() {
    let longTermKey = wire("368df9bc e3264b58 bd066c33 334fbf64")
    func ascii(_ text: String) -> [UInt8] { Array(text.utf8).reversed() }
    let plain = SecurityToolbox.h6(longTermKey, ascii("tmp1"))
    equal(SecurityToolbox.h6(plain, ascii("lebr")), wire("bc1ca4ef 633fc1bd 0d8230af ee388fb0"))
    let salted = SecurityToolbox.h7(salt: ascii("tmp1") + [UInt8](repeating: 0, count: 12), longTermKey)
    equal(SecurityToolbox.h6(salted, ascii("lebr")), wire("287ad379 dca40253 0a39f1f4 3047b835"))
  }

  @Test("A shorter key has zeros above (2.3.4)", arguments: 7...16)
  func shortened(size: Int) {
    let key = (1...16).map { UInt8($0) }
    let short = SecurityToolbox.shortened(key, to: size)
    equal(short.count, 16)
    equal(short.prefix(size), key.prefix(size))
    expect(short.dropFirst(size).allSatisfy { $0 == 0 })
  }
}
