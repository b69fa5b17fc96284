/// The part that an app plays in its protocol, for example `host`; every protocol names its own.
public struct AppRole: RawRepresentable, Hashable, Sendable, Codable {
  /// Lower case, one word.
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

extension AppRole: CustomStringConvertible {
  public var description: String { rawValue }
}
