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
  /// The event that showed the failure, in words; nil when none did, or there was no failure.
  public var divergingEvent: String?
  /// Index of the entry after which the run had left the expected path; nil when it never did.
  public var verdictAfter: Int?
  /// Index of the entry of the packet to look at; nil when there is none.
  public var evidence: Int?
  /// Whether the packet to look at is the one that showed the failure; else it is the newest of the implementation.
  public var evidenceShowedIt = false
}
