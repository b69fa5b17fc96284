extension CaptureRecord {
  /// A packet as a live capture has it, before any file.
  ///
  /// - Parameters:
  ///   - linkType: LINKTYPE, as in pcap.
  ///   - octets: with the pseudo-header of that type.
  ///   - originalLength: octets that there were, pseudo-header included.
  public init(
    number: Int, linkType: UInt32, nanoseconds: Int64, originalLength: Int, drops: UInt32?, octets: [UInt8]
  ) {
    let link = CaptureLink(linkType: linkType)
    var rest = octets[...]
    let body = LinkDecoder.body(link, &rest, isToHost: nil, isSnapped: octets.count < originalLength)
    self.init(
      number: number, link: link, nanoseconds: nanoseconds, originalLength: originalLength, drops: drops, body: body,
      octets: rest)
  }
}
