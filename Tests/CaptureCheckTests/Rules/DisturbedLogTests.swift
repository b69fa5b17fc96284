import CaptureFormats
import Expectations
import SimKernel
import Testing

@testable import CaptureCheck
@testable import Judging

/// Logs of hosts that are cut, have records twice or not in order, or whose clock was set.
@Suite("Disturbed logs of hosts")
struct DisturbedLogTests {
  private func failures(_ records: [CaptureRecord]) -> [String] {
    let judge = CaptureJudge(["log"], protocolType: nil, dialect: nil)
    let first = records.first?.nanoseconds ?? 0
    for (index, record) in records.enumerated() {
      var record = record
      record.number = index + 1
      judge.read(record, file: 0, at: SimInstant(nanoseconds: record.nanoseconds - first))
    }
    let report = judge.report(on: [ReadCapture(path: "log", format: nil, records: records.count, ending: .whole)])
    return report.rules.flatMap(\.findings).filter { $0.verdict == .fail }.map(\.oracle)
  }

  /// A record of H4 as a reader gives it of a file that was cut.
  private func cut(_ record: CaptureRecord, to count: Int) -> CaptureRecord {
    guard case .hci(_, let indicator, let isToHost) = record.body, count <= record.octets.count else { return record }
    var cut = record
    cut.body = .opaque(.snapped)
    cut.octets = ([indicator] + record.octets.prefix(count - 1))[...]
    cut.mark = isToHost == true ? 1 : 0
    return cut
  }

  private static let conforming = RuleScript.cleanHost.records

  @Test("Whatever is cut, and wherever, nobody is accused", arguments: 1...40)
  func cuts(count: Int) {
    equal(failures(Self.conforming.map { cut($0, to: count) }), [])
  }

  @Test("One record that is cut accuses nobody, wherever it is and whatever is left of it")
  func singleCuts() {
    for index in Self.conforming.indices {
      for count in 1..<min(12, Self.conforming[index].octets.count + 1) {
        var records = Self.conforming
        records[index] = cut(records[index], to: count)
        equal(failures(records), [], "record \(index + 1) cut to \(count)")
      }
    }
  }

  @Test("Isochronous data is no ACL data, and accuses nobody, wherever it is and however often")
  func isochronousData() {
    for index in Self.conforming.indices {
      var records = Self.conforming
      // A complete SDU on a handle that no event opened, and one on the handle of the ACL connection.
      for (handle, isToHost) in [(UInt8(0x60), false), (0x40, true)] {
        var record = records[index]
        record.body = .hci(adapter: 0, indicator: 0x05, isToHost: isToHost)
        record.octets = [handle, 0x20, 0x06, 0x00, 0x07, 0x00, 0x02, 0x00, 0xAA, 0xBB]
        record.originalLength = record.octets.count + 1
        records.insert(contentsOf: [record, record], at: index)
      }
      equal(failures(records), [], "before record \(index + 1)")
    }
  }

  @Test("A record that is there twice, or after the next one, accuses nobody")
  func order() {
    for index in Self.conforming.indices {
      var twice = Self.conforming
      twice.insert(twice[index], at: index)
      equal(failures(twice), [], "record \(index + 1) twice")
      var swapped = Self.conforming
      if index > 0 { swapped.swapAt(index, index - 1) }
      equal(failures(swapped), [], "records \(index) and \(index + 1) swapped")
    }
  }

  @Test("A clock that is set by 35 s and more, at any record, accuses nobody")
  func clocks() {
    for index in Self.conforming.indices {
      for seconds: Int64 in [35, 400, 7_200, -35, -7_200] {
        var records = Self.conforming
        for later in index..<records.count { records[later].nanoseconds += seconds * 1_000_000_000 }
        equal(failures(records), [], "\(seconds) s at record \(index + 1)")
      }
    }
  }

  @Test("What is wrong by itself is found in all of them")
  func guilty() {
    var script = RuleScript.cleanHost
    script.connect(0x44)
    script.client([0x0A, 0x00, 0x00], handle: 0x44)
    var records = script.records
    records[4] = cut(records[4], to: 3)
    records.insert(records[8], at: 8)
    records.swapAt(20, 21)
    equal(failures(records), ["HandlesAreNotReserved"])
  }

  @Test("A silence is no wait; packets in between make it one")
  func silence() {
    for isProven in [true, false] {
      var script = RuleScript.host()
      script.client([0x0A, 0x15, 0x00])
      if isProven { script.pass(seconds: 31) } else { script.wait(milliseconds: 31_000) }
      script.server([0x0B, 1])
      let result = script.judge([TransactionsEndInTime.self])[0]
      expect(result.findings.isEmpty == !isProven && (result.open > 0) == !isProven)
    }
  }
}
