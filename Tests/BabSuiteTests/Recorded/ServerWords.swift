import BluetoothWire
import CaptureTestSupport
import SimKernel

@testable import CaptureCheck

/// What a capture shows of one server, straight from its PDUs: every answer to a read and a write, and every value, by
/// the type of the characteristic and in their order. It shares nothing with how recordings are made.
final class ServerWords: TrafficObserver {
  /// What was said, with the link and the handle: what the handle means is known in the end.
  private var said: [(link: TrafficLink, handle: UInt16, text: String)] = []
  private let link: Int?
  /// Requests without their answer: some clients do not wait for it.
  private var asked: [(opcode: UInt8, handle: UInt16)] = []

  /// - Parameter link: its index; nil: all of the capture.
  init(link: Int? = nil) { self.link = link }

  let interests: TrafficEvent.Interests = [.att, .links]
  func observe(_ event: TrafficEvent) { if case .linkOpened = event.kind { asked = [] } }

  func observe(att pdu: TrafficPDU) {
    let octets = Array(pdu.octets)
    guard let opcode = octets.first else { return }
    if let link, pdu.link.index != link { return }
    func word(_ offset: Int) -> UInt16 {
      octets.count > offset + 1 ? UInt16(octets[offset]) | UInt16(octets[offset + 1]) << 8 : 0
    }
    func say(_ handle: UInt16, _ text: String) { said.append((pdu.link, handle, text)) }
    if pdu.fromCentral {
      if [0x0A, 0x12].contains(opcode) { asked.append((opcode, word(1))) }
      return
    }
    switch opcode {
    case 0x0B, 0x13:
      guard let index = asked.firstIndex(where: { $0.opcode + 1 == opcode }) else { return }
      say(asked.remove(at: index).handle, "\(opcode) \(String(hexadecimal: Array(octets[1...])))")
    case 0x01:
      guard octets.count == 5, let index = asked.firstIndex(where: { $0.opcode == octets[1] }) else { return }
      say(asked.remove(at: index).handle, "refused \(octets[4])")
    case 0x1B, 0x1D:
      if octets.count >= 3 { say(word(1), "\(opcode) \(String(hexadecimal: Array(octets[3...])))") }
    default: return
    }
  }

  /// The type of a value of a service that is the device's own.
  private static func type(_ handle: UInt16, _ link: TrafficLink) -> String? {
    let map = link.attributes(ofCentral: false)
    guard let service = map.service(holding: handle), let known = map.characteristic(value: handle) else { return nil }
    return [.genericAccess, .genericAttribute].contains(service.uuid) ? nil : "\(known.uuid)"
  }

  /// The lines of each type and opcode, `FFE1 11 01…`, in the order of their names. What answers and what comes by
  /// itself may change places, as on any radio.
  var byType: [[String]] {
    var lists: [String: [String]] = [:]
    for line in said {
      guard let type = Self.type(line.handle, line.link) else { continue }
      lists[type + " " + line.text.prefix { $0 != " " }, default: []].append("\(type) \(line.text)")
    }
    return lists.sorted { $0.key < $1.key }.map(\.value)
  }

  static func read(_ path: String, link: Int? = nil) -> ServerWords {
    let words = ServerWords(link: link)
    SharedTraffic.read(path, [words])
    return words
  }
}
