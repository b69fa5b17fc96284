extension LL {
  /// Whether a central may choose this access address for a connection.
  ///
  /// Spec: Core v5.4, Vol 6, Part B, 2.1.2: no run of more than six equal bits, neither the advertising access address
  /// nor one bit away from it, not four equal octets, at most 24 transitions, at least two transitions in the six most
  /// significant bits; of one who has LE Coded, three ones in the least significant octet and at most eleven
  /// transitions in the least significant 16 bits. The caller excludes addresses that are in use.
  public static func isValidAccessAddress(_ address: UInt32, hasCoded: Bool = false) -> Bool {
    if (address ^ advertisingAccessAddress).nonzeroBitCount <= 1 { return false }
    if address == (address & 0xFF) &* 0x0101_0101 { return false }
    // Bit i is set where bits i and i + 1 differ; the top bit has no neighbour above.
    let changes = (address ^ (address >> 1)) & 0x7FFF_FFFF
    if changes.nonzeroBitCount > 24 { return false }
    if (changes >> 26).nonzeroBitCount < 2 { return false }
    if hasCoded, (address & 0xFF).nonzeroBitCount < 3 || (changes & 0x7FFF).nonzeroBitCount > 11 { return false }
    // Seven equal bits are six neighbouring places without a change.
    var run = 0
    for bit in 0..<31 {
      run = changes >> UInt32(bit) & 1 == 0 ? run + 1 : 0
      if run >= 6 { return false }
    }
    return true
  }
}
