extension LL {
  /// `CtrData` of `LL_CHANNEL_STATUS_IND`: two bits for each of the 37 data channels, channel 0 in the lowest ones
  /// (Core v5.4, Vol 6, Part B, 2.4.2.41). Six bits are left over.
  public struct ChannelStatus: Hashable, Sendable {
    /// Open: 2 is reserved, and survives.
    public struct Rating: RawRepresentable, Hashable, Sendable {
      public let rawValue: UInt8
      public init(rawValue: UInt8) { self.rawValue = rawValue }

      public static let unknown = Rating(rawValue: 0)
      public static let good = Rating(rawValue: 1)
      public static let bad = Rating(rawValue: 3)
    }

    private var low: UInt64 = 0
    private var high: UInt16 = 0

    /// Every channel is unknown.
    public init() {}

    /// - Parameter index: of a data channel, 0 … 36; others are unknown, and are not set.
    public subscript(index: UInt8) -> Rating {
      get {
        if index > 36 { return .unknown }
        let bits = index < 32 ? low >> (2 * UInt64(index)) : UInt64(high) >> (2 * UInt64(index - 32))
        return Rating(rawValue: UInt8(bits & 3))
      }
      set {
        if index > 36 { return }
        let rating = UInt64(newValue.rawValue & 3)
        if index < 32 {
          low = low & ~(3 << (2 * UInt64(index))) | rating << (2 * UInt64(index))
        } else {
          let shift = 2 * UInt16(index - 32)
          high = high & ~(3 << shift) | UInt16(rating) << shift
        }
      }
    }

    /// The channels that have a rating, one bit each.
    public func channels(_ rating: Rating) -> UInt64 {
      (0..<37).reduce(0) { self[$1] == rating ? $0 | 1 << UInt64($1) : $0 }
    }
  }
}

extension LL.ChannelStatus: WireRecord {
  static let blank = Self()

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) { try pass.fields(&low, &high) }
}
