import BluetoothWire
import LinkCrypto

/// Who resolvable private addresses belong to.
///
/// Spec: Core v5.4, Vol 6, Part B, 1.3.2.3. An Identity Resolving Key with the identity address that a pairing handed
/// out gives that address. One that was given alone has none: the first address that it resolves stands for all.
final class IdentityBook {
  private struct Entry {
    /// Most significant octet first.
    var key: [UInt8]
    var identity: BluetoothAddress?
  }

  static let limit = 64
  private static let rememberedAddresses = 4_096

  private var entries: [Entry]
  /// What was looked up, so that each address costs its calculation once.
  private var known: [BluetoothAddress: BluetoothAddress?] = [:]
  /// Addresses that a key resolved.
  private(set) var resolved = 0
  /// Counts what is new.
  private(set) var version = 0

  /// - Parameter keys: in both orders of octets, since either may be meant.
  init(_ keys: [[UInt8]]) { entries = keys.map { Entry(key: $0) } }

  /// - Parameter key: as the PDU has it, least significant octet first; all zeros: there is none.
  func learn(_ key: [UInt8], identity: BluetoothAddress) {
    let key = Array(key.reversed())
    if key.allSatisfy({ $0 == 0 }) { return }
    if let index = entries.firstIndex(where: { $0.key == key }) {
      if entries[index].identity == identity { return }
      entries[index].identity = identity
    } else if entries.count < Self.limit {
      entries.append(Entry(key: key, identity: identity))
    } else {
      return
    }
    known = [:]
    version += 1
  }

  /// The identity of a resolvable private address; nil: nobody knows it, or the address is its own.
  func identity(of address: BluetoothAddress) -> BluetoothAddress? {
    if entries.isEmpty || !ResolvableAddress.isResolvable(address) { return nil }
    if let answer = known[address] { return answer }
    var answer: BluetoothAddress?
    if let index = entries.firstIndex(where: { ResolvableAddress.resolves(address, with: $0.key) }) {
      resolved += 1
      if let identity = entries[index].identity { answer = identity } else { entries[index].identity = address }
    }
    if known.count == Self.rememberedAddresses { known = [:] }
    known.updateValue(answer, forKey: address)
    return answer
  }
}
