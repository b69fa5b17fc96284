import CaptureFormats
import Judging
import SimKernel

/// What capturers say that they lost, or a silence shows, and what of that no finding may lean on.
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
    /// Since when something is missing.
    var since: SimInstant?
  }

  /// By file.
  private var counts: [Count] = []
  private var since: SimInstant?

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
    if drops > counts[file].drops || isSilent, counts[file].since == nil {
      counts[file].since = counts[file].instant
      since = min(since ?? counts[file].instant, counts[file].instant)
    }
    counts[file].drops = drops
    counts[file].instant = instant
  }

  /// All has been read. Of captures of one place each of which lacks what another one has, some records may be in none.
  mutating func finish(_ captures: [ReadCapture], viewpoints: [Int]) {
    for place in Set(viewpoints).sorted() {
      let files = captures.indices.filter { viewpoints.indices.contains($0) && viewpoints[$0] == place }
      guard files.count > 1, files.allSatisfy({ captures[$0].lacking > 0 }) else { continue }
      let start = SimInstant(nanoseconds: .min)
      for file in files where file < counts.count { counts[file].since = start }
      since = start
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
  func weigh(_ result: OracleResult, links: [TrafficLink]) -> OracleResult {
    weigh(result) { finding in
      let packet = finding.record.map(PacketPlace.init(record:))
      let file = links.indices.contains(finding.device) ? links[finding.device].file : packet?.file
      guard let file else { return since != nil }
      guard counts.indices.contains(file), let since = counts[file].since else { return false }
      return finding.instant >= since
    }
  }

  /// What a protocol's oracle says of what is left.
  func weigh(ofProtocol result: OracleResult) -> OracleResult {
    weigh(result) { finding in since.map { finding.instant >= $0 } ?? false }
  }

  private func weigh(_ result: OracleResult, _ leansOnLoss: (Finding) -> Bool) -> OracleResult {
    var result = result
    let isTouched = since != nil && result.findings.contains { $0.verdict == .fail && leansOnLoss($0) }
    if !isTouched { return result }
    for index in result.findings.indices
    where result.findings[index].verdict == .fail && leansOnLoss(result.findings[index]) {
      result.findings[index].verdict = .inconclusive
      result.findings[index].actual += " (packets before it are missing from the captures)"
    }
    result.verdict = OracleResult.verdict(judged: result.judged, open: result.open, findings: result.findings)
    return result
  }
}
