import AppSeam
import BabSim
import BluetoothWire
import CaptureCheck
import Judging
import SimKernel

/// The Bab packets inside the values of a link, fragment by fragment.
///
/// Memory: that of a `Reassembler` for each characteristic and direction of the links that are up.
final class BabLayer: PacketPrinter {
  private struct Flow {
    let link: Int
    let isFromCentral: Bool
    let handle: ATT.Handle
    var reassembler: Reassembler
  }

  private var flows: [Flow] = []

  /// The characteristic of a dialect: `sdk.state`.
  func name(of uuid: BluetoothUUID) -> String? {
    for dialect in Dialect.all {
      if dialect.service == uuid { return "\(dialect.name).service" }
      if dialect.command.uuid == uuid { return "\(dialect.name).command" }
      if dialect.state.uuid == uuid { return "\(dialect.name).state" }
      if dialect.others.contains(where: { $0.uuid == uuid }) { return "\(dialect.name).other" }
    }
    return nil
  }

  func close(link: Int) { flows.removeAll { $0.link == link } }

  /// Where the capture does not show the characteristic, the value's looks decide.
  func packet(in value: PrintedValue) -> PrintedPacket? {
    guard let place = place(of: value) else { return nil }
    let reception = flows[place].reassembler.receive(value.octets, at: value.instant)
    var words: [String] = []
    if flows[place].reassembler.framing == .raw {
      words.append("packet without fragment header")
    } else if let header = FragmentHeader(value.octets) {
      words.append("fragment \(Int(header.index) + 1) of \(header.count) of packet \(header.packetID)")
    }
    if reception.isRepeat { words.append("repeated") }
    for drop in reception.drops {
      let whose = drop.packetID.map { "packet \($0) " } ?? ""
      words.append("\(whose)dropped: \(drop.reason.rawValue)")
    }
    var details: [String] = []
    var name: String?
    if let text = reception.packet {
      do throws(BabPacketError) {
        let packet = try BabPacket(decoding: text)
        name = packet.payload.type.rawValue
        let count = CountedNoun.text(text.count, "octet")
        words.append("\(packet.payload.type.rawValue) from \(packet.senderID), \(count)")
      } catch {
        words.append("\(CountedNoun.text(text.count, "octet")) refused: \(error)")
      }
      details = OctetText.layout(text, limit: 1 << 18).split(separator: "\n").map { line in
        ConsoleTable.oneLine(String(line))
      }
    }
    return PrintedPacket(
      text: "Bab " + words.joined(separator: "; "), details: details, name: name, isPart: reception.packet == nil)
  }

  private func place(of value: PrintedValue) -> Int? {
    let known = flows.firstIndex {
      $0.link == value.link && $0.handle == value.handle && $0.isFromCentral == value.isFromCentral
    }
    if let known { return known }
    guard value.uuid.map({ name(of: $0) != nil }) ?? BabDialects.beginsPacket(value.octets[...]) else { return nil }
    let framing: Framing = BabDialects.isRaw(value.octets[...]) ? .raw : .framed
    flows.append(
      Flow(
        link: value.link, isFromCentral: value.isFromCentral, handle: value.handle,
        reassembler: Reassembler(framing: framing)))
    return flows.count - 1
  }
}
