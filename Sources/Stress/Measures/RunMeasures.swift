package import SimKernel

/// Every sample of every measure of one run.
///
/// As soon as a measure has more than `exactLimit` samples they are rounded up to eight significant binary digits, by
/// less than 1/128, and equal ones of a device or pair are counted: memory does not grow with the length of a run.
package struct RunMeasures: Hashable, Sendable {
  /// Samples of one value, with the device that they are of and, for what passes between two, the other one.
  package struct Sample: Hashable, Sendable {
    package var value: Int64
    /// −1: the whole run.
    package var device: Int16
    /// −1: nobody in particular.
    package var peer: Int16
    package var count: UInt32 = 1
  }

  /// A sample, and where a run shows it.
  package struct Sighting: Hashable, Sendable {
    package var sample: Sample
    package var instant: SimInstant
    /// The record of the trace; nil: the end of the run shows it.
    package var record: Int?
  }

  /// The least and the greatest sample of a measure, of equal ones the first.
  package struct Extremes: Hashable, Sendable {
    package var least: Sighting
    package var greatest: Sighting
  }

  /// So many samples of a measure are kept as they are.
  package static let exactLimit = 65_536

  /// What some samples come to.
  package struct Figures: Hashable, Sendable {
    package var count: Int
    /// Rounded towards zero; all others are samples that occurred.
    package var mean: Int64
    package var least: Int64
    package var median: Int64
    /// The least sample that 90 % do not exceed; `p99` likewise.
    package var p90: Int64
    package var p99: Int64
    package var greatest: Int64

    /// Nil when there is none.
    /// - Parameter sorted: by value, in ascending order.
    init?(sorted: some Collection<Sample>) {
      guard let first = sorted.first else { return nil }
      let count = sorted.reduce(0) { $0 + Int($1.count) }
      self.count = count
      mean = Int64(
        clamping: sorted.reduce(Int128(0)) { $0 + Int128($1.value) * Int128($1.count) } / Int128(count))
      // The nearest ranks: the least sample that so many permille of all do not exceed.
      var ranks = [500, 900, 990, 1_000].map { max(1, (count * $0 + 999) / 1_000) }[...]
      var figures: [Int64] = []
      var seen = 0
      for sample in sorted {
        seen += Int(sample.count)
        while let rank = ranks.first, seen >= rank {
          figures.append(sample.value)
          ranks.removeFirst()
        }
      }
      least = first.value
      (median, p90, p99, greatest) = (figures[0], figures[1], figures[2], figures[3])
    }
  }

  /// In the order of reports.
  package let measures: [RunMeasure]
  /// By the index of their measure.
  package private(set) var samples: [[Sample]]
  /// By the index of their measure, never rounded; nil where there is no sample.
  package private(set) var extremes: [Extremes?]
  /// How many entries a measure may have before equal ones are counted (again).
  private var limits: [Int]

  package init(_ measures: [RunMeasure]) {
    self.measures = measures
    samples = measures.map { _ in [] }
    extremes = measures.map { _ in nil }
    limits = measures.map { _ in Self.exactLimit }
  }

  /// - Parameters:
  ///   - instant: when the run shows it.
  ///   - record: which record of the trace does; nil: the end of the run.
  package mutating func add(_ sample: Sample, to measure: Int, at instant: SimInstant, record: Int?) {
    let here = Sighting(sample: sample, instant: instant, record: record)
    if var known = extremes[measure] {
      if sample.value < known.least.sample.value { known.least = here }
      if sample.value > known.greatest.sample.value { known.greatest = here }
      extremes[measure] = known
    } else {
      extremes[measure] = Extremes(least: here, greatest: here)
    }
    samples[measure].append(sample)
    guard samples[measure].count > limits[measure] else { return }
    samples[measure] = Self.counted(samples[measure])
    limits[measure] = max(Self.exactLimit, 2 * samples[measure].count)
  }

  private static func counted(_ samples: [Sample]) -> [Sample] {
    var kept: [Sample] = []
    let rounded = samples.map { sample in
      var sample = sample
      let bits = max(0, Int64.bitWidth - sample.value.leadingZeroBitCount - 8)
      sample.value = sample.value > 0 ? sample.value | (1 << bits - 1) : sample.value
      return sample
    }
    for sample in rounded.sorted(by: isOrdered) {
      if let last = kept.last, (last.device, last.peer, last.value) == (sample.device, sample.peer, sample.value) {
        kept[kept.count - 1].count += sample.count
      } else {
        kept.append(sample)
      }
    }
    assert(
      kept.reduce(0) { $0 + Int($1.count) } == samples.reduce(0) { $0 + Int($1.count) }, "no sample gets lost")
    return kept
  }

  private static func isOrdered(_ a: Sample, _ b: Sample) -> Bool {
    (a.device, a.peer, a.value) < (b.device, b.peer, b.value)
  }

  /// All samples of a measure.
  package func figures(_ measure: Int) -> Figures? {
    Figures(sorted: samples[measure].sorted { $0.value < $1.value })
  }

  /// The samples of each device, and of each pair where there are pairs; in ascending order.
  package func parts(_ measure: Int) -> [(device: Int, peer: Int, figures: Figures)] {
    var parts: [(device: Int, peer: Int, figures: Figures)] = []
    for part in samples[measure].sorted(by: Self.isOrdered).chunked(by: { $0.device == $1.device && $0.peer == $1.peer }
    ) {
      guard let one = part.first, let figures = Figures(sorted: part) else { continue }
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
