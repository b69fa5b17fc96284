import BluetoothWire
import CaptureFormats

/// HCI commands and events in words.
extension PacketCollector {
  func add(command opcode: HCI.Opcode, _ parameters: ArraySlice<UInt8>, _ adapter: TrafficAdapter) {
    for address in adapter.addresses { index(address) }
    index(.command(opcode.rawValue))
    add(.hci, "\(Self.name(opcode)), \(parameters.count, "octet") of parameters") {
      CommandFields.table.lines(opcode.rawValue, parameters)
    }
  }

  func add(event code: UInt8, _ parameters: ArraySlice<UInt8>, _ adapter: TrafficAdapter) {
    for address in adapter.addresses { index(address) }
    index(.event(code))
    add(.hci, words(code, parameters)) { EventFields.lines(code, parameters) }
  }

  /// - Parameter octets: those of an ISO data packet after its indicator, the whole header at least.
  func add(iso octets: ArraySlice<UInt8>) {
    let fields = ISOFields(octets)
    add(.hci, fields.text) { fields.lines }
  }

  private func words(_ code: UInt8, _ parameters: ArraySlice<UInt8>) -> PacketText {
    let start = parameters.startIndex
    func u16(_ offset: Int) -> UInt16 {
      UInt16(parameters[start + offset]) | UInt16(parameters[start + offset + 1]) << 8
    }
    func status(_ offset: Int) -> PacketText {
      guard parameters.count > offset else { return "" }
      let status = parameters[start + offset]
      return status == 0 ? "" : ", status \(hex: status, digits: 2)"
    }
    switch code {
    case 0x3E:
      guard let subevent = parameters.first else { break }
      index(.subevent(subevent))
      let name: PacketText? = HCINames.subevent(subevent).map { "HCI_\($0)" }
      return name ?? "HCI_LE_Meta, subevent \(hex: subevent, digits: 2)"
    case 0x0E where parameters.count >= 3:
      index(.command(u16(1)))
      return "HCI_Command_Complete of \(Self.name(HCI.Opcode(rawValue: u16(1))))\(status(3))"
    case 0x0F where parameters.count >= 4:
      index(.command(u16(2)))
      return "HCI_Command_Status of \(Self.name(HCI.Opcode(rawValue: u16(2))))\(status(0))"
    case 0x05 where parameters.count >= 4:
      let reason = parameters[start + 3]
      return "HCI_Disconnection_Complete of handle \(hex: u16(1), digits: 4), reason \(hex: reason, digits: 2)"
    default: break
    }
    guard let name = HCINames.event(code) else {
      return "HCI event \(hex: code, digits: 2), \(parameters.count, "octet")"
    }
    return "HCI_\(name), \(parameters.count, "octet")"
  }

  private static func name(_ opcode: HCI.Opcode) -> PacketText {
    if let name = HCINames.command(opcode.rawValue) { return "HCI_\(name) (\(hex: opcode.rawValue, digits: 4))" }
    return opcode.rawValue == 0 ? "no command" : "HCI command \(hex: opcode.rawValue, digits: 4)"
  }
}
