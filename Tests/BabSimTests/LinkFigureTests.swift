import Bench
import BluetoothWire
import Expectations
import SimKernel
import Testing

@Suite("Figures that a scenario expects")
struct LinkFigureTests {
  /// One of each kind that holds, and one that does not.
  private static let pairs: [(holds: String, fails: String, detail: String)] = [
    (
      "phone has throughput at least 7.9 kbit/s over 2s", "phone has throughput at least 8.1 kbit/s over 2s",
      "phone: receives 8.0"
    ),
    (
      "phone has throughput at most 8.1 kbit/s from sensor", "phone has throughput at most 7.9 kbit/s from sensor",
      "phone: receives 8.0"
    ),
    ("phone has latency at most 40ms from sensor", "phone has latency at most 1ms from sensor", "phone: latency "),
    ("phone has median latency at least 1us", "phone has p95 latency at least 1s", "phone: latency "),
    ("phone has mean latency at most 31ms", "phone has greatest latency at most 100us", "phone: latency "),
    (
      "phone has packet error rate at most 0%", "sensor has packet error rate at least 1% from phone",
      "sensor: 0.0000%, 0 of "
    ),
    (
      "phone has discovery time of sensor at most 100ms", "phone has discovery time of sensor at most 1us",
      "phone: found after 0.0"
    ),
  ]

  @Test("Each kind passes where it holds and fails where it does not, with the figure", arguments: pairs)
  func pair(holds: String, fails: String, detail: String) throws {
    let (_, notes) = try BareLink.play(BareLink.pair("octets: 20, every: 20ms", expect: [holds, fails]))
    equal(notes.held.filter { $0.contains(holds) }.count, 1, "\(notes.failed)")
    equal(notes.failed.count, 1)
    equal(notes.failed.first?.contains(detail), true, "\(notes.failed)")
  }

  @Test(
    "Without a sample nothing passes, neither what is asked nor its opposite, and the reason is said",
    arguments: [
      ("phone has throughput at least 0 kbit/s", "no two values have come in"),
      ("phone has throughput at most 10 kbit/s over 1s", "no value has come in"),
      ("phone has latency at most 1h", "no value has come in whose submission is known"),
      ("phone does not have latency at most 1ms", "no value has come in whose submission is known"),
      ("beacon has packet error rate at most 100%", "no PDU of a link has been listened for"),
      ("phone has discovery time of beacon at most 1h", "no scan has found beacon"),
      ("beacon has discovery time at most 1h", "no scan has found anybody"),
      ("phone was disconnected with reason 0x08", "no link of it has ended"),
      ("{ always: phone has latency at most 1h }", "no value has come in whose submission is known"),
      ("{ that: phone has latency at most 1h, within: 2s }", "no value has come in whose submission is known"),
    ])
  func unknown(expectation: String, detail: String) throws {
    let text = BareLink.pair("", expect: [expectation]).replacing(
      "traffic:", with: "  beacon: { role: advertiser, starts: 20s }\ntraffic:")
    let (_, notes) = try BareLink.play(text)
    equal(notes.held, [])
    equal(notes.failed.count, 1)
    equal(notes.failed.first?.contains(detail), true, "\(notes.failed)")
  }

  @Test("A reason is asked by its code or its name")
  func reasons() throws {
    let (_, notes) = try BareLink.play(
      BareLink.pair(
        "every: 20ms", steps: "  - sensor: vanish\n  - after: 10s",
        expect: [
          "phone was disconnected with reason 0x08", "phone was disconnected with reason connection timeout",
          "phone was not disconnected with reason 0x13", "phone was disconnected with reason 0x13",
        ]))
    equal(notes.held.count, 3, "\(notes.failed)")
    equal(
      notes.failed,
      [
        "at the end: phone was disconnected with reason 0x13: phone: its latest link ended for 0x08, connection timeout"
      ])
  }

  @Test("The packet error rate is the room's")
  func packetErrorRate() throws {
    // 20 s with an exchange each 30 ms at least are more than 1300 PDUs; 20 % ± 5 standard deviations.
    let (_, notes) = try BareLink.play(
      BareLink.pair(
        "saturating: yes", radio: "{ preset: ideal, packet loss: 20% }", duration: "20s",
        expect: [
          "phone has packet error rate at least 18% from sensor", "phone has packet error rate at most 22% from sensor",
          "phone has packet error rate at most 18%",
        ]))
    equal(notes.held.count, 2, "\(notes.failed)")
    equal(notes.failed.count, 1)
  }

