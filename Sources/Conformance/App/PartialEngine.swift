public import AppSeam

/// The reference without something that a whole engine does: work that somebody has not finished, a report that an
/// adapter leaves out, or an engine that follows fewer documents.
///
/// `Selftest` plays it through every test purpose of its role. What it leaves out is all that it may be accused of, and
/// what it never said is no ground to praise it.
public struct PartialEngine: Sendable {
  /// For people: what it leaves out, for example the name of a packet.
  public let name: String
  public let role: AppRole
  /// Each cause that is its own names one of these words; none: it may not be accused at all.
  public let own: [String]
  /// The published way that it speaks; nil: the protocol's first.
  public let profile: Profile?
  /// The report that it never says; nil: it says all.
  public let unsaid: String?
  /// What it may pass, as patterns of ids; nil: whatever it is seen to do.
  public let mayPass: [String]?
  public let makeEngine: @Sendable (AppConfiguration) -> any AppEngine

  /// - Parameters:
  ///   - own: words of which every cause names one that may be told of it.
  ///   - unsaid: the report that it never says.
  ///   - mayPass: patterns of purposes; nil: whatever it is seen to do.
  public init(
    _ name: String, _ role: AppRole, own: [String], profile: Profile? = nil, unsaid: String? = nil,
    mayPass: [String]? = nil, makeEngine: @escaping @Sendable (AppConfiguration) -> any AppEngine
  ) {
    self.name = name
    self.role = role
    self.own = own
    self.profile = profile
    self.unsaid = unsaid
    self.mayPass = mayPass
    self.makeEngine = makeEngine
  }
}
