import CaptureFormats
import CaptureTestSupport
import Expectations
import Foundation
import Judging
import SimKernel
import Testing

@testable import CaptureCheck

@Suite("Several captures of one place")
struct TwinCaptureTests {
  private let folder: CaptureFolder

  init() throws { folder = try CaptureFolder() }

  /// Writes the records of a script that are kept, later by so much.
  private func write(
    _ script: RuleScript, _ name: String, later nanoseconds: Int64 = 0, _ isKept: (Int) -> Bool = { _ in true }
  ) throws -> String {
    let isAir = script.records.contains { if case .air = $0.body { true } else { false } }
    var writer = CaptureWriter(
      format: .pcapng, link: isAir ? .leLinkLayerWithHeader : .h4WithDirection, application: "tests")
    var octets: [UInt8] = []
    for record in script.records where isKept(record.number) {
      var record = record
      record.nanoseconds += nanoseconds
      if case .air(var header) = record.body {
        header.crc = 0
        record.body = .air(header)
      }
      try writer.append(record, to: &octets)
    }
    writer.finish(into: &octets)
    let path = folder.path + "/" + name + ".pcapng"
    try Data(octets).write(to: URL(fileURLWithPath: path))
    return path
  }

  private static func busy(_ script: RuleScript) -> RuleScript {
    var script = script
    for index in 0..<60 {
      script.exchange(
        .start([8, 0, 4, 0, 0x52, 0x12, 0x00, UInt8(index), 1, 2, 3, 4]),
        .start([9, 0, 4, 0, 0x1B, 0x12, 0x00, UInt8(index), 5, 4, 3, 2, 1]))
    }
    return script
  }

  private func counts(_ report: CheckReport) -> [String] { report.rules.map { "\($0.id) \($0.verdict) \($0.judged)" } }

  @Test(
    "A capture and its copy say what one of them says, though their clocks differ", arguments: [0, 3_600_000_000_000])
  func copies(_ apart: Int64) throws {
    for script in [RuleScript.host(), Self.busy(.air())] {
      let one = try write(script, "one")
      let other = try write(script, "other", later: apart)
      let alone = try Checker(paths: [one]).report()
      let both = try Checker(paths: [one, other]).report()
      equal(counts(both), counts(alone))
      equal(both.links.count, alone.links.count)
      let clock = try required(both.captures[1].clock)
      expect(clock.offset.nanoseconds == -apart && clock.uncertainty <= .microseconds(1))
      equal(both.captures[1].shared, script.records.count)
      expect(both.notes.contains { $0.text.contains("were taken at one place") })
    }
  }

  @Test("What one capture lacks the other gives: each without another fifth, the two are whole")
  func holes() throws {
    for script in [RuleScript.host(), Self.busy(.air())] {
      let whole = try Checker(paths: [write(script, "whole")]).report()
      let one = try write(script, "one") { $0 % 5 != 1 }
      let other = try write(script, "other", later: 7_000_000) { $0 % 5 != 3 }
      let both = try Checker(paths: [one, other]).report()
      equal(both.links.count, whole.links.count)
      equal(counts(both).filter { !$0.contains(" fail ") }, counts(whole))
      equal(both.links.map(\.gaps), whole.links.map(\.gaps))
      let clock = try required(both.captures[1].clock)
      expect(abs(clock.offset.nanoseconds + 7_000_000) <= 1_000)
    }
  }

  @Test("What both captures of a host lack makes no finding certain; what one has whole does")
  func lost() throws {
    var script = RuleScript.host()
    script.client([0x0A, 0x15, 0x00])
    script.server([0x0B, 1])
    let answer = script.last
    script.client([0x0A, 0x12, 0x00])
    script.server([0x0B, 2])
    let one = try write(script, "one") { $0 != answer && $0 % 7 != 1 }
    let other = try write(script, "other") { $0 != answer && $0 % 7 != 3 }
    let both = try Checker(paths: [one, other]).report()
    expect(both.rules.flatMap(\.findings).allSatisfy { $0.verdict != .fail })
    let whole = try write(script, "whole") { $0 != answer }
    let proven = try Checker(paths: [whole, other]).report()
    expect(proven.rules.flatMap(\.findings).contains { $0.verdict == .fail && $0.oracle == RequestsGoOneByOne.id })
  }

  @Test("Two hosts with other connections, and sniffers of other connections, are not of one place")
  func strangers() throws {
    let host = try write(RuleScript.host(), "host")
    let air = try write(Self.busy(.air()), "air")
    let both = try Checker(paths: [host, air]).report()
    expect(both.captures.allSatisfy { $0.shared == 0 })
    equal(both.links.count, 2)
  }
}
