import Expectations
import Testing

@testable import SimKernel

@Suite("Random streams")
struct RandomStreamTests {
  /// Source: the reference implementation of xoshiro256** (Blackman and Vigna, prng.di.unimi.it), state 1, 2, 3, 4;
  /// the same ten words stand in the test suite of the Rust crate `rand_xoshiro`.
  @Test("From the state 1, 2, 3, 4 come the published words of xoshiro256**")
  func referenceOutput() {
    var stream = RandomStream(seed: 0, component: "", purpose: "")
    (stream.s0, stream.s1, stream.s2, stream.s3) = (1, 2, 3, 4)
    let expected: [UInt64] = [
      11520, 0, 1_509_978_240, 1_215_971_899_390_074_240, 1_216_172_134_540_287_360, 607_988_272_756_665_600,
      16_172_922_978_634_559_625, 8_476_171_486_693_032_832, 10_595_114_339_597_558_777, 2_904_607_092_377_533_576,
    ]
    let words = expected.map { _ in stream.next() }
    equal(words, expected)
  }

  /// Source: the reference implementation of SplitMix64 (Vigna), seed 1 477 776 061 723 855 037.
  @Test("The mixer is the finaliser of SplitMix64")
  func mixer() {
    var state: UInt64 = 1_477_776_061_723_855_037
    let expected: [UInt64] = [
      1_985_237_415_132_408_290, 2_979_275_885_539_914_483, 13_511_426_838_097_143_398, 8_488_337_342_461_049_707,
      15_141_737_807_933_549_159,
    ]
    let words = expected.map { _ in
      state &+= 0x9E37_79B9_7F4A_7C15
      return RandomStream.mix(state)
    }
    equal(words, expected)
  }

  /// Computed by a second implementation, in Python. A change here changes every digest.
  @Test("The words of a named stream are frozen")
  func frozenWords() {
    var named = RandomStream(seed: 1, component: "radio/host", purpose: "advDelay")
    let words = [named.next(), named.next(), named.next()]
    equal(
      words, [13_427_968_966_540_662_440, 12_782_160_201_742_707_629, 8_960_638_043_453_781_541])
    var unnamed = RandomStream(seed: 0, component: "", purpose: "")
    let others = [unnamed.next(), unnamed.next(), unnamed.next()]
    equal(
      others, [15_443_881_195_101_757_249, 5_316_187_389_973_163_578, 4_441_381_818_005_854_191])
  }

  @Test("Seed, component and purpose each give another stream, and the border between the names counts")
  func independence() {
    let names: [(UInt64, String, String)] = [
      (1, "radio/host", "advDelay"), (2, "radio/host", "advDelay"), (1, "radio/hosta", "dvDelay"),
      (1, "radio/host", "advdelay"), (1, "radio/hos", "tadvDelay"), (1, "advDelay", "radio/host"), (1, "", ""),
      (0, "", ""), (.max, "", ""), (1, "a", ""), (1, "", "a"),
    ]
    var firsts: [UInt64] = []
    for name in names {
      var stream = RandomStream(seed: name.0, component: name.1, purpose: name.2)
      firsts.append(stream.next())
    }
    for (index, word) in firsts.enumerated() { expect(!firsts[..<index].contains(word)) }
  }

  @Test("Neighbouring seeds share no bits to speak of")
  func neighbouringSeeds() {
    var equalBits = 0
    for seed in 0..<1_000 as Range<UInt64> {
      var a = RandomStream(seed: seed, component: "x", purpose: "y")
      var b = RandomStream(seed: seed + 1, component: "x", purpose: "y")
      equalBits += (~(a.next() ^ b.next())).nonzeroBitCount
    }
    // 64 000 fair coins: mean 32 000, standard deviation 127; six of them.
    expect((31_240...32_760).contains(equalBits))
  }

  @Test("Bounded draws stay inside, reach both ends and are even", arguments: [1, 2, 3, 7, 10, 100] as [UInt64])
  func boundedDraws(bound: UInt64) {
    var stream = RandomStream(seed: 7, component: "test", purpose: "below")
    var counts = [Int](repeating: 0, count: Int(bound))
    let perBucket = 2_000
    for _ in 0..<(perBucket * Int(bound)) { counts[Int(stream.below(bound))] += 1 }
    // Standard deviation of a bucket is below √2 000 ≈ 45; six of them.
    for count in counts { expect(abs(count - perBucket) < 270) }
  }

  @Test("A draw within a range includes both ends, negative ones too")
  func ranges() {
    var stream = RandomStream(seed: 7, component: "test", purpose: "within")
    var seen: [Int64] = []
    for _ in 0..<500 {
      let draw = stream.within(-2...3)
      if !seen.contains(draw) { seen.append(draw) }
    }
    equal(seen.sorted(), Array(-2...3))
    let only = stream.within(5...5)
    equal(only, 5)
  }

  @Test("Impossible and certain events draw nothing; others happen as often as their ratio says")
  func probabilities() {
    var stream = RandomStream(seed: 3, component: "test", purpose: "happens")
    var untouched = stream
    let answers = [stream.happens(.never), stream.happens(.always), stream.happens(Ratio(5, 3))]
    equal(answers, [false, true, true])
    let (next, expected) = (stream.next(), untouched.next())
    equal(next, expected)
    var hits = 0
    for _ in 0..<100_000 where stream.happens(Ratio(1, 10)) { hits += 1 }
    // Standard deviation 95.
    expect((9_430...10_570).contains(hits))
    equal(Ratio.partsPerMillion(20), Ratio(20, 1_000_000))
    expect(Ratio(0, 9).isZero && !Ratio(1, 9).isZero)
  }

  @Test("A ratio without a denominator and a draw below zero stop the bench")
  func preconditions() async {
    await #expect(processExitsWith: .failure) { _ = Ratio(1, 0) }
    await #expect(processExitsWith: .failure) {
      var stream = RandomStream(seed: 0, component: "", purpose: "")
      _ = stream.below(0)
    }
  }
}
