/// Cuts a stream of octets into whole H4 packets, however it was cut on its way.
///
/// Total: any octets may come, in any pieces. At most one packet of `limit` octets is kept. What cannot be a packet (an
/// indicator that the sender may not use, a length beyond the limit) is loss of step: it is told once, and from there on
/// the stream is searched for what puts both sides in step again. A half packet waits as long as it takes.
///
/// Spec: Core v5.4, Vol 4, Part A, 2 (packet indicators) and 4 (error recovery); Part E, 5.4 (headers).
public struct H4Framer: Sendable {
  public enum Sender: Hashable, Sendable {
    /// Sends commands (01), ACL data (02), synchronous data (03) and ISO data (05). In step again at HCI_Reset.
    case host
    /// Sends events (04), ACL data, synchronous data and ISO data. In step again after the Command Complete event of
    /// HCI_Reset.
    case controller
  }

  public enum Piece: Hashable, Sendable {
    /// A whole packet, indicator included.
    case packet([UInt8])
    /// Loss of step: the octets that cannot begin a packet (the indicator, or indicator and header).
    case outOfStep([UInt8])
    /// In step again, after this many octets that were no packet, those of `outOfStep` included. From a host the
    /// HCI_Reset follows as a packet; the Command Complete event of a controller does not.
    case inStep(skipped: Int)
  }

  public init(sender: Sender, limit: Int) {
    self.sender = sender
    self.limit = max(limit, 4)
  }

  private let sender: Sender
  private let limit: Int

  /// Octets of a packet that is not whole yet.
  public var waiting: Int { 0 }

  /// Takes the next octets of the stream and hands out what they complete, in order.
  public mutating func take(_ octets: UnsafeRawBufferPointer, _ body: (Piece) -> Void) {}
}
