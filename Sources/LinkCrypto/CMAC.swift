/// AES-CMAC with a key of 128 bits.
///
/// Spec: RFC 4493; Core v5.4, Vol 3, Part H, 2.2.5. Octets are in the order of the RFC, most significant first.
package enum CMAC {
  /// The code of any number of octets.
  /// - Precondition: the key has 16 octets.
  package static func code(key: [UInt8], message: [UInt8]) -> [UInt8] {
    let blocks = max(1, (message.count + AESBlock.size - 1) / AESBlock.size)
    var code = [UInt8](repeating: 0, count: AESBlock.size)
    for index in 0..<blocks - 1 {
      code = AESBlock.encrypt(key: key, block: xor(code, block(index, of: message)))
    }
    var last = block(blocks - 1, of: message)
    var subkey = doubled(AESBlock.encrypt(key: key, block: [UInt8](repeating: 0, count: AESBlock.size)))
    if last.count < AESBlock.size {
      subkey = doubled(subkey)
      last.append(0x80)
      last += [UInt8](repeating: 0, count: AESBlock.size - last.count)
    }
    return AESBlock.encrypt(key: key, block: xor(xor(last, subkey), code))
  }

  private static func block(_ index: Int, of message: [UInt8]) -> [UInt8] {
    let start = index * AESBlock.size
    return Array(message[start..<min(start + AESBlock.size, message.count)])
  }

  /// Twice the element of GF(2¹²⁸) (RFC 4493, 2.3).
  private static func doubled(_ block: [UInt8]) -> [UInt8] {
    var result = block
    for index in block.indices {
      result[index] = block[index] << 1 | (index + 1 < block.count ? block[index + 1] >> 7 : 0)
    }
    if block[0] & 0x80 != 0 { result[block.count - 1] ^= 0x87 }
    return result
  }

  private static func xor(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] { zip(one, other).map { $0 ^ $1 } }
}
