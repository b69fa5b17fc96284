/// Why a port cannot be opened or used: one clear line that says what is missing and what to do.
public struct PortError: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}
