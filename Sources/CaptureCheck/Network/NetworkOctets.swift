/// Fields of a piece of a record whose most significant octet comes first, by their offset in it, without a copy.
///
/// Whoever asks has compared `count` first.
struct NetworkOctets {
  private let octets: ArraySlice<UInt8>
  private let start: Int
  let count: Int

  init(_ octets: ArraySlice<UInt8>) {
    self.octets = octets
    start = octets.startIndex
    count = octets.count
  }

  func u8(_ offset: Int) -> UInt8 { octets[start + offset] }
  func u16(_ offset: Int) -> UInt16 { UInt16(u8(offset)) << 8 | UInt16(u8(offset + 1)) }
  func u32(_ offset: Int) -> UInt32 { UInt32(u16(offset)) << 16 | UInt32(u16(offset + 2)) }
  func u64(_ offset: Int) -> UInt64 { UInt64(u32(offset)) << 32 | UInt64(u32(offset + 4)) }

  func after(_ offset: Int) -> ArraySlice<UInt8> { octets[(start + offset)...] }

  /// At most so many octets from `offset` on.
  func piece(_ offset: Int, atMost length: Int) -> ArraySlice<UInt8> {
    after(min(offset, count)).prefix(max(0, length))
  }
}
