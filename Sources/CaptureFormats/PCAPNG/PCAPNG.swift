/// The pcapng file format: packets with time and comments, for Wireshark.
///
/// Format: IETF draft-ietf-opsawg-pcapng (section header, interface description, enhanced packet and interface
/// statistics blocks). The writer makes little-endian files; the reader takes both byte orders and skips blocks that
/// it does not know.
public enum PCAPNG {
  /// Link type of Bluetooth LE PDUs with `LEPseudoHeader` in front (LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR).
  public static let leLinkType: UInt16 = 256
  /// The largest block that the reader accepts, in octets.
  public static let maximumBlockLength = 1 << 20
  /// The most interfaces of one section, and the most remarks, that the reader keeps.
  public static let maximumInterfaces = 4_096

  enum BlockType {
    static let sectionHeader: UInt32 = 0x0A0D_0D0A
    static let interfaceDescription: UInt32 = 1
    static let interfaceStatistics: UInt32 = 5
    static let enhancedPacket: UInt32 = 6
  }

  enum Option {
    static let end: UInt16 = 0
    static let comment: UInt16 = 1
    static let interfaceName: UInt16 = 2
    static let timestampResolution: UInt16 = 9
    static let userApplication: UInt16 = 4
  }

  static let byteOrderMagic: UInt32 = 0x1A2B_3C4D

  /// One packet with its comments.
  public struct Packet: Hashable, Sendable {
    public var linkType: UInt16
    /// Nanoseconds since 1970-01-01; finer resolutions are cut, times beyond the range of Int64 are its greatest value.
    public var nanoseconds: Int64
    /// Length on the wire; more than `octets` holds when the packet was snapped.
    public var originalLength: Int
    public var octets: [UInt8]
    public var comments: [String]

    public init(linkType: UInt16, nanoseconds: Int64, originalLength: Int, octets: [UInt8], comments: [String]) {
      self.linkType = linkType
      self.nanoseconds = nanoseconds
      self.originalLength = originalLength
      self.octets = octets
      self.comments = comments
    }
  }
}
