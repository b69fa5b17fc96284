import BabSim
import BabSuite
import Foundation
import Testing

@testable import Conformance

@Suite("Rules on captures that others made, and on our own")
struct RulesOnRealTrafficTests {
  /// What is wrong in the shared captures: every finding was looked at with tshark.
  private struct Fault {
    var file: String
    var finding: String
    var why: String
  }

  private static let faults: [Fault] = [
    Fault(
      file: "03",
      finding: "AdvertisingStructuresFit at 22 29 32 187 362 363 391 400 410 414 433 443 446 447 450 452 453 454 "
        + "455 456 + 7",
      why:
        "ADV_NONCONN_IND whose six octets are no AD structures (the first says a length of 239, 109, 20 …); these are "
        + "the 27 packets that tshark calls malformed"),
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
      file: "34",
      finding:
        "AdvertisingStructuresFit at 231 233 236 246 247 248 251 253 259 260 262 266 268 270 274 276 286 298 300 "
        + "303 + 100",
      why: "gateways that advertise six octets of their own, complete and no AD structures; tshark calls them malformed"
    ),
    Fault(
      file: "36", finding: "RequestsGoOneByOne at 141 148 150 151 156",
      why: "the program writes its requests to a raw HCI socket and does not wait for the responses"),
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
      #expect(RuleCaptures.lines(results) == expected, "\(name): \(results.flatMap(\.findings))")
      for result in results { judged[result.id, default: 0] += result.judged }
    }
    // Rules that no real capture gives anything to judge are shown by their mutants only.
    let idle = TrafficRules.all.map { $0.id }.filter { judged[$0, default: 0] == 0 }
    #expect(idle == Self.idle)
  }

  private static let idle = [
    "UnknownRequestsAreRefused", "IndicationsAreConfirmedOneByOne", "UnknownResponsesNameAPDU",
  ]

  private static let scenarios = [
    "dialects/dialect-app", "dialects/dialect-guide", "dialects/dialect-sdk", "faults/broken-stack",
    "faults/client-vanishes-and-returns", "faults/host-vanishes", "faults/out-of-range-and-back",
    "lobby/eight-peer-lobby", "lobby/late-joiner", "lobby/ninth-peer-refused", "lobby/role-start",
    "lobby/seven-at-once",
    "lobby/two-peers", "phones/att-mtu-23", "phones/iphone-host-in-background", "radio/crowded-subway",
    "radio/noisy-convention-hall",
  ]

  @Test("Nothing is wrong in what our own devices say, at their HCI and on the air", arguments: scenarios)
  func simulated(_ path: String) throws {
    var scenario = try ScenarioFile.load(SharedTraffic.root + "/Scenarios/\(path).yaml").get()
    scenario.limits.events = 100_000
    let folder = try CaptureFolder()
    let air = try AirCaptureReader(path: folder.path + "/air.pcapng")
    let hci = try HCICaptureReader(folder: folder.path)
    _ = try World.run(
      scenario, options: RunOptions(seed: 1), readers: [air, hci],
      engines: { try AppProtocol.bab.makeEngine(name: $0, role: $1, configuration: $2) })
    try air.close()
    try hci.close()
    for name in folder.names {
      let results = try #require(try RuleCaptures.judge(folder.path + "/" + name))
      #expect(RuleCaptures.lines(results) == [], "\(path), \(name): \(results.flatMap(\.findings))")
    }
  }
}
