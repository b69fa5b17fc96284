/// One of several equal parts of a run of many things that are numbered from 0: `3/8` has 2, 10, 18 …
public struct Shard: Hashable, Sendable, Codable, CustomStringConvertible {
  /// From 1.
  public var number: Int
  public var count: Int

  /// The whole.
  public static let all = Shard(number: 1, count: 1)

  /// More parts than there are machines.
  public static let limit = 100_000

  private init(number: Int, count: Int) {
    self.number = number
    self.count = count
  }

  /// `K/N`; nil for anything else, and for K beyond N.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]), count <= Self.limit,
      (1...max(1, count)).contains(number), count >= 1
    else { return nil }
    self.init(number: number, count: count)
  }

  public var description: String { "\(number)/\(count)" }

  /// How many of so many things are in it.
  public func size(of total: Int) -> Int { (total - number + count) / count }

  /// The thing at a place in it.
  public func index(at place: Int) -> Int { place * count + number - 1 }

  public func contains(_ index: Int) -> Bool { index % count == number - 1 }
}
