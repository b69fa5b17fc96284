public import AppSeam

/// Something that can be said of one device, in the words of its app; usually an enumeration.
public protocol AppFactStatement: Hashable, Sendable {
  /// Whether it can be known of a device.
  func canBeAsked(of device: Int, _ cast: AppCast) -> Bool
  /// Whether it compares with what the leader's app shows.
  var comparesWithLeader: Bool { get }
}

/// Erases the type of a fact.
public struct AppFact: Hashable, Sendable {
  public var statement: any AppFactStatement
  /// The fact that a statement stands for; two are equal when their statements are.
  public init(_ statement: some AppFactStatement) { self.statement = statement }

  public static func == (a: Self, b: Self) -> Bool { AnyHashable(a.statement) == AnyHashable(b.statement) }
  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(statement)) }
}

/// Who takes part in a run: what facts need to know of devices, by their index.
public struct AppCast: Sendable {
  /// One device, as facts may see it.
  public struct Member: Hashable, Sendable {
    /// The protocol that its app speaks; nil: it has no app.
    public var app: String?
    public var role: AppRole
    public var lobby: String
    /// Its app is not ours, and shows nothing, or is hostile, and nothing it shows is believed.
    public var isForeign: Bool
    /// It does what it must not, on purpose: no condition is about it.
    public var isHostile = false
    /// Its app is a program that reports nothing of what it shows: foreign to facts of its app. What the bench knows by
    /// itself, such as links, it knows of it too.
    public var isMute = false
    /// Its app is a program, which says what reports it likes.
    public var isProgram = false
    /// What the bench has told the program that it is called; nil for any other app.
    public var toldPeerID: String?
    /// The device that leads its lobby; itself for a leader, nil when there is none.
    public var leader: Int?
  }

  public var members: [Member]

  /// Whether some app is not ours.
  public var hasForeign: Bool { members.contains(where: \.isForeign) }
}

/// Reads what the apps of one protocol are told and show, and answers conditions.
public protocol AppFacts: AnyObject {
  /// Whether it wants to read what comes with every value: `valueReceived` and `submitted`.
  var readsValues: Bool { get }
  /// - Parameter peer: for a new link the device at its other end; nil when unknown.
  func read(_ input: AppInput, device: Int, peer: Int?)
  /// An app shows something; `device` is the dense index.
  func read(_ report: AppReport, device: Int)
  /// What a device calls itself; nil before it has said so.
  func peerID(of device: Int) -> String?
  /// Whether a fact holds of a device now, by what it was told and has shown so far.
  func holds(_ fact: AppFact, device: Int) -> Bool
  /// The reports without which it means nothing that a fact does not hold: somebody must say one of each.
  func grounds(of fact: AppFact, device: Int) -> [ReportGrounds]
  /// Whether a fact holds of apps that show nothing, and means nothing then: two that agree, or a count of none.
  func holdsOfSilence(_ fact: AppFact) -> Bool
  /// How a fact stands, for people.
  func detail(_ fact: AppFact, device: Int) -> String
  /// What the table of peers says of a device, a column each.
  func columns(of device: Int) -> [RunOutcome.Column]
}

extension AppFacts {
  /// None: that a fact does not hold always means something.
  public func grounds(of fact: AppFact, device: Int) -> [ReportGrounds] { [] }
  /// False.
  public func holdsOfSilence(_ fact: AppFact) -> Bool { false }
}

/// The bench's virtual people at the devices of one protocol.
public protocol AppPeople: AnyObject {
  /// Whether a report may change a plan at all; where it may not, `intention` is `unchanged`, and need not be asked.
  func looks(at report: AppReport, device: Int) -> Bool
  /// Whether every app of a lobby shows the same, so that a person can see it on somebody else's screen.
  func isOfEverybody(_ report: AppReport) -> Bool
  /// An app shows something.
  /// - Parameter peerID: what the device calls itself.
  func intention(after report: AppReport, device: Int, peerID: String?) -> PeopleIntention
  /// The time has come that `intention` named; nil: the person leaves it.
  func act(device: Int) -> AppAction?
}

extension AppPeople {
  /// True: it is always asked.
  public func looks(at report: AppReport, device: Int) -> Bool { true }
  /// False: each person looks at their own screen only.
  public func isOfEverybody(_ report: AppReport) -> Bool { false }
}

/// What a report makes of a person's plan.
public enum PeopleIntention: Hashable, Sendable {
  /// It has nothing to do with it.
  case unchanged
  /// There is nothing to do any more.
  case nothing
  /// The person acts after this much virtual time, nanoseconds; an earlier plan is dropped.
  case actAfter(nanoseconds: Int64)
}
