import SimKernel

/// Changes octets the way broken and hostile peers do.
struct OctetMutator {
  /// Units that have passed at the seam, of all devices.
  let pool: [[UInt8]]
  /// Longer units are not made.
  let limit: Int

  /// A unit that differs from this one, as a rule.
  func mutated(_ octets: [UInt8], _ draws: inout RandomStream) -> [UInt8] {
    var octets = octets
    for _ in 0...draws.below(3) { step(&octets, &draws) }
    return Array(octets.prefix(limit))
  }

  private func step(_ octets: inout [UInt8], _ draws: inout RandomStream) {
    guard !octets.isEmpty else {
      octets = noise(Int(draws.below(16)) + 1, &draws)
      return
    }
    let place = Int(draws.below(UInt64(octets.count)))
    // The first octets say what a unit is and how long it is.
    let early = Int(draws.below(UInt64(min(octets.count, 12))))
    switch draws.below(15) {
    case 0: octets[place] ^= 1 << UInt8(draws.below(8))
    case 1: octets[early] ^= 1 << UInt8(draws.below(8))
    case 2: octets[early] = Self.limits[Int(draws.below(UInt64(Self.limits.count)))]
    case 3: octets[early] &+= draws.below(2) == 0 ? 1 : 0xFF
    case 4: setLength(&octets, draws.below(2) == 0 ? early : place, &draws)
    case 5: octets.removeLast(octets.count - place)
    case 6: octets += noise(Int(draws.below(32)) + 1, &draws)
    case 7: octets += Array(repeating: octets[place], count: Int(draws.below(UInt64(limit))) + 1)
    case 8: octets.remove(at: place)
    case 9: octets.insert(UInt8(truncatingIfNeeded: draws.next()), at: place)
    case 10: octets += octets
    case 11: octets.replaceSubrange(place..., with: noise(octets.count - place, &draws))
    case 12: setNumber(&octets, place, &draws)
    default: splice(&octets, place, &draws)
    }
  }

  private static let limits: [UInt8] = [0, 1, 2, 3, 4, 0x7F, 0x80, 0xFE, 0xFF]

  /// Sixteen bits that may be a length: zero, one off, the largest, or what is really there.
  private func setLength(_ octets: inout [UInt8], _ place: Int, _ draws: inout RandomStream) {
    guard place + 1 < octets.count else { return }
    let old = UInt16(octets[place]) | UInt16(octets[place + 1]) << 8
    let rest = UInt16(truncatingIfNeeded: octets.count - place - 2)
    let new = [0, old &+ 1, old &- 1, 0xFFFF, rest, rest &+ 1, 23, 512][Int(draws.below(8))]
    octets[place] = UInt8(truncatingIfNeeded: new)
    octets[place + 1] = UInt8(truncatingIfNeeded: new >> 8)
  }

  /// A number of one, two or four octets that is zero, one or the largest.
  private func setNumber(_ octets: inout [UInt8], _ place: Int, _ draws: inout RandomStream) {
    let end = min(octets.count, place + [1, 2, 2, 4][Int(draws.below(4))])
    let (first, rest): (UInt8, UInt8) = [(0, 0), (0, 0), (1, 0), (0xFF, 0xFF)][Int(draws.below(4))]
    for index in place..<end { octets[index] = index == place ? first : rest }
  }

  /// The end of another unit after the beginning of this one.
  private func splice(_ octets: inout [UInt8], _ place: Int, _ draws: inout RandomStream) {
    guard !pool.isEmpty else { return }
    let other = pool[Int(draws.below(UInt64(pool.count)))]
    guard !other.isEmpty else { return }
    octets.replaceSubrange(place..., with: other[Int(draws.below(UInt64(other.count)))...])
  }

  private func noise(_ count: Int, _ draws: inout RandomStream) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: draws.next()) }
  }
}
