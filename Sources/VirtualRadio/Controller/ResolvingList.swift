import BluetoothWire
import LinkCrypto
import SimKernel

/// The resolving list of a controller (Vol 6, Part B, 6).
struct ResolvingList {
  /// A peer, by its identity address, with the keys of both sides.
  struct Entry {
    let identity: BluetoothAddress
    /// nil: the host gave a key of zeros, and nothing can be resolved or made with it.
    let peerKey: ResolvableAddress.Key?
    let localKey: ResolvableAddress.Key?
    /// Device privacy mode: the peer may also use its identity address (Vol 4, Part E, 7.8.77).
    var usesDevicePrivacyMode = false
    /// The address that this device uses towards the peer, and until when.
    var local: BluetoothAddress?
    var localUntil = SimInstant.zero
    /// The address that the peer used last.
    var peer: BluetoothAddress?
    /// The address of the peer that this device uses in directed advertising, and until when.
    var target: BluetoothAddress?
    var targetUntil = SimInstant.zero
  }

  static let capacity = 8
  static let defaultTimeout: UInt16 = 900

  var entries: [Entry] = []
  var isEnabled = false
  /// Seconds after which this device changes its resolvable private addresses.
  var timeout = Self.defaultTimeout

  func index(of identity: BluetoothAddress) -> Int? { entries.firstIndex { $0.identity == identity } }

  /// A local address for a peer; a new one when the last one is too old.
  mutating func localAddress(at index: Int, now: SimInstant, _ stream: inout RandomStream) -> BluetoothAddress? {
    guard let key = entries[index].localKey else { return nil }
    if let local = entries[index].local, now < entries[index].localUntil { return local }
    let address = ResolvableAddress.make(key, &stream)
    entries[index].local = address
    entries[index].localUntil = now + .seconds(Int64(timeout))
    return address
  }

  /// An address that the peer will recognise as its own.
  mutating func targetAddress(at index: Int, now: SimInstant, _ stream: inout RandomStream) -> BluetoothAddress? {
    guard let key = entries[index].peerKey else { return nil }
    if let target = entries[index].target, now < entries[index].targetUntil { return target }
    let address = ResolvableAddress.make(key, &stream)
    entries[index].target = address
    entries[index].targetUntil = now + .seconds(Int64(timeout))
    return address
  }
}
