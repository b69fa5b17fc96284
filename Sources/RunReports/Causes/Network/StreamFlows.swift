import AppSeam
package import Conformance
import NetworkWire
import SimKernel
import VirtualNetwork

/// Which segments of TCP carried what, as the interfaces of both ends saw them.
///
/// Only what the packets show: ports are those of the handshake that was through when the app was told of its stream.
package struct StreamFlows: Sendable {
  /// One segment with octets, as one interface saw it.
  struct Segment: Sendable {
    /// Index of the packet.
    var packet: Int
    /// Octets of its direction.
    var octets: Range<Int>
    var isOutgoing: Bool
    var isLost: Bool
    /// All of it had been sent before.
    var isRepeat: Bool
  }

  /// The ends of one direction.
  private struct Key: Hashable {
    var source: UInt64
    var destination: UInt64
    var sourcePort: UInt16
    var destinationPort: UInt16

    var turned: Key {
      Key(source: destination, destination: source, sourcePort: destinationPort, destinationPort: sourcePort)
    }
  }

  fileprivate struct Direction: Sendable {
    var initial: UInt32?
    /// Those with octets, by where they begin.
    var segments: [Segment] = []
    var sentTo = 0
    var longest = 0
  }

  /// A handshake that is through at the end that began it.
  private struct Handshake {
    var device: Int
    var interface: NetworkInterface
    var at: SimInstant
    var key: Key
  }

  /// By stream of the chart: what its opener sent, and what it was sent.
  private var directions: [(ofOpener: Direction, ofOther: Direction)?] = []
  /// Devices by the addresses of their interfaces.
  private var stations: [UInt64: Int] = [:]
  /// By packet: addresses of its sender and its receiver.
  private var addresses: [(source: UInt64, destination: UInt64)] = []

  package init(_ packets: [SeenPacket], _ streams: [Chart.Stream]) {
    var flows: [Key: Direction] = [:]
    var handshakes: [Handshake] = []
    for (index, seen) in packets.enumerated() {
      guard let frame = try? EthernetFrame(decoding: seen.packet.octets) else {
        addresses.append((0, 0))
        continue
      }
      addresses.append((frame.source.bits, frame.destination.bits))
      if seen.packet.isOutgoing { stations[frame.source.bits] = seen.device }
      guard let packet = try? IPPacket(decoding: frame.payload), packet.transport == .tcp,
        let segment = try? TCPSegment(
          decoding: packet.payload, from: packet.source, to: packet.destination, checksChecksum: false)
      else { continue }
      let key = Key(
        source: frame.source.bits, destination: frame.destination.bits, sourcePort: segment.sourcePort,
        destinationPort: segment.destinationPort)
      if segment.flags.contains(.syn) {
        flows[key, default: Direction()].initial = segment.sequence
        if segment.flags.contains(.ack), !seen.packet.isOutgoing {
          handshakes.append(
            Handshake(device: seen.device, interface: seen.packet.interface, at: seen.instant, key: key.turned))
        }
      }
      if segment.payload.isEmpty { continue }
      flows[key]?.take(segment, seen, index)
    }
    directions = streams.map { stream in
      let last = handshakes.last {
        $0.device == stream.opener && $0.interface == stream.interface && $0.at <= stream.readyAt
          && stations[$0.key.destination] == stream.accepter
      }
      guard let key = last?.key, let own = flows[key], let other = flows[key.turned] else { return nil }
      return (own.sorted, other.sorted)
    }
  }

  /// The segments that have octets of a packet, in the order in which they passed; nil: it is of no known stream.
  func segments(of packet: Chart.Packet) -> [Segment]? {
    guard let place = packet.stream, directions.indices.contains(place.stream), let pair = directions[place.stream]
    else { return nil }
    let direction = place.isOfOpener ? pair.ofOpener : pair.ofOther
    return direction.segments(of: place.octets)
  }

  /// The device that sent a packet, and the one that it is for; −1: several, or none that is known.
  package func ends(of packet: Int) -> (source: Int, destination: Int) {
    guard addresses.indices.contains(packet) else { return (-1, -1) }
    return (stations[addresses[packet].source] ?? -1, stations[addresses[packet].destination] ?? -1)
  }

  /// Indices of the packets that carried one of the app's, at both ends; nil: it is of no known stream.
  package func packets(of packet: Chart.Packet) -> [Int]? { segments(of: packet)?.map(\.packet) }
}

extension StreamFlows.Direction {
  fileprivate mutating func take(_ segment: TCPSegment, _ seen: SeenPacket, _ index: Int) {
    guard let initial else { return }
    let start = Int(segment.sequence &- initial &- 1)
    let end = start + segment.payload.count
    segments.append(
      StreamFlows.Segment(
        packet: index, octets: start..<end, isOutgoing: seen.packet.isOutgoing, isLost: seen.packet.isLost,
        isRepeat: seen.packet.isOutgoing && end <= sentTo))
    if seen.packet.isOutgoing { sentTo = max(sentTo, end) }
    longest = max(longest, segment.payload.count)
  }

  fileprivate var sorted: Self {
    var sorted = self
    sorted.segments.sort { ($0.octets.lowerBound, $0.packet) < ($1.octets.lowerBound, $1.packet) }
    return sorted
  }

  /// In the order in which they passed.
  fileprivate func segments(of octets: Range<Int>) -> [StreamFlows.Segment] {
    var (low, high) = (0, segments.count)
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].octets.lowerBound < octets.lowerBound - longest { low = middle + 1 } else { high = middle }
    }
    return segments[low...].prefix { $0.octets.lowerBound < octets.upperBound }
      .filter { $0.octets.overlaps(octets) }.sorted { $0.packet < $1.packet }
  }
}
