import BluetoothWire

/// One ATT PDU in one line: its name, its handles and what they mean as far as the capture shows it, what it carries.
final class ATTWords {
  @exclusivity(unchecked) private(set) var opcode: UInt8?
  @exclusivity(unchecked) private(set) var text: PacketText
  /// In the order of the PDU.
  @exclusivity(unchecked) private(set) var handles: [ATT.Handle] = []
  /// The UUID of the characteristic whose value the first handle is.
  @exclusivity(unchecked) private(set) var uuid: BluetoothUUID?
  /// What a write, a notification or an indication carries.
  @exclusivity(unchecked) private(set) var value: ArraySlice<UInt8>?
  private let names: AttributeNames
  private let attributes: AttributeMap

  init(_ octets: ArraySlice<UInt8>, _ link: TrafficLink, fromCentral: Bool, names: AttributeNames) {
    self.names = names
    let isServers =
      switch octets.first {
      case 0x1B, 0x1D, 0x23, 0x01, 0x17, 0x09: true
      default: false
      }
    attributes = link.attributes(ofCentral: isServers ? fromCentral : !fromCentral)
    guard let opcode = octets.first else {
      text = "ATT PDU without an octet"
      return
    }
    self.opcode = opcode
    text = PacketText(capacity: 96)
    text.appendInterpolation(PDUNames.name(PDUNames.att, opcode, "ATT opcode"))
    let start = octets.startIndex
    func u16(_ offset: Int) -> UInt16 { UInt16(octets[start + offset]) | UInt16(octets[start + offset + 1]) << 8 }
    switch opcode {
    case 0x01 where octets.count == 5:
      let request = octets[start + 1]
      let error = octets[start + 4]
      handles = [u16(2)]
      let errorName = PDUNames.attErrors.name(UInt16(error)) ?? hexNumber(error, digits: 2)
      text.append(" \(errorName) of \(PDUNames.name(PDUNames.att, request, "ATT opcode")), ")
      append(u16(2))
    case 0x02 where octets.count == 3, 0x03 where octets.count == 3:
      text.appendLiteral(opcode == 0x02 ? " client" : " server")
      text.append(" receives \(u16(1))")
    case 0x04 where octets.count == 5, 0x08 where octets.count >= 7, 0x10 where octets.count >= 7,
      0x06 where octets.count >= 7:
      handles = [u16(1), u16(3)]
      text.append(" \(hex: u16(1), digits: 4) to \(hex: u16(3), digits: 4)")
      if octets.count == 7 || opcode == 0x06 { text.append(", type \(BluetoothUUID(u16(5)))") }
      if octets.count == 21, let type = try? BluetoothUUID(decoding: octets.suffix(16)) {
        text.append(", type \(type)")
      }
    case 0x0A where octets.count == 3:
      handles = [u16(1)]
      text.appendLiteral(" ")
      append(u16(1))
    case 0x0C where octets.count == 5:
      handles = [u16(1)]
      text.appendLiteral(" ")
      append(u16(1))
      text.append(", from octet \(u16(3))")
    case 0x12, 0x52, 0x1B, 0x1D, 0xD2:
      guard octets.count >= 3 else { break }
      handles = [u16(1)]
      uuid = attributes.characteristic(value: u16(1))?.uuid
      value = octets.dropFirst(3)
      text.appendLiteral(" ")
      append(u16(1))
      text.appendLiteral(", ")
      text.appendInterpolation(octets.count - 3, "octet")
      // Only a signature can be too short.
      if opcode != 0xD2 { return }
    case 0x16, 0x17:
      guard octets.count >= 5 else { break }
      handles = [u16(1)]
      text.appendLiteral(" ")
      append(u16(1))
      text.append(", \(octets.count - 5, "octet") from octet \(u16(3))")
    case 0x0B, 0x0D, 0x0F, 0x21, 0x05, 0x07, 0x09, 0x11: text.append(", \(octets.count - 1, "octet")")
    default: break
    }
    do throws(WireError) {
      _ = try ATT.PDU(decoding: Array(octets))
    } catch {
      text.append(", refused: \(error.description)")
    }
  }

  private func append(_ handle: ATT.Handle) {
    text.appendInterpolation(hex: handle, digits: 4)
    if let meaning = meaning(of: handle) { text.append(" (\(meaning))") }
  }

  /// What a handle is, nil when the capture does not show it.
  func meaning(of handle: ATT.Handle) -> PacketText? {
    if let characteristic = attributes.characteristic(value: handle) {
      guard let name = names.name(of: characteristic.uuid) else { return "\(characteristic.uuid)" }
      return "\(characteristic.uuid), \(name)"
    }
    guard let descriptor = attributes.descriptor(handle) else { return nil }
    guard let owner = attributes.characteristic(owning: handle) else { return "descriptor \(descriptor)" }
    return "descriptor \(descriptor) of \(owner.uuid)"
  }
}

/// What protocols call services and characteristics; each is asked for once.
final class AttributeNames {
  private static let limit = 1_024
  private let printers: [any PacketPrinter]
  /// Looked up only, never gone through.
  @exclusivity(unchecked) private var known: [BluetoothUUID: String?] = [:]

  init(_ printers: [any PacketPrinter]) { self.printers = printers }

  /// Nil when it is none of any protocol's.
  func name(of uuid: BluetoothUUID) -> String? {
    if let name = known[uuid] { return name }
    let name = printers.lazy.compactMap { $0.name(of: uuid) }.first
    if known.count < Self.limit { known[uuid] = name }
    return name
  }
}
