import ArgumentParser

/// `A..B`: all seeds from A to B, both included; or `A,B,C`: these, in this order.
struct SeedRange: ExpressibleByArgument, Equatable {
  /// More seeds than anybody waits for; a larger range is a slip of the finger.
  static let maximumCount: UInt64 = 1_000_000_000

  var first: UInt64
  var count: Int
  /// Those of a list; nil: all from the first on.
  private(set) var listed: [UInt64]?

  init(first: UInt64, count: Int) {
    self.first = first
    self.count = count
  }

  /// - Precondition: there is one at least.
  init(listed seeds: [UInt64]) {
    (first, count, listed) = (seeds[0], seeds.count, seeds)
  }

  init?(argument: String) {
    if argument.contains(",") {
      let seeds = argument.split(separator: ",", omittingEmptySubsequences: false).map { UInt64($0) }
      guard !seeds.contains(nil), Set(seeds).count == seeds.count else { return nil }
      self.init(listed: seeds.compactMap(\.self))
      return
    }
    guard let dots = argument.firstIndex(of: "."), argument[dots...].hasPrefix("..") else { return nil }
    let second = argument.index(dots, offsetBy: 2)
    guard let first = UInt64(argument[..<dots]), let last = UInt64(argument[second...]), first <= last,
      last - first < Self.maximumCount
    else { return nil }
    self.init(first: first, count: Int(last - first) + 1)
  }

  func seed(at index: Int) -> UInt64 { listed?[index] ?? first + UInt64(index) }

  func contains(_ seed: UInt64) -> Bool {
    listed?.contains(seed) ?? (seed >= first && seed - first < UInt64(count))
  }

  /// As it is written.
  var defaultValueDescription: String {
    // A list of one would need a comma.
    if let listed, count > 1 { return listed.map(String.init).joined(separator: ",") }
    return "\(first)..\(seed(at: count - 1))"
  }
}
