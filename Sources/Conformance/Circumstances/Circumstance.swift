public import AppSeam
public import SimKernel

/// Something that a platform, a stack or a link of a run knows, and that explains why an app did not get or do what it
/// should: a value that was cut, a refusal that the app ignored, a request without an answer, a missing subscription.
///
/// Each one is in the trace; nothing is guessed. It is a mistake by itself, or it explains only that something is
/// missing, and then as long as it lasts.
public struct Circumstance: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    // Mistakes, whatever follows from them.
    /// The app offered more octets than a value holds; the stack has sent the first of them.
    case valueCut
    /// The platform refused a value, the app sent others after it, and never that one again.
    case refusedValueLost
    /// The app offered a value that nobody has subscribed to.
    case valueUnwanted
    /// 30 s without an answer that ATT owes: the link carries no more requests (Core v5.4, Vol 3, Part F, 3.3.3).
    case transactionTimeout
    /// The app used its framework in a way that a phone complains of.
    case misuse
    /// The app asked for something while its phone, which takes one operation at a time, was not ready for it.
    case operationRefused

    /// The app writes without response where the characteristic does not have that.
    case wrongWrite
    /// The app answers a read of a later part of a value with its beginning.
    case wrongPart
    /// The app publishes a service beside the one of that UUID that it has published.
    case publishedTwice

    // What explains that something is missing.
    /// The other end, or the own stack, has refused a write or a subscription.
    case requestRefused
    /// The app has ended a link by itself.
    case leftLink
    /// The app neither scans, advertises nor connects, after it had.
    case idle
    /// The app was given values, and has reacted to none.
    case valuesIgnored
    /// A peer has subscribed to values of the app, which has sent none on that link.
    case linkUnserved
    /// The app was told that a link has ended, and has done nothing at that.
    case endIgnored
    /// The app was refused a value, was told that there is room again, and has sent nothing since.
    case notSentAgain
    /// Writes without response that the server takes on encrypted links only, so that they are ignored.
    case guardedWrite
    /// A link ended because its supervision timeout is short.
    case shortTimeout
    /// The app has a link with somebody of another lobby than its own.
    case otherLobby
    /// The app was told that services of a peer have changed, and has not discovered them again.
    case changeIgnored
    /// What one scans for is not what the other advertises.
    case filterMismatch
    /// The app has asked for a link, and there is none yet.
    case connecting
    /// The ATT_MTU is the least, and nobody has asked for more.
    case smallMTU
    /// A person has done something with the app, which has asked for nothing since.
    case userUnanswered
    /// Its person has named a peer, and the app connects to another one.
    case otherPeer
    /// One scans, the other advertises, and it was not found.
    case notFound
    /// A read or write of a peer waits for an answer of the app.
    case requestUnanswered
    /// The app asked for a long connection interval.
    case slowInterval
    /// The central has refused the connection parameters that the app of its peripheral has asked for.
    case parametersRefused
    /// The app makes many requests on a link, one after the other, each of which takes its time.
    case requestsInARow
    /// Attempts of the app to connect fail again and again.
    case connectFails
    /// The platform has refused a service of the app, a pairing, or a channel.
    case platformRefused
    /// A link listens rarely, whoever has arranged that.
    case slowLink
    /// Links end again and again because one end hears nothing, for one cause, or because the clocks drift apart.
    case lossyLink
    /// What is to be sent takes seconds, because the connection interval is long.
    case slowTransfer
    /// A link with a device that is gone lasts, because its supervision timeout is long.
    case longTimeout
    /// A central has a link, and has subscribed to nothing on it.
    case notSubscribed
    /// An end still has a link whose other end has none any more.
    case deadLink
    /// The app uses a link that has ended, though it has another one.
    case staleLink
    /// The app gives up its attempts to connect by itself.
    case givesUp
    /// A server sends to a central that came later, and to this one nothing any more.
    case servesOthers
    /// A phone has no room for another link, and does not advertise for that reason.
    case noRoom
    /// A phone has refused its app a link, because it has as many as it can.
    case noRoomForMore
    /// An app has stopped advertising.
    case notAdvertising
    /// A scanner was told of an advertiser, and its app did not connect.
    case notConnected
    /// The phone does not scan for an app that has begun too many scans.
    case scanRefused
    /// The peer has lost the bond with the phone, which ends every link with it.
    case bondLost
    /// The phone believes in services of the peer that have changed.
    case staleServices
    /// The system does not run the app.
    case suspended
    /// What the app, or a peer of its server, asked for has failed because the scenario orders it.
    case failedOnOrder
    /// What only the protocol of the app knows, or where a text stopped that somebody said.
    case ofProtocol

  }

  public var kind: Kind
  /// Dense index of the device whose app or phone it is of.
  public var device: Int
  /// The device at the other end of the link; nil: it is about no link, or about a stranger's.
  public var peer: Int?
  public var link: LinkID?
  public var begin: SimInstant
  /// Nil: it lasts to the end of the run.
  public var end: SimInstant?
  /// A sentence without a full stop, with the device's name.
  public var text: String
  /// A record of `trace.jsonl` that shows it.
  public var record: Int

  /// What a protocol knows of a device, from an instant on.
  package init(ofProtocol text: String, device: Int, since begin: SimInstant, record: Int) {
    self.init(kind: .ofProtocol, device: device, begin: begin, text: text, record: record)
  }

  init(
    kind: Kind, device: Int, peer: Int? = nil, link: LinkID? = nil, begin: SimInstant, end: SimInstant? = nil,
    text: String, record: Int
  ) {
    self.kind = kind
    self.device = device
    self.peer = peer
    self.link = link
    self.begin = begin
    self.end = end
    self.text = text
    self.record = record
  }

  /// Whether it holds at an instant; a mistake holds from its instant on. Who scans again then has heard nothing yet.
  package func holds(at instant: SimInstant) -> Bool {
    begin <= instant && (kind.isMistake || end.map { $0 > instant || kind == .scanRefused && $0 == instant } ?? true)
  }
}
