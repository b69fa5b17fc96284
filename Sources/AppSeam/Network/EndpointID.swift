/// A service that a browser has found, as an app knows it: a dense number, never reused within one run of the app.
public struct EndpointID: Hashable, Comparable, Sendable {
  public let rawValue: Int
  public init(_ rawValue: Int) { self.rawValue = rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
