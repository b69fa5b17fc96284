/// What the headers of links of networks say that is of use to a capture.
enum NetworkLink {
  /// Whether the machine that captured a packet sent it, as Linux says in front of it.
  ///
  /// Spec: LINKTYPE_LINUX_SLL, packet type (octets 0 and 1); LINKTYPE_LINUX_SLL2, packet type (octet 10): 0 … 2 came to
  /// this machine, 3 was for another one, 4 was sent.
  /// - Returns: nil where the link does not say.
  static func isOutgoing(_ link: CaptureLink, _ octets: ArraySlice<UInt8>) -> Bool? {
    let type: UInt16
    switch link {
    case .linuxCooked where octets.count >= 2: type = octets.big(0)
    case .linuxCooked2 where octets.count >= 11: type = UInt16(octets[octets.startIndex + 10])
    default: return nil
    }
    return type == 4 ? true : type <= 2 ? false : nil
  }
}

extension CaptureRecord {
  /// A frame of Ethernet at an interface of a device: what a run writes into `network.pcapng`.
  ///
  /// Hand these records to a `CaptureWriter(format: .pcapng, application:)`: it describes an interface for each name.
  /// - Parameters:
  ///   - octets: from the destination address to the last octet of the packet, without a frame check sequence.
  ///   - interfaceName: names the device too, as `Anna wifi`; at most `CaptureLimits.interfaceNameOctets` octets.
  ///   - isOutgoing: whether the device sent it.
  ///   - nanoseconds: since the start of the run; the file shows them since `CaptureEpoch`.
  public init(
    ethernet octets: [UInt8], interfaceName: String, isOutgoing: Bool, nanoseconds: Int64, number: Int,
    comments: [String] = []
  ) {
    self.init(
      number: number, link: .ethernet, nanoseconds: CaptureEpoch.unixSeconds * 1_000_000_000 + nanoseconds,
      originalLength: octets.count,
      body: .network(NetworkHeader(isOutgoing: isOutgoing, interfaceName: interfaceName)), octets: octets[...],
      comments: comments)
  }
}
