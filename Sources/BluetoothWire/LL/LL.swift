/// The Link Layer: PDUs and the arithmetic that both ends of a link must agree on, without any state.
///
/// Spec: Core v5.4, Vol 6, Part B.
public enum LL {
  /// Access address of the primary advertising channels (Vol 6, Part B, 2.1.2).
  public static let advertisingAccessAddress: UInt32 = 0x8E89_BED6
  /// CRC initialisation value of the primary advertising channels (Vol 6, Part B, 3.1.1).
  public static let advertisingCRCInit: UInt32 = 0x555555

  /// Most octets of advertising data or scan response data (Vol 6, Part B, 2.3.1).
  public static let maximumAdvertisingData = 31
  /// Most octets of either with extended advertising (Vol 4, Part E, 7.8.57).
  public static let maximumExtendedData = 1_650
  /// Largest payload of a data channel PDU.
  public static let maximumDataOctets = 251

  /// What a data physical channel PDU holds (Vol 6, Part B, 2.4).
  public enum LLID: UInt8, Hashable, Sendable {
    case reserved = 0b00
    /// Continuation fragment of an L2CAP PDU, or an empty PDU.
    case continuation = 0b01
    /// Start of an L2CAP PDU, or the whole of it.
    case start = 0b10
    case control = 0b11
  }
}
