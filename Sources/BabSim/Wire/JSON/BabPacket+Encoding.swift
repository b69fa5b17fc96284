extension BabPacket {
  /// The packet's canonical text: one UTF-8 JSON object, as the published encoder writes it.
  ///
  /// Spec: BAB 4.1–4.17. Total: every packet has a text.
  public func encoded() -> [UInt8] {
    var writer = JSONWriter(capacity: 640)
    write(to: &writer)
    return writer.octets
  }
}
