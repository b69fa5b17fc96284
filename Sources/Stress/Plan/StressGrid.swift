import SimKernel

/// The worlds of a campaign: cells, which are values of the keys that vary, and in each cell the same seeds.
package struct StressGrid: Hashable, Sendable {
  package struct Cell: Hashable, Sendable {
    /// In the order of the variations.
    package var values: [String]

    package init(values: [String]) { self.values = values }
  }

  /// The keys that vary.
  package let keys: [String]
  package private(set) var cells: [Cell]
  package let firstSeed: UInt64
  package let seedCount: Int

  /// More cells than anybody reads.
  package static let cellLimit = 10_000

  package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
  }

  /// - Parameters:
  ///   - samples: nil: every combination of the values, the last key fastest; else so many cells in which every key
  ///     takes values all over its range (a Latin hypercube), drawn by the first seed.
  /// - Throws: `Refusal`.
  package init(_ variations: [Variation], samples: Int?, firstSeed: UInt64, seedCount: Int) throws(Refusal) {
    let keys = variations.map(\.key)
    self.keys = keys
    if let twice = keys.indices.first(where: { keys[..<$0].contains(keys[$0]) }) {
      throw Refusal(description: "--vary names \(keys[twice]) twice")
    }
    self.firstSeed = firstSeed
    self.seedCount = seedCount
    if let samples {
      cells = Self.hypercube(variations, samples, firstSeed)
    } else {
      cells = try Self.product(variations)
    }
  }

  /// One more cell, after all others.
  package mutating func append(_ values: [String]) { cells.append(Cell(values: values)) }

  /// As somebody else has made it.
  package init(keys: [String], cells: [Cell], firstSeed: UInt64, seedCount: Int) {
    self.keys = keys
    self.cells = cells
    self.firstSeed = firstSeed
    self.seedCount = seedCount
  }

  private static func product(_ variations: [Variation]) throws(Refusal) -> [Cell] {
    var cells = [Cell(values: [])]
    for variation in variations {
      switch variation.choice {
      case .values(let values):
        if cells.count * values.count > cellLimit {
          throw Refusal(description: "--vary makes more than \(cellLimit) cells; vary less, or use --samples")
        }
        cells = cells.flatMap { cell in values.map { Cell(values: cell.values + [$0]) } }
      case .range(let range):
        throw Refusal(
          description: "\(variation.key)=\(range.text(range.low))..\(range.text(range.high)) is a range: say how many"
            + " cells to draw with --samples N, or list values")
      }
    }
    return cells
  }

  /// Each key has as many strata as there are cells; each stratum is used once, in an order of its own.
  private static func hypercube(_ variations: [Variation], _ count: Int, _ seed: UInt64) -> [Cell] {
    var cells = Array(repeating: Cell(values: []), count: count)
    for variation in variations {
      var stream = RandomStream(seed: seed, component: "stress", purpose: variation.key)
      var order = Array(0..<count)
      for place in order.indices.dropLast() {
        order.swapAt(place, place + Int(stream.below(UInt64(count - place))))
      }
      for (cell, stratum) in order.enumerated() {
        cells[cell].values.append(value(variation.choice, stratum, of: count, &stream))
      }
    }
    return cells
  }

  private static func value(
    _ choice: Variation.Choice, _ stratum: Int, of count: Int, _ stream: inout RandomStream
  ) -> String {
    switch choice {
    case .values(let values): return values[stratum * values.count / count]
    case .range(let range):
      // A thousandth of a stratum is fine enough.
      let place = Int64(stratum) * 1_000 + stream.within(0...999)
      let width = range.high - range.low + 1
      return range.text(range.low + width * place / (Int64(count) * 1_000))
    }
  }

  package var worldCount: Int { cells.count * seedCount }

  /// `1..100`
  package var seedText: String { Self.seedText(firstSeed, seedCount) }

  static func seedText(_ first: UInt64, _ count: Int) -> String { "\(first)..\(first + UInt64(count) - 1)" }

  /// Worlds are numbered cell by cell.
  package func world(_ index: Int) -> (cell: Int, seed: UInt64) {
    (index / seedCount, firstSeed + UInt64(index % seedCount))
  }

  /// `key=value` of a cell, as `--set` takes them.
  package func settings(of cell: Int) -> [String] { zip(keys, cells[cell].values).map { "\($0)=\($1)" } }

  /// For people; empty without variations.
  package func name(of cell: Int) -> String { settings(of: cell).joined(separator: ", ") }
}
