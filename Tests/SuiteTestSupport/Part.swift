import Foundation

/// Part of a long list in everyday runs, all of it with `BABBENCH_PROOFS=1`: in a debug build a case takes tens of
/// milliseconds, and the catalogue has a thousand of them in all roles and dialects.
package enum Part {
  package static let isAll = ProcessInfo.processInfo.environment["BABBENCH_PROOFS"] != nil

  /// One of `count` parts, each of which has items from everywhere in the list.
  package static func of<Item>(_ items: [Item], _ count: Int, number: Int = 0) -> [Item] {
    isAll ? items : items.enumerated().filter { $0.offset % count == number % count }.map(\.element)
  }
}
