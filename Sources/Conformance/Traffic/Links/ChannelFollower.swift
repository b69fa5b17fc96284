import BluetoothWire

/// What whole L2CAP frames do to a link: the same above HCI and on the air.
enum ChannelFollower {
  static func deliver(
    _ outcome: FrameAssembly.Outcome, _ link: TrafficLink, fromCentral: Bool, to output: TrafficOutput
  ) {
    switch outcome {
    case .partial: break
    case .gap(let gap): output.gap(link, fromCentral: fromCentral, gap)
    case .frame(let channel, let octets):
      if channel == .attribute {
        // Observers see the link as it was before this PDU took effect.
        output.emit(.att) { .att(link, fromCentral: fromCentral, octets) }
        follow(octets, link, fromCentral: fromCentral, output)
      } else {
        output.emit(.frames) { .frame(link, fromCentral: fromCentral, channel, octets) }
      }
    }
  }

  /// ATT_MTU and what discovery tells. Spec: Core v5.4, Vol 3, Part F, 3.4.2.
  private static func follow(
    _ octets: ArraySlice<UInt8>, _ link: TrafficLink, fromCentral: Bool, _ output: TrafficOutput
  ) {
    guard let opcode = octets.first else { return }
    switch opcode {
    case 0x02 where octets.count == 3:
      link.clientRxMTU = Int(octets[octets.startIndex + 1]) | Int(octets[octets.startIndex + 2]) << 8
    case 0x03 where octets.count == 3:
      link.serverRxMTU = Int(octets[octets.startIndex + 1]) | Int(octets[octets.startIndex + 2]) << 8
      if let client = link.clientRxMTU, let server = link.serverRxMTU {
        link.attMTU = max(ATT.defaultMTU, min(client, server))
        output.changed(link, .attMTU)
      }
    default: break
    }
  }
}
