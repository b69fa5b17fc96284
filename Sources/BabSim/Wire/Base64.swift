/// Base64 with the standard alphabet and padding (RFC 4648, section 4), strict.
public enum Base64 {
  /// What cannot be decoded, at which octet of the text.
  public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    public var reason: String
    public var offset: Int
    public var description: String { "\(reason) at offset \(offset)" }
  }

  private static let alphabet: [UInt8] = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  public static func encode(_ octets: [UInt8]) -> String {
    let digits = alphabet
    var text: [UInt8] = []
    text.reserveCapacity((octets.count + 2) / 3 * 4)
    for start in stride(from: 0, to: octets.count, by: 3) {
      let second = start + 1 < octets.count ? octets[start + 1] : 0
      let third = start + 2 < octets.count ? octets[start + 2] : 0
      let word = Int(octets[start]) << 16 | Int(second) << 8 | Int(third)
      text.append(contentsOf: [
        digits[word >> 18], digits[word >> 12 & 0x3F],
        start + 1 < octets.count ? digits[word >> 6 & 0x3F] : 0x3D,
        start + 2 < octets.count ? digits[word & 0x3F] : 0x3D,
      ])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Total. Refuses other characters, missing or misplaced padding, and bits after the last octet that are not 0.
  public static func decode(_ text: [UInt8]) throws(Refusal) -> [UInt8] {
    guard text.count % 4 == 0 else {
      throw Refusal(reason: "base64 is not a multiple of 4 characters", offset: text.count)
    }
    let padding = text.last != 0x3D ? 0 : text[text.count - 2] == 0x3D ? 2 : 1
    var octets: [UInt8] = []
    octets.reserveCapacity(text.count / 4 * 3)
    var word: UInt32 = 0
    for place in 0..<text.count - padding {
      guard let digit = digit(text[place]) else { throw Refusal(reason: "invalid base64 character", offset: place) }
      word = word << 6 | digit
      if place % 4 == 3 {
        octets.append(contentsOf: [UInt8(word >> 16), UInt8(word >> 8 & 0xFF), UInt8(word & 0xFF)])
        word = 0
      }
    }
    if padding > 0 {
      let spare: UInt32 = padding == 1 ? 0x3 : 0xF
      guard word & spare == 0 else {
        throw Refusal(reason: "base64 bits after the last octet", offset: text.count - padding - 1)
      }
      if padding == 2 {
        octets.append(UInt8(word >> 4))
      } else {
        octets.append(contentsOf: [UInt8(word >> 10), UInt8(word >> 2 & 0xFF)])
      }
    }
    return octets
  }

  private static func digit(_ character: UInt8) -> UInt32? {
    switch character {
    case 0x41...0x5A: UInt32(character - 0x41)
    case 0x61...0x7A: UInt32(character - 0x61) + 26
    case 0x30...0x39: UInt32(character - 0x30) + 52
    case 0x2B: 62
    case 0x2F: 63
    default: nil
    }
  }
}
