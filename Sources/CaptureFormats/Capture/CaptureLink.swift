/// What the octets of a capture's records are, whatever the file format calls it.
public enum CaptureLink: Hashable, Sendable {
  /// H4 packets, indicator first: LINKTYPE 187, btsnoop 1002.
  case h4
  /// H4 packets behind four octets of direction: LINKTYPE 201.
  case h4WithDirection
  /// HCI packets without their indicator; flags of the record tell what they are: btsnoop 1001.
  case hciUnencapsulated
  /// What Linux's monitor channel says, packets and everything else: LINKTYPE 254, btsnoop 2001.
  case linuxMonitor
  /// Records of Apple's PacketLogger, with a type octet of its own.
  case packetLogger
  /// LE PDUs from access address to CRC: LINKTYPE 251.
  case leLinkLayer
  /// The same behind a pseudo-header of ten octets: LINKTYPE 256.
  case leLinkLayerWithHeader
  /// The same behind the header of Nordic's sniffer: LINKTYPE 272.
  case nordicBLE
  /// Anything else: its LINKTYPE or btsnoop datalink number.
  case other(UInt32)
}
