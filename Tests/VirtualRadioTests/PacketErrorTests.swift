import Expectations
import Testing

@testable import VirtualRadio

@Suite("Bit and packet errors")
struct PacketErrorTests {
  @Test(
    "A better signal never loses more, at each hundredth of a decibel and for each length",
    arguments: [1, 2, 40, 376, 2_120])
  func monotonous(_ bits: Int) {
    var before: UInt64 = 0
    for ratio in -10...(PacketError.certain + 100) {
      let success = PacketError.success(bits: bits, signalToNoise: ratio)
      expect(success >= before && success <= 1 << 32, "\(ratio)")
      before = success
    }
    equal(before, 1 << 32)
  }

  @Test("More bits never fare better", arguments: [0, 500, 1_000, 1_599, 1_600, 1_612, 1_620, 1_624, 1_625])
  func lengths(_ ratio: Int) {
    var before: UInt64 = 1 << 32
    for bits in 0...2_120 {
      let success = PacketError.success(bits: bits, signalToNoise: ratio)
      expect(success <= before)
      before = success
    }
  }
}
