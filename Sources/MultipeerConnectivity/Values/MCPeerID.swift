/// A device as apps of Multipeer Connectivity know it. Two objects with one name are two peers.
///
/// Source: Apple, `MCPeerID`.
open class MCPeerID: NSObject, @unchecked Sendable {
  /// The name for people; at most 63 octets of UTF-8.
  public let displayName: String

  /// The own peer, or one of another device.
  public init(displayName: String) {
    self.displayName = displayName
    super.init()
  }

  /// The name.
  open override var description: String { displayName }
}

/// The most peers of a session, the own one included.
public let kMCSessionMaximumNumberOfPeers = 8
/// The fewest peers of a session.
public let kMCSessionMinimumNumberOfPeers = 2

/// Whether a peer is in a session.
///
/// Source: Apple, `MCSessionState`.
public enum MCSessionState: Int, Hashable, Sendable {
  /// It is not, or no longer.
  case notConnected
  /// It is being connected.
  case connecting
  /// Data can be sent to it.
  case connected
}

/// How data is sent.
///
/// Source: Apple, `MCSessionSendDataMode`.
public enum MCSessionSendDataMode: Int, Hashable, Sendable {
  /// In order, and again where it is lost.
  case reliable
  /// At once; here it is sent as reliable data is.
  case unreliable
}

/// Whether a session encrypts; nothing is encrypted here.
///
/// Source: Apple, `MCEncryptionPreference`.
public enum MCEncryptionPreference: Int, Hashable, Sendable {
  /// It does where the other end can.
  case optional
  /// It does.
  case required
  /// It does not.
  case none
}
