extension LL {
  /// Time between the end of a PDU and the start of its answer, in nanoseconds (Vol 6, Part B, 4.1.1, `T_IFS`).
  public static let interFrameSpace: Int64 = 150_000
  /// Least time from the end of a PDU with an AuxPtr to the PDU that it points at, in nanoseconds (4.1.2, `T_MAFS`).
  public static let minimumAuxiliarySpace: Int64 = 300_000
  /// `advDelay` is drawn between 0 and this, in nanoseconds (4.4.2.2.1).
  public static let maximumAdvertisingDelay: Int64 = 10_000_000

  /// Nanoseconds from the first bit of the preamble to the last bit of the CRC of a PDU.
  ///
  /// LE 1M has a preamble of one octet at 8 µs each, LE 2M one of two octets at 4 µs each; then 4 octets of access
  /// address, 2 of header, the payload and 3 of CRC. On LE Coded 80 µs of preamble, 256 of access address, 16 of Coding
  /// Indicator and 24 of TERM1 go before header, payload, CRC and the three bits of TERM2, which take two or eight
  /// symbols of 1 µs each. Spec: Core v5.4, Vol 6, Part B, 2.1, 2.2.
  @inlinable
  public static func airTime(payloadLength: Int, phy: AirPHY) -> Int64 {
    switch phy {
    case .le1M: Int64(10 + payloadLength) * 8_000
    case .le2M: Int64(11 + payloadLength) * 4_000
    case .codedS8: codedStart + Int64(43 + 8 * payloadLength) * 8_000
    case .codedS2: codedStart + Int64(43 + 8 * payloadLength) * 2_000
    }
  }

  /// What comes before the header of a PDU on LE Coded, in nanoseconds: the preamble and the first block of the code.
  public static let codedStart: Int64 = 376_000

  /// Preamble and access address, after which a receiver knows that somebody sends, in nanoseconds.
  @inlinable
  public static func detectionTime(phy: AirPHY) -> Int64 {
    switch phy {
    case .le1M: 40_000
    case .le2M: 24_000
    case .codedS8, .codedS2: 336_000
    }
  }
}
