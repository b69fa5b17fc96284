/// The btsnoop file format, version 1: HCI packets with time and direction.
///
/// It is RFC 1761 (snoop) with Bluetooth datalink types; Android phones, BlueZ (`btmon -r`) and Wireshark read and
/// write it. Numbers are big-endian. Layout: `"btsnoop" 00 | Version: 4 | Datalink: 4`, then records
/// `Original Length: 4 | Included Length: 4 | Flags: 4 | Drops: 4 | Timestamp: 8 | Octets`.
public enum BTSnoop {
  /// Datalink type of packets with their H4 indicator in front.
  public static let h4Datalink: UInt32 = 1002
  /// Octets of the file header.
  public static let headerLength = 16
  /// Octets in front of the packet in every record.
  public static let recordHeaderLength = 24
  /// The longest packet that the reader accepts: an ACL packet with its H4 indicator.
  public static let maximumPacketLength = 5 + 0xFFFF

  static let magic: [UInt8] = [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0x00]
  static let version: UInt32 = 1

  /// One packet.
  public struct Record: Hashable, Sendable {
    /// From the controller to the host.
    public var isReceived: Bool
    /// A command or event, as opposed to data.
    public var isCommandOrEvent: Bool
    /// Microseconds since 0000-01-01 00:00:00.
    public var timestamp: Int64
    /// Length on the wire; more than `octets` holds when the packet was snapped.
    public var originalLength: Int
    /// Packets lost before this one since the start of the capture.
    public var drops: UInt32
    public var octets: [UInt8]

    public init(
      isReceived: Bool, isCommandOrEvent: Bool, timestamp: Int64, originalLength: Int, drops: UInt32 = 0,
      octets: [UInt8]
    ) {
      self.isReceived = isReceived
      self.isCommandOrEvent = isCommandOrEvent
      self.timestamp = timestamp
      self.originalLength = originalLength
      self.drops = drops
      self.octets = octets
    }
  }
}
