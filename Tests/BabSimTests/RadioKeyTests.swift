import Bench
import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

@Suite("Keys of phones and rooms for people who know radio")
struct RadioKeyTests {
  @Test("Each key reaches the phone")
  func phone() throws {
    let scenario = try BareLink.scenario(
      """
      devices:
        a:
          phone:
            hop increment: 7
            anchor offset: 2.5ms
            link spacing: 3.1ms
            link scheduling: oldest
            event length: 5ms
            coded: yes
            prefers coded: s2
            advertising kind: non-connectable
            transmit current: 4.8 mA
            receive current: 4600 uA
            sleep current: 400 nA
      """)
    let phone = scenario.devices[0].phone
    equal(phone.radio.hopIncrement, 7)
    equal(phone.radio.anchorOffset, .microseconds(2_500))
    equal(phone.radio.linkSpacing, .microseconds(3_100))
    equal(phone.radio.linkScheduling, .oldest)
    expect(phone.radio.supportsCoded && phone.radio.preferredCoding == .s2)
    equal(phone.radio.eventLength, .milliseconds(5))
    equal(phone.advertising.kind, .nonConnectableUndirected)
    equal(phone.radio.currents.transmit, 4_800_000)
    equal(phone.radio.currents.receive, 4_600_000)
    equal(phone.radio.currents.sleep, 400)
  }

  @Test("Fading and losses of channels reach the room")
  func room() throws {
    func room(_ text: String) throws -> RadioEnvironment {
      try BareLink.scenario("radio: { \(text) }\ndevices: { a: {} }\n").radio
    }
    let losses = try room("channel loss: { 0..10: 30%, 37: 5% }").channelLoss
    equal(losses.count, 40)
    expect((1...11).allSatisfy { losses[$0] == .partsPerMillion(300_000) })
    equal(losses[0], .partsPerMillion(50_000))
    expect(losses[12].isZero)
    try equal(
      room("fading: { kind: rayleigh, coherence time: 20ms }").fading,
      .init(kind: .rayleigh, coherence: .milliseconds(20)))
    try equal(
      room("fading: { kind: rician, k factor: 6.5, coherence time: 1s }").fading,
      .init(kind: .rician(factor: 650), coherence: .seconds(1)))
    try equal(
      room("fading: { kind: log-normal, deviation: 4 dB, coherence time: 1s }").fading,
      .init(kind: .logNormal(deviation: 400), coherence: .seconds(1)))
    try expect(room("fading: none").fading == nil)
  }

  @Test(
    "What is wrong is said in its place",
    arguments: [
      (
        "radio: { fading: { kind: ricean, coherence time: 1s } }",
        "a.yaml:1:26: kind of fading “ricean” does not exist; did you mean “rician”?"
      ),
      (
        "a: { phone: { prefers coded: s8 } }",
        "a.yaml:1:30: “prefers coded” needs “coded: yes”; write that too"
      ),
      (
        "a: { phone: { preset: iphone, coded: yes, prefers coded: s8 } }",
        "a.yaml:1:58: “prefers coded” needs “prefers 2m: no”; write that too"
      ),
      (
        "radio: { fading: { kind: rician, coherence time: 1s } }",
        "a.yaml:1:18: “fading” needs “k factor”; write “k factor: …”"
      ),
      (
        "radio: { fading: { kind: rayleigh, coherence time: 1s, deviation: 3 dB } }",
        "a.yaml:1:56: “deviation” is of log-normal fading; leave it out, or write “kind: log-normal”"
      ),
      (
        "radio: { fading: { kind: rayleigh } }",
        "a.yaml:1:18: “fading” needs “coherence time”; write “coherence time: …”"
      ),
      (
        "radio: { channel loss: { 3: 1%, 0..10: 30% } }",
        "a.yaml:1:33: channel 3 has a loss already; write each channel once"
      ),
      (
        "radio: { channel loss: { 40: 1% } }",
        "a.yaml:1:26: a channel of “channel loss” 40 is out of range; write 0 to 39"
      ),
      (
        "radio: { channel loss: 30% }",
        "a.yaml:1:24: “channel loss” must be a mapping, not a text; write “{ 0..10: 30%, 37: 5% }”"
      ),
      ("a: { phone: { hop increment: 17 } }", "a.yaml:1:30: “hop increment” 17 is out of range; write 5 to 16"),
      (
        "a: { phone: { anchor offset: 2ms } }",
        "a.yaml:1:30: “anchor offset” cannot be that; write 0ms to 4s in steps of 1.25ms"
      ),
      (
        "a: { phone: { link spacing: 31ms } }",
        "a.yaml:1:29: “link spacing” is longer than the connection interval; write a shorter one"
      ),
      (
        "a: { phone: { link scheduling: oldst } }",
        "a.yaml:1:32: link scheduling “oldst” does not exist; did you mean “oldest”?"
      ),
      (
        "a: { phone: { advertising kind: scanable } }",
        "a.yaml:1:33: advertising kind “scanable” does not exist; did you mean “scannable”?"
      ),
      (
        "a: { phone: { transmit current: 5 A } }",
        "a.yaml:1:33: “transmit current” “5 A” has an unknown unit “A”; write 7.1 mA or 1.9 uA"
      ),
    ])
  func problems(line: String, message: String) {
    let isRoom = line.hasPrefix("radio")
    let text = isRoom ? line + "\ndevices: { a: {} }\n" : "devices: { \(line) }\n"
    let moved = isRoom ? message : message.replacing("a.yaml:1:", with: "a.yaml:1:+")
    let found = BareLink.problems(text).map { problem in
      guard !isRoom else { return problem }
      let parts = problem.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
      return "a.yaml:1:+\((Int(parts[2]) ?? 0) - 11):" + parts[3]
    }
    equal(found, [moved])
  }

  @Test("A room in which data channels lose a third of all PDUs shows it in the packet error rate")
  func channelLoss() throws {
    let (_, notes) = try BareLink.play(
      BareLink.pair(
        "saturating: yes", phone: "data length: 27, adaptive hopping: no",
        radio: "{ preset: ideal, channel loss: { 0..36: 30%, 37..38: 100% } }", duration: "20s",
        expect: [
          "phone has packet error rate at least 28% from sensor", "phone has packet error rate at most 32% from sensor",
          "phone has packet error rate at most 5%",
        ]))
    equal(notes.held.count, 2, "\(notes.failed)")
    equal(notes.failed.count, 1)
  }

  @Test("What is not connectable is found, and never connected to")
  func kinds() throws {
    let text = """
      devices:
        watcher: { role: scanner }
        beacon: { role: advertiser, phone: { advertising kind: non-connectable } }
        phone: { role: central }
        sensor: { role: peripheral, phone: { advertising kind: scannable } }
      traffic:
        - { from: phone, to: sensor }
      steps:
        - after: 20s
      expect:
        - watcher has discovery time of beacon at most 100ms
        - phone has no links
        - phone has 1 link
      """
    let (_, notes) = try BareLink.play(text)
    equal(notes.held.count, 2, "\(notes.failed)")
    equal(notes.failed.count, 1)
  }
}
