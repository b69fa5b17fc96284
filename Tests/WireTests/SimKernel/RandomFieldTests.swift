import Expectations
import SimKernel
import Testing

@Suite("Random fields")
struct RandomFieldTests {
  private let field = RandomField(seed: 1, component: "air", purpose: "loss")

  @Test("A word depends on each number of its address, and on the name of its field")
  func addresses() {
    var words: Set<UInt64> = []
    for first: UInt64 in 0..<10 {
      for second: UInt64 in 0..<10 {
        for third: UInt64 in 0..<10 {
          for index: UInt64 in 0..<3 { words.insert(field.words(first, second, third)[index]) }
        }
      }
    }
    words.insert(RandomField(seed: 2, component: "air", purpose: "loss").words(0, 0, 0)[0])
    words.insert(RandomField(seed: 1, component: "air", purpose: "shadowing").words(0, 0, 0)[0])
    equal(words.count, 3_002)
    expect(RandomField.number(of: "ab") != RandomField.number(of: "ba"))
  }

  /// Computed by a second implementation, in Python. A change here changes every digest of a room with losses.
  @Test("The words of a named field are frozen")
  func frozenWords() {
    let (host, client) = (RandomField.number(of: "host"), RandomField.number(of: "client-1"))
    equal([host, client], [17_010_171_770_593_440_316, 9_704_946_319_402_254_340])
    equal(field.words(0, 0, 0)[0], 6_064_775_611_897_428_531)
    equal(field.words(1, 2, 3)[4], 6_533_628_922_645_758_709)
    equal(field.words(host, client, 1_000_000)[1], 2_325_756_679_318_158_169)
  }

  @Test("Neighbouring addresses give independent bits")
  func bits() {
    var counts = [Int](repeating: 0, count: 64)
    let (a, b) = (RandomField.number(of: "host"), RandomField.number(of: "client-1"))
    for instant: UInt64 in 0..<20_000 {
      let change = field.words(a, b, instant * 1_000)[0] ^ field.words(a, b, (instant + 1) * 1_000)[0]
      for bit in 0..<64 where change >> bit & 1 == 1 { counts[bit] += 1 }
    }
    // 10 000 with a standard deviation of 71.
    expect(counts.allSatisfy { abs($0 - 10_000) < 400 })
  }

  @Test("An event happens as often as its probability says; the certain and the impossible do not ask")
  func probability() {
    var happened = 0
    for instant: UInt64 in 0..<100_000 {
      if RandomField.happens(Ratio(3, 10), by: field.words(1, 2, instant)[1]) { happened += 1 }
    }
    expect(abs(happened - 30_000) < 600)
    expect(RandomField.happens(.always, by: .max))
    expect(!RandomField.happens(.never, by: 0))
  }
}
