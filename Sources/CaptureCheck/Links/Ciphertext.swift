import CaptureFormats

extension TrafficLink {
  /// Whether a payload on the air is ciphertext: its first octets are no opcode and no length.
  ///
  /// Spec: Core v5.4, Vol 6, Part B, 2.4. Every encrypted payload has at least five octets, the MIC among them, and a
  /// control PDU of 23 octets that begins as LL_ENC_REQ does is plain: no encrypted one is that long.
  func isCiphertext(_ payload: ArraySlice<UInt8>, llid: UInt8, _ header: AirHeader) -> Bool {
    if header.isDecrypted || payload.isEmpty { return false }
    if header.isEncrypted == true { return true }
    guard isEncrypted, air?.encryption == .on, payload.count >= 5 else { return false }
    return llid != 3 || payload.count != 23 || payload.first != 0x03
  }
}
