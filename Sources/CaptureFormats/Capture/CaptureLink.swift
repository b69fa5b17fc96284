/// What the octets of a capture's records are, whatever the file format calls it.
public enum CaptureLink: Hashable, Sendable {
  /// H4 packets, indicator first: LINKTYPE 187, btsnoop 1002.
  case h4
  /// H4 packets after four octets of direction: LINKTYPE 201.
  case h4WithDirection
  /// HCI packets without their indicator; flags of the record tell what they are: btsnoop 1001.
  case hciUnencapsulated
  /// What Linux's monitor channel says, packets and everything else: LINKTYPE 254, btsnoop 2001.
  case linuxMonitor
  /// Records of Apple's PacketLogger, with a type octet of its own.
  case packetLogger
  /// LE PDUs from access address to CRC: LINKTYPE 251.
  case leLinkLayer
  /// The same after a pseudo-header of ten octets: LINKTYPE 256.
  case leLinkLayerWithHeader
  /// The same after the header of Nordic's sniffer: LINKTYPE 272.
  case nordicBLE
  /// The same after a header of Per-Packet Information, as Ubertooth wrote it before 2014: LINKTYPE 192.
  case ppi
  /// Frames of Ethernet without preamble and frame check sequence: LINKTYPE 1.
  case ethernet
  /// Packets of a network after 16 octets of Linux ("cooked", `any` of tcpdump): LINKTYPE 113.
  case linuxCooked
  /// The same after 20 octets: LINKTYPE 276.
  case linuxCooked2
  /// Packets of IPv4 or IPv6 without any header of a link: LINKTYPE 101.
  case rawIP
  /// The same after the address family in the byte order of the machine that captured them: LINKTYPE 0.
  case null
  /// The same after the address family, most significant octet first: LINKTYPE 108.
  case loop
  /// Anything else: its LINKTYPE or btsnoop datalink number.
  case other(UInt32)
}

extension CaptureLink {
  /// Those that can be written, in the order in which help shows them.
  public static let known: [CaptureLink] = [
    .h4, .h4WithDirection, .hciUnencapsulated, .linuxMonitor, .packetLogger, .leLinkLayer, .leLinkLayerWithHeader,
    .nordicBLE, .ethernet, .linuxCooked, .linuxCooked2, .rawIP, .null, .loop,
  ]

  /// For the command line and messages.
  public var name: String {
    switch self {
    case .h4: "h4"
    case .h4WithDirection: "h4-phdr"
    case .hciUnencapsulated: "hci"
    case .linuxMonitor: "linux-monitor"
    case .packetLogger: "pklg"
    case .leLinkLayer: "le"
    case .leLinkLayerWithHeader: "le-phdr"
    case .nordicBLE: "nordic"
    case .ppi: "ppi"
    case .ethernet: "ethernet"
    case .linuxCooked: "sll"
    case .linuxCooked2: "sll2"
    case .rawIP: "raw-ip"
    case .null: "null"
    case .loop: "loop"
    case .other(let number): "link type \(number)"
    }
  }

  /// Octets before the packet of the network; nil where records hold no packets of networks.
  public var networkHeaderLength: Int? {
    switch self {
    case .ethernet: 14
    case .linuxCooked: 16
    case .linuxCooked2: 20
    case .null, .loop: 4
    case .rawIP: 0
    case .h4, .h4WithDirection, .hciUnencapsulated, .linuxMonitor, .packetLogger, .leLinkLayer, .leLinkLayerWithHeader,
      .nordicBLE, .ppi, .other:
      nil
    }
  }

  /// Whether files of this format have a number for it.
  public func fits(_ format: CaptureFormat) -> Bool {
    switch format {
    case .btsnoop: btsnoopDatalink != nil
    case .pcap: linkType != nil
    // It has 16 bits for it.
    case .pcapng: linkType.map { $0 <= 0xFFFF } ?? false
    case .packetLogger: self == .packetLogger
    case .monitor: false
    }
  }

  init(btsnoop datalink: UInt32) {
    switch datalink {
    case 1001: self = .hciUnencapsulated
    case 1002: self = .h4
    case 2001: self = .linuxMonitor
    default: self = .other(datalink)
    }
  }

  init(linkType: UInt32) {
    switch linkType {
    case 0: self = .null
    case 1: self = .ethernet
    case 101: self = .rawIP
    case 108: self = .loop
    case 113: self = .linuxCooked
    case 187: self = .h4
    case 192: self = .ppi
    case 201: self = .h4WithDirection
    case 251: self = .leLinkLayer
    case 254: self = .linuxMonitor
    case 256: self = .leLinkLayerWithHeader
    case 272: self = .nordicBLE
    case 276: self = .linuxCooked2
    default: self = .other(linkType)
    }
  }

  /// In btsnoop; nil: there is none.
  var btsnoopDatalink: UInt32? {
    switch self {
    case .hciUnencapsulated: 1001
    case .h4: 1002
    case .linuxMonitor: 2001
    case .other(let number): number
    default: nil
    }
  }

  /// LINKTYPE in pcap and pcapng; nil: there is none.
  var linkType: UInt32? {
    switch self {
    case .h4: 187
    case .h4WithDirection: 201
    case .leLinkLayer: 251
    case .linuxMonitor: 254
    case .leLinkLayerWithHeader: 256
    case .nordicBLE: 272
    case .ppi: 192
    case .ethernet: 1
    case .linuxCooked: 113
    case .linuxCooked2: 276
    case .rawIP: 101
    case .null: 0
    case .loop: 108
    case .other(let number): number
    case .hciUnencapsulated, .packetLogger: nil
    }
  }
}
