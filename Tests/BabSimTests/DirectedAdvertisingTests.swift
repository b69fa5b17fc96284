import Bench
import BluetoothWire
import Bystanders
import Expectations
import SimKernel
import Testing
import VirtualRadio

@Suite("Directed advertising in scenarios")
struct DirectedAdvertisingTests {
  /// What is on the air.
  private final class Air: TraceReader {
    let wantsAir = true
    private(set) var pdus: [AirPDU] = []

    func read(_ record: TraceRecord) {
      if case .radio(.air(let pdu)) = record.event { pdus.append(pdu) }
    }

    /// PDUs of that type from a device on the primary channels (Vol 6, Part B, 2.3).
    func advertising(_ type: UInt8, from device: Int) -> [AirPDU] {
      pdus.filter {
        $0.accessAddress == LL.advertisingAccessAddress && $0.transmitter == device && $0.pdu[0] & 0xF == type
      }
    }
  }

  private static let adv = UInt8(0)
  private static let direct = UInt8(1)
  private static let connect = UInt8(5)

  /// A sensor and those that would like to be connected to it.
  private static func room(kind: String, target: String = "phone", steps: [String], expect: [String]) -> String {
    """
    radio: ideal
    devices:
      sensor:
        role: peripheral
        phone: { advertising kind: \(kind), advertising interval: 100ms }
    \(target.isEmpty ? "" : "    directed to: \(target)")
      phone: { role: central }
      tablet: { role: central }
      watcher: { role: scanner }
    traffic:
      - { from: sensor, to: "phone, tablet", every: 100ms }
    steps:
    \(steps.map { "  - \($0)" }.joined(separator: "\n"))
    expect:
    \(expect.map { "  - \($0)" }.joined(separator: "\n"))
    """
  }

  private func play(_ text: String, _ readers: any TraceReader...) throws -> [String] {
    let notes = BareLink.Notes()
    _ = try World.run(
      try BareLink.scenario(text), options: RunOptions(seed: 1), readers: readers + [notes]
    ) { BystanderApp.makeEngine($1) }
    return notes.failed
  }

  @Test("The keys reach the device")
  func keys() throws {
    let text = Self.room(kind: "directed", steps: ["after: 1s"], expect: [])
    let sensor = try BareLink.scenario(text.replacing("expect:\n", with: "")).devices[0]
    equal(sensor.directedTo, "phone")
    equal(sensor.phone.advertising.kind, .connectableDirectedHighDuty)
    let low = Self.room(kind: "directed low duty cycle", steps: ["after: 1s"], expect: [])
    try equal(
      BareLink.scenario(low.replacing("expect:\n", with: "")).devices[0].phone.advertising.kind,
      .connectableDirectedLowDuty)
  }

  @Test("Its target connects, nobody else does; with advertising for all both do")
  func admission() throws {
    let expected = [
      "phone has 1 link", "always: tablet has no links", "sensor has exactly 1 link",
      "sensor has no advertising timeouts",
    ]
    for kind in ["directed", "directed low duty cycle"] {
      let air = Air()
      try equal(play(Self.room(kind: kind, steps: ["after: 3s"], expect: expected), air), [])
      expect(air.advertising(Self.direct, from: 0).count > 0)
      equal(air.advertising(Self.connect, from: 1).count, 1)
      expect(air.advertising(Self.connect, from: 2).isEmpty)
    }
    let open = Self.room(kind: "connectable", target: "", steps: ["after: 3s"], expect: expected)
    try equal(play(open).count, 2)
  }

  @Test("Advertising is not directed at a device that is connected, and begins again for it when it is not")
  func again() throws {
    let air = Air()
    let text = Self.room(
      kind: "directed", steps: ["after: 3s", "phone: disconnect", "{ when: phone has 1 link, within: 1s }"],
      expect: ["phone has 1 link"])
    try equal(play(text, air), [])
    let connections = air.advertising(Self.connect, from: 1)
    equal(connections.count, 2)
    let directed = air.advertising(Self.direct, from: 0)
    for (index, connection) in connections.enumerated() {
      let before = index == 0 ? SimInstant.zero : connections[index - 1].start
      expect(directed.contains { $0.start > before && $0.start < connection.start })
      expect(!directed.contains { $0.start > connection.start && $0.start - connection.start < .seconds(2) })
    }
  }

