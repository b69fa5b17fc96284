import BabSim
import BluetoothWire
import SimKernel

/// The Bab packets inside the values of a link, fragment by fragment.
///
/// Memory: that of a `Reassembler` for each characteristic and direction of the links that are up.
struct BabLayer {
  private struct Flow {
    let link: Int
    let isFromCentral: Bool
    let handle: ATT.Handle
    var reassembler: Reassembler
  }

  private var flows: [Flow] = []

  /// The characteristic of a dialect that a UUID is: `sdk.state`.
  static func name(_ uuid: BluetoothUUID) -> String? {
    for dialect in Dialect.all {
      if dialect.service == uuid { return "\(dialect.name).service" }
      if dialect.command.uuid == uuid { return "\(dialect.name).command" }
      if dialect.state.uuid == uuid { return "\(dialect.name).state" }
      if dialect.others.contains(where: { $0.uuid == uuid }) { return "\(dialect.name).other" }
    }
    return nil
  }

  /// A first fragment with the beginning of a JSON object behind its header, or a packet without a header.
  private static func beginsPacket(_ value: ArraySlice<UInt8>) -> Bool {
    if isRaw(value) { return true }
    let start = value.startIndex
    guard value.count >= FragmentHeader.octets + 2 else { return false }
    return value[start + 2] == 0 && value[start + 3] > 0 && value[start + 4] == 0x7B && value[start + 5] == 0x22
  }

  /// Whether a value is text without a fragment header. Spec: BAB 3.20.
  private static func isRaw(_ value: ArraySlice<UInt8>) -> Bool { value.starts(with: Array(#"{"type"#.utf8)) }

  mutating func close(_ link: Int) { flows.removeAll { $0.link == link } }

  /// - Parameter uuid: of the characteristic; nil when the capture does not show it, and then the value's looks decide.
  /// - Returns: nil when the value is not Bab's.
  mutating func layer(
    _ value: [UInt8], of uuid: BluetoothUUID?, handle: ATT.Handle, link: Int, isFromCentral: Bool, at now: SimInstant
  ) -> InspectedPacket.Layer? {
    var place = flows.firstIndex { $0.link == link && $0.handle == handle && $0.isFromCentral == isFromCentral }
    if place == nil {
      guard uuid.map({ Self.name($0) != nil }) ?? Self.beginsPacket(value[...]) else { return nil }
      let framing: Framing = Self.isRaw(value[...]) ? .raw : .framed
      flows.append(
        Flow(link: link, isFromCentral: isFromCentral, handle: handle, reassembler: Reassembler(framing: framing)))
      place = flows.count - 1
    }
    guard let place else { return nil }
    let reception = flows[place].reassembler.receive(value, at: now)
    var words: [String] = []
    if flows[place].reassembler.framing == .raw {
      words.append("packet without fragment header")
    } else if let header = FragmentHeader(value) {
      words.append("fragment \(Int(header.index) + 1) of \(header.count) of packet \(header.packetID)")
    }
    if reception.isRepeat { words.append("repeated") }
    for drop in reception.drops {
      let whose = drop.packetID.map { "packet \($0) " } ?? ""
      words.append("\(whose)dropped: \(drop.reason.rawValue)")
    }
    var layer = InspectedPacket.Layer(kind: .bab, text: "")
    if let text = reception.packet {
      do throws(BabPacketError) {
        let packet = try BabPacket(decoding: text)
        words.append("\(packet.payload.type.rawValue) from \(packet.senderID), \(text.count) octets")
      } catch {
        words.append("\(text.count) octets refused: \(error)")
      }
      layer.details = OctetText.layout(text, limit: 16_000).split(separator: "\n").map { line in
        ConsoleTable.oneLine(String(line))
      }
    }
    layer.text = "Bab " + words.joined(separator: "; ")
    return layer
  }
}
