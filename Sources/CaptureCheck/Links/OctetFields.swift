/// Little-endian fields of a piece of a record, by their offset in it, without a copy.
///
/// Whoever asks has compared `count` first.
struct OctetFields {
  private let octets: ArraySlice<UInt8>
  private let start: Int
  let count: Int

  @inline(__always)
  init(_ octets: ArraySlice<UInt8>) {
    self.octets = octets
    start = octets.startIndex
    count = octets.count
  }

  @inline(__always)
  func u8(_ offset: Int) -> UInt8 { octets[start + offset] }

  @inline(__always)
  func u16(_ offset: Int) -> UInt16 { UInt16(octets[start + offset]) | UInt16(octets[start + offset + 1]) << 8 }

  func u32(_ offset: Int) -> UInt32 { UInt32(u16(offset)) | UInt32(u16(offset + 2)) << 16 }

  func u48(_ offset: Int) -> UInt64 {
    UInt64(u16(offset)) | UInt64(u16(offset + 2)) << 16 | UInt64(u16(offset + 4)) << 32
  }

  func piece(_ offset: Int, _ length: Int) -> ArraySlice<UInt8> { octets[(start + offset)..<(start + offset + length)] }
}
