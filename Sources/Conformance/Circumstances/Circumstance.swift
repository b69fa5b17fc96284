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

    // What explains that something is missing.
    /// A read or write of a peer waits for an answer of the app.
    case requestUnanswered
    /// The app asked for a long connection interval.
    case slowInterval
    /// A central has a link, and has subscribed to nothing on it.
    case notSubscribed
    /// A phone has no room for another link, and does not advertise for that reason.
    case noRoom
    /// An app has stopped advertising.
    case notAdvertising
    /// A scanner was told of an advertiser, and its app did not connect.
    case notConnected

    /// Whether it is wrong by itself, and not only while something is missing.
    package var isMistake: Bool {
      switch self {
      case .valueCut, .refusedValueLost, .valueUnwanted, .transactionTimeout, .misuse: true
      case .requestUnanswered, .slowInterval, .notSubscribed, .noRoom, .notAdvertising, .notConnected: false
      }
    }

    /// Whether it is that an app or a phone does not do something, and not that it has.
    package var isOmission: Bool {
      switch self {
      case .valueCut, .refusedValueLost, .valueUnwanted, .transactionTimeout, .misuse: false
      case .requestUnanswered, .slowInterval: false
      case .notSubscribed, .noRoom, .notAdvertising, .notConnected: true
      }
    }

    /// What the app does or does not do, in words that many runs may share, after its name.
    package var words: String {
      switch self {
      case .valueCut: "sends values that do not fit the ATT_MTU"
      case .refusedValueLost: "does not send again what its platform refused"
      case .valueUnwanted: "sends values that nobody has subscribed to"
      case .transactionTimeout: "gets no answer to a request for 30 s"
      case .misuse: "uses its framework in a way that phones complain of"
      case .requestUnanswered: "does not answer a request of its peer"
      case .slowInterval: "asks for a long connection interval"
      case .notSubscribed: "does not subscribe"
      case .noRoom: "has no room for another link"
      case .notAdvertising: "stops advertising"
      case .notConnected: "does not connect to what it has found"
      }
    }
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

  /// Whether it holds at an instant; a mistake holds from its instant on.
  package func holds(at instant: SimInstant) -> Bool {
    begin <= instant && (kind.isMistake || end.map { $0 > instant } ?? true)
  }
}
