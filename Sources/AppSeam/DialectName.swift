/// The name of one of the ways to speak a protocol; every protocol names its own.
public struct DialectName: RawRepresentable, Hashable, Sendable, Codable {
  /// Lower case, one word.
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

extension DialectName: CustomStringConvertible {
  public var description: String { rawValue }
}
