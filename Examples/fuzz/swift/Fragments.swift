/// A parser of values that carry fragments of packets: an octet that counts a value, then the packet's number (two
/// octets), the fragment's index, how many fragments the packet has, and its part.
///
/// The planted bug: the index is compared with the count of this fragment, and the parts were made by the first one.
struct Reassembler {
  private var number = -1
  private var parts: [[UInt8]?] = []

  mutating func receive(_ value: ArraySlice<UInt8>) -> [UInt8]? {
    let value = Array(value)
    guard value.count >= 4 else { return nil }
    let (index, count) = (Int(value[2]), Int(value[3]))
    guard count > 0, index < count else { return nil }
    let number = Int(value[0]) << 8 | Int(value[1])
    if number != self.number {
      self.number = number
      parts = Array(repeating: nil, count: count)
    }
    parts[index] = Array(value.dropFirst(4))
    if parts.contains(where: { $0 == nil }) { return nil }
    self.number = -1
    return parts.flatMap { $0 ?? [] }
  }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ octets: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var rest = Array(UnsafeBufferPointer(start: octets, count: count))[...]
  var reassembler = Reassembler()
  while let length = rest.popFirst() {
    _ = reassembler.receive(rest.prefix(Int(length)))
    rest = rest.dropFirst(Int(length))
  }
  return 0
}
