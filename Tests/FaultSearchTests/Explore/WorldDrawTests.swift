import AppSeam
import Bench
import Expectations
import Shrink
import Testing

@testable import Explore

@Suite("Worlds that are drawn")
struct WorldDrawTests {
  @Test("The reader accepts every one", arguments: WorldKind.allCases)
  func valid(kind: WorldKind) {
    let draw = ExploreBench.draw(kind)
    var refused: [String] = []
    for seed in Part.of(Array(UInt64(1)...2_000), 16) {
      if case .failure(let problems) = ExploreBench.real.read(ScenarioText.text(of: draw.world(seed))) {
        refused.append("seed \(seed): \(problems)")
      }
    }
    expect(refused.isEmpty, "\(refused.prefix(5).joined(separator: "\n"))")
  }

  @Test("One protocol or several may be asked for", arguments: [["bab"], ["beamscribe"], ["bab", "bystander"]])
  func protocols(names: [String]) throws {
    let draw = ExploreBench.draw(.noisy, names)
    for seed in Part.of(Array(UInt64(1)...200), 3) {
      let scenario = try ExploreBench.real.read(ScenarioText.text(of: draw.world(seed))).get()
      expect(scenario.apps.allSatisfy { names.contains($0.app.name) })
    }
  }

  /// Changed on purpose only: seeds mean the same worlds within a version of the bench. FNV-1a, 64 bits, of the texts.
  @Test(
    "Seeds are stable",
    arguments: [
      (WorldKind.calm, UInt64(0xE7AF_5500_53FA_A0E3)), (.noisy, 0x4ABE_D106_920C_2796),
      (.hostile, 0xA115_6921_0B60_CB32),
    ])
  func stable(kind: WorldKind, digest: UInt64) {
    var own = UInt64(0xCBF2_9CE4_8422_2325)
    for seed in [UInt64(1), 2, 3, 1_000, 77_777] {
      for octet in ScenarioText.text(of: ExploreBench.draw(kind).world(seed)).utf8 {
        own = (own ^ UInt64(octet)) &* 0x100_0000_01B3
      }
    }
    equal(own, digest, "\(String(own, radix: 16))")
  }

  @Test("A calm world has no room and no broken stack, and a noisy one has no hostile device")
  func kinds() throws {
    let uses = ScenarioUses(ExploreBench.language)
    for seed in UInt64(1)...300 {
      let calm = uses.uses(of: ExploreBench.draw(.calm).world(seed))
      expect(!calm.contains { $0.hasPrefix("room.") || $0.hasPrefix("bursts.") })
      let noisy = uses.uses(of: ExploreBench.draw(.noisy).world(seed))
      expect(!(calm + noisy).contains { $0.hasPrefix("hostil") || $0.hasPrefix("messageFault.") })
    }
    let hostile = (UInt64(1)...300).flatMap { uses.uses(of: ExploreBench.draw(.hostile).world($0)) }
    expect(hostile.contains("hostility.share") && hostile.contains("messageFault.do"))
  }

  @Test("An engine is put on the devices it is made for")
  func engines() throws {
    let draw = ExploreBench.draw(.noisy, engines: [("host", "ghost-kept")])
    var count = 0
    for seed in UInt64(1)...100 {
      let scenario = try ExploreBench.real.read(ScenarioText.text(of: draw.world(seed))).get()
      for device in scenario.devices where device.engine == "ghost-kept" {
        expect(device.app == "bab" && device.role.rawValue == "host")
        count += 1
      }
    }
    expect(count > 50)
  }

  @Test("Engines that apps call rude are there, and hostile worlds have each of them")
  func rude() {
    let uses = (UInt64(1)...400).map { seed in
      ScenarioText.text(of: ExploreBench.draw(.hostile, ["beamscribe"]).world(seed))
    }
    for app in ExploreBench.language.apps {
      for name in app.worlds?.rudeEngines ?? [] {
        expect(ExploreBench.language.engines.contains(name), "\(name)")
        expect(uses.contains { $0.contains("engine: \(name)") }, "\(name)")
      }
    }
  }

  @Test("Talks of BeamScribe have every episode, and now and then more guests than seats")
  func episodes() {
    let texts = (UInt64(1)...600).map { seed in
      ScenarioText.text(of: ExploreBench.draw(.noisy, ["beamscribe"]).world(seed))
    }
    for part in ["every: 1ms", "count: 8", "has at least 1 open guests", "say: \" ", "stop reading"] {
      expect(texts.contains { $0.contains(part) }, "\(part)")
    }
  }

  @Test("A draw under a new name changes no other draw")
  func names() {
    let draws = Draws(seed: 5).of("a")
    let before = draws.number("x", 0...1_000_000)
    _ = draws.number("y", 0...1_000_000)
    equal(Draws(seed: 5).of("a").number("x", 0...1_000_000), before)
    expect(Draws(seed: 5).of("b").number("x", 0...1_000_000) != before)
  }

  @Test("Times and levels are written in units that divide them")
  func texts() {
    equal(Draws.text(nanoseconds: 137_000), "137us")
    equal(Draws.text(nanoseconds: 1_500_000_000), "1500ms")
    equal(Draws.text(nanoseconds: 7), "7ns")
    equal(Draws.text(nanoseconds: 0), "0s")
    equal(Draws.text(thousandths: 7_500, "ms"), "7.5ms")
    equal(Draws.text(thousandths: -50, ""), "-0.05")
  }
}