  @Test("The high duty cycle is an event at least every 3.75 ms and ends after 1.28 s (Vol 6, Part B, 4.4.2.4.3)")
  func highDutyCycle() throws {
    let air = Air()
    let expected = [
      "{ that: sensor has 1 advertising timeout, within: 1.3s }", "sensor has at most 1 advertising timeout",
      "phone has no links", "sensor has no advertising timeouts",
    ]
    let failed = try play(
      Self.room(kind: "directed", target: "watcher", steps: ["after: 5s"], expect: expected), air)
    equal(failed, ["at the end: sensor has no advertising timeouts: sensor: has 1"])
    for channel in [0, 12, 39] as [UInt8] {
      let starts = air.advertising(Self.direct, from: 0).filter { $0.rfChannel == channel }.map(\.start)
      let gaps = zip(starts.dropFirst(), starts).map { ($0 - $1).nanoseconds }
      let limit = 3_750_000 as Int64
      expect(gaps.allSatisfy { $0 <= limit + 1 && $0 > limit / 2 })
      let span = try required(starts.last) - (try required(starts.first))
      expect(span < .milliseconds(1_280) && span > .milliseconds(1_260))
    }
    expect(air.advertising(Self.adv, from: 0).isEmpty)
  }

  @Test("The low duty cycle is an event each interval with the advertising delay, and does not end")
  func lowDutyCycle() throws {
    let air = Air()
    let failed = try play(
      Self.room(
        kind: "directed low duty cycle", target: "watcher", steps: ["after: 20s"],
        expect: ["sensor has no advertising timeouts", "sensor has 1 advertising timeout"]), air)
    equal(failed.count, 1)
    let starts = air.advertising(Self.direct, from: 0).filter { $0.rfChannel == 0 }.map(\.start)
    let gaps = zip(starts.dropFirst(), starts).map { ($0 - $1).nanoseconds }
    // 100 ms and 0 … 10 ms, 105 ms on average, and what its clock is wrong by.
    expect(gaps.allSatisfy { (99_990_000...110_010_000).contains($0) })
    expect((200...220).contains(starts.count))
  }

  @Test("Whether idle events are stepped or skipped, the run is the same")
  func digest() throws {
    let text = Self.room(
      kind: "directed", steps: ["after: 3s", "phone: disconnect", "after: 3s"], expect: ["phone has 1 link"])
    let digests = try [false, true].map { try BareLink.play(text, stepsIdleEvents: $0).outcome.digest }
    equal(digests[0], digests[1])
  }

  @Test(
    "What is wrong is said in its place",
    arguments: [
      (
        "phone: { advertising kind: directed }, directed to: bb",
        "a.yaml:1:69: device “bb” does not exist; did you mean “b”?"
      ),
      (
        "phone: { advertising kind: directed }, directed to: a",
        "a.yaml:1:69: “a” cannot direct its advertising at itself; write another device"
      ),
      (
        "phone: { advertising kind: directed }",
        "a.yaml:1:17: a has nobody to direct its advertising at; write “directed to: …” beside “phone”"
      ),
      (
        "phone: { advertising kind: scannable }, directed to: b",
        "a.yaml:1:57: advertising of the kind “scannable” is for all; leave “directed to” out, or write “directed” or "
          + "“directed low duty cycle” as the phone's “advertising kind”"
      ),
      (
        "directed to: b",
        "a.yaml:1:17: advertising of the kind “connectable” is for all; leave “directed to” out, or write “directed” or "
          + "“directed low duty cycle” as the phone's “advertising kind”"
      ),
      (
        "protocol: none, directed to: b",
        "a.yaml:1:33: “a” has no app; leave “directed to” out, or name the protocol that it speaks"
      ),
      (
        "phone: { advertising kind: direct }, directed to: b",
        "a.yaml:1:44: advertising kind “direct” does not exist; did you mean “directed”?"
      ),
    ])
  func problems(device: String, message: String) {
    equal(BareLink.problems("devices: { a: { \(device) }, b: {} }\n"), [message])
  }
}
