import BluetoothWire

/// A fresh LL Control PDU that can be read: whole, not a repeat, on a link that is not encrypted, as far as is known,
/// or decrypted with a right MIC.
struct ControlOctets {
  var link: TrafficLink
  var fromCentral: Bool
  var opcode: UInt8
  /// Octets after the opcode.
  var dataLength: Int

  init?(_ pdu: TrafficPDU, _ header: LinkFragment) {
    guard case .linkLayer(LL.LLID.control.rawValue, isRepeat: false) = header, pdu.count >= 3, pdu.isReadable,
      pdu.count == 2 + Int(pdu.octet(at: 1))
    else { return nil }
    // Ciphertext has any length.
    if pdu.isDoubtful, let length = LL.ControlOpcode.dataLength(pdu.octet(at: 2)), length != pdu.count - 3 {
      return nil
    }
    link = pdu.link
    fromCentral = pdu.fromCentral
    opcode = pdu.octet(at: 2)
    dataLength = pdu.count - 3
  }

  /// `LL_LENGTH_REQ`; nobody knows a name for what nobody defined.
  static func name(_ opcode: UInt8) -> String {
    PDUNames.control.name(UInt16(opcode)) ?? "an LL Control PDU of opcode \(hexNumber(opcode, digits: 2))"
  }
}

extension TrafficPDU {
  /// Whether a PDU of the link layer is in plain.
  fileprivate var isReadable: Bool { !link.isEncrypted || link.air?.isAuthentic == true }
  /// Whether what is taken for plain may be ciphertext; what a MIC has proven is not.
  var isDoubtful: Bool { link.mayBeEncrypted && link.air?.isAuthentic != true }
}
