public import CaptureFormats
public import SimKernel

/// What `babbench stats` shows: the captures and what was measured of them.
public struct StatsReport {
  public struct Capture: Sendable {
    public var path: String
    public var format: CaptureFormat?
    public var records: Int
    public var ending: CaptureEnding
    /// From the first record to the last.
    public var duration: SimDuration
    /// Records that are dated before the one in front of them.
    public var backwards: Int

    public init(
      path: String, format: CaptureFormat?, records: Int, ending: CaptureEnding, duration: SimDuration, backwards: Int
    ) {
      self.path = path
      self.format = format
      self.records = records
      self.ending = ending
      self.duration = duration
      self.backwards = backwards
    }
  }

  public var captures: [Capture]
  public var stats: TrafficStats

  public init(captures: [Capture], stats: TrafficStats) {
    self.captures = captures
    self.stats = stats
  }

  /// Reads captures, each on a clock of its own that begins with its first record.
  /// - Parameter shouldStop: told the path and how many of its records were read, now and then; true stops.
  /// - Throws: `CaptureRefusal` for a file that cannot be read; `Checker.Interrupted`.
  public static func read(
    _ paths: [String], shouldStop: (String, Int) -> Bool = { _, _ in false }
  ) throws -> StatsReport {
    try read(paths, keys: [], shouldStop: shouldStop)
  }

  /// - Parameter keys: for what is encrypted on the air.
  package static func read(
    _ paths: [String], keys: [CaptureKey], shouldStop: (String, Int) -> Bool
  ) throws -> StatsReport {
    let stats = TrafficStats()
    let ring = KeyRing(keys)
    let reader = TrafficReader(observers: [stats], identities: ring.identities)
    var captures: [Capture] = []
    for (index, path) in paths.enumerated() {
      captures.append(try read(path, LinkDecryption(file: index, ring), index, reader, shouldStop))
    }
    reader.finish()
    return StatsReport(captures: captures, stats: stats)
  }

  private static func read(
    _ path: String, _ decryption: LinkDecryption, _ index: Int, _ reader: TrafficReader,
    _ shouldStop: (String, Int) -> Bool
  ) throws -> Capture {
    var file: CaptureFile?
    do {
      let opened = try CaptureFile(path: path)
      file = opened
      var capture = Capture(
        path: path, format: nil, records: 0, ending: .whole, duration: .zero, backwards: 0)
      var first: Int64?
      var last: Int64 = 0
      while let record = try opened.next() {
        let start = first ?? record.nanoseconds
        if first == nil { last = start }
        first = start
        if record.nanoseconds < last { capture.backwards += 1 }
        last = record.nanoseconds
        let (distance, isTooFar) = record.nanoseconds.subtractingReportingOverflow(start)
        let instant = SimInstant(nanoseconds: isTooFar ? 0 : distance)
        capture.duration = max(capture.duration, instant - .zero)
        capture.records += 1
        reader.read(decryption.read(record), file: index, at: instant)
        if capture.records & 0xFFF == 0, shouldStop(path, capture.records) { throw Checker.Interrupted() }
      }
      capture.format = opened.format
      capture.ending = opened.ending
      return capture
    } catch let error as Checker.Interrupted {
      throw error
    } catch {
      throw CaptureRefusal(error, path: path, format: file?.format)
    }
  }

  public var records: Int { captures.reduce(0) { $0 + $1.records } }

  /// How a connection is called: its place in the list, from 1.
  static func name(_ link: LinkStats) -> String { "#\(link.link.index)" }

  /// The histograms of one kind of latency, of all connections and both directions.
  func merged(_ histogram: KeyPath<DirectionStats, Histogram>) -> Histogram {
    var all = Histogram()
    for link in stats.links {
      all.merge(link.central[keyPath: histogram])
      all.merge(link.peripheral[keyPath: histogram])
    }
    return all
  }

  /// Kinds of latency in the order in which they are shown, with the word for each.
  package static var latencies: [(name: String, path: KeyPath<DirectionStats, Histogram>)] {
    [
      ("ATT request to response", \.requestTimes), ("indication to confirmation", \.confirmationTimes),
      ("ACL packet to completion", \.completionTimes), ("LL PDU to acknowledgement", \.acknowledgementTimes),
      ("request to answer, its own host", \.answerTimes), ("value to next value", \.valueGaps),
    ]
  }
}
