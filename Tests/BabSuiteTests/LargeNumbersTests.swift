import Bench
import Expectations
import Judging
import SimKernel
import Testing

@testable import Conformance

/// Most readers of JSON take all numbers for floating-point ones of 64 bits (RFC 8259, 6).
@Suite("Numbers beyond 2^53 in JSON")
struct LargeNumbersTests {
  private func written(_ number: Int64) -> String {
    var text = JSONText()
    text.value(number)
    return String(decoding: text.octets, as: UTF8.self)
  }

  @Test("They are written as texts, smaller ones as numbers")
  func writing() {
    equal(written(1 << 53), "9007199254740992")
    equal(written(-(1 << 53)), "-9007199254740992")
    equal(written(1 << 54), "\"18014398509481984\"")
    equal(written((1 << 53) + 1), "\"9007199254740993\"")
    equal(written(.min), "\"-9223372036854775808\"")
  }

  @Test("They are read again, exactly", arguments: [0, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1, .max, .min] as [Int64])
  func reading(number: Int64) throws {
    let octets = Array("{\"n\":\(written(number))}".utf8)
    let members = try MessageMembers(JSONTree(octets))
    try equal(members.integer("n"), number)
  }

  @Test("A text of a smaller number is no number, and a number beyond the limit is refused")
  func refusals() throws {
    for text in [#"{"n":"12"}"#, #"{"n":"9007199254740992"}"#, #"{"n":9007199254740993}"#, #"{"n":"1e300"}"#] {
      let members = try MessageMembers(JSONTree(Array(text.utf8)))
      #expect(throws: MessageProblem.self) { try members.integer("n") }
    }
    let members = try MessageMembers(JSONTree(Array(#"{"n":"9223372036854775807"}"#.utf8)))
    #expect(throws: MessageProblem.self) { try members.integer("n", 0...255) }
  }

  @Test("No instant of a run gets there: a scenario takes at most 1000 hours")
  func instants() {
    expect(SimDuration.seconds(1_000 * 3_600).nanoseconds < JSONText.largestNumber)
  }
}
