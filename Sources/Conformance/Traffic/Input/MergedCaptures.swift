public import CaptureFormats
public import SimKernel

/// Reads several captures as one, in the order of their common clock.
///
/// Records of one file keep their order, whatever their times are: one whose time steps back takes the place behind its
/// predecessor, and keeps its own time. Records with equal times come in the order of the files. Memory is one piece of
/// each file.
public final class MergedCaptures {
  public struct Packet {
    public var record: CaptureRecord
    public var file: Int
    /// On the common clock, since the earliest of the files' first records; before it when a file steps back that far.
    public var instant: SimInstant
  }

  /// What is read of each file so far, in the order of the files.
  @exclusivity(unchecked) public private(set) var captures: [CheckReport.Capture]

  private struct Head {
    let file: CaptureFile
    let clock: CheckReport.ClockOffset?
    var record: CaptureRecord?
    /// The latest corrected time so far: never smaller than that of a predecessor.
    var order = Int64.min

    func time(of record: CaptureRecord) -> Int64 {
      guard let clock else { return record.nanoseconds }
      return MergedCaptures.sum(record.nanoseconds, clock.correction(at: record.nanoseconds))
    }
  }

  @exclusivity(unchecked) private var heads: [Head] = []
  @exclusivity(unchecked) private var origin: Int64?
  @exclusivity(unchecked) private var newest = 0

  /// - Parameters:
  ///   - paths: `-` is standard input.
  ///   - clocks: what is added to the times of each file; nil adds nothing.
  /// - Throws: `CaptureRefusal` for a file that cannot be opened.
  public init(paths: [String], clocks: [CheckReport.ClockOffset?] = []) throws(CaptureRefusal) {
    captures = paths.map { CheckReport.Capture(path: $0, format: nil, records: 0, ending: .whole) }
    for (index, path) in paths.enumerated() {
      let clock = clocks.indices.contains(index) ? clocks[index] : nil
      captures[index].clock = clock
      do {
        heads.append(Head(file: try CaptureFile(path: path), clock: clock))
      } catch {
        throw CaptureRefusal(error, path: path, format: nil)
      }
    }
  }

  /// Estimates the clocks first, which reads every capture once more; one alone is not touched.
  /// - Parameter given: what somebody knows of the clocks, by capture; used instead of an estimate.
  /// - Throws: `CaptureRefusal`.
  public convenience init(aligning paths: [String], given: [SimDuration?] = []) throws(CaptureRefusal) {
    if paths.count > 1, paths.contains("-") {
      throw CaptureRefusal(path: "-", reason: "standard input can be read once only: give it alone, or as a file")
    }
    let clocks = try ClockAlignment.clocks(paths, given: given)
    try self.init(paths: paths, clocks: clocks)
  }

  /// The next record of all files, nil when all are at their end.
  /// - Throws: `CaptureRefusal`; nothing can be read behind it.
  public func next() throws(CaptureRefusal) -> Packet? {
    if heads.count == 1 { return try nextAlone() }
    if let origin {
      if heads.isEmpty { return nil }
      try advance(newest)
      return take(origin)
    }
    for index in heads.indices { try advance(index) }
    let first = heads.compactMap { head in head.record.map { head.time(of: $0) } }.min()
    origin = first ?? 0
    return take(first ?? 0)
  }

  /// Of a single file nothing has to wait for anything.
  private func nextAlone() throws(CaptureRefusal) -> Packet? {
    let file = heads[0].file
    let record: CaptureRecord?
    do {
      record = try file.next()
    } catch {
      throw CaptureRefusal(error, path: file.path, format: file.format)
    }
    guard let record else {
      captures[0].format = file.format
      captures[0].ending = file.ending
      return nil
    }
    captures[0].count(record)
    let time = heads[0].time(of: record)
    let start = origin ?? time
    origin = start
    return Packet(record: record, file: 0, instant: SimInstant(nanoseconds: Self.sum(time, 0 &- start)))
  }

  private func take(_ origin: Int64) -> Packet? {
    var best: Int?
    for index in heads.indices where heads[index].record != nil {
      if let other = best, heads[other].order <= heads[index].order { continue }
      best = index
    }
    guard let best, let record = heads[best].record else { return nil }
    newest = best
    let time = heads[best].time(of: record)
    return Packet(record: record, file: best, instant: SimInstant(nanoseconds: Self.sum(time, 0 &- origin)))
  }

  private func advance(_ index: Int) throws(CaptureRefusal) {
    let file = heads[index].file
    do {
      heads[index].record = try file.next()
    } catch {
      throw CaptureRefusal(error, path: file.path, format: file.format)
    }
    guard let record = heads[index].record else {
      captures[index].format = file.format
      captures[index].ending = file.ending
      return
    }
    heads[index].order = max(heads[index].order, heads[index].time(of: record))
    captures[index].count(record)
  }

  /// Times come from files: a sum of two of them may be out of range.
  fileprivate static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, overflows) = a.addingReportingOverflow(b)
    return overflows ? (a < 0 ? .min : .max) : sum
  }
}

extension CheckReport.Capture {
  mutating func count(_ record: CaptureRecord) {
    records += 1
    if let last = links.indices.last, links[last].link == record.link {
      links[last].records += 1
    } else if let index = links.firstIndex(where: { $0.link == record.link }) {
      links[index].records += 1
    } else {
      links.append((record.link, 1))
    }
    firstNanoseconds = min(firstNanoseconds ?? record.nanoseconds, record.nanoseconds)
    lastNanoseconds = max(lastNanoseconds ?? record.nanoseconds, record.nanoseconds)
    if let number = record.drops { drops = number }
    if case .opaque(let why) = record.body {
      if let index = opaque.firstIndex(where: { $0.why == why }) {
        opaque[index].records += 1
      } else {
        opaque.append((why, record.number, 1))
      }
    }
  }
}
