extension UnsafeRawBufferPointer {
  /// Whether both have the same octets; eight at a time, for what is mostly the same.
  package func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    var place = 0
    while place + 8 <= count {
      let word = loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if word != other.loadUnaligned(fromByteOffset: place, as: UInt64.self) { return false }
      place += 8
    }
    while place < count {
      if self[place] != other[place] { return false }
      place += 1
    }
    return true
  }
}
