/// One named field of pseudo-random words that are addressed by numbers, not drawn in turn.
///
/// A word depends on the name of the field and on its address alone. So nothing has to be stored for each of many
/// parties, and asking for a word earlier, later, twice or never changes no other. Words are SplitMix64 finalisers in
/// a chain, one for each number of the address.
public struct RandomField: Sendable {
  @usableFromInline let key: UInt64

  /// - Parameters:
  ///   - seed: the seed of the run.
  ///   - component: whose field it is, for example `"air"`.
  ///   - purpose: what for, for example `"loss"`.
  public init(seed: UInt64, component: String, purpose: String) {
    var stream = RandomStream(seed: seed, component: component, purpose: purpose)
    key = stream.next()
  }

  /// A number for a name, to be part of an address; it does not depend on the seed.
  public static func number(of name: String) -> UInt64 {
    var key: UInt64 = 0x9E37_79B9_7F4A_7C15
    for octet in name.utf8 { key = RandomStream.mix(key ^ UInt64(octet)) &+ 0x9E37_79B9_7F4A_7C15 }
    return RandomStream.mix(key)
  }

  /// The words at one address: as many as are wanted.
  public struct Words: Sendable {
    @usableFromInline let root: UInt64
    @usableFromInline init(root: UInt64) { self.root = root }

    @inlinable public subscript(index: UInt64) -> UInt64 {
      RandomStream.mix(root &+ index &* 0x9E37_79B9_7F4A_7C15)
    }
  }

  @inlinable public func words(_ first: UInt64, _ second: UInt64, _ third: UInt64) -> Words {
    var word = RandomStream.mix(key ^ first)
    word = RandomStream.mix(word &+ second)
    return Words(root: RandomStream.mix(word ^ third))
  }

  /// Whether an event of the given probability happens, by a word; certain and impossible events do not ask for it.
  @inlinable public static func happens(_ probability: Ratio, by word: @autoclosure () -> UInt64) -> Bool {
    if probability.numerator == 0 { return false }
    if probability.numerator >= probability.denominator { return true }
    return word().multipliedFullWidth(by: probability.denominator).high < probability.numerator
  }
}
