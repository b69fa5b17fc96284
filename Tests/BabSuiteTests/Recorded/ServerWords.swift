import BluetoothWire
import CaptureTestSupport
import SimKernel

@testable import CaptureCheck

/// What a capture shows of one server, straight from its PDUs: every answer to a read and a write, and every value, by
/// the type of the characteristic and in their order. It shares nothing with how recordings are made.
final class ServerWords: TrafficObserver {
  /// `FFE1 read 01…`, in the order of the capture.
  private(set) var lines: [String] = []
  private let addresses: [UInt64]
  private var asked: (opcode: UInt8, handle: UInt16)?
  private var isBlob = false

  /// - Parameter addresses: of the server; empty: the peripheral of every link.
  init(of addresses: [UInt64] = []) { self.addresses = addresses }

  let interests: TrafficEvent.Interests = [.att, .links]
  func observe(_ event: TrafficEvent) { if case .linkOpened = event.kind { asked = nil } }
  func observe(event: TrafficHCIEvent) {}
  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {}
  func finish(at end: SimInstant) {}

  func observe(att pdu: TrafficPDU) {
    let octets = Array(pdu.octets)
    guard let opcode = octets.first else { return }
    if !addresses.isEmpty, !(pdu.link.peripheral.map { addresses.contains($0.bits) } ?? false) { return }
    let map = pdu.link.attributes(ofCentral: false)
    func word(_ offset: Int) -> UInt16 {
      octets.count > offset + 1 ? UInt16(octets[offset]) | UInt16(octets[offset + 1]) << 8 : 0
    }
    /// Values of services that are the device's own.
    func type(_ handle: UInt16) -> String? {
      guard let service = map.service(holding: handle), let known = map.characteristic(value: handle) else {
        return nil
      }
      return [.genericAccess, .genericAttribute].contains(service.uuid) ? nil : "\(known.uuid)"
    }
    if pdu.fromCentral {
      if [0x0A, 0x12].contains(opcode) { asked = (opcode, word(1)) }
      return
    }
    switch opcode {
    case 0x0B, 0x13:
      guard let asked, asked.opcode + 1 == opcode else { return }
      if let type = type(asked.handle) { lines.append("\(type) \(opcode) \(String(hexadecimal: Array(octets[1...])))") }
    case 0x01:
      guard let asked, octets.count == 5, asked.opcode == octets[1], let type = type(asked.handle) else { return }
      lines.append("\(type) refused \(octets[4])")
    case 0x1B, 0x1D:
      guard octets.count >= 3, let type = type(word(1)) else { return }
      lines.append("\(type) \(opcode) \(String(hexadecimal: Array(octets[3...])))")
    default: return
    }
  }

  /// The lines of each type, in the order of the types' names.
  var byType: [[String]] {
    var lists: [String: [String]] = [:]
    for line in lines { lists[String(line.prefix { $0 != " " }), default: []].append(line) }
    return lists.sorted { $0.key < $1.key }.map(\.value)
  }

  static func read(_ path: String, of addresses: [UInt64] = []) -> ServerWords {
    let words = ServerWords(of: addresses)
    SharedTraffic.read(path, [words])
    return words
  }
}
