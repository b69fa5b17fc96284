import CaptureFormats
import NetworkWire

/// Follows what captures of networks show: packets, connections of TCP, names of Multicast DNS.
///
/// It takes any octets, and its memory is bounded by `TrafficLimits` whatever captures claim. A segment or datagram
/// whose checksum is wrong is shown as a packet and otherwise ignored: its receiver drops it.
final class NetworkFollower {
  private let output: TrafficOutput
  private let streams: StreamTable
  private let services: ServiceBook

  init(_ output: TrafficOutput) {
    self.output = output
    streams = StreamTable(output)
    services = ServiceBook(output)
  }

  func read(_ record: CaptureRecord, _ header: NetworkHeader) {
    guard output.wants(.network) || output.wants(.packets) else { return }
    let packet = NetworkPacket(record, header)
    output.emit(packet: packet)
    guard output.wants(.network), packet.checksum != .wrong else { return }
    if case .tcp(let segment) = packet.content { streams.read(packet, segment) }
    if let message = packet.message { services.read(message, packet) }
  }

  func finish() { streams.finish() }
}
