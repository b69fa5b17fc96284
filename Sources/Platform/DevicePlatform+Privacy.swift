package import SimKernel
import VirtualRadio

/// What a device makes its addresses of.
package struct PlatformPrivacy: Sendable {
  /// Identity Resolving Key, 16 octets, most significant first.
  package var key: [UInt8]
  /// The device's own, so that no other draw depends on it.
  package var stream: RandomStream

  package init(key: [UInt8], stream: RandomStream) {
    self.key = key
    self.stream = stream
  }
}

/// Phones that change their address: whoever knows them by the old one takes them for somebody else.
///
/// *Decision*: an address is used for a drawn time between half the interval and all of it, in both roles. Links keep
/// the address with which they were made. A change waits for an attempt to connect, because a controller takes no
/// address meanwhile.
extension DevicePlatform {
  /// How long a change waits for an attempt to connect, and for a radio that is off.
  private static let pause = SimDuration.seconds(1)

  func beginRotation() {
    guard let longest = phone.advertising.rotatesAddress, privacy != nil else { return }
    isRotating = true
    let half = longest.nanoseconds / 2
    let span = SimDuration.nanoseconds(half + (privacy?.stream.within(0...half) ?? 0))
    _ = schedule(.addressChanges, at: timeline.now + span)
  }

  func changeAddress() {
    guard isPoweredOn, isRadioOn, connecting.isEmpty else {
      _ = schedule(.addressChanges, at: timeline.now + Self.pause)
      return
    }
    guard var privacy else { return }
    address = PrivateAddress.draw(privacy.key, &privacy.stream)
    self.privacy = privacy
    host.advance(to: timeline.now)
    if isAdvertising { host.stopAdvertising() }
    isAdvertising = false
    changeAddressesOfSets()
    host.stopScanning()
    host.use(address)
    observe(.addressChanged, nil, "its address is \(address) from now on\(addressesOfSets)")
    refreshAdvertising()
    refreshScanning()
    drainHost()
    beginRotation()
  }
}
