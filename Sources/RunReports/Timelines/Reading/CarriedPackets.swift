import Conformance

/// Which packets of the network carried an app's, by their places in a timeline.
struct CarriedPackets {
  private let flows: StreamFlows
  /// By the number of a packet, less one; −1: it is not shown.
  private var places: [Int] = []

  /// - Parameter timeline: with its PDUs in their final order.
  init(_ flows: StreamFlows, _ timeline: RunTimeline) {
    self.flows = flows
    for (place, pdu) in timeline.pdus.enumerated() where pdu.file == NetworkRecordWords.file {
      while places.count < pdu.number { places.append(-1) }
      places[pdu.number - 1] = place
    }
  }

  /// In the order of time; empty: it is of no stream, or nothing of it went out.
  func pdus(of packet: Chart.Packet) -> [Int] {
    (flows.packets(of: packet) ?? []).map { places.indices.contains($0) ? places[$0] : -1 }.filter { $0 >= 0 }
  }
}
