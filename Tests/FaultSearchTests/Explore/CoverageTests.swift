import Bench
import Expectations
import Testing

@testable import Explore

@Suite("What can be drawn")
struct CoverageTests {
  /// What no world has, with the reason.
  private static let exempt: [(prefix: String, reason: String)] = [
    ("scenario.protocol=bystander", "the scenario's protocol is one whose people meet"),
    ("scenario.dialect=plain", "the scenario's protocol is one whose people meet"),
    ("scenario.claims", "limits of measures are known of scenarios that somebody wrote"),
    ("device.app", "needs a program: --app"), ("program.", "needs a program: --app"),
    ("ixit.", "needs a program: --app"), ("device.engine", "is asked for: --engine"),
    ("phone.zephyr commands", "are for hosts from outside"),
    ("phone.lost bond", "drawn bonds are lost to all phones alike, and seeds keep their worlds"),
    ("phone.controller", "is what a host from outside reads; buffers, PHYs and lengths are drawn by themselves"),
    ("phone.coded", "no phone is known to use it by itself, and seeds keep their worlds"),
    ("phone.prefers coded", "as phone.coded"),
    ("phone.screen off after", "people of a drawn world play with their phones in hand"),
  ]

  /// What can be drawn and is not, and what is exempt without need.
  private static func complaints(all: [String], used: Set<String>) -> [String] {
    let missing = all.filter { name in !used.contains(name) && !exempt.contains { name.hasPrefix($0.prefix) } }
    let idle = exempt.map(\.prefix).filter { prefix in used.contains { $0.hasPrefix(prefix) } }
    return missing.map { "\($0) is never drawn" } + idle.map { "\($0) is drawn, and exempt" }
  }

  private static let used: Set<String> = {
    let uses = ScenarioUses(ExploreBench.language)
    var used: Set<String> = []
    for kind in WorldKind.allCases {
      let draw = ExploreBench.draw(kind)
      for seed in UInt64(1)...2_500 { used.formUnion(uses.uses(of: draw.world(seed))) }
    }
    return used
  }()

  @Test("Every key, word, fault and condition of scenario files is")
  func everything() {
    let complaints = Self.complaints(all: ScenarioUses(ExploreBench.language).all, used: Self.used)
    expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
  }

  @Test("A key that is not drawn is found, and so is an exemption that nobody needs")
  func planted() {
    let all = ScenarioUses(ExploreBench.language).all
    equal(Self.complaints(all: all + ["phone.planted"], used: Self.used), ["phone.planted is never drawn"])
    equal(
      Self.complaints(all: all, used: Self.used.union(["scenario.claims"])), ["scenario.claims is drawn, and exempt"])
  }

  @Test("What a scenario has is read from its tree")
  func reading() throws {
    let text = """
      devices: { host: { phone: { preset: iphone, att mtu: 23 } }, client: { count: 2 } }
      game: { autoplay: { players: { client-1: idle, client-2: { skip: 5% } } } }
      steps:
      - host: [start hosting, { use channels: 0..9 }]
      - { when: { any: [client-1 in lobby, host has at least 2 LOBBY_UPDATE packets] }, within: 5s, client: vanish }
      expect: [ { always: host has at most 4 links }, host was disconnected with reason 0x08 ]
      """
    let tree = try ScenarioReader.tree(
      octets: Array(text.utf8), file: "a.yaml", language: ExploreBench.language, overrides: []
    ).get()
    let uses = ScenarioUses(ExploreBench.language).uses(of: tree)
    for name in [
      "phone.preset=iphone", "phone.att mtu", "device.count", "habits.skip", "action start hosting",
      "actions.use channels", "step.within", "conditions.any", "condition in lobby", "condition LOBBY_UPDATE",
      "action vanish", "expectation.always", "condition disconnected with reason …", "condition has at least … links",
    ] {
      expect(uses.contains(name), "\(name)")
    }
    expect(!uses.contains("phone.preset=android") && !uses.contains("action appear"))
  }

  @Test("Kinds of records and HCI commands are noted, each once")
  func traces() throws {
    var trial = WorldTrial(ExploreBench.draw(.noisy, ["bab"]), on: ExploreBench.real)
    trial.notesTraces = true
    let uses = trial.play(1).uses
    expect(uses.contains("input launched") && uses.contains { $0.hasPrefix("hci command leSet") })
    equal(Set(uses).count, uses.count)
  }
}
