import SimKernel

/// Block fading between radios: a gain that holds for one pair, one RF channel and one block of time.
///
/// It is a function of the seed, the names of the two radios, the channel and the block, and the same in both
/// directions. Rayleigh and Rician power gains have the mean 1 (Rappaport, Wireless Communications, 2nd ed., 5.6);
/// log-normal ones have the mean 0 dB and are the same on every channel. Integers only: libm differs between
/// processors. Not modelled: correlation between blocks or between neighbouring channels, fading within a PDU.
struct Fading {
  private let model: RadioEnvironment.Fading
  private let field: RandomField

  init(_ model: RadioEnvironment.Fading, seed: UInt64) {
    self.model = model
    field = RandomField(seed: seed, component: "air", purpose: "fading")
  }

  /// Log-normal gains are cut at so many standard deviations.
  private static let deviations = 5
  /// Sixteen decibels: no power gain that can be drawn is larger.
  private static let greatestPowerGain = 1_600
  /// Fixed-point numbers here have 24 binary digits after the point.
  private static let one = 24

  /// What reception may gain at most, hundredths of dB.
  static func greatestGain(_ model: RadioEnvironment.Fading) -> Int {
    if case .logNormal(let deviation) = model.kind { return deviation * deviations }
    return greatestPowerGain
  }

  /// Hundredths of dB, by the numbers of the two radios.
  func gain(_ one: UInt64, _ other: UInt64, rfChannel: Int, at instant: SimInstant) -> Int {
    let block = UInt64(instant.nanoseconds / model.coherence.nanoseconds)
    var channel = UInt64(rfChannel)
    if case .logNormal = model.kind { channel = 63 }
    let words = field.words(min(one, other), max(one, other), block << 6 | channel)
    let power = Self.exponential(words[0])
    switch model.kind {
    case .rayleigh: return Self.decibels(power)
    case .rician(let factor):
      let steady = UInt64(factor) << UInt64(Self.one) / 100
      let cross = (2 * Int64(Self.root(steady * power)) * Self.cosine(words[1])) >> 15
      let sum = max(1, Int64(steady + power) + cross)
      return Self.decibels(UInt64(sum)) - Self.decibels(steady + 1 << UInt64(Self.one))
    case .logNormal(let deviation):
      let normal = (Int64(Self.root(power << UInt64(Self.one + 1))) * Self.cosine(words[1])) >> 15
      let most = Int64(Self.deviations * deviation)
      return Int(max(-most, min(most, (normal * Int64(deviation)) >> Int64(Self.one))))
    }
  }

  /// An exponential draw with the mean 1: −ln of a number above 0 and not above 1 with 32 binary digits.
  private static func exponential(_ word: UInt64) -> UInt64 {
    let logarithm = UInt64(32 << one - Decibel.binaryLogarithm((word >> 32) + 1, digits: one))
    // ln 2.
    return max(1, (logarithm * 11_629_080) >> UInt64(one))
  }

  /// Ten times the decimal logarithm, in hundredths.
  private static func decibels(_ power: UInt64) -> Int {
    (Decibel.binaryLogarithm(power, digits: 16) - one << 16) * 301_030 / 65_536_000
  }

  /// The integer part of a square root.
  private static func root(_ square: UInt64) -> UInt64 {
    var (rest, root, bit) = (square, UInt64(0), UInt64(1) << 62)
    while bit > rest { bit >>= 2 }
    while bit > 0 {
      if rest >= root + bit {
        rest -= root + bit
        root = root >> 1 + bit
      } else {
        root >>= 1
      }
      bit >>= 2
    }
    return root
  }

  /// The cosine of an angle that is drawn evenly from the circle, with 15 binary digits.
  private static func cosine(_ word: UInt64) -> Int64 {
    // Two bits for the quadrant, six for the entry, eight between two entries.
    let angle = Int(word >> 48)
    let (quadrant, rest) = (angle >> 14, angle & 0x3FFF)
    let place = quadrant & 1 == 0 ? rest : 0x4000 - rest
    let (entry, part) = (place >> 8, Int64(place & 0xFF))
    let next = entry < 64 ? quarter[entry + 1] : 0
    let value = (quarter[entry] * (256 - part) + next * part) / 256
    return quadrant == 1 || quadrant == 2 ? -value : value
  }

  /// 2¹⁵·cos for 64 steps of a quarter of the circle.
  private static let quarter: [Int64] = [
    32_768, 32_758, 32_729, 32_679, 32_610, 32_522, 32_413, 32_286, 32_138, 31_972, 31_786, 31_581, 31_357, 31_114,
    30_853, 30_572, 30_274, 29_957, 29_622, 29_269, 28_899, 28_511, 28_106, 27_684, 27_246, 26_791, 26_320, 25_833,
    25_330, 24_812, 24_279, 23_732, 23_170, 22_595, 22_006, 21_403, 20_788, 20_160, 19_520, 18_868, 18_205, 17_531,
    16_846, 16_151, 15_447, 14_733, 14_010, 13_279, 12_540, 11_793, 11_039, 10_279, 9_512, 8_740, 7_962, 7_180, 6_393,
    5_602, 4_808, 4_011, 3_212, 2_411, 1_608, 804, 0,
  ]
}
