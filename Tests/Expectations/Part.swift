import Foundation
public import Testing

/// Part of a long list in everyday runs, all of it with `BABBENCH_PROOFS=1`: a case takes milliseconds to seconds, and
/// lists have up to a thousand.
public enum Part {
  public static let isAll = ProcessInfo.processInfo.environment["BABBENCH_PROOFS"] != nil

  /// One of `count` parts, each of which has items from everywhere in the list.
  public static func of<Item>(_ items: [Item], _ count: Int, number: Int = 0) -> [Item] {
    isAll ? items : items.enumerated().filter { $0.offset % count == number % count }.map(\.element)
  }
}

extension Trait where Self == ConditionTrait {
  /// What other tests show in part, and takes long: played before a release.
  public static var proof: Self { .enabled(if: Part.isAll, "a proof: BABBENCH_PROOFS=1") }
}
