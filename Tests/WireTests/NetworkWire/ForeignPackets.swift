import BluetoothWire
import Expectations
import NetworkWire

/// Packets that somebody else's encoders made.
enum ForeignPackets {
  /// Scapy 2.8: `Ether/IPv6(hlim=64)/TCP(flags='S', options=[MSS 1440, NOP, WScale 6, SAckOK])`.
  static let handshake = [UInt8].hex(
    """
    02000000000202000000000186dd6000000000200640fe800000000000000000000000000001fe800000000000000000000000000002c0001b58
    000003e8000000008002ffff93e20000020405a00103030604020000
    """)
  /// Scapy 2.8: `Ether/IP(id=7)/TCP(flags='PA')/b'hello'`; the payload makes the checksum's last word a half.
  static let hello = [UInt8].hex(
    """
    02000000000202000000000108004500002d000700004006f770c0a80101c0a80102c0001b58000003e90000138950180400f1d6000068656c6c
    6f
    """)
  /// Scapy 2.8: `Ether/IPv6(hlim=255)/UDP/b'odd'` to the group of Multicast DNS.
  static let datagram = [UInt8].hex(
    """
    3333000000fb02000000000186dd60000000000b11fffe800000000000000000000000000001ff0200000000000000000000000000fb14e914e9
    000b04226f6464
    """)
  /// dnspython 2.9: a service announced with PTR, SRV, TXT and AAAA, names compressed.
  static let announcement = [UInt8].hex(
    """
    0000840000000001000000030b5f6265616d736372696265045f746370056c6f63616c00000c000100001194000a074c656374757265c00cc02e
    00210001000000780012000000001b5804686f7374056c6f63616c00c02e0010000100001194000403763d3104686f7374c01d001c0001000000
    780010fe800000000000000000000000000001
    """)
  /// dnspython 2.9: a question for instances of a service type.
  static let question = [UInt8].hex("0000000000010000000000000b5f6265616d736372696265045f746370056c6f63616c00000c0001")

  static let all = [handshake, hello, datagram, announcement, question]
}
