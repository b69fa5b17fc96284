import BluetoothWire

/// One ATT PDU in one line: its name, its handles and what they mean as far as the capture shows it, what it carries.
struct ATTWords {
  private(set) var opcode: UInt8?
  private(set) var text = "ATT PDU without an octet"
  /// In the order of the PDU.
  private(set) var handles: [ATT.Handle] = []
  /// The UUID of the characteristic whose value the first handle is.
  private(set) var uuid: BluetoothUUID?
  /// What a write, a notification or an indication carries.
  private(set) var value: ArraySlice<UInt8>?
  private let names: (BluetoothUUID) -> String?
  private let attributes: AttributeMap

  /// - Parameter names: what a protocol calls a characteristic; nil when it is none of its own.
  init(
    _ octets: ArraySlice<UInt8>, _ link: TrafficLink, fromCentral: Bool, names: @escaping (BluetoothUUID) -> String?
  ) {
    self.names = names
    let isServers = octets.first.map { [0x1B, 0x1D, 0x23, 0x01, 0x17, 0x09].contains($0) } ?? false
    attributes = link.attributes(ofCentral: isServers ? fromCentral : !fromCentral)
    guard let opcode = octets.first else { return }
    self.opcode = opcode
    text = PDUNames.name(PDUNames.att, opcode, "ATT opcode")
    let start = octets.startIndex
    func u16(_ offset: Int) -> UInt16 { UInt16(octets[start + offset]) | UInt16(octets[start + offset + 1]) << 8 }
    switch opcode {
    case 0x01 where octets.count == 5:
      let request = octets[start + 1]
      let error = octets[start + 4]
      handles = [u16(2)]
      let errorName = PDUNames.attErrors.name(UInt16(error)) ?? hexNumber(error, digits: 2)
      text += " \(errorName) of \(PDUNames.name(PDUNames.att, request, "ATT opcode")), \(name(u16(2)))"
    case 0x02 where octets.count == 3, 0x03 where octets.count == 3:
      text += " \(opcode == 0x02 ? "client" : "server") receives \(u16(1))"
    case 0x04 where octets.count == 5, 0x08 where octets.count >= 7, 0x10 where octets.count >= 7,
      0x06 where octets.count >= 7:
      handles = [u16(1), u16(3)]
      text += " \(hexNumber(u16(1), digits: 4)) to \(hexNumber(u16(3), digits: 4))"
      if octets.count == 7 || opcode == 0x06 { text += ", type \(BluetoothUUID(u16(5)))" }
      if octets.count == 21, let type = try? BluetoothUUID(decoding: octets.suffix(16)) {
        text += ", type \(type)"
      }
    case 0x0A where octets.count == 3:
      handles = [u16(1)]
      text += " " + name(u16(1))
    case 0x0C where octets.count == 5:
      handles = [u16(1)]
      text += " \(name(u16(1))), from octet \(u16(3))"
    case 0x12, 0x52, 0x1B, 0x1D, 0xD2:
      guard octets.count >= 3 else { break }
      handles = [u16(1)]
      uuid = attributes.characteristic(value: u16(1))?.uuid
      value = octets.dropFirst(3)
      text += " \(name(u16(1))), \(octets.count - 3) octets"
    case 0x16, 0x17:
      guard octets.count >= 5 else { break }
      handles = [u16(1)]
      text += " \(name(u16(1))), \(octets.count - 5) octets from octet \(u16(3))"
    case 0x0B, 0x0D, 0x0F, 0x21, 0x05, 0x07, 0x09, 0x11: text += ", \(octets.count - 1) octets"
    default: break
    }
    do throws(WireError) { _ = try ATT.PDU(decoding: Array(octets)) } catch { text += ", refused: \(error)" }
  }

  private func name(_ handle: ATT.Handle) -> String {
    let number = hexNumber(handle, digits: 4)
    return meaning(of: handle).map { "\(number) (\($0))" } ?? number
  }

  /// What a handle is, nil when the capture does not show it.
  func meaning(of handle: ATT.Handle) -> String? {
    if let characteristic = attributes.characteristic(value: handle) {
      return "\(characteristic.uuid)" + (names(characteristic.uuid).map { ", \($0)" } ?? "")
    }
    guard let descriptor = attributes.descriptor(handle) else { return nil }
    let owner = attributes.characteristic(owning: handle).map { " of \($0.uuid)" } ?? ""
    return "descriptor \(descriptor)\(owner)"
  }
}
