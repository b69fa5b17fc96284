public import CaptureFormats
public import SimKernel

/// Reads several captures as one, in the order of their common clock.
///
/// Records of one file keep their order, whatever their times are: one whose time steps back takes the place after its
/// predecessor, and keeps its own time. Records with equal times come in the order of the files. Memory is one piece of
/// each file.
public final class MergedCaptures {
  /// Whose record `next` gave last, and when it was.
  @exclusivity(unchecked) public private(set) var file = 0
  /// On the common clock, since the earliest of the files' first records; before it when a file steps back that far.
  @exclusivity(unchecked) public private(set) var instant = SimInstant.zero

  /// What is read of each file so far, in the order of the files.
  @exclusivity(unchecked) public private(set) var captures: [ReadCapture]

  private struct Head {
    let file: CaptureFile
    /// The same, for each record.
    let reading: Kept<CaptureFile>
    let clock: ClockOffset?
    var decryption: LinkDecryption
    /// Another capture was taken at the same place: then what is decrypted is what both have.
    var hasTwin = false
    var record: CaptureRecord?
    /// The corrected time of `record`.
    var time = Int64.min
    /// The latest corrected time so far: never smaller than that of a predecessor.
    var order = Int64.min
    /// The corrected time of the first record.
    var begin = Int64.min
  }

  @exclusivity(unchecked) private var heads: [Head] = []
  let keys: KeyRing
  /// By capture.
  @exclusivity(unchecked) private(set) var decryptions: [LinkDecryption] = []
  @exclusivity(unchecked) private var origin: Int64?
  /// By capture: the first of all that were taken at its place.
  let viewpoints: [Int]
  /// By viewpoint.
  @exclusivity(unchecked) private var twins: [TwinRecords]

  /// - Parameters:
  ///   - paths: `-` is standard input.
  ///   - clocks: what is added to the times of each file; nil adds nothing.
  /// - Throws: `CaptureRefusal` for a file that cannot be opened.
  public convenience init(paths: [String], clocks: [ClockOffset?] = []) throws(CaptureRefusal) {
    try self.init(paths: paths, clocks: clocks, keys: [])
  }

  /// - Parameter keys: for what is encrypted on the air.
  package init(paths: [String], clocks: [ClockOffset?] = [], keys: [CaptureKey]) throws(CaptureRefusal) {
    self.keys = KeyRing(keys)
    let viewpoints = ClockOffset.viewpoints(paths.indices.map { clocks.indices.contains($0) ? clocks[$0] : nil })
    self.viewpoints = viewpoints
    twins = paths.indices.map { place in
      let spreads = clocks.indices.filter { viewpoints.indices.contains($0) && viewpoints[$0] == place }
        .map { clocks[$0].map { $0.anchors.isEmpty ? 0 : $0.uncertainty.nanoseconds } ?? 0 }
      return TwinRecords(spread: spreads.max() ?? 0)
    }
    captures = paths.map { ReadCapture(path: $0, format: nil, records: 0, ending: .whole) }
    for (index, path) in paths.enumerated() {
      let clock = clocks.indices.contains(index) ? clocks[index] : nil
      captures[index].clock = clock
      do {
        let file = try CaptureFile(path: path)
        let decryption = LinkDecryption(file: index, self.keys)
        decryptions.append(decryption)
        heads.append(Head(file: file, reading: Kept(file), clock: clock, decryption: decryption))
      } catch {
        throw CaptureRefusal(error, path: path, format: nil)
      }
    }
    for index in heads.indices where viewpoints.count(where: { $0 == viewpoints[index] }) > 1 {
      heads[index].hasTwin = true
      heads[index].decryption = decryptions[viewpoints[index]]
    }
  }

  /// Estimates the clocks first, which reads every capture once more; one alone is not touched.
  /// - Parameter given: what somebody knows of the clocks, by capture; used instead of an estimate.
  /// - Throws: `CaptureRefusal`.
  public convenience init(aligning paths: [String], given: [SimDuration?] = []) throws(CaptureRefusal) {
    try self.init(aligning: paths, given: given, keys: [])
  }

  /// - Parameter keys: for what is encrypted on the air.
  package convenience init(
    aligning paths: [String], given: [SimDuration?] = [], keys: [CaptureKey]
  ) throws(CaptureRefusal) {
    if paths.count > 1, paths.contains("-") {
      throw CaptureRefusal(path: "-", reason: "standard input can be read once only: give it alone, or as a file")
    }
    let clocks = try ClockAlignment.clocks(paths, given: given, keys: keys)
    try self.init(paths: paths, clocks: clocks, keys: keys)
  }

