import Expectations
import Testing

@testable import RunViews

@Suite("Ranges of a file")
struct ByteRangeTests {
  @Test(
    "A part, the rest and the end of a file; what begins beyond its end is not there",
    arguments: [
      ("bytes=0-0", ByteRange.part(0..<1)), ("bytes=2-4", .part(2..<5)), ("bytes=7-", .part(7..<10)),
      ("bytes=7-99", .part(7..<10)), ("bytes=-3", .part(7..<10)), ("bytes=-99", .part(0..<10)),
      ("bytes=10-", .notThere), ("bytes=10-12", .notThere), ("bytes=-0", .notThere),
    ])
  func parts(header: String, range: ByteRange) { equal(ByteRange(header, size: 10), range) }

  @Test(
    "What is no range of octets is not looked at",
    arguments: [
      nil, "", "bytes", "bytes=", "bytes=-", "bytes=4-2", "bytes=a-b", "bytes=1-2,4-5", "lines=1-2", "bytes=+1-2",
      "bytes=99999999999999999999-", "bytes= 1-2",
    ])
  func others(header: String?) { equal(ByteRange(header, size: 10), .whole) }

  @Test("An empty file has no part")
  func empty() {
    equal(ByteRange("bytes=0-", size: 0), .notThere)
    equal(ByteRange("bytes=-1", size: 0), .notThere)
  }
}