  @Test("Figures are the same when idle events are stepped, and so is the digest")
  func stepped() throws {
    let text = BareLink.pair(
      "octets: 20, every: 500ms",
      expect: [
        "phone has packet error rate at most 0%", "phone has latency at most 1us",
        "phone has throughput at most 1 bit/s",
        "sensor has packet error rate at least 1%",
      ])
    let (skipped, stepped) = (try BareLink.play(text), try BareLink.play(text, stepsIdleEvents: true))
    expect(skipped.outcome.statistics.skippedConnectionEvents > 0)
    equal(skipped.outcome.digest, stepped.outcome.digest)
    equal(skipped.outcome.devices, stepped.outcome.devices)
    expect(skipped.outcome.devices.allSatisfy { ($0.radio?.charge ?? 0) > 0 })
    equal(skipped.notes.failed, stepped.notes.failed)
    equal(skipped.notes.held, stepped.notes.held)
  }

  @Test(
    "Sentences become measures",
    arguments: [
      (
        "a has throughput at least 1.2 Mbit/s from b over 500ms",
        Measure(
          quantity: .throughput(over: .milliseconds(500)), limit: .atLeast, bound: 1_200_000, senders: [1])
      ),
      (
        "a has a p99.9 latency of at most 50 ms",
        Measure(quantity: .latency(.quantile(permille: 999)), limit: .atMost, bound: 50_000_000)
      ),
      (
        "a has packet error rate at most 0.25% of b",
        Measure(quantity: .packetErrorRate, limit: .atMost, bound: 2_500, senders: [1])
      ),
      (
        "a has mean discovery time at most 1s",
        Measure(quantity: .discoveryTime(.mean), limit: .atMost, bound: 1_000_000_000)
      ),
    ])
  func sentences(text: String, measure: Measure) throws {
    let scenario = try BareLink.scenario(Self.file(text))
    equal(scenario.expectations.map(\.condition), [.devices([0], .every, .measure(measure))])
  }

  private static func file(_ text: String) -> String { "devices: { a: {}, b: {} }\nexpect:\n  - '\(text)'\n" }

  @Test(
    "What is wrong with a figure is said with what to write",
    arguments: [
      ("a has latency", "“latency” needs a limit; write for example “p99 latency at most 50ms”"),
      ("a has latency exactly 5ms", "“exactly” after “latency”; write for example “p99 latency at most 50ms”"),
      ("a has latency at most 5", "“latency” “5” has no unit; write 5s, 300ms, 20us or 1min"),
      ("a has q99 latency at most 5ms", "“q99” is no statistic; write mean, median, least, greatest, or p0.1 to p99.9"),
      (
        "a has p100 latency at most 5ms",
        "“p100” is no statistic; write mean, median, least, greatest, or p0.1 to p99.9"
      ),
      ("a has latncy at most 5ms", "“latncy” is no measure; did you mean “latency”?"),
      (
        "a has thruput at least 5 kbit/s",
        "“thruput at least 5 kbit/s” is no condition; did you mean “throughput at least 200 kbit/s”?"
      ),
      (
        "a has throughput at least 5 kbps",
        "“throughput” “5 kbps” has an unknown unit “kbps”; write 230 kbit/s or 1.2 Mbit/s"
      ),
      (
        "a has p99 throughput at least 5 kbit/s",
        "“p99” is of several samples, a throughput is one figure; leave it out"
      ),
      ("a has latency at most 5ms over 2s", "“over” is of a throughput; leave it out of “latency”"),
      ("a has latency at most 5ms from c", "there is no device “c”; did you mean “a”?"),
      (
        "a has latency at most 5ms at least 1ms", "“at” is written twice about one latency; write two conditions"
      ),
      (
        "a was disconnected with reason conection timeout",
        "“conection timeout” is no reason of a disconnection; did you mean “connection timeout”?"
      ),
    ])
  func problems(text: String, message: String) {
    equal(BareLink.problems(Self.file(text)), ["a.yaml:3:5: \(message)"])
  }

  @Test("Every reason has one name, and the text of a code says it")
  func names() {
    let names = HCI.ErrorCode.reasonNames
    equal(Set(names.map(\.name)).count, names.count)
    equal(Set(names.map(\.code)).count, names.count)
    equal(HCI.ErrorCode(0x3E).reasonText, "0x3E, connection failed to be established")
    equal(HCI.ErrorCode(0x7F).reasonText, "0x7F")
  }
}
