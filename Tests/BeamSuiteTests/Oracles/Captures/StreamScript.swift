import CaptureFormats
import NetworkWire

/// A stream of TCP from a host to its guest, segment by segment as a capture has it.
struct StreamScript {
  private(set) var records: [CaptureRecord] = []
  /// Of the next record, after the first one.
  var nanoseconds: Int64 = 0
  private let host: (address: IPAddress, port: UInt16) = (.v4(0x0A00_0001), 50_505)
  private let guest: (address: IPAddress, port: UInt16) = (.v4(0x0A00_0002), 61_000)

  mutating func add(
    fromHost: Bool, sequence: UInt32, acknowledges: UInt32?, _ flags: TCPSegment.Flags, _ payload: [UInt8]
  ) {
    let (from, to) = fromHost ? (host, guest) : (guest, host)
    let segment = TCPSegment(
      sourcePort: from.port, destinationPort: to.port, sequence: sequence, acknowledgement: acknowledges ?? 0,
      flags: acknowledges == nil ? flags : flags.union(.ack), window: 1_000, payload: payload)
    let packet = IPPacket(
      source: from.address, destination: to.address, transport: .tcp,
      payload: segment.octets(from: from.address, to: to.address))
    let octets = EthernetFrame(
      destination: MACAddress(locallyAdministered: 2), source: MACAddress(locallyAdministered: 1), kind: packet.kind,
      payload: packet.octets
    ).octets
    records.append(
      CaptureRecord(
        number: records.count + 1, link: .ethernet, nanoseconds: nanoseconds, originalLength: octets.count,
        body: .network(NetworkHeader(isOutgoing: nil)), octets: octets[...]))
    nanoseconds += 1_000_000
  }

  /// The three segments that open it; octets are 5 s later.
  mutating func open() {
    add(fromHost: false, sequence: 100, acknowledges: nil, .syn, [])
    add(fromHost: true, sequence: 900, acknowledges: 101, .syn, [])
    add(fromHost: false, sequence: 101, acknowledges: 901, [], [])
    nanoseconds += 5_000_000_000
  }

  /// - Parameter offset: of the first octet in what the side sends.
  mutating func segment(fromHost: Bool, _ offset: Int, _ octets: some Sequence<UInt8>) {
    let start = UInt32(truncatingIfNeeded: (fromHost ? 901 : 101) + offset)
    add(fromHost: fromHost, sequence: start, acknowledges: fromHost ? 101 : 901, [], Array(octets))
    if fromHost {
      let end = start &+ UInt32(truncatingIfNeeded: Array(octets).count)
      add(fromHost: false, sequence: 101, acknowledges: end, [], [])
    }
  }
}
