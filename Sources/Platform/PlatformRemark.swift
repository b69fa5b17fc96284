public import AppSeam

/// Something about a controller or a peer that a host stack noticed.
public struct PlatformRemark: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The controller, or the path to it, broke its contract.
    case controllerFault
    /// The peer sent what its specification forbids.
    case protocolViolation
    /// 30 s without the answer that ATT owes (Core v5.4, Vol 3, Part F, 3.3.3).
    case transactionTimeout
    /// The app offered more octets than one ATT PDU holds.
    case valueTruncated
    /// Directed advertising with a high duty cycle ended without a connection (Core v5.4, Vol 6, Part B, 4.4.2.4.3).
    case advertisingTimeout
  }

  public var kind: Kind
  /// Nil when it is about no link, or about one that is gone.
  public var link: LinkID?
  /// For people.
  public var text: String

  public init(_ kind: Kind, _ link: LinkID?, _ text: String) {
    self.kind = kind
    self.link = link
    self.text = text
  }
}
