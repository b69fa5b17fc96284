import Judging
import SimKernel

extension Checker {
  /// Reads the captures once more, and keeps what is drawn of them.
  /// - Parameter report: what the first reading said.
  /// - Throws: `CaptureRefusal`; `Interrupted`.
  package func picture(
    of report: CheckReport, limits: CapturePicture.Limits = CapturePicture.Limits()
  ) throws -> CapturePicture {
    let findings = (report.rules + (report.judgement?.oracles ?? [])).flatMap(\.findings)
      .compactMap { $0.record.map { PacketPlace(record: $0) } }
    let selection = PictureSelection(
      records: report.captures.map(\.records), findings: findings, limits: limits)
    let merged = try MergedCaptures(aligning: paths, given: clocks, keys: keys)
    let recorder = PictureRecorder(
      selection, captures: paths.count, protocols: printedProtocols, limits: limits, viewpoints: merged.viewpoints)
    var count = 0
    while !recorder.isDone, let record = try merged.next() {
      recorder.read(record, file: merged.file, at: merged.instant)
      count += 1
      if count & 0xFFF == 0, shouldStop(count) { throw Interrupted() }
    }
    return recorder.picture(
      participants: report.judgement?.participants ?? [], files: CheckText.shortNames(paths),
      total: report.captures.map(\.records).reduce(0, +))
  }
}
