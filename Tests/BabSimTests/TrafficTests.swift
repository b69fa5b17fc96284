import Bench
import Expectations
import Testing

@Suite("Raw traffic between bystanders")
struct TrafficTests {
  /// An exchange with a value of 20 octets takes 676 µs, so that a long event carries 236.7 kbit/s (Gomez, Oller and
  /// Paradells, Sensors 2012, 12, 11734).
  @Test("A saturated link carries what the closed form says", arguments: [("30ms", 44), ("100ms", 147), ("1s", 1_479)])
  func saturated(interval: String, exchanges: Int) throws {
    let milliseconds = interval == "1s" ? 1_000 : Int(interval.dropLast(2)) ?? 0
    let rate = Double(exchanges) * 160 / Double(milliseconds)
    let (_, notes) = try BareLink.play(
      BareLink.pair(
        "saturating: yes", phone: "data length: 27, acl buffers: 32, connection interval: \(interval)",
        duration: interval == "1s" ? "50s" : "15s",
        expect: [
          "phone has throughput at least \(Int(rate * 990)) bit/s over 10s",
          "phone has throughput at most 236.7 kbit/s over 10s",
          "phone has throughput at least 237 kbit/s over 10s",
        ]))
    equal(notes.held.count, 2, "\(notes.failed)")
    equal(notes.failed.count, 1)
  }

  /// 17 804 µs for a value of 244 octets with S = 8, 5240 µs with S = 2, 2468 µs on LE 1M (law `phy-throughput`), in
  /// whole exchanges of an event of 100 ms.
  @Test("A saturated link of phones with LE Coded carries what the closed form says", arguments: ["s8", "s2", ""])
  func coded(coding: String) throws {
    let prefers = coding.isEmpty ? "" : ", prefers coded: \(coding)"
    let rate = coding == "s8" ? 97_600 : coding == "s2" ? 370_880 : 780_800
    let (_, notes) = try BareLink.play(
      BareLink.pair(
        "saturating: yes, octets: 244",
        phone: "coded: yes\(prefers), att mtu: 247, acl buffers: 32, connection interval: 100ms",
        duration: "20s",
        expect: [
          "phone has throughput at least \(rate * 98 / 100) bit/s over 10s",
          "phone has throughput at most \(rate * 101 / 100) bit/s over 10s",
        ]))
    equal(notes.held.count, 2, "\(notes.failed)")
  }

  @Test("Values by a clock arrive at its rate, in either direction and by each carrier")
  func clock() throws {
    let text = """
      duration: 10s
      devices:
        phone: { role: central }
        sensor: { role: peripheral, count: 2 }
      traffic:
        - { from: sensor, to: phone, octets: 100, every: 50ms }
        - { from: phone, to: sensor-1, octets: 50, every: 100ms }
        - { from: phone, to: sensor-2, octets: 50, every: 200ms, by: write }
      steps:
        - { when: phone has 2 links, within: 10s }
      expect:
        - phone has throughput at least 15.9 kbit/s from sensor-1 over 5s
        - phone has throughput at most 16.3 kbit/s from sensor-2 over 5s
        - phone has throughput at least 31.9 kbit/s from sensor over 5s
        - sensor-1 has throughput at least 3.9 kbit/s over 5s
        - sensor-2 has throughput at least 1.9 kbit/s from phone over 5s
        - sensor-2 has throughput at most 2.1 kbit/s from phone over 5s
        - sensor-2 has throughput at least 3 kbit/s from phone over 5s
      """
    let (_, notes) = try BareLink.play(text)
    equal(notes.held.count, 6, "\(notes.failed)")
    equal(notes.failed.count, 1)
  }

  @Test("A flow ends after its count, and one without a pace sends nothing")
  func counted() throws {
    let (outcome, _) = try BareLink.play(BareLink.pair("every: 10ms, count: 25", expect: ["phone has 1 link"]))
    equal(outcome.devices.map(\.valuesReceived), [25, 0])
    let (idle, notes) = try BareLink.play(BareLink.pair("", expect: ["phone has 1 link", "phone has links"]))
    equal(idle.devices.map(\.valuesReceived), [0, 0])
    equal(notes.failed, [])
  }

  @Test("A link that is lost comes back, and its values with it")
  func reconnects() throws {
    let (outcome, notes) = try BareLink.play(
      BareLink.pair(
        "every: 20ms", steps: "  - phone: disconnect\n  - { when: phone has 1 link, within: 10s }",
        expect: ["phone was disconnected with reason 0x16", "sensor was disconnected with reason 0x13"]))
    equal(notes.failed, [])
    expect(outcome.devices[0].valuesReceived > 200)
  }

  @Test(
    "What is wrong with a flow is said in its place",
    arguments: [
      (
        "{ from: sensor, to: box }",
        "a.yaml:3:21: a flow goes between a central and a peripheral; give sensor and box “protocol: bystander”, and the "
          + "one “role: central”, the other “role: peripheral”"
      ),
      (
        "{ from: sensor, to: phone, octets: 245, every: 20ms }",
        "a.yaml:3:32: a value between sensor and phone has at most 244 octets, three less than their ATT_MTU; write "
          + "fewer, or a larger “att mtu” of both phones"
      ),
      (
        "{ from: sensor, to: phone, saturating: yes, every: 20ms }",
        "a.yaml:3:32: a flow has “every” or “saturating: yes”, not both; write one of them"
      ),
      (
        "{ from: sensor, to: phone, octets: 20 }",
        "a.yaml:3:32: a flow without “every” and “saturating” sends nothing; write one of them"
      ),
      (
        "{ from: sensor, to: phone, every: 20ms, by: write }",
        "a.yaml:3:45: a peripheral does not send by write; write “notification”, or leave “by” out"
      ),
      (
        "{ from: phone, to: sensor, every: 20ms, by: notification }",
        "a.yaml:3:45: a central does not send by notification; write “write command” or “write”"
      ),
      ("{ from: sensro, to: phone }", "a.yaml:3:13: there is no device “sensro”; did you mean “sensor”?"),
      (
        "{ from: sensor, to: phone, evry: 20ms }",
        "a.yaml:3:32: a flow of “traffic” has no key “evry”; did you mean “every”?"
      ),
      ("{ to: phone }", "a.yaml:3:5: a flow of “traffic” needs “from”; write “from: …”"),
    ])
  func problems(flow: String, message: String) {
    let text =
      "devices: { phone: { role: central }, sensor: { role: peripheral }, box: { role: scanner } }\ntraffic:\n"
      + "  - \(flow)\n"
    equal(BareLink.problems(text), [message])
  }
}
