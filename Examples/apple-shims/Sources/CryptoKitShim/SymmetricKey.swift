import Crypto

/// Stands before swift-crypto's initializer of the same name, which fills all that the allocator gave it beyond the key,
/// so that how many numbers a key takes from the system's generator depends on the memory of the process.
extension SymmetricKey {
  public init(size: SymmetricKeySize) { self.init(data: RandomOctets.make(size.bitCount / 8)) }
}
