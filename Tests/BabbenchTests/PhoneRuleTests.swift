import Expectations
import Foundation
import Testing

/// What phones do to their apps by a key or a step of a scenario: the run ends as it should, and `why` names the phone
/// in its first line. Each case has a control, the same room without the key, in which nothing is wrong.
@Suite("Rules of phones")
struct PhoneRuleTests {
  struct Room: CustomTestStringConvertible {
    var name: String
    var host = "ideal"
    var client: String
    /// Steps after `join`, before the last expectation.
    var steps: [String]
    var expectation = "{ that: client in lobby, within: 20s }"
    /// The first line of `why`, after its number.
    var reason: String

    var testDescription: String { name }

    func yaml(client: String, host: String, steps: [String]) -> String {
      """
      devices: { host: { phone: \(host) }, client: { phone: \(client) } }
      steps:
        - host: start hosting
      \(steps.map { "  - \($0)\n" }.joined())
      expect: [ \(expectation) ]

      """
    }
  }

  private static let joins = ["client: join", "{ when: client in lobby, within: 20s }"]
  private static let again = "{ that: client in lobby, after: again, within: 15s }"

  static let rooms = [
    Room(
      name: "a connection fails with 133", client: "android",
      steps: ["client: { failure: { of: connect, code: 133, after: 30s } }", "client: join"],
      reason: "client: a connection fails on order with 0x85"),
    Room(
      name: "writes fail", client: "android",
      steps: ["client: { failure: { of: write, code: 0x0E } }", "client: join"],
      reason: "client: a write on link 0 fails on order with 0x0E (unlikely error)"),
    Room(
      name: "the server refuses subscriptions", client: "android",
      steps: ["host: { failure: { of: subscription, asked by: peers, code: 0x05 } }", "client: join"],
      reason: "host: a subscription of a peer on link 0 fails on order with 0x05 (insufficient authentication)"),
    Room(
      name: "one operation at a time", client: "{ preset: android, one operation at a time: yes }",
      steps: ["client: join"],
      reason:
        "client: a discovery is asked for while an exchange of the ATT_MTU is not finished; it takes one at a time"),
    Room(
      name: "scans are throttled", client: "{ preset: android, scan starts: 1 }",
      steps: [
        "client: join", "{ after: 2s, client: leave }", "{ after: 2s, label: again, client: join }", "host: disconnect",
      ], expectation: again, reason: "client does not scan: it has begun 1 scan within 30 s"),
    Room(
      name: "a bond is lost", host: "{ bonds: yes }", client: "{ preset: iphone, bonds: yes }",
      steps: joins + ["host: forget bonds", "{ client: disconnect, label: again }", "{ after: 5s }"],
      expectation: "client in lobby", reason: "client: its peer has no key of their bond any more, and the link ends"),
    Room(
      name: "services are cached", host: "{ service changed: no }",
      client: "{ preset: android, caches services: always }",
      steps: joins + ["host: [kill, relaunch, start hosting]", "{ after: 10s }"], expectation: "client in lobby",
      reason: "client: its services were taken from an earlier link and have changed since"),
    Room(
      name: "the system ends the app", client: "{ preset: android, ends app after: 5s }",
      steps: joins + ["client: background", "{ after: 20s }"], expectation: "client in lobby",
      reason: "the system has ended the app in the background of client"),
    Room(
      name: "a frozen app", client: "{ preset: android, suspends after: 1s, woken by bluetooth: no }",
      steps: ["client: background", "{ after: 3s, client: join }"],
      reason: "the system does not run the app in the background of client"),
    Room(
      name: "a scan with the screen off", client: "android",
      steps: ["client: screen off", "host: vanish", "client: join", "{ after: 2s, host: appear }"],
      expectation: "{ that: client in lobby, within: 8s }",
      reason: "the app of client scans and has not been told of host, which advertises; client listens for 511.875 ms"),
    Room(
      name: "a phone that dozes", client: "{ preset: android, dozes after: 1s, woken by bluetooth: no }",
      steps: ["client: screen off", "{ after: 3s, client: join }"],
      reason: "the phone dozes and does not run the app in the background of client"),
    Room(
      name: "a link that listens rarely",
      client: "{ preset: android, connection interval: 400ms, peripheral latency: 3, supervision timeout: 20s }",
      steps: ["client: join"], expectation: "{ that: client in lobby, within: 6s }",
      reason: "the link of client with host: connection interval 400 ms, peripheral latency 3, so that it listens every"
    ),
  ]

