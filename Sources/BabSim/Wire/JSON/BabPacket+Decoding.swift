extension BabPacket {
  /// Reads a packet as the published decoder does.
  ///
  /// Spec: BAB 4.30–4.46. Total: every octet string is a packet or a refusal.
  /// - Throws: `BabPacketError` with why and where.
  public init(decoding octets: [UInt8]) throws(BabPacketError) {
    let outcome = octets.withUnsafeBufferPointer { BabPacket.decode($0) }
    self = try outcome.get()
  }

  private static func decode(_ text: UnsafeBufferPointer<UInt8>) -> Result<BabPacket, BabPacketError> {
    guard text.count <= WireLimits.packetOctets else {
      return .failure(BabPacketError(.tooLarge, offset: WireLimits.packetOctets))
    }
    guard let base = text.baseAddress, !text.isEmpty else {
      return .failure(BabPacketError(.unexpectedEnd, offset: 0))
    }
    if UTF8Repair.isValid(text) { return decodeValid(text, base) }
    let repaired = UTF8Repair.repaired(text)
    return repaired.withUnsafeBufferPointer { valid in
      decodeValid(valid, valid.baseAddress!).mapError { error in
        BabPacketError(error.reason, offset: UTF8Repair.originalOffset(of: error.offset, in: text))
      }
    }
  }

  private static func decodeValid(
    _ text: UnsafeBufferPointer<UInt8>, _ base: UnsafePointer<UInt8>
  ) -> Result<BabPacket, BabPacketError> {
    var reader = JSONReader(text, base: base)
    do throws(BabPacketError) {
      let packet = try BabPacket(from: &reader)
      reader.skipSpaces()
      guard reader.position == reader.end else { throw BabPacketError(.trailingOctets, offset: reader.position) }
      return .success(packet)
    } catch {
      return .failure(error)
    }
  }
}
