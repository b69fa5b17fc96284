import CaptureTestSupport
import Expectations
import Foundation
import Judging
import Testing

@testable import CaptureCheck

@Suite("Rules on captures that others made")
struct RulesOnRealTrafficTests {
  /// What is wrong in the shared captures: every finding was looked at with tshark.
  private struct Fault {
    var file: String
    var finding: String
    var why: String
  }

  private static let faults: [Fault] = [
    Fault(
      file: "07", finding: "ErrorsNameTheirRequest at 106 110 114 118 122 126 130 150 158",
      why: "Attribute Not Found names the last handle of the range, not the one where the search started"),
    Fault(
      file: "25", finding: "ErrorsNameTheirRequest at 4 12 20",
      why: "Attribute Not Found names the last handle of the range, not the one where the search started"),
    Fault(
      file: "34", finding: "ValueUpdatesAreSubscribed at 6996",
      why: "notifies 46 ms after the connection, and its configuration is written at packet 7118; nobody ever pairs"),
    Fault(
      file: "36", finding: "RequestsGoOneByOne at 141 148 150 151",
      why:
        "the program writes its requests to a raw HCI socket and does not wait for the responses; 156 comes after one "
        + "response to four requests of one kind, and only those after it tell which one was answered"),
    Fault(
      file: "36", finding: "ErrorsNameTheirRequest at 36 38 43 46 52 55 63 65 92 95 109",
      why: "Attribute Not Found names the handle behind the range (0xFFFF at its end)"),
  ]

  @Test(
    "Every finding in the shared captures is a fault of the device, and no other is there",
    .enabled(if: !SharedTraffic.files.isEmpty))
  func shared() throws {
    var judged: [String: Int] = [:]
    for name in SharedTraffic.files {
      guard let results = try RuleCaptures.judge(SharedTraffic.folder + "/" + name) else { continue }
      let expected = Self.faults.filter { name.hasPrefix($0.file + "-") }.map(\.finding)
      equal(RuleCaptures.lines(results), expected, "\(name): \(results.flatMap(\.findings))")
      for result in results { judged[result.id, default: 0] += result.judged }
    }
    // Rules that no real capture gives anything to judge are shown by their mutants only.
    let idle = TrafficRules.all.map { $0.id }.filter { judged[$0, default: 0] == 0 }
    equal(idle, Self.idle)
  }

  private static let idle = [
    "UnknownRequestsAreRefused", "IndicationsAreConfirmedOneByOne", "SecureConnectionsAreAgreed",
    "UnknownResponsesNameAPDU",
  ]
}