  /// The next record of all files, nil when all are at their end.
  /// - Throws: `CaptureRefusal`; nothing can be read after it.
  @inline(__always)
  public func next() throws(CaptureRefusal) -> CaptureRecord? {
    if heads.count == 1 { return try nextAlone() }
    if origin != nil {
      if heads.isEmpty { return nil }
      try advance(file)
    } else {
      for index in heads.indices { try advance(index) }
      origin = heads.lazy.filter { $0.record != nil }.map(\.time).min() ?? 0
    }
    while let index = first() {
      guard heads[index].hasTwin, isKnown(index) else { return take(index) }
      captures[index].shared += 1
      try advance(index)
    }
    return nil
  }

  /// A single file waits for nothing.
  @inline(__always)
  private func nextAlone() throws(CaptureRefusal) -> CaptureRecord? {
    guard let record = try read(0) else { return nil }
    place(0, at: Self.time(record.nanoseconds, heads[0].clock))
    return record
  }

  /// Whose record is next; of two that are the same, that of the first capture.
  private func first() -> Int? {
    var best: Int?
    for index in heads.indices where heads[index].record != nil {
      if let other = best, heads[other].order <= heads[index].order { continue }
      best = index
    }
    guard let best, heads[best].hasTwin, let record = heads[best].record else { return best }
    let key = TwinRecords.key(record)
    return heads.indices.prefix(best).first { index in
      guard viewpoints[index] == viewpoints[best], let other = heads[index].record else { return false }
      return twins[viewpoints[best]].areNear(heads[index].order, heads[best].order) && TwinRecords.key(other) == key
    } ?? best
  }

  private func isKnown(_ index: Int) -> Bool {
    guard let record = heads[index].record, let key = TwinRecords.key(record) else { return false }
    let viewpoint = viewpoints[index]
    return twins[viewpoint].isKnown(key, file: index, at: heads[index].order) { time, files in
      for other in heads.indices where viewpoints[other] == viewpoint && files & TwinRecords.bit(other) == 0 {
        // It had begun by then, and goes on.
        if heads[other].record != nil, heads[other].begin <= time { captures[other].lacking += 1 }
      }
    }
  }

  private func take(_ index: Int) -> CaptureRecord? {
    place(index, at: heads[index].time)
    guard heads[index].hasTwin, let record = heads[index].record else { return heads[index].record }
    return heads[index].decryption.read(record)
  }

  private func advance(_ index: Int) throws(CaptureRefusal) {
    heads[index].record = try read(index)
    guard let record = heads[index].record else { return }
    heads[index].time = Self.time(record.nanoseconds, heads[index].clock)
    if heads[index].order == .min { heads[index].begin = heads[index].time }
    heads[index].order = max(heads[index].order, heads[index].time)
  }

  @inline(__always)
  private func read(_ index: Int) throws(CaptureRefusal) -> CaptureRecord? {
    do {
      if let record = try heads[index].reading.with({ try $0.next() }) {
        captures[index].count(record)
        return heads[index].hasTwin ? record : heads[index].decryption.read(record)
      }
    } catch {
      let file = heads[index].file
      throw CaptureRefusal(error, path: file.path, format: file.format)
    }
    let file = heads[index].file
    captures[index].format = file.format
    captures[index].ending = file.ending
    if let drops = file.interfaceDrops {
      captures[index].drops = max(captures[index].drops ?? 0, UInt32(clamping: drops))
    }
    return nil
  }

  private func place(_ index: Int, at time: Int64) {
    file = index
    let start = origin ?? time
    origin = start
    // Times come from files: at most 73 years from the first, so that whoever takes two of them apart gets a number.
    instant = SimInstant(nanoseconds: min(max(Self.sum(time, 0 &- start), -(1 << 61)), 1 << 61))
  }

  private static func time(_ nanoseconds: Int64, _ clock: ClockOffset?) -> Int64 {
    guard let clock else { return nanoseconds }
    return sum(nanoseconds, clock.correction(at: nanoseconds))
  }

  /// Times come from files: a sum of two of them may be out of range.
  fileprivate static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, overflows) = a.addingReportingOverflow(b)
    return overflows ? (a < 0 ? .min : .max) : sum
  }
}

extension ReadCapture {
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
