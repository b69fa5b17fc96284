import BluetoothWire
import CaptureFormats
import Judging
import SimKernel

/// Reads captures once more and keeps the packets that findings name, with those around them.
///
/// Every packet is put into one line; only those that are asked for are taken apart into all fields. Memory is that of
/// `TrafficReader`, a few lines for each link, and the scenes.
final class SceneRecorder {
  /// Packets before and after.
  static let reach = 3
  /// Octets that are kept of a packet.
  static let octetLimit = 512
  /// Links whose newest packets are remembered.
  private static let linkLimit = 16_384

  /// The newest packets of a link, and the scenes that wait for more of it.
  private struct Surroundings {
    var recent: [PacketScene.Line] = []
    var waiting: [Int] = []
  }

  /// What makes packets belong together.
  private enum Kinship: Hashable {
    case link(Int)
    case stream(Int)
    case neither(file: Int)
  }

  private let wanted: Set<Int>
  private let lines: PacketCollector
  private let fields: Spotlight
  private let reader: TrafficReader
  /// Looked up only, never gone through.
  private var surroundings: [Kinship: Surroundings] = [:]
  private(set) var scenes: [PacketScene] = []
  private var waiting = 0

  /// - Parameters:
  ///   - records: the packets, as `PacketPlace.record` names them.
  ///   - protocols: whose packets are looked for in values.
  ///   - viewpoints: as `ClockOffset.viewpoints` says.
  init(records: Set<Int>, protocols: [SpokenProtocol], viewpoints: [Int] = []) {
    wanted = records
    lines = PacketCollector(protocols: protocols, depth: .headline)
    fields = Spotlight()
    reader = TrafficReader(observers: [lines, fields], identities: nil, viewpoints: viewpoints)
  }

  /// All scenes are there, with what comes after them.
  var isDone: Bool { scenes.count == wanted.count && waiting == 0 }

  func read(_ record: CaptureRecord, file: Int, at instant: SimInstant) {
    let place = PacketPlace(file: file, number: record.number)
    let isWanted = wanted.contains(place.record)
    fields.isOn = isWanted
    lines.begin(record)
    if isWanted { fields.collector.begin(record) }
    reader.read(record, file: file, at: instant)
    let packet = lines.end()
    let line = PacketScene.Line(
      place: place, instant: instant, direction: packet.direction.text.description,
      text: packet.headline.map { packet.layers[$0].text.description }.joined(separator: "  "))
    let link =
      packet.links.first.map { Kinship.link($0) } ?? packet.stream.map { Kinship.stream($0) } ?? .neither(file: file)
    if surroundings.count >= Self.linkLimit, surroundings[link] == nil { surroundings = [:] }
    var around = surroundings[link] ?? Surroundings()
    if !Self.isEmpty(record) { extend(&around, line) }
    if isWanted {
      around.waiting.append(scenes.count)
      waiting += 1
      scenes.append(
        PacketScene(
          packet: line, before: around.recent, layers: layers(packet),
          octets: Array(record.octets.prefix(Self.octetLimit)),
          octetCount: record.octets.count))
    }
    if !Self.isEmpty(record) {
      around.recent.append(line)
      if around.recent.count > Self.reach { around.recent.removeFirst() }
    }
    surroundings[link] = around
  }

  private func extend(_ around: inout Surroundings, _ line: PacketScene.Line) {
    for scene in around.waiting {
      scenes[scene].after.append(line)
      if scenes[scene].after.count == Self.reach { waiting -= 1 }
    }
    around.waiting.removeAll { scenes[$0].after.count >= Self.reach }
  }

  /// What the app's printer says needs all packets of the link, so it comes from the lines.
  private func layers(_ packet: InspectedPacket) -> [String] {
    let spoken = packet.layers.filter { if case .app = $0.kind { true } else { false } }
    let notes = packet.layers.filter { $0.kind == .note }
    let low = fields.collector.end().layers.filter { $0.kind != .note }
    var lines: [String] = []
    for (depth, layer) in (low + spoken + notes).enumerated() {
      let indent = String(repeating: " ", count: 2 * min(depth, 4))
      lines.append(ConsoleTable.oneLine(indent + layer.text.description))
      for detail in layer.details { lines.append(ConsoleTable.oneLine(indent + "    " + detail)) }
    }
    return lines
  }

  /// A data PDU without payload: the link layer sends one when it has nothing to say.
  private static func isEmpty(_ record: CaptureRecord) -> Bool {
    guard case .air(let header) = record.body, header.accessAddress != LL.advertisingAccessAddress else { return false }
    return record.octets.count >= 2 && record.octets[record.octets.startIndex + 1] == 0
  }
}

/// Hands on to a verbose collector what single packets show.
private final class Spotlight: TrafficObserver {
  let collector = PacketCollector(protocols: [], depth: .fields)
  var isOn = false

  var interests: TrafficEvent.Interests { collector.interests }

  func observe(_ event: TrafficEvent) {
    if isOn { collector.observe(event) }
  }

  func observe(event: TrafficHCIEvent) {
    if isOn { collector.observe(event: event) }
  }

  func observe(att pdu: TrafficPDU) {
    if isOn { collector.observe(att: pdu) }
  }

  func observe(network event: TrafficNetworkEvent) {
    if isOn { collector.observe(network: event) }
  }

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    if isOn { collector.observe(fragment: pdu, header) }
  }
}
