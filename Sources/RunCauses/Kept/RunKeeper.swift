import AppSeam
package import Bench
package import Conformance
package import SimKernel
package import VirtualRadio

/// Keeps a run, so that it can be asked afterwards what led to what.
package final class RunKeeper: TraceReader {
  private var memory = RunMemory(limits: RunMemory.Limits())
  /// Everything but the radio, in trace order, once the run is over.
  package private(set) var records: [TraceRecord] = []
  /// Once the run is over; the first one has number 1 in `air.pcapng`.
  package private(set) var air: [AirPDU] = []

  package init() {}

  package var header: TraceHeader { memory.header }
  package var end: SimInstant { memory.end }
  package var wantsAir: Bool { true }

  package func begin(_ header: TraceHeader) { memory.begin(header) }
  package func read(_ record: TraceRecord) { memory.read(record) }

  package func end(_ outcome: RunOutcome) {
    memory.end = outcome.endInstant
    records = memory.records.array
    air = memory.air.array
  }

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
