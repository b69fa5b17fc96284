import BluetoothWire

/// Whether octets have the form of a PDU in plain, for what a MIC of 32 bits alone does not settle.
enum PlainForm {
  /// - Returns: whether it is a control PDU with the length of its opcode, or the beginning of an L2CAP frame on a
  ///   channel that LE links have. A continuing fragment has no form.
  static func isPlausible(_ payload: [UInt8], llid: UInt8) -> Bool {
    switch llid {
    case LL.LLID.control.rawValue: LL.ControlOpcode.dataLength(payload[0]) == payload.count - 1
    case LL.LLID.start.rawValue:
      payload.count >= L2CAP.headerLength && Int(payload[...].word(at: 0)) >= payload.count - L2CAP.headerLength
        && isChannel(payload[...].word(at: 2))
    default: false
    }
  }

  private static func isChannel(_ number: UInt16) -> Bool { (4...6).contains(number) || (0x20...0x7F).contains(number) }
}
