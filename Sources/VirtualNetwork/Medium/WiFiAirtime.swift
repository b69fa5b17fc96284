public import SimKernel

/// How long a frame takes a channel of Wi-Fi, with all that belongs to it (IEEE 802.11-2020, clauses 10.3 and 17, OFDM
/// in 2.4 GHz as in clause 18).
///
/// A data frame: DIFS, the mean back-off, preamble, payload, and after SIFS its acknowledgement. *Decision*: the back-off
/// is always its mean, and two stations never begin together; a channel is a queue. What collisions cost is not modelled.
public struct WiFiAirtime: Hashable, Sendable {
  /// Data rate, in bits in a symbol of 4 µs: 216 is 54 Mb/s.
  public var bitsPerSymbol: Int
  /// That of acknowledgements and of frames to groups: 96 is 24 Mb/s.
  public var basicBitsPerSymbol: Int

  public static let slot = SimDuration.microseconds(9)
  public static let shortSpace = SimDuration.microseconds(10)
  /// Two slots after the short one.
  public static let distributedSpace = shortSpace + slot * 2
  /// Half of 0 … 15 slots.
  public static let meanBackoff = slot * 15 / 2
  /// Preamble and SIGNAL (17.3.2).
  public static let preamble = SimDuration.microseconds(20)
  public static let symbol = SimDuration.microseconds(4)
  /// Silence after each frame of OFDM in 2.4 GHz (18.3.2.4).
  public static let extensionTime = SimDuration.microseconds(6)
  /// MAC header, LLC and SNAP, and the frame check sequence around a packet: 24, 8 and 4 octets.
  public static let framing = 36
  public static let acknowledgementOctets = 14

  public init(bitsPerSymbol: Int = 216, basicBitsPerSymbol: Int = 96) {
    self.bitsPerSymbol = bitsPerSymbol
    self.basicBitsPerSymbol = basicBitsPerSymbol
  }

  /// The PPDU of a frame of so many octets, with the SERVICE field and the tail (17.3.5).
  static func transmission(_ octets: Int, bitsPerSymbol: Int) -> SimDuration {
    let bits = 16 + 8 * octets + 6
    let symbols = (bits + bitsPerSymbol - 1) / bitsPerSymbol
    return preamble + symbol * Int64(symbols) + extensionTime
  }

  /// What goes before a frame.
  static let access = distributedSpace + meanBackoff

  /// On the air: a packet of so many octets from its preamble to its end.
  public func frame(_ octets: Int, toGroup: Bool) -> SimDuration {
    Self.transmission(octets + Self.framing, bitsPerSymbol: toGroup ? basicBitsPerSymbol : bitsPerSymbol)
  }

  /// The acknowledgement with the space before it.
  public var acknowledgement: SimDuration {
    Self.shortSpace + Self.transmission(Self.acknowledgementOctets, bitsPerSymbol: basicBitsPerSymbol)
  }

  /// All that a packet of so many octets takes of the channel; frames to groups are not acknowledged.
  public func exchange(_ octets: Int, toGroup: Bool = false) -> SimDuration {
    Self.access + frame(octets, toGroup: toGroup) + (toGroup ? .zero : acknowledgement)
  }
}
