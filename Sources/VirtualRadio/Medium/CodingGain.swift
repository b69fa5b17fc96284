import BluetoothWire

/// What a receiver gains on LE Coded over LE 1M, hundredths of dB.
///
/// The receiver that is declared here is that of a chip whose maker says it for each PHY: nRF52840 (Product
/// Specification v1.7, RADIO, electrical specification), −95 dBm on LE 1M, −99 dBm on LE Coded with S = 2 and −103 dBm
/// with S = 8. Each bit of a block of the code arrives as one on LE 1M would at a signal-to-noise ratio that is better
/// by the gain, and the sensitivity is lower by it: a decision. The Core Specification asks for −70, −75 and −82 dBm
/// (Vol 6, Part A, 4.1), which leaves a receiver room to be better on LE 1M than it must.
enum CodingGain {
  static func sensitivity(_ phy: LL.AirPHY) -> Int {
    switch phy {
    case .le1M, .le2M: 0
    case .codedS2: 400
    case .codedS8: 800
    }
  }

  /// By how much weaker than on LE 1M another transmission may disturb: C/I of the same channel is 21 dB there, 17 dB
  /// with S = 2 and 12 dB with S = 8 (Vol 6, Part A, 4.2).
  static func capture(_ phy: LL.AirPHY) -> Int {
    switch phy {
    case .le1M, .le2M: 0
    case .codedS2: 400
    case .codedS8: 900
    }
  }
}

/// Where the bits of a PDU are in its time.
extension LL.AirPHY {
  /// Bits that are over after so many nanoseconds. On LE Coded those of the first block take eight symbols, whatever
  /// the coding is, and so do ten for the preamble (Vol 6, Part B, 2.2).
  func bits(within nanoseconds: Int64) -> Int64 {
    switch self {
    case .le1M: nanoseconds / 1_000
    case .le2M: nanoseconds / 500
    case .codedS8: nanoseconds / 8_000
    case .codedS2:
      nanoseconds <= LL.codedStart
        ? nanoseconds / 8_000 : LL.codedStart / 8_000 + (nanoseconds - LL.codedStart) / 2_000
    }
  }

  /// The coding of what comes before the PDU's header.
  var ofFirstBlock: Self { self == .codedS2 ? .codedS8 : self }
}