  /// The run of a room, judged and explained.
  private func why(_ text: String) throws -> (status: Int32, output: String) {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "room.yaml")
    let result = try Executable.run(["why", "room.yaml"], folder: folder.path)
    expect(result.errors.isEmpty, "\(result.errors)")
    return (result.status, result.output)
  }

  @Test("The phone is named first", arguments: rooms)
  func reason(_ room: Room) throws {
    let result = try why(room.yaml(client: room.client, host: room.host, steps: room.steps))
    expect(result.status == 1 && result.output.hasPrefix("1. " + room.reason), "\(result.output.prefix(600))")
  }

  @Test("Without the rule nothing is wrong", arguments: rooms)
  func control(_ room: Room) throws {
    let steps = room.steps.filter {
      !$0.contains("failure:") && !$0.contains("forget bonds")
        && !["client: background", "client: screen off"].contains($0)
    }
    let result = try why(room.yaml(client: "android", host: "ideal", steps: steps))
    equal(result.status, 0, "\(result.output.prefix(600))")
  }

  @Test("A failure that is over, a refreshed cache, a bond made again, and Service Changed are fine")
  func over() throws {
    for (client, host, steps) in [
      ("ideal", "ideal", ["client: { failure: { of: connect, code: 133, count: 2 } }"] + Self.joins),
      ("ideal", "ideal", ["client: { failure: { of: write, code: 3, every: 2, count: 1 } }"] + Self.joins),
      (
        "{ preset: android, caches services: always }", "{ service changed: no }",
        Self.joins + ["host: [kill, relaunch, start hosting]", "client: refresh services", "{ after: 15s }"]
      ),
      (
        "{ preset: android, caches services: bonded, bonds: yes }", "{ bonds: yes }",
        Self.joins + ["host: [kill, relaunch, start hosting]", "{ after: 15s }"]
      ),
      (
        "{ preset: iphone, bonds: yes }", "{ bonds: yes }",
        Self.joins + ["host: forget bonds", "client: forget bonds", "client: disconnect", "{ after: 15s }"]
      ),
      (
        "{ preset: android, bonds: yes, lost bond: pairs again }", "{ bonds: yes }",
        Self.joins + ["host: forget bonds", "client: disconnect", "{ after: 15s }"]
      ),
      (
        "{ preset: android, rotates address: 4s }", "{ preset: iphone, rotates address: 3s }",
        Self.joins + ["{ after: 10s, client: disconnect }", "{ after: 15s }"]
      ),
    ] {
      var room = Self.rooms[0]
      room.expectation = "client in lobby"
      let result = try why(room.yaml(client: client, host: host, steps: steps))
      equal(result.status, 0, "\(client), \(host), \(steps): \(result.output.prefix(600))")
    }
  }

  @Test("While a phone discovers, its link has the interval for that, and its own again after it")
  func discoveryInterval() throws {
    let folder = try TemporaryFolder()
    let phone = "{ preset: android, connection interval: 50ms, discovery interval: 7.5ms }"
    try folder.write(Self.rooms[0].yaml(client: phone, host: "ideal", steps: Self.joins), to: "room.yaml")
    let result = try Executable.run(["run", "room.yaml", "--out", "out"], folder: folder.path)
    equal(result.status, 0, "\(result.output)\(result.errors)")
    let trace = try String(contentsOfFile: folder.path + "/out/trace.jsonl", encoding: .utf8)
    let remarks = trace.split(separator: "\n").filter { $0.contains("linkParameters") && $0.contains("\"device\":1") }
    expect(remarks.count == 2 && remarks[0].contains("7.5 ms") && remarks[1].contains("50 ms"), "\(remarks)")
  }

  @Test("What does not fit together is refused where it stands")
  func refused() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      devices: { host: { phone: { bond limit: 3 } }, client: {} }
      steps:
        - host: { failure: { of: connect, asked by: peers, code: conection timeout } }
        - host: { failure: { of: read, code: 0, after: 1s } }

      """, to: "room.yaml")
    let result = try Executable.run(["validate", "room.yaml"], folder: folder.path)
    equal(result.status, 64)
    for words in [
      "room.yaml:1:41: “bond limit” needs “bonds: yes”; write that too",
      "room.yaml:3:47: a link is asked for by an app; write “asked by: app”, or leave it out",
      "room.yaml:3:60: “conection timeout” is no error code; did you mean “connection timeout”?",
      "room.yaml:4:40: “0” is no error code; write a number, 1 to 255", "room.yaml:4:50: only an attempt to connect",
    ] { expect(result.errors.contains(words), "\(words) in \(result.errors)") }
  }
}
