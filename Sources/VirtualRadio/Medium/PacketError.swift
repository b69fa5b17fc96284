import SimKernel

/// Bit and packet error rates of the GFSK receiver, as fixed-point numbers.
///
/// Non-coherent detection of binary FSK, BER = ½·exp(−SNR/2), tabulated over 0 … 16 dB. With the default noise floor
/// of −104 dBm the BER of 0.1 %, by which the Core Specification defines sensitivity (Vol 6, Part A, 4.1), is met at
/// −93 dBm. What LE Coded needs less is `CodingGain`. Not modelled: frequency offset, adjacent-channel interference.
enum PacketError {
  /// BER × 2³² in steps of a quarter decibel from 0 dB.
  private static let bitErrorRate: [UInt32] = [
    1_302_514_674, 1_264_491_289, 1_225_424_768, 1_185_358_958, 1_144_346_869, 1_102_451_178, 1_059_744_656,
    1_016_310_520, 972_242_679, 927_645_848, 882_635_514, 837_337_734, 791_888_724, 746_434_238, 701_128_704,
    656_134_099, 611_618_562, 567_754_729, 524_717_789, 482_683_293, 441_824_705, 402_310_768, 364_302_692,
    327_951_266, 293_393_933, 260_751_937, 230_127_632, 201_602_058, 175_232_887, 151_052_856, 129_068_776,
    109_261_197, 91_584_800, 75_969_539, 62_322_537, 50_530_696, 40_463_926, 31_978_901, 24_923_156, 19_139_374,
    14_469_631, 10_759_439, 7_861_361, 5_638_065, 3_964_679, 2_730_391, 1_839_262, 1_210_307, 776_923, 485_795,
    295_424, 174_437, 99_833, 55_277, 29_553, 15_225, 7_541, 3_583, 1_629, 707, 292, 114, 42, 15, 5,
  ]

  /// From this signal-to-noise ratio on, hundredths of a decibel, every bit arrives.
  static let certain = 25 * bitErrorRate.count

  /// The probability × 2³² that `bits` bits all arrive, at a signal-to-noise ratio in hundredths of a decibel.
  static func success(bits: Int, signalToNoise: Int) -> UInt64 {
    let one: UInt64 = 1 << 32
    if signalToNoise < 0 { return 0 }
    let (step, part) = (signalToNoise / 25, signalToNoise % 25)
    if step >= bitErrorRate.count { return one }
    // Linear between two entries; after the last one the rate is zero.
    let next = step + 1 < bitErrorRate.count ? UInt64(bitErrorRate[step + 1]) : 0
    return power(one - (UInt64(bitErrorRate[step]) * UInt64(25 - part) + next * UInt64(part)) / 25, bits)
  }

  /// The same at a bit error rate, rounded to a whole 2⁻³².
  static func success(bits: Int, errorRate: Ratio) -> UInt64 {
    let one: UInt64 = 1 << 32
    if errorRate.numerator >= errorRate.denominator { return bits == 0 ? one : 0 }
    let (quotient, _) = errorRate.denominator.dividingFullWidth(
      (errorRate.numerator >> 32, errorRate.numerator << 32))
    return power(one - quotient, bits)
  }

  /// A probability × 2³² to the power of a number of bits.
  private static func power(_ probability: UInt64, _ bits: Int) -> UInt64 {
    let one: UInt64 = 1 << 32
    // The square of one does not fit into the word.
    if probability >= one { return one }
    var base = probability
    var result = one
    var exponent = bits
    while exponent > 0 {
      if exponent & 1 == 1 { result = (result &* base) >> 32 }
      base = (base &* base) >> 32
      exponent >>= 1
    }
    return result
  }
}
