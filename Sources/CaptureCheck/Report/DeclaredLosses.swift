import CaptureFormats
import Judging
import SimKernel

/// What capturers say that they lost, and what of that no finding may lean on.
///
/// Where packets are missing nobody knows which: an answer, an event that allows a command, the rest of a frame. The
/// record after them says that they are; they may have been anywhere since the record before. So from that record on, a
/// finding is inconclusive: a general rule's about that file, and that of a protocol's oracle about any, because an
/// oracle joins what all files show.
struct DeclaredLosses {
  private struct Count {
    /// The count of the newest record that had one, and when that was.
    var drops: UInt32 = 0
    var instant = SimInstant.zero
    /// Since when something is missing.
    var since: SimInstant?
  }

  /// By file.
  private var counts: [Count] = []
  private var since: SimInstant?

  mutating func read(_ record: CaptureRecord, file: Int, at instant: SimInstant) {
    guard let drops = record.drops else { return }
    if file >= counts.count { counts += repeatElement(Count(), count: file + 1 - counts.count) }
    if drops > counts[file].drops, counts[file].since == nil {
      counts[file].since = counts[file].instant
      since = min(since ?? counts[file].instant, counts[file].instant)
    }
    counts[file].drops = drops
    counts[file].instant = instant
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
      result.findings[index].actual += " (the capturer says that it lost packets before)"
    }
    result.verdict = OracleResult.verdict(judged: result.judged, open: result.open, findings: result.findings)
    return result
  }
}
