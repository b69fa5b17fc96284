import AppSeam
import CaptureCheck
import CaptureFormats
import Conformance
import SimKernel
import VirtualNetwork

/// Packets of the network in words, as `babbench inspect` has them.
struct NetworkRecordWords {
  /// Where the file of packets and their row come after those of the radio.
  static let file = 1
  static let row = 1

  private let inspector: PacketInspector
  private let names: [String]
  /// What was seen of interfaces, each by its device.
  private var interfaces: [String] = []

  /// - Parameter names: of devices.
  init(_ app: AppProtocol, names: [String]) {
    let protocols = app.traffic.map { [$0] } ?? []
    var style = PacketInspector.Style()
    style.isVerbose = true
    inspector = PacketInspector(filter: InspectFilter(), style: style, protocols: protocols)
    self.names = names
  }

  /// A packet in the lane of the interface that saw it.
  /// - Parameter ends: devices that it is from and for; −1: nobody in particular.
  mutating func words(_ seen: SeenPacket, ends: (source: Int, destination: Int)) -> RunTimeline.PDU {
    let device = names.indices.contains(seen.device) ? names[seen.device] : "device \(seen.device)"
    let name = "\(device) \(seen.packet.interface.rawValue)"
    var record = CaptureRecord(
      ethernet: seen.packet.octets, interfaceName: name, isOutgoing: seen.packet.isOutgoing,
      nanoseconds: seen.instant.nanoseconds, number: seen.number)
    let known = interfaces.firstIndex(of: name)
    record.interface = known ?? interfaces.count
    if known == nil { interfaces.append(name) }
    let words = inspector.words(record, file: 0, at: seen.instant)
    // The lane says whose interface it is.
    let prefix = name + ": "
    let headline = words.headline.hasPrefix(prefix) ? String(words.headline.dropFirst(prefix.count)) : words.headline
    return RunTimeline.PDU(
      start: seen.instant, duration: .zero, transmitter: seen.device,
      receiver: seen.packet.isOutgoing ? ends.destination : -1, rfChannel: -1,
      fate: seen.packet.isLost ? .lost : .received, words: (seen.packet.isOutgoing ? "out " : "in ") + headline,
      tree: words.tree, octets: seen.packet.octets, octetCount: seen.packet.octets.count, number: seen.number,
      file: Self.file, row: Self.row)
  }
}
