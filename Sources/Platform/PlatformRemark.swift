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
    /// The app offered a value to a client that has not subscribed to it, or on a link that is gone: nothing was sent,
    /// and nothing becomes ready.
    case valueUnwanted
    /// Advertising that takes connections was refused because the phone has as many links as it can have.
    case noRoomForLinks
    /// Advertising was refused for another reason: Bluetooth is off, the app is in the background, or its data are too
    /// long.
    case advertisingRefused
    /// The app asked for something while the phone, which takes one operation at a time, had not finished another one.
    case operationRefused
    /// The phone does not scan for the app, which has begun too many scans in a short time.
    case scanRefused
    /// The system does not run the app any more until something wakes it.
    case appSuspended
    /// The system has ended the app, which stays so until its person opens it.
    case appEnded
    /// A suspended app runs again.
    case appWoken
    /// The peer has lost the bond: encryption fails, and the link ends, or the phone pairs again.
    case bondLost
    /// The phone took services of the peer from an earlier link, and they are others now.
    case staleServices
    /// The device uses another address from now on.
    case addressChanged
    /// The app is in the background, for which the phone does not scan, or shows its services to few.
    case hiddenInBackground
    /// The device advertises rarely: every two seconds or less often. Said once.
    case rareAdvertising
    /// The device listens rarely while it scans or connects: less than a tenth of the time. Said once.
    case rareScan
    /// A link listens rarely: every 300 ms or less often, by its interval and its peripheral latency.
    case slowLink
    /// A link ends after a short time without a packet: 200 ms or less, or less than six times its interval with the
    /// peripheral latency.
    case shortTimeout
    /// A link lasts for 10 s and longer without a packet.
    case longTimeout
    /// Interval, peripheral latency or supervision timeout of a link have changed.
    case linkParameters
    /// The central has refused the connection parameters that the app of a peripheral has asked for.
    case parametersRefused
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
