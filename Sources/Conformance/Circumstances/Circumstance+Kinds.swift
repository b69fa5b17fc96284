/// What is known of each kind of circumstance, declared once.
extension Circumstance.Kind {
  /// What follows from a kind, whatever run it is in.
  struct Traits: OptionSet, Sendable {
    let rawValue: UInt8

    /// It is wrong by itself, and not only while something is missing.
    static let mistake = Traits(rawValue: 1)
    /// An app or a phone does not do something; without it, it has done something.
    static let omission = Traits(rawValue: 2)
    /// It says less than what a protocol may know.
    static let weak = Traits(rawValue: 4)
    /// It keeps others from finding the device.
    static let keepsOut = Traits(rawValue: 8)
    /// It happened at an instant, so that it explains what follows at once.
    static let sudden = Traits(rawValue: 16)
    /// At the end of a run it says nothing by itself.
    static let usual = Traits(rawValue: 32)
    /// It may be what everybody else of the lobby waits for.
    static let ofAll = Traits(rawValue: 64)
    /// Although it is weak, it says more than what is due or where a text stopped.
    static let firm = Traits(rawValue: 128)
  }

  /// What explains more of what is missing has a lower rank: what fails whatever the app does, an app that is not run,
  /// an app that does not answer, links on which nothing comes, then what it has asked for itself, then what it has
  /// left out, then what its phone has no room for.
  private var row: (rank: Int, words: String, traits: Traits) {
    switch self {
    case .valueCut: row(0, "sends values that do not fit the ATT_MTU", .mistake)
    case .refusedValueLost: row(0, "does not send again what its platform refused", .mistake)
    case .valueUnwanted: row(0, "sends values that nobody has subscribed to", .mistake)
    case .transactionTimeout: row(0, "gets no answer to a request for 30 s", .mistake)
    case .misuse: row(0, "uses its framework in a way that phones complain of", .mistake)
    case .operationRefused: row(0, "begins an operation before the one before it has ended", .mistake)
    case .wrongWrite: row(0, "writes without response where that is not offered", .mistake)
    case .wrongPart: row(0, "answers reads of later parts of a value with its beginning", .mistake)
    case .publishedTwice: row(0, "publishes a service twice", .mistake)
    case .changeIgnored: row(1, "does not discover services again that have changed", .omission)
    case .bondLost: row(1, "meets a peer that has lost their bond", .sudden)
    case .staleServices: row(1, "uses services of an earlier link that have changed", .sudden)
    case .failedOnOrder: row(1, "meets a failure on order", .sudden)
    case .suspended: row(2, "is not run by its system", .omission)
    case .valuesIgnored: row(3, "reacts to no value that it is given", .omission)
    case .requestUnanswered: row(3, "does not answer a request of its peer")
    case .platformRefused: row(3, "is refused a service, a pairing or a channel")
    case .lossyLink: row(3, "has links on which nothing comes", .omission)
    case .ofProtocol: row(3, "is kept out, as its protocol knows")
    case .shortTimeout: row(4, "has a short supervision timeout", .sudden)
    case .slowInterval: row(4, "asks for a long connection interval")
    case .parametersRefused: row(4, "is refused the connection parameters it asks for", .omission)
    case .slowLink: row(4, "has a link that listens rarely", .omission)
    case .slowTransfer: row(4, "has a link that carries little", .omission)
    case .requestRefused: row(5, "refuses a write or a subscription, or is refused one", .sudden)
    case .guardedWrite: row(5, "writes without response what is taken on encrypted links only", .omission)
    case .otherPeer: row(5, "connects to another one than its user wants", .omission)
    case .staleLink: row(5, "uses a link that has ended")
    case .notSentAgain: row(6, "does not go on after its platform had no room", .omission)
    case .leftLink: row(7, "ends its link by itself", [.omission, .usual])
    case .noRoomForMore: row(7, "has no room for another link", .omission)
    case .notSubscribed: row(8, "does not subscribe", .omission)
    case .servesOthers:
      row(9, "sends nothing to one of its centrals since another one came", [.omission, .weak, .firm])
    case .longTimeout: row(10, "keeps its link with a peer that is gone", [.omission, .ofAll])
    case .deadLink: row(10, "keeps a link that its peer does not have any more", .omission)
    case .filterMismatch: row(11, "scans for another service than its peer advertises")
    case .noRoom: row(12, "has no room for another link", [.omission, .keepsOut, .usual])
    case .scanRefused: row(13, "begins more scans than its phone allows", .omission)
    case .idle: row(14, "neither scans, advertises nor connects", [.omission, .usual])
    case .notAdvertising: row(15, "does not advertise", [.omission, .keepsOut, .usual])
    case .connectFails: row(16, "does not get a link though it tries", .omission)
    case .notConnected: row(16, "does not connect to what it has found", .omission)
    case .givesUp: row(17, "gives up its attempts to connect")
    case .notFound: row(18, "does not find its peer", [.omission, .usual])
    case .connecting: row(19, "asks for a link that does not come", [.omission, .usual])
    case .smallMTU: row(20, "does not ask for a larger ATT_MTU", .omission)
    case .endIgnored: row(21, "does nothing when a link has ended", [.omission, .weak, .usual, .ofAll])
    case .userUnanswered: row(21, "does nothing when its user does something", [.omission, .weak, .usual, .ofAll])
    case .otherLobby: row(22, "has a link with another lobby than its own", [.omission, .ofAll])
    case .requestsInARow: row(23, "makes many requests one after the other", [.omission, .weak])
    case .linkUnserved: row(24, "sends nothing to a peer that has subscribed", [.omission, .weak, .usual])
    }
  }

  private func row(_ rank: Int, _ words: String, _ traits: Traits = []) -> (rank: Int, words: String, traits: Traits) {
    (rank, words, traits)
  }

  var rank: Int { row.rank }
  /// What the app does or does not do, in words that many runs may share, after its name.
  package var words: String { row.words }

  package var isMistake: Bool { row.traits.contains(.mistake) }
  package var isOmission: Bool { row.traits.contains(.omission) }
  package var isWeak: Bool { row.traits.contains(.weak) }
  package var isFirm: Bool { row.traits.contains(.firm) }
  var keepsOthersOut: Bool { row.traits.contains(.keepsOut) }
  var isSudden: Bool { row.traits.contains(.sudden) }
  var isUsual: Bool { row.traits.contains(.usual) }
  var concernsAll: Bool { row.traits.contains(.ofAll) }
}
