import BluetoothWire
import LinkCrypto
import SimKernel

/// Which address belongs to which device: own addresses of all four types, and peers with resolvable private addresses
/// (Vol 6, Part B, 4.7 and 6).
extension Controller {
  /// A peer as the filters and the host know it.
  struct PeerIdentity {
    var address: BluetoothAddress
    /// The resolvable private address that was resolved; nil when the peer uses its own address.
    var resolved: BluetoothAddress?
  }

  /// The address this device uses towards `peer`.
  func ownAddress(
    _ type: HCI.OwnAddressType, random: BluetoothAddress? = nil, peer: BluetoothAddress
  ) -> BluetoothAddress {
    if type.isResolvable, let index = resolvingList.index(of: peer),
      let address = resolvingList.localAddress(at: index, now: world.timeline.now, &radio.privacyStream)
    {
      return address
    }
    guard type.fallback == .random else { return address }
    return random ?? randomAddress ?? address
  }

  func advertisingAddress(of set: Advertiser) -> BluetoothAddress {
    ownAddress(set.setup.ownAddress, random: set.randomAddress, peer: set.setup.peer)
  }

  /// TargetA for a peer: a resolvable private address when the list has a key for it.
  func addressOnAir(ofPeer peer: BluetoothAddress) -> BluetoothAddress {
    guard resolvingList.isEnabled, let index = resolvingList.index(of: peer) else { return peer }
    return resolvingList.targetAddress(at: index, now: world.timeline.now, &radio.privacyStream) ?? peer
  }

  /// Whether the TargetA of a peer means this device. A local key resolves it whatever the type of the own address. To
  /// an initiator, its identity address does not when the own address towards the peer is a resolvable one (Vol 6,
  /// Part B, 6.4).
  func isOwn(
    _ address: BluetoothAddress, as type: HCI.OwnAddressType, peer: BluetoothAddress, initiating: Bool = false
  ) -> Bool {
    let own = ownAddress(type, peer: peer)
    if address == own || resolvesOwn(address) { return true }
    let isPrivate = initiating && resolvingList.isEnabled && type.isResolvable && ResolvableAddress.isResolvable(own)
    return !isPrivate && address == ownAddress(type, peer: .none)
  }

  private func resolvesOwn(_ address: BluetoothAddress) -> Bool {
    guard resolvingList.isEnabled, ResolvableAddress.isResolvable(address) else { return false }
    return resolvingList.entries.contains { entry in
      entry.localKey.map { ResolvableAddress.resolves(address, with: $0) } ?? false
    }
  }

  /// The peer that an address belongs to; nil for a peer in network privacy mode that shows its identity address, which
  /// is to be ignored (Vol 6, Part B, 4.7).
  func identify(_ address: BluetoothAddress) -> PeerIdentity? {
    guard resolvingList.isEnabled else { return PeerIdentity(address: address) }
    for (index, entry) in resolvingList.entries.enumerated() {
      guard let key = entry.peerKey else { continue }
      if entry.identity == address { return entry.usesDevicePrivacyMode ? PeerIdentity(address: address) : nil }
      if ResolvableAddress.resolves(address, with: key) {
        resolvingList.entries[index].peer = address
        return PeerIdentity(address: entry.identity, resolved: address)
      }
    }
    return PeerIdentity(address: address)
  }

  func isConnected(to peer: BluetoothAddress) -> Bool {
    radio.links.contains { $0.end(at: radio).peerAddress == peer }
  }
}

extension BluetoothAddress {
  /// All zeros: the field of an address where there is none.
  static let none = BluetoothAddress(kind: .publicDevice, bits: 0)
}
