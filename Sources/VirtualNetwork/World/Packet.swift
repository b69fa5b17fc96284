import AppSeam
import NetworkWire
import SimKernel

/// A packet on its way.
struct Packet {
  enum Content {
    case segment(StreamSegment)
    case datagram([UInt8])
    case names(DNSMessage)
    /// A question for the hardware address of a device, or the answer.
    case resolution(target: Int, isAnswer: Bool)
  }

  var source: Int
  /// -1: the group of Multicast DNS.
  var destination: Int
  var interface: NetworkInterface
  /// The leg that it comes from; -1: there is none any more.
  var from = -1
  /// The leg that it is for; -1: whoever listens there.
  var to = -1
  /// IPv4's; only where packets are wanted.
  var identification: UInt16 = 0
  var content: Content

  static let everybody = -1

  /// With IP header (NET 5.3) and without Ethernet's.
  var octets: Int {
    let header = interface == .infrastructure ? 20 : 40
    switch content {
    case .segment(let segment):
      return header + TCPSegment.headerLength + (segment.flags.contains(.syn) ? PacketWriter.optionsOfSYN : 0)
        + segment.payload.count
    case .datagram(let payload): return header + UDPDatagram.headerLength + payload.count
    case .resolution: return AddressQuestion.octets(interface)
    case .names(let message): return header + UDPDatagram.headerLength + message.octets.count
    }
  }
}

/// Packets on their way, in places that are used again. A packet is moved in and out, which counts no reference.
final class PacketStore {
  /// `capacity` places; nil: a free one.
  @exclusivity(unchecked) private var places: UnsafeMutablePointer<Packet?>
  /// Free places, the next one last.
  @exclusivity(unchecked) private var free: UnsafeMutablePointer<Int>
  @exclusivity(unchecked) private var freeCount = 0
  @exclusivity(unchecked) private var capacity = 0

  init() {
    places = .allocate(capacity: 0)
    free = .allocate(capacity: 0)
    grow(to: 16)
  }

  deinit {
    places.deinitialize(count: capacity)
    places.deallocate()
    free.deallocate()
  }

  func put(_ packet: consuming Packet) -> Int {
    if freeCount == 0 { grow(to: capacity * 2) }
    freeCount -= 1
    let place = free[freeCount]
    (places + place).initialize(to: packet)
    return place
  }

  func take(_ place: Int) -> Packet {
    guard let packet = (places + checked(place)).move() else { preconditionFailure("no packet at place \(place)") }
    (places + place).initialize(to: nil)
    free[freeCount] = place
    freeCount += 1
    return packet
  }

  func look(_ place: Int) -> Packet {
    guard let packet = places[checked(place)] else { preconditionFailure("no packet at place \(place)") }
    return packet
  }

  private func checked(_ place: Int) -> Int {
    precondition(place >= 0 && place < capacity, "no place \(place)")
    return place
  }

  /// All places that there are hold packets.
  private func grow(to larger: Int) {
    let moved = UnsafeMutablePointer<Packet?>.allocate(capacity: larger)
    moved.moveInitialize(from: places, count: capacity)
    (moved + capacity).initialize(repeating: nil, count: larger - capacity)
    places.deallocate()
    places = moved
    free.deallocate()
    free = .allocate(capacity: larger)
    for place in capacity..<larger { (free + (larger - 1 - place)).initialize(to: place) }
    freeCount = larger - capacity
    capacity = larger
  }
}
