package import Bench
package import Conformance
package import SimKernel
package import VirtualRadio

/// A run that is over, as it was kept.
package struct KeptRun: Sendable {
  package let header: TraceHeader
  package let end: SimInstant
  /// Everything but the radio, in trace order.
  package let records: [TraceRecord]
  /// The first one has number 1 in `air.pcapng`.
  package let air: [AirPDU]
  /// The first one has number 1 in `network.pcapng`.
  package let packets: [SeenPacket]

  package init(_ memory: RunMemory) {
    header = memory.header
    end = memory.end
    records = memory.records.array
    air = memory.air.array
    packets = memory.packets.array
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
