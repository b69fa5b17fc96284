import AppSeam
import BluetoothWire
import CaptureCheck
import Judging
import SimKernel

/// The packets of a protocol file inside the values of captures.
final class FilePrinter: PacketPrinter {
  private struct Flow: Hashable {
    var link: Int
    var isFromCentral: Bool
    var handle: ATT.Handle
  }

  private let form: ProtocolForm
  private let codec: PacketCodec
  private var assemblers: [Flow: FileAssembler] = [:]

  init(_ form: ProtocolForm) {
    self.form = form
    codec = PacketCodec(form: form)
  }

  func name(of uuid: BluetoothUUID) -> String? {
    if let service = form.services.first(where: { $0.uuid == uuid }) { return "\(form.name).\(service.name)" }
    return form.characteristic(uuid).map { "\(form.name).\($0.name)" }
  }

  func close(link: Int) { for flow in assemblers.keys where flow.link == link { assemblers[flow] = nil } }

  func packet(in value: PrintedValue) -> PrintedPacket? {
    guard let uuid = value.uuid, let characteristic = form.characteristic(uuid) else { return nil }
    let flow = Flow(link: value.link, isFromCentral: value.isFromCentral, handle: value.handle)
    var words: [String] = []
    var details: [String] = []
    var name: String?
    for outcome in assemblers[flow, default: FileAssembler(characteristic.framing)].receive(value.octets) {
      switch outcome {
      case .dropped(let reason): words.append("dropped: \(reason)")
      case .packet(let text, _):
        do throws(PacketRefusal) {
          let packet = try codec.decode(text, on: uuid)
          words.append(packet.name)
          details += packet.fields.map { "\($0.name): \(ConsoleTable.oneLine($0.value.text))" }
          name = packet.name
        } catch {
          words.append("\(CountedNoun.text(text.count, "octet")) refused: \(error.reason)")
        }
      }
    }
    return PrintedPacket(
      text: "\(form.title) " + (words.isEmpty ? "a part of a packet" : words.joined(separator: "; ")), details: details,
      name: name, isPart: words.isEmpty)
  }
}
