import Testing

@testable import VirtualRadio

@Suite("The AES block")
struct AESBlockTests {
  @Test("The worked example of FIPS-197, appendix B, and the vector of appendix C.1")
  func fips197() {
    #expect(
      AESBlock.encrypt(
        key: Octets.hex("2b7e151628aed2a6abf7158809cf4f3c"), block: Octets.hex("3243f6a8885a308d313198a2e0370734"))
        == Octets.hex("3925841d02dc09fbdc118597196a0b32"))
    #expect(
      AESBlock.encrypt(
        key: Octets.hex("000102030405060708090a0b0c0d0e0f"), block: Octets.hex("00112233445566778899aabbccddeeff"))
        == Octets.hex("69c4e0d86a7b0430d8cdb78070b4c55a"))
  }
}
