import BluetoothWire

/// Times of a connection event, in whole microseconds, computed from the packet formats alone.
package enum Exchange {
  /// Between a PDU and its answer (Vol 6, Part B, 4.1.1).
  static let interFrameSpace = 150

  /// Time on air of a PDU: preamble (1 octet on 1M, 2 on 2M), access address 4, header 2, CRC 3, at 8 or 4 µs an octet
  /// (Vol 6, Part B, 2.1). On LE Coded a preamble of 80 µs, then 32 bits of access address, 2 of Coding Indicator and 3
  /// of TERM1 at 8 µs, then header, payload, CRC and 3 bits of TERM2 at 8 or 2 µs (2.2).
  static func airTime(payload: Int, phy: LL.AirPHY) -> Int {
    switch phy {
    case .le1M: (1 + 4 + 2 + payload + 3) * 8
    case .le2M: (2 + 4 + 2 + payload + 3) * 4
    case .codedS8: 80 + (32 + 2 + 3) * 8 + (8 * (2 + payload + 3) + 3) * 8
    case .codedS2: 80 + (32 + 2 + 3) * 8 + (8 * (2 + payload + 3) + 3) * 2
    }
  }

  /// An empty PDU of one end, a PDU of the other end, and the two spaces.
  static func time(payload: Int, phy: LL.AirPHY) -> Int {
    airTime(payload: 0, phy: phy) + interFrameSpace + airTime(payload: payload, phy: phy) + interFrameSpace
  }

  /// A value of ATT_MTU − 3 octets: one L2CAP frame of ATT_MTU + 4 octets, cut into PDUs of at most `length` octets.
  static func timePerValue(attMTU: Int, length: Int, phy: LL.AirPHY) -> Int {
    var rest = attMTU + 4
    var total = 0
    while rest > 0 {
      total += time(payload: min(rest, length), phy: phy)
      rest -= length
    }
    return total
  }

  /// How many values of 244 octets, each in one PDU, fit a connection event. That another exchange fits is judged with
  /// an empty PDU of 80 µs on LE 1M and LE 2M: a decision.
  static func longValues(in microseconds: Int, phy: LL.AirPHY) -> Int {
    let exchange = time(payload: 251, phy: phy)
    let assumed = exchange + (phy == .le2M ? 80 - airTime(payload: 0, phy: phy) : 0)
    return 1 + (microseconds - assumed) / exchange
  }
  /// Bits of such a value.
  static let longValueBits = 1_952.0

  /// A value of 20 octets, ATT_MTU 23, on 1M: 676 µs.
  package static let smallValue = timePerValue(attMTU: 23, length: 27, phy: .le1M)
  /// Bits of that value.
  package static let smallValueBits = 160.0

  /// How many exchanges of a small value fit a connection event: the last one ends T_IFS before the next anchor, or,
  /// where the next anchor is another link's, at the latest at it.
  static func count(in microseconds: Int) -> Int { microseconds / smallValue }
}
