public import BluetoothWire
public import NetworkWire

/// One packet of a network as its headers tell it.
///
/// It takes what `NetworkWire` refuses, because captures have it: packets that the capturer cut, checksums that a
/// network card computes later, lengths of zero in packets that a card divides, tags of VLANs, and headers before that
/// of the transport. Not modelled: fragments, which are told and not put together.
public struct NetworkPacket {
  public struct TCP: Hashable, Sendable {
    public var sourcePort: UInt16
    public var destinationPort: UInt16
    public var sequence: UInt32
    /// Meaningful with the flag `ack`.
    public var acknowledgement: UInt32
    public var flags: TCPSegment.Flags
    /// As the header has it, before it is scaled.
    public var window: UInt16
    /// Header and payload, as far as they are there.
    public var octets: ArraySlice<UInt8>
  }

  public enum Content {
    case tcp(TCP)
    case udp(sourcePort: UInt16, destinationPort: UInt16)
    /// Another protocol above IP, by its number.
    case transport(UInt8)
    /// A part of a packet.
    case fragment
    /// No packet of IP: the type that the link's header says (IEEE 802.3), nil when it says none.
    case foreign(type: UInt16?)
    /// Headers that contradict themselves, or that the capturer cut; in words.
    case broken(StaticString)
  }

  /// Dense index of the interface within the file.
  public var interface: Int
  /// As the file names it.
  public var interfaceName: String?
  /// The machine that captured the packet sent it; nil where nothing says.
  public var isOutgoing: Bool?
  /// The addresses of the frame, where it is one of Ethernet.
  public var stations: (source: MACAddress, destination: MACAddress)?
  /// The addresses of the packet of IP; nil where it is none.
  public var addresses: (source: IPAddress, destination: IPAddress)?
  public var hopLimit: UInt8 = 0
  public var content: Content
  /// What the transport carries, as far as it is there.
  public var payload: ArraySlice<UInt8> = []
  /// Octets at the end of the payload that the capturer cut off.
  public var missing = 0
  public var checksum = TransportChecksum.unknown
  /// The message of Multicast DNS that it carries; why it is none where one is expected.
  public var message: DNSMessage?
  public var messageError: WireError?

  init(interface: Int, interfaceName: String?, isOutgoing: Bool?) {
    self.interface = interface
    self.interfaceName = interfaceName
    self.isOutgoing = isOutgoing
    content = .foreign(type: nil)
  }
}
