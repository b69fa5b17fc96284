extension HCI.ToHost {
  /// What one H4 packet of a controller from outside says to a host: usually one message.
  ///
  /// Refuses what `init(decoding:)` refuses.
  public static func messages(h4 octets: [UInt8]) throws(WireError) -> [HCI.ToHost] {
    [try HCI.ToHost(decoding: octets)]
  }
}
