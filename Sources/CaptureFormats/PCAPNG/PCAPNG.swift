/// The pcapng file format: packets with time and comments, for Wireshark.
///
/// Format: IETF draft-ietf-opsawg-pcapng (section header, interface description, packet and interface
/// statistics blocks). The writer makes little-endian files; the reader takes both byte orders and skips blocks that
/// it does not know.
public enum PCAPNG {
  /// Link type of Bluetooth LE PDUs with `LEPseudoHeader` in front (LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR).
  public static let leLinkType: UInt16 = 256

  enum BlockType {
    static let sectionHeader: UInt32 = 0x0A0D_0D0A
    static let interfaceDescription: UInt32 = 1
    /// From the first drafts; old files have them.
    static let obsoletePacket: UInt32 = 2
    static let simplePacket: UInt32 = 3
    static let interfaceStatistics: UInt32 = 5
    static let enhancedPacket: UInt32 = 6
  }

  enum Option {
    static let end: UInt16 = 0
    static let comment: UInt16 = 1
    static let userApplication: UInt16 = 4
    /// Options of an interface.
    static let interfaceName: UInt16 = 2
    static let timestampResolution: UInt16 = 9
    static let timestampOffset: UInt16 = 14
    /// Options of a packet.
    static let packetFlags: UInt16 = 2
    static let dropCount: UInt16 = 4
    /// Options of an interface's statistics: lost by the interface, and by the operating system.
    static let interfaceDrops: UInt16 = 5
    static let systemDrops: UInt16 = 7
  }

  static let byteOrderMagic: UInt32 = 0x1A2B_3C4D
}
