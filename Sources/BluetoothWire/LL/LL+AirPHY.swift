extension LL {
  /// How a PDU is sent: its PHY, and on LE Coded how many symbols a bit of its payload takes.
  ///
  /// The numbers are those of the advertising reports that tell the coding (Core v5.4, Vol 4, Part E, 7.7.65.13).
  public enum AirPHY: UInt8, Hashable, Sendable, CaseIterable {
    case le1M = 1
    case le2M = 2
    /// LE Coded with eight symbols a bit, 125 kbit/s.
    case codedS8 = 3
    /// LE Coded with two symbols a bit, 500 kbit/s.
    case codedS2 = 4

    /// - Parameter coding: what LE Coded makes of a bit; without a wish, eight symbols.
    public init(_ phy: HCI.PHY, coding: Coding = .s8) {
      switch phy {
      case .le1M: self = .le1M
      case .le2M: self = .le2M
      case .leCoded: self = coding == .s2 ? .codedS2 : .codedS8
      }
    }

    /// As HCI and the Link Layer name it, which leave the coding to the sender.
    public var phy: HCI.PHY {
      switch self {
      case .le1M: .le1M
      case .le2M: .le2M
      case .codedS8, .codedS2: .leCoded
      }
    }

    /// Nil on an uncoded PHY.
    public var coding: Coding? {
      switch self {
      case .le1M, .le2M: nil
      case .codedS8: .s8
      case .codedS2: .s2
      }
    }

    public var isCoded: Bool { coding != nil }
  }

  /// The coding scheme of LE Coded: what the Coding Indicator says (Core v5.4, Vol 6, Part B, 2.2.3).
  public enum Coding: UInt8, Hashable, Sendable {
    /// Eight symbols a bit.
    case s8 = 0
    /// Two symbols a bit.
    case s2 = 1

    /// Symbols a bit, each of 1 µs (Vol 6, Part B, 3.3).
    public var symbols: Int { self == .s8 ? 8 : 2 }
  }
}

extension HCI.PHY {
  /// The bit of `TX_PHYs` and `LL_PHY_REQ`.
  public var mask: HCI.PHYMask {
    switch self {
    case .le1M: .le1M
    case .le2M: .le2M
    case .leCoded: .leCoded
    }
  }

  /// The one PHY of a mask; nil when it has none or several.
  public init?(_ mask: HCI.PHYMask) {
    switch mask {
    case .le1M: self = .le1M
    case .le2M: self = .le2M
    case .leCoded: self = .leCoded
    default: return nil
    }
  }
}
