/// Every sample of every measure of one run.
public struct RunMeasures: Hashable, Sendable {
  /// One sample, with the device that it is of and, for what passes between two, the other one.
  public struct Sample: Hashable, Sendable {
    public var value: Int64
    /// −1: the whole run.
    public var device: Int32
    /// −1: nobody in particular.
    public var peer: Int32
  }

  /// What some samples come to.
  public struct Figures: Hashable, Sendable {
    public var count: Int
    /// Rounded towards zero; all others are samples that occurred.
    public var mean: Int64
    public var least: Int64
    public var median: Int64
    /// The least sample that 90 % do not exceed; `p99` likewise.
    public var p90: Int64
    public var p99: Int64
    public var greatest: Int64

    /// Nil when there is none.
    /// - Parameter sorted: in ascending order.
    init?(sorted: [Int64]) {
      guard let first = sorted.first, let last = sorted.last else { return nil }
      count = sorted.count
      mean = Int64(clamping: sorted.reduce(Int128(0)) { $0 + Int128($1) } / Int128(sorted.count))
      least = first
      greatest = last
      median = Self.quantile(500, of: sorted)
      p90 = Self.quantile(900, of: sorted)
      p99 = Self.quantile(990, of: sorted)
    }

    /// The nearest rank: the least sample that so many permille of all do not exceed.
    private static func quantile(_ permille: Int, of sorted: [Int64]) -> Int64 {
      sorted[max(0, (sorted.count * permille + 999) / 1_000 - 1)]
    }
  }

  /// In the order of reports.
  public let measures: [RunMeasure]
  /// By the index of their measure, in the order in which they were taken.
  public internal(set) var samples: [[Sample]]

  init(_ measures: [RunMeasure]) {
    self.measures = measures
    samples = measures.map { _ in [] }
  }

  /// All samples of a measure.
  public func figures(_ measure: Int) -> Figures? { Figures(sorted: samples[measure].map(\.value).sorted()) }

  /// The samples of each device, and of each pair where there are pairs; in ascending order.
  public func parts(_ measure: Int) -> [(device: Int, peer: Int, figures: Figures)] {
    let sorted = samples[measure].sorted { ($0.device, $0.peer, $0.value) < ($1.device, $1.peer, $1.value) }
    var parts: [(device: Int, peer: Int, figures: Figures)] = []
    for part in sorted.chunked(by: { $0.device == $1.device && $0.peer == $1.peer }) {
      guard let one = part.first, let figures = Figures(sorted: part.map(\.value)) else { continue }
      parts.append((Int(one.device), Int(one.peer), figures))
    }
    return parts
  }
}

extension Array {
  /// Neighbours that belong together.
  fileprivate func chunked(by belong: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
    var parts: [ArraySlice<Element>] = []
    var start = startIndex
    for index in indices where index > start && !belong(self[index - 1], self[index]) {
      parts.append(self[start..<index])
      start = index
    }
    if start < endIndex { parts.append(self[start...]) }
    return parts
  }
}
