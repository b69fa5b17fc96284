/// A timer of an engine; setting it again moves it.
public struct TimerID: Hashable, Sendable {
  public let rawValue: Int
  public init(_ rawValue: Int) { self.rawValue = rawValue }
}
