import CaptureFormats
import Judging
import SimKernel

/// What capturers say that they lost, and what of that no finding may lean on.
///
/// Where packets are missing nobody knows which: an answer, an event that allows a command, the rest of a frame. So
/// from the first declared loss of a file on, a finding is inconclusive: a general rule's where that file shows it, and
/// that of a protocol's oracle wherever it shows, because an oracle joins what all files show.
struct DeclaredLosses {
  private struct Count {
    /// The count of the newest record that had one.
    var drops: UInt32 = 0
    /// The first record with a loss before it.
    var first: Int?
  }

  /// By file.
  private var counts: [Count] = []
  private var firstInstant: SimInstant?

  mutating func read(_ record: CaptureRecord, file: Int, at instant: SimInstant) {
    guard let drops = record.drops else { return }
    if file >= counts.count { counts += repeatElement(Count(), count: file + 1 - counts.count) }
    if drops > counts[file].drops, counts[file].first == nil {
      counts[file].first = record.number
      firstInstant = min(firstInstant ?? instant, instant)
    }
    counts[file].drops = drops
  }

  /// What a general rule says of what is left.
  func weigh(_ result: OracleResult) -> OracleResult {
    weigh(result) { finding in
      guard let place = finding.record.map(PacketPlace.init(record:)) else { return firstInstant != nil }
      guard counts.indices.contains(place.file), let first = counts[place.file].first else { return false }
      return place.number >= first
    }
  }

  /// What a protocol's oracle says of what is left.
  func weigh(ofProtocol result: OracleResult) -> OracleResult {
    weigh(result) { finding in firstInstant.map { finding.instant >= $0 } ?? false }
  }

  private func weigh(_ result: OracleResult, _ leansOnLoss: (Finding) -> Bool) -> OracleResult {
    var result = result
    let isTouched = firstInstant != nil && result.findings.contains { $0.verdict == .fail && leansOnLoss($0) }
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
