package import Bench
package import Conformance
package import SimKernel
import VirtualNetwork
package import VirtualRadio

/// What was seen of a run: a value that another thread may read while the run goes on.
///
/// It is kept until somebody asks, because most runs are never asked, and what matters is known only at the end. Memory
/// grows with the run up to `Limits`.
package struct RunMemory: Sendable {
  /// What is kept at most; the first of it.
  package struct Limits: Sendable {
    /// PDUs on the air.
    package var pdus = 200_000
    /// Records of the app seam.
    package var records = 500_000
    /// Packets of the network, and all their octets.
    package var packets = 200_000
    package var packetOctets = 64 << 20
    package init() {}
  }

  package let limits: Limits
  package private(set) var header = TraceHeader(scenario: "", seed: 0, devices: [], options: [])
  /// Everything but the radio, in trace order.
  package private(set) var records = ChunkedList<TraceRecord>()
  /// In the order in which they were told; the first one has number 1 in `air.pcapng`.
  package private(set) var air = ChunkedList<AirPDU>()
  /// The first one has number 1 in `network.pcapng`.
  package private(set) var packets = ChunkedList<SeenPacket>()
  /// What platforms, stacks and links know.
  private var book = CircumstanceBook()
  private var packetOctets = 0
  /// The instant of the newest record, and of the end once it is there.
  package var end = SimInstant.zero
  package private(set) var omittedPDUs = 0
  package private(set) var omittedPackets = 0
  /// When the first PDU, packet, or record came that is not kept.
  package private(set) var firstOmittedPDU: SimInstant?
  package private(set) var firstOmittedPacket: SimInstant?
  package private(set) var firstOmittedRecord: SimInstant?

  package init(limits: Limits) { self.limits = limits }

  /// How much has been seen: equal numbers are equal pictures.
  package var count: Int { air.count + omittedPDUs + packets.count + omittedPackets + records.count }

  package mutating func joins(_ header: TraceHeader) { self.header = header }

  package mutating func begin(_ header: TraceHeader) {
    self.header = header
    book.begin(header)
  }

  package var circumstances: Circumstances { book.circumstances }

  /// - Returns: whether it is kept, and is neither the radio's nor a packet.
  @discardableResult
  package mutating func read(_ said: TraceRecord) -> Bool {
    book.read(said)
    let record = said.plain
    end = max(end, record.instant)
    if case .radio(let event) = record.event {
      if case .air(let pdu) = event { keep(pdu) }
      return false
    }
    if case .network(.packet(let packet)) = record.event {
      keep(packet, record)
      return false
    }
    if records.count >= limits.records {
      firstOmittedRecord = firstOmittedRecord ?? record.instant
      return false
    }
    records.append(record)
    return true
  }

  private mutating func keep(_ packet: NetworkPacket, _ record: TraceRecord) {
    if firstOmittedPacket == nil, packets.count < limits.packets,
      packetOctets + packet.octets.count <= limits.packetOctets
    {
      packetOctets += packet.octets.count
      return packets.append(
        SeenPacket(number: packets.count + 1, instant: record.instant, device: record.device, packet: packet))
    }
    firstOmittedPacket = firstOmittedPacket ?? record.instant
    omittedPackets += 1
  }

  private mutating func keep(_ said: AirPDU) {
    var pdu = said
    // Who listened is read as it comes; it would take more room than the PDU.
    pdu.listeners = []
    if air.count < limits.pdus { return air.append(pdu) }
    firstOmittedPDU = firstOmittedPDU ?? pdu.start
    omittedPDUs += 1
  }
}
