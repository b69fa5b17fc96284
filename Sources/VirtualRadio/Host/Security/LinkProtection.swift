import BluetoothWire
import SimKernel

/// What one link has of the Security Manager; a link of a stack that does not pair has none.
final class LinkProtection {
  var level = SecurityLevel.none
  /// The level that the key gives by which encryption was asked for last.
  var coming = SecurityLevel.none
  var pairing: Pairing?
  /// The controller was told to encrypt, and has not said how that ended.
  var isEncrypting = false
  /// The Security Manager timer (Vol 3, Part H, 3.4).
  var deadline = SimInstant.distantFuture
  /// The timer has run out: the channel carries nothing more.
  var isClosed = false
  /// Random octets that have come for the pairing, and how many it asked for; 0 when it waits for none.
  var drawn: [UInt8] = []
  var wanted = 0
}

/// What the stack has of the Security Manager, over all links.
struct HostSecurity {
  /// The controller's key pair: one for all pairings that go on at the same time.
  enum LocalKey: Equatable {
    case none
    case reading
    case known([UInt8])
  }

  /// Oldest first.
  var bonds: [Bond] = []
  var localKey = LocalKey.none
  /// Links whose DHKey the controller is to generate, one after the other, with the peer's public key.
  var secrets: [(handle: HCI.ConnectionHandle, publicKey: [UInt8])] = []
  /// The first of `secrets` is with the controller.
  var isGenerating = false

  /// A link is gone, or its pairing is over. What is with the controller has an answer, which then is nobody's.
  mutating func dropSecrets(of handle: HCI.ConnectionHandle) {
    let isNext = isGenerating && secrets.first?.handle == handle
    secrets.removeAll { $0.handle == handle }
    if isNext { secrets.insert((Self.noLink, []), at: 0) }
  }

  /// No handle that a controller gives (Vol 4, Part E, 5.3.1).
  private static let noLink: HCI.ConnectionHandle = 0xFFFF

  /// A reset takes the key pair with it; bonds stay.
  mutating func forgetController() {
    localKey = .none
    secrets = []
    isGenerating = false
  }
}
