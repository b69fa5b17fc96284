import CZlib

/// Octets made smaller as zlib does it (RFC 1950), which browsers undo by themselves.
enum Deflate {
  /// - Complexity: linear; takes about as much memory again as the octets.
  static func zlib(_ octets: [UInt8]) -> [UInt8] {
    var length = compressBound(UInt(octets.count))
    return [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, filled in
      let outcome = octets.withUnsafeBufferPointer {
        compress2(buffer.baseAddress, &length, $0.baseAddress, UInt($0.count), 6)
      }
      precondition(outcome == Z_OK, "a buffer of compressBound octets is long enough")
      filled = Int(length)
    }
  }
}
