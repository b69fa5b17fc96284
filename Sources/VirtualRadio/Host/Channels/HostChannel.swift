public import BluetoothWire

/// An LE credit based channel of a host stack; the stack never uses a number twice.
public struct HostChannelNumber: Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// A channel as it was opened (Core v5.4, Vol 3, Part A, 4.22 and 4.23).
public struct HostChannel: Hashable, Sendable {
  public var number: HostChannelNumber
  public var psm: UInt16
  /// The peer asked for it.
  public var isIncoming: Bool
  /// The largest SDU that the peer takes, octets, 23 … 65 535.
  public var peerMTU: Int
  /// The largest payload of a K-frame that the peer takes, octets, 23 … 65 533.
  public var peerMPS: Int

  public init(number: HostChannelNumber, psm: UInt16, isIncoming: Bool, peerMTU: Int, peerMPS: Int) {
    self.number = number
    self.psm = psm
    self.isIncoming = isIncoming
    self.peerMTU = peerMTU
    self.peerMPS = peerMPS
  }
}

/// Why a channel that the owner asked for was not opened.
public enum HostChannelRefusal: Hashable, Sendable {
  /// The peer's answer (Core v5.4, Vol 3, Part A, 4.23).
  case result(L2CAP.ConnectionResult)
  /// The peer did not take the request, because it has no such channels for one (4.1).
  case rejected(L2CAP.RejectReason)
  /// The peer accepted with a channel identifier, MTU or MPS that 4.23 does not allow.
  case invalidAnswer
  /// No answer within 30 s (RTX, 6.2.1).
  case noAnswer
  case linkLost
}

/// Why a channel is closed.
public enum HostChannelEnd: Hashable, Sendable {
  /// `closeChannel`.
  case owner
  /// The peer's `L2CAP_DISCONNECTION_REQ`.
  case peer
  /// The peer broke a rule of the channel; `protocolViolation` has said which one.
  case violation
  case linkLost
}
