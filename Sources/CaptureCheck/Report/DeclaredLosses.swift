import CaptureFormats
import Judging
import SimKernel

/// What capturers say that they lost, or a silence shows, and where clocks may have been set: what of that no finding
/// may lean on.
///
/// Where packets are missing nobody knows which: an answer, an event that allows a command, the rest of a frame. The
/// record after them says that they are; they may have been anywhere since the record before. So from that record on, a
/// finding is inconclusive: a general rule's about that file, and that of a protocol's oracle about any, because an
/// oracle joins what all files show.
struct DeclaredLosses {
  private struct Count {
    /// The count of the newest record that had one.
    var drops: UInt32 = 0
    /// When the newest record was.
    var instant: SimInstant
    /// Its number.
    var number = 0
    /// Since when, and since which record, something is missing.
    var since: SimInstant?
    var sinceNumber = Int.max
  }

  /// By file.
  private var counts: [Count] = []
  private var since: SimInstant?
  /// The earliest time from which a clock may have been set: what came when, nobody knows from there on.
  private var setAt: SimInstant?

  /// Records that are older than the one before by more are not out of order: the clock was set.
  private static let longestStepBack = SimDuration.seconds(1)
  /// A host's log that has nothing for longer, while a link is up, may be one whose clock was set forth.
  private static let longestPause = SimDuration.seconds(30)
  /// A capture of the air that has nothing for longer than this, while a link is up, has missed something: its central
  /// speaks in every connection event, and no interval is longer than four seconds.
  private static let longestSilence = SimDuration.seconds(1)

  /// - Parameter links: those of the captures, as of the record before.
  mutating func read(
    _ record: CaptureRecord, file: Int, at instant: SimInstant, links: @autoclosure () -> [TrafficLink]
  ) {
    if file >= counts.count { counts += repeatElement(Count(instant: instant), count: file + 1 - counts.count) }
    var isSilent = false
    if instant - counts[file].instant > Self.longestSilence, case .air = record.body {
      isSilent = hasMissed(file, until: instant, links())
    }
    let drops = record.drops ?? counts[file].drops
    if isSet(file, to: instant, record.body, links()) {
      let earlier = min(instant, counts[file].instant)
      setAt = min(setAt ?? earlier, earlier)
    }
    if drops > counts[file].drops || isSilent, counts[file].since == nil { lose(file, since: counts[file].number) }
    counts[file].drops = drops
    counts[file].instant = instant
    counts[file].number = record.number
  }

  private func isSet(
    _ file: Int, to instant: SimInstant, _ body: CaptureBody, _ links: @autoclosure () -> [TrafficLink]
  ) -> Bool {
    let step = instant - counts[file].instant
    if step < .zero - Self.longestStepBack { return true }
    guard step > Self.longestPause, case .hci = body else { return false }
    return links().contains { $0.file == file && $0.isUp }
  }

  private mutating func lose(_ file: Int, since number: Int) {
    counts[file].since = counts[file].instant
    counts[file].sinceNumber = number
    since = min(since ?? counts[file].instant, counts[file].instant)
  }

  /// All has been read. What only the statistics at the end of a file say was lost, was lost anywhere in it.
  mutating func finish(_ captures: [ReadCapture]) {
    for (file, capture) in captures.enumerated() where file < counts.count {
      guard let drops = capture.drops, drops > counts[file].drops, counts[file].since == nil else { continue }
      counts[file].instant = SimInstant(nanoseconds: .min)
      lose(file, since: 0)
    }
  }

  /// All has been read. Where captures of one place each lack what another one has, some records may be in none.
  mutating func finish(_ captures: [ReadCapture], viewpoints: [Int]) {
    for place in Set(viewpoints).sorted() {
      let files = captures.indices.filter { viewpoints.indices.contains($0) && viewpoints[$0] == place }
      guard files.count > 1, files.allSatisfy({ captures[$0].lacking > 0 }) else { continue }
      let start = SimInstant(nanoseconds: .min)
      for file in files where file < counts.count {
        counts[file].instant = start
        lose(file, since: 0)
      }
    }
  }

  private func hasMissed(_ file: Int, until instant: SimInstant, _ links: [TrafficLink]) -> Bool {
    let silence = instant - counts[file].instant
    return links.contains { link in
      guard link.file == file, link.closedAt == nil, link.air != nil, let interval = link.interval else { return false }
      return silence > .microseconds(1_250 * 2 * Int64(interval))
    }
  }

  /// What a general rule says of what is left: a link's findings are about the file that shows it, others about that of
  /// their packet.
  /// - Parameter doubtful: records that were not in their order.
  func weigh(_ result: OracleResult, links: [TrafficLink], doubtful: Set<Int>) -> OracleResult {
    weigh(result, doubtful) { finding in
      let packet = finding.record.map(PacketPlace.init(record:))
      let file = links.indices.contains(finding.device) ? links[finding.device].file : packet?.file
      guard let file else { return since != nil }
      guard counts.indices.contains(file), let since = counts[file].since else { return false }
      // The clock may have been set since.
      if let packet, packet.file == file { return packet.number >= counts[file].sinceNumber }
      return finding.instant >= since
    }
  }

  /// What a protocol's oracle says of what is left.
  func weigh(ofProtocol result: OracleResult, doubtful: Set<Int>) -> OracleResult {
    let since = [since, setAt].compactMap { $0 }.min()
    return weigh(result, doubtful) { finding in since.map { finding.instant >= $0 } ?? false }
  }

  private func weigh(
    _ result: OracleResult, _ doubtful: Set<Int>, _ leansOnLoss: (Finding) -> Bool
  ) -> OracleResult {
    guard result.verdict == .fail else { return result }
    var result = result
    result.doubt("records here are not in the order of time") { $0.record.map(doubtful.contains) ?? false }
    result.doubt(
      since == nil ? "a clock may have been set before it" : "packets before it are missing from the captures",
      where: leansOnLoss)
    result.settle()
    return result
  }
}
