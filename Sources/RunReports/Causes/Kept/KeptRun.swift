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
  /// What platforms, stacks and links knew.
  package let circumstances: Circumstances

  package init(_ memory: RunMemory) {
    header = memory.header
    end = memory.end
    records = memory.records.array
    air = memory.air.array
    packets = memory.packets.array
    circumstances = memory.circumstances
  }

  /// The record of a number; nil: it was not kept.
  package func record(_ sequence: Int) -> TraceRecord? {
    let place = place(of: sequence)
    return place < records.count && records[place].sequence == sequence ? records[place] : nil
  }

  /// Records before the one of a number, the newest first.
  package func records(before sequence: Int) -> ReversedCollection<ArraySlice<TraceRecord>> {
    records[..<place(of: sequence)].reversed()
  }

  /// Records after the one of a number.
  package func records(after sequence: Int) -> ArraySlice<TraceRecord> { records[place(of: sequence + 1)...] }

  /// The index of the first record that has this number or a higher one.
  private func place(of sequence: Int) -> Int {
    var (low, high) = (0, records.count)
    while low < high {
      let middle = (low + high) / 2
      if records[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    assert(low == 0 || records[low - 1].sequence < sequence, "records are in order")
    return low
  }

  /// What passed between apps, drawn from what was kept.
  package func chart(of app: AppProtocol) -> Chart {
    let reader = ChartReader(of: app)
    reader.begin(header)
    for record in records { reader.read(record) }
    return reader.chart(nil)
  }
}
