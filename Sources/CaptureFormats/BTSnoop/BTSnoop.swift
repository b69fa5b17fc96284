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
  static let magic: [UInt8] = [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0x00]
  static let version: UInt32 = 1
  /// 1970-01-01 in the format's microseconds.
  static let unixEpoch: Int64 = 0x00DC_DDB3_0F2F_8000
}
