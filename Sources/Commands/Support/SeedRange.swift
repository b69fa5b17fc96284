import ArgumentParser

/// `A..B`: all seeds from A to B, both included.
struct SeedRange: ExpressibleByArgument, Equatable {
  /// More seeds than anybody waits for; a larger range is a slip of the finger.
  static let maximumCount: UInt64 = 1_000_000_000

  var first: UInt64
  var count: Int

  init(first: UInt64, count: Int) {
    self.first = first
    self.count = count
  }

  init?(argument: String) {
    guard let dots = argument.firstIndex(of: "."), argument[dots...].hasPrefix("..") else { return nil }
    let second = argument.index(dots, offsetBy: 2)
    guard let first = UInt64(argument[..<dots]), let last = UInt64(argument[second...]), first <= last,
      last - first < Self.maximumCount
    else { return nil }
    self.first = first
    count = Int(last - first) + 1
  }

  func seed(at index: Int) -> UInt64 { first + UInt64(index) }

  var defaultValueDescription: String { "\(first)..\(seed(at: count - 1))" }
}
