import Conformance
import Expectations
import Testing

@testable import BabSuite

/// Values as mutants of BAB 3.1 to 3.6 send them, by hand: each clause by its octets, and right ones accuse nobody.
@Suite("Which clause of framing is broken, by octets")
struct FramingDiagnosisTests {
  private static let begin = Array(#"{"type":"#.utf8)
  private static let end = Array(#""A"}"#.utf8)

  @Test(
    "Each broken header names its clause and its field",
    arguments: [
      ([begin + end], "BAB 3.1", "without a fragment header"), ([[0, 1, 0]], "BAB 3.2", "too short"),
      ([[0, 1, 1, 0] + begin + end], "BAB 3.2", "fragmentCount before fragmentIndex"),
      ([[0, 1, 2, 0] + begin, [0, 1, 2, 1] + end], "BAB 3.2", "fragmentCount before fragmentIndex"),
      ([[0, 1, 1, 1] + begin + end], "BAB 3.3", "from 1"),
      ([[0, 1, 2, 2] + end, [0, 1, 1, 2] + begin], "BAB 3.3", "from 1"),
      ([[0, 1, 0, 2] + begin, [1, 1, 1, 2] + end], "BAB 3.6", "packetIDs"),
      ([[0, 1, 0, 3] + begin, [0, 1, 1, 2] + end], "BAB 3.6", "fragmentCount"),
    ] as [([[UInt8]], String, String)])
  func broken(values: [[UInt8]], clause: String, field: String) throws {
    let cause = try required(FramingDiagnosis.cause(values))
    equal(cause.clause, clause)
    expect(cause.text.contains(field), "\(cause.text)")
  }

  @Test(
    "Right fragments prove nothing, also mixed, late, and of two packets",
    arguments: [
      [], [[0, 1, 0, 1] + begin + end], [[0, 1, 0, 2] + begin, [0, 1, 1, 2] + end],
      [[0, 1, 0, 2] + begin, [0, 2, 0, 1] + begin + end], [[0, 1, 1, 2] + end, [0, 1, 0, 2] + begin],
      [[0, 1, 0, 3] + begin, [0, 2, 0, 3] + begin, [0, 1, 1, 3] + end],
    ] as [[[UInt8]]])
  func right(values: [[UInt8]]) {
    expect(FramingDiagnosis.cause(values) == nil)
  }
}
