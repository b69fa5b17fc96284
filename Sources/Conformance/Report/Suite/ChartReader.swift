public import Bench
public import Judging
import SimKernel
import VirtualRadio

/// Watches a case at the app seam and draws it afterwards.
///
/// Everything but the radio is kept until then: a case is short, and what matters is known only at its end.
public final class ChartReader: TraceReader {
  private let words: ChartWords
  private var header: TraceHeader?
  private var records: [TraceRecord] = []

  public init(of app: AppProtocol) { words = app.chart }

  public func begin(_ header: TraceHeader) { self.header = header }

  public func read(_ record: TraceRecord) {
    if !record.event.counts { return }
    records.append(record.plain)
  }

  /// The chart of what was seen, with the place where the run left the expected path.
  public func chart(_ finding: Finding?) -> Chart {
    guard let header else { return Chart(lanes: [], entries: []) }
    var builder = ChartBuilder(header, words)
    for record in records { builder.read(record) }
    builder.finish()
    var chart = Chart(lanes: builder.lanes, entries: builder.entries, streams: builder.streams)
    guard let finding, finding.verdict > .pass else { return chart }
    chart.verdictAfter = chart.entries.lastIndex { entry in
      finding.record.map { entry.record <= $0 } ?? (entry.instant <= finding.instant)
    }
    chart.divergingEvent = finding.record.flatMap { number in
      records.first { $0.sequence == number }.map { ChartText(words: words, header).event($0, header) }
    }
    let showing = finding.record.flatMap { record in
      chart.entries.firstIndex { $0.packet?.records.contains(record) ?? false }
    }
    let newest = chart.entries.indices.last { index in
      guard let packet = chart.entries[index].packet, chart.lanes.indices.contains(packet.from) else { return false }
      let isEarly = finding.record.map { chart.entries[index].record <= $0 } ?? true
      return chart.lanes[packet.from].isUnderTest && isEarly && packet.sentAt <= finding.instant
    }
    chart.evidence = showing ?? newest
    chart.evidenceShowedIt = showing != nil
    return chart
  }
}
