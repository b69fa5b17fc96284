public import SimKernel

extension RadioEnvironment.Interferer {
  /// How the power of an interferer is spread over frequency.
  public enum Spectrum: Hashable, Sendable {
    /// All of it on these RF channels, 0 … 39 (2402 + 2 k MHz), and nothing on others.
    case flat(ClosedRange<Int>)
    /// A 20 MHz channel of Wi-Fi, 1 … 13, centred on 2407 + 5 n MHz (IEEE 802.11-2020, 15.4.4.3), with the mask of
    /// OFDM (17.3.9.3): 0 dBr to ±9 MHz, −20 at ±11, −28 at ±20, −40 from ±30 on, linear in between.
    case wifi(Int)

    /// By how much the level on an RF channel is below the interferer's power, hundredths of dB; nil: silent there.
    public func attenuation(onRFChannel channel: Int) -> Int? {
      switch self {
      case .flat(let channels): return channels.contains(channel) ? 0 : nil
      case .wifi(let number):
        let distance = abs(2_402 + 2 * channel - Self.centre(number))
        return switch distance {
        case ...9: 0
        case ...11: (distance - 9) * 1_000
        case ...20: 2_000 + (distance - 11) * 800 / 9
        case ...30: 2_800 + (distance - 20) * 120
        default: 4_000
        }
      }
    }

    /// The frequencies that it takes, MHz: carriers are sensed where these overlap. Wi-Fi 1, 6 and 11 do not.
    var occupied: Range<Int> {
      switch self {
      case .flat(let channels): 2_401 + 2 * channels.lowerBound..<2_403 + 2 * channels.upperBound
      case .wifi(let number): Self.centre(number) - 10..<Self.centre(number) + 10
      }
    }

    private static func centre(_ number: Int) -> Int { 2_407 + 5 * min(max(number, 1), 13) }
  }

  /// When an interferer is on the air.
  public enum Activity: Hashable, Sendable {
    /// Exponential times on and off, whatever others do.
    case onOff(meanOn: SimDuration, meanOff: SimDuration)
    /// A station that senses the carrier: frames of an exponential length with this mean, and this share of the time
    /// on air while no other station holds it back, in permille (1 … 999). Between frames it waits for DIFS (28 µs)
    /// and a back-off of 0 … 15 slots of 9 µs (IEEE 802.11-2020, 10.3.4, 17.4.4), which with its idle time make up the
    /// rest.
    case carrierSense(airtimePermille: Int, meanFrame: SimDuration)
    /// As `RadioWorld.noteInterference` is told, by whoever simulates it.
    case external
  }

  var sensesCarrier: Bool {
    if case .carrierSense = activity { true } else { false }
  }
}
