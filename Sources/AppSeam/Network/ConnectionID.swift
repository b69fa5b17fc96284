/// A connection of a device's network as an app knows it; never reused within one run of the app.
///
/// Numbers that an app chooses for the connections that it opens are even; those that come in have odd ones, from 1 on.
public struct ConnectionID: Hashable, Comparable, Sendable {
  public let rawValue: Int
  public init(_ rawValue: Int) { self.rawValue = rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
