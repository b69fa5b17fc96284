import Bench
import Expectations
import SimKernel
import Testing
import VirtualRadio

@testable import Shrink

/// No smaller scenario is rougher than the original, in any value.
@Suite("How rough a scenario is")
struct RoughnessTests {
  private static let whole = """
    radio: { packet loss: 10%, bursts: { good: 900ms, bad: 100ms, loss in bad: 50% } }
    devices:
      host: { phone: { preset: iphone, notification queue: 8, att mtu: 100, supervision timeout: 2s } }
      client: { count: 2, phone: android }
    game: { heartbeat: 5s, autoplay: { think: 300ms..900ms } }
    steps:
      - host: start hosting
      - all clients: join
      - { after: 2s, client-1: vanish }
      - { after: 10s, client-1: appear }
      - after: 30s
        client-2: { churn: { stay: 20s, away: 5s, for: 1min, leaving: vanish, returning: appear } }
    expect: [ all clients in lobby ]
    """

  private static func excess(_ changes: [(String, String)]) throws -> String? {
    let text = changes.reduce(whole) { text, change in
      expect(text.contains(change.0), "\(change.0)")
      return text.replacing(change.0, with: change.1)
    }
    let old = try ShrinkBench.tree(whole)
    let new = try ShrinkBench.tree(text)
    let roughness = Roughness(try ShrinkBench.real.read(ScenarioText.text(of: old)).get(), old)
    return roughness.excess(of: try ShrinkBench.real.read(ScenarioText.text(of: new)).get(), new)
  }

  @Test(
    "What is kinder, or left out, is not rougher",
    arguments: [
      ("packet loss: 10%", "packet loss: 5%"), ("packet loss: 10%, ", ""),
      (", bursts: { good: 900ms, bad: 100ms, loss in bad: 50% }", ""),
      // Ten in a hundred, and in a tenth of the time half of the rest: 14.5 %.
      ("packet loss: 10%, bursts: { good: 900ms, bad: 100ms, loss in bad: 50% }", "packet loss: 14%"),
      ("bad: 100ms", "bad: 50ms"), ("loss in bad: 50%", "loss in bad: 20%"),
      ("phone: { preset: iphone, notification queue: 8, att mtu: 100, supervision timeout: 2s }", "phone: ideal"),
      ("notification queue: 8", "notification queue: 9"), ("heartbeat: 5s, ", ""), ("heartbeat: 5s", "heartbeat: 8s"),
      // Who says nothing thinks for 500 ms to 1.5 s.
      ("autoplay: { think: 300ms..900ms }", "autoplay: yes"), (", autoplay: { think: 300ms..900ms }", ""),
      ("think: 300ms..900ms", "think: 1s"), ("after: 10s", "after: 20s"), ("after: 2s", "after: 1s"),
      ("  - { after: 10s, client-1: appear }\n", ""), ("count: 2", "count: 2, at: [1, 1]"),
      ("stay: 20s", "stay: 30s"),
      (
        "\n  - after: 30s\n    client-2: "
          + "{ churn: { stay: 20s, away: 5s, for: 1min, leaving: vanish, returning: appear } }", ""
      ),
    ])
  func kinder(old: String, new: String) throws {
    try expect(Self.excess([(old, new)]) == nil)
  }

  @Test(
    "What is rougher is named",
    arguments: [
      ("packet loss: 10%", "packet loss: 11%", "packet loss"),
      ("packet loss: 10%, bursts: { good: 900ms, bad: 100ms, loss in bad: 50% }", "packet loss: 15%", "packet loss"),
      ("packet loss: 10%", "bit error rate: 10 ppm", "bit error rate"), ("bad: 100ms", "bad: 101ms", "bursts"),
      ("good: 900ms", "good: 800ms", "bursts"), ("packet loss: 10%", "level dependent: yes", "level dependent"),
      ("packet loss: 10%", "channel loss: { 3: 1% }", "channel loss"),
      ("packet loss: 10%", "fading: { kind: rayleigh, coherence time: 50ms }", "fading"),
      (
        "packet loss: 10%",
        "interferers: [ { name: oven, at: [0, 0], wifi channel: 6, power: 0 dBm, on: 1ms, off: 9ms } ]",
        "interferer oven"
      ),
      ("notification queue: 8", "notification queue: 7", "notification queue of host"),
      ("att mtu: 100", "att mtu: 99", "ATT_MTU of host"),
      ("supervision timeout: 2s", "supervision timeout: 1s", "supervision timeout of host"),
      ("phone: android", "phone: { preset: android, notification queue: 9 }", "notification queue of client-1"),
      ("heartbeat: 5s", "heartbeat: 4s", "heartbeat"), ("think: 300ms..900ms", "think: 200ms..900ms", "think"),
      ("think: 300ms..900ms", "think: 300ms..800ms", "think"), ("after: 10s", "after: 9s", "time between faults"),
      (
        "  - { after: 10s, client-1: appear }\n",
        "  - { after: 10s, client-1: appear }\n  - { after: 10s, client-2: kill }\n", "faults"
      ), ("stay: 20s", "stay: 19s", "stay"),
      ("away: 5s", "away: 4s", "away"),
    ])
  func rougher(old: String, new: String, what: String) throws {
    try equal(Self.excess([(old, new)]), what)
  }

  @Test("A person whose pause was longer than the usual one keeps it")
  func usual() throws {
    let slow = Self.whole.replacing("300ms..900ms", with: "5s..8s")
    let old = try ShrinkBench.tree(slow)
    let new = try ShrinkBench.tree(slow.replacing("autoplay: { think: 5s..8s }", with: "autoplay: yes"))
    let roughness = Roughness(try ShrinkBench.real.read(ScenarioText.text(of: old)).get(), old)
    equal(roughness.excess(of: try ShrinkBench.real.read(ScenarioText.text(of: new)).get(), new), "think")
  }

  @Test(
    "Nothing that is shrunk is rougher than it was",
    arguments: [
      "convention-hall", "subway", "{ packet loss: 60% }",
      "{ preset: ideal, bursts: { good: 1s, bad: 1s, loss in bad: 100% } }",
    ])
  func shrunk(radio: String) throws {
    for (host, client) in [("reference", "reference"), ("lobby-update-forgotten", "reference")] {
      let text = ShrinkBench.game(host: host, client: client, radio: radio)
      for seed in 1...3 as ClosedRange<UInt64> {
        guard let result = try? ShrinkBench.shrink(text, seed: seed, executions: 400) else { continue }
        let old = result.start.tree
        let roughness = Roughness(try ShrinkBench.real.read(ScenarioText.text(of: old)).get(), old)
        let new = try ShrinkBench.real.read(ScenarioText.text(of: result.variant.tree)).get()
        expect(roughness.excess(of: new, result.variant.tree) == nil)
        // A preset stays one where its parts would be more than two.
        if let room = result.variant.tree.entry("radio"), !radio.hasPrefix("{") {
          expect(room.scalar != nil || room.entries.count <= 2)
        }
      }
    }
  }
}
