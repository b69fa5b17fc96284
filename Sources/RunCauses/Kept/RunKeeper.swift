import AppSeam
package import Bench
package import Conformance
package import SimKernel
package import VirtualRadio

/// Keeps a run, so that it can be asked afterwards what led to what: most runs are never asked, and what matters is
/// known only at the end.
///
/// Memory grows with the run up to `Limits`.
package final class RunKeeper: TraceReader {
  /// What is kept at most; the first of it.
  package struct Limits: Sendable {
    /// PDUs on the air.
    package var pdus = 200_000
    /// Records of the app seam.
    package var records = 500_000
    package init() {}
  }

  private let limits: Limits
  package private(set) var header = TraceHeader(scenario: "", seed: 0, devices: [], options: [])
  /// Everything but the radio, in trace order.
  package private(set) var records: [TraceRecord] = []
  /// In the order of their starts; the first one has number 1 in `air.pcapng`.
  package private(set) var air: [AirPDU] = []
  package private(set) var end = SimInstant.zero
  package private(set) var omittedPDUs = 0
  /// When the first PDU, or the first record, came that is not kept.
  package private(set) var firstOmittedPDU: SimInstant?
  package private(set) var firstOmittedRecord: SimInstant?

  package init(limits: Limits = Limits()) { self.limits = limits }

  package var wantsAir: Bool { true }

  package func begin(_ header: TraceHeader) { self.header = header }

  package func read(_ record: TraceRecord) {
    if case .radio(let event) = record.event {
      if case .air(let pdu) = event { keep(pdu) }
    } else if records.count < limits.records {
      records.append(record)
    } else if firstOmittedRecord == nil {
      firstOmittedRecord = record.instant
    }
  }

  private func keep(_ pdu: AirPDU) {
    if air.count < limits.pdus { return air.append(pdu) }
    firstOmittedPDU = firstOmittedPDU ?? pdu.start
    omittedPDUs += 1
  }

  package func end(_ outcome: RunOutcome) { end = outcome.endInstant }

  /// The record of a number; nil: it was not kept.
  package func record(_ sequence: Int) -> TraceRecord? {
    var (low, high) = (0, records.count)
    while low < high {
      let middle = (low + high) / 2
      if records[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return low < records.count && records[low].sequence == sequence ? records[low] : nil
  }

  /// What passed between apps, drawn from what was kept.
  package func chart(of app: AppProtocol) -> Chart {
    let reader = ChartReader(of: app)
    reader.begin(header)
    for record in records { reader.read(record) }
    return reader.chart(nil)
  }
}
