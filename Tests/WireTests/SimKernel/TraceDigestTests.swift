import Expectations
import SimKernel
import Testing

/// The golden values were computed by a second implementation, in Python. A change here changes every digest ever told.
@Suite("The trace digest")
struct TraceDigestTests {
  private func digest(_ body: (inout TraceDigest) -> Void) -> String {
    var digest = TraceDigest()
    body(&digest)
    return digest.hexadecimal
  }

  @Test("Words give the frozen values, and their order counts")
  func words() {
    equal(digest { _ in }, "6a09e667f3bcc908bb67ae8584caa73b")
    equal(digest { $0.combine(0) }, "298b6baac87700f417715ddfce6ba82b")
    equal(
      digest {
        $0.combine(1)
        $0.combine(2)
      }, "4c1ee6a5e3c73f5fede2bd008706aa7d")
    equal(
      digest {
        $0.combine(2)
        $0.combine(1)
      }, "807d880e232e58627af2406bce40dcef")
  }

  @Test(
    "Octets of every length around the word size give the frozen values",
    arguments: [
      (0, "298b6baac87700f417715ddfce6ba82b"), (1, "0faff334f9e48b9d13390c1d17463e02"),
      (7, "5afec0ee223bd003970eaaa2d85b9c9e"), (8, "f9c26a934fa74a08cf94397ee1318307"),
      (9, "3f2ccddfc598a8a060bc5e5f04c95a02"), (16, "d224808510042d74f1d8c460cb2a1616"),
      (17, "e12eb83120dd6fbc5f0b3b3ffaf54e4f"), (40, "a612bb6907d5b6f74b9d814a03229cbe"),
    ])
  func octets(count: Int, expected: String) {
    equal(digest { $0.combine(octets: (0..<count).map(UInt8.init)) }, expected)
  }

  @Test("A text is its UTF-8")
  func text() {
    equal(digest { $0.combine(text: "Pâtisserie") }, "003e2865e78ea2936ac251674291be0a")
    equal(
      digest { $0.combine(text: "Pâtisserie") }, digest { $0.combine(octets: Array("Pâtisserie".utf8)) })
  }

  @Test("Cutting octets elsewhere, or padding them with zeros, gives another digest")
  func borders() {
    let digests = [
      digest { $0.combine(octets: [1, 2, 3]) }, digest { $0.combine(octets: [1, 2, 3, 0]) },
      digest {
        $0.combine(octets: [1])
        $0.combine(octets: [2, 3])
      },
      digest {
        $0.combine(octets: [1, 2])
        $0.combine(octets: [3])
      },
    ]
    for (index, value) in digests.enumerated() { expect(!digests[..<index].contains(value)) }
  }

  @Test("One flipped bit changes both halves")
  func avalanche() {
    let plain = digest { $0.combine(octets: [UInt8](repeating: 0, count: 64)) }
    for bit in 0..<512 {
      var octets = [UInt8](repeating: 0, count: 64)
      octets[bit / 8] = 1 << UInt8(bit % 8)
      let flipped = digest { $0.combine(octets: octets) }
      expect(flipped.prefix(16) != plain.prefix(16))
      expect(flipped.suffix(16) != plain.suffix(16))
    }
  }
}
