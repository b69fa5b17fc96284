public import AppSeam
public import SimKernel

/// The traffic of a case as a sequence chart: lanes for peers, time downward.
public struct Chart: Hashable, Sendable, Codable {
  public struct Lane: Hashable, Sendable, Codable {
    public var name: String
    public var role: AppRole
    public var isUnderTest: Bool
  }

  /// Octets that went from one app to another: a packet, or a value that belongs to none.
  public struct Packet: Hashable, Sendable, Codable {
    /// Indices into `lanes`; −1 for a peer that is not known.
    public var from: Int
    public var to: Int
    /// The type, or why it is no packet.
    public var label: String
    /// How many values carried it.
    public var fragments: Int
    /// Its text, put together; the single value when it is no packet.
    public var octets: [UInt8]
    public var isPacket: Bool
    public var sentAt: SimInstant
    /// Nil: it never came.
    public var receivedAt: SimInstant?
    /// The trace records of its values, at the sender and at the receiver.
    public var records: [Int]
    /// What tells it from others of its label; empty: nothing does.
    public var note = ""
    /// Where it is on a stream; nil: it went in values, or nobody knows.
    public var stream: StreamPlace?

    /// With its note.
    package var name: String { note.isEmpty ? label : "\(label) \(note)" }
  }

  /// A stream between two apps.
  public struct Stream: Hashable, Sendable, Codable {
    /// Indices into `lanes`.
    public var opener: Int
    public var accepter: Int
    /// The numbers that the apps know it by.
    public var openerConnection: Int
    public var accepterConnection: Int
    public var interface: NetworkInterface
    /// When the app that opened it was told that it is ready.
    public var readyAt: SimInstant
    public var acceptedAt: SimInstant
    /// When the first of its ends was over; nil: it is up at the end.
    public var endedAt: SimInstant?

    /// The lane at the other end; nil: neither end is this one.
    package func other(_ lane: Int) -> Int? { lane == opener ? accepter : lane == accepter ? opener : nil }
    /// Whether an app knows it by this number.
    package func isKnown(as connection: Int, to lane: Int) -> Bool {
      lane == opener && connection == openerConnection || lane == accepter && connection == accepterConnection
    }
  }

  /// Where a packet is on a stream.
  public struct StreamPlace: Hashable, Sendable, Codable {
    /// Index into `streams`.
    public var stream: Int
    /// In the direction from the one that opened it.
    public var isOfOpener: Bool
    /// Octets of that direction.
    public var octets: Range<Int>
    /// Octets before the packet that belong to it.
    public var head: [UInt8]
  }

  public enum Kind: Hashable, Sendable, Codable {
    case packet(Packet)
    /// A link between two lanes came up or went; the text says why it went.
    case connected(Int, Int)
    case disconnected(Int, Int, String)
    /// A person, the platform or the app of a lane did something.
    case action(Int, String)
    /// A step of the procedure.
    case step(String)
    case check(String, holds: Bool)
  }

  public struct Entry: Hashable, Sendable, Codable {
    public var instant: SimInstant
    /// The trace record that made it.
    public var record: Int
    public var kind: Kind

    public var packet: Packet? { if case .packet(let packet) = kind { packet } else { nil } }
  }

  public var lanes: [Lane]
  /// In trace order.
  public var entries: [Entry]
  /// In the order in which both ends were known.
  public var streams: [Stream] = []
  /// The event that showed the failure, in words; nil when none did, or there was no failure.
  public var divergingEvent: String?
  /// Index of the entry after which the run had left the expected path; nil when it never did.
  public var verdictAfter: Int?
  /// Index of the entry of the packet to look at; nil when there is none.
  public var evidence: Int?
  /// Whether the packet to look at is the one that showed the failure; else it is the newest of the implementation.
  public var evidenceShowedIt = false
}
