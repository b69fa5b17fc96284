import BabSim
import Bench
import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

@Suite("Measured profiles in scenarios")
struct PhoneProfileTests {
  private static let profile = """
    profile: lobby
    captures:
      - { file: 'air.pcapng', packets: 4100, seen at: air }
    phones:
      central: { preset: android, att mtu: 185, connection interval: 15ms, prefers 2m: yes, packets per event: 4 }
      peripheral: { preset: iphone }
    radio: { preset: ideal, packet loss: 12345 ppm }
    measured:
      - { what: 'x', samples: 3, least: 1ns, median: 20ms, p90: 30ms, p99: 30ms, greatest: 31ms }
    """

  private func read(
    _ text: String, profiles: [(path: String, text: String)] = [("lobby.yaml", profile)],
    overrides: [ScenarioOverride] = []
  ) -> Result<Scenario, ScenarioProblems> {
    ScenarioReader.read(
      text: text, file: "rooms/it.yaml", language: .bab(), overrides: overrides, profiles: .texts(profiles))
  }

  private func problems(_ text: String, profile: String = profile) -> [String] {
    guard case .failure(let problems) = read(text, profiles: [("lobby.yaml", profile)]) else { return [] }
    return problems.list.map(\.description)
  }

  @Test("Phones and the room of a profile, alone and with keys beside them")
  func names() throws {
    let scenario = try read(
      """
      radio: lobby.yaml
      devices:
        host: { phone: lobby.yaml#peripheral }
        client: { phone: { preset: lobby.yaml#central, att mtu: 23 } }
      """
    ).get()
    equal(scenario.radio.packetLoss, .partsPerMillion(12_345))
    equal(scenario.radioPreset, "lobby.yaml")
    var iphone = PhonePreset.iphone
    iphone.name = "lobby#peripheral"
    equal(scenario.devices[0].phone, iphone)
    let client = scenario.devices[1].phone
    expect(client.att.clientMTU == 23 && client.radio.prefers2M && client.radio.packetsPerEvent == 4)
    expect(client.connection.initial.intervalMinimum == 12 && client.buffers == PhonePreset.android.buffers)
  }

  @Test("An override changes what a profile says")
  func overrides() throws {
    let scenario = try read(
      "radio: lobby.yaml\ndevices: { host: { phone: lobby.yaml#central } }",
      overrides: [
        try required(ScenarioOverride("radio.packet-loss=5%")),
        try required(ScenarioOverride("devices.host.phone.att-mtu=99")),
      ]
    ).get()
    equal(scenario.radio.packetLoss, .partsPerMillion(50_000))
    equal(scenario.devices[0].phone.att.serverMTU, 99)
    equal(scenario.devices[0].phone.connection.initial.intervalMinimum, 12)
  }

  @Test(
    "What is wrong is said with its place and what to write",
    arguments: [
      (
        "devices: { host: { phone: lobby.yaml#centrl } }",
        "rooms/it.yaml:1:27: “lobby.yaml” has no phone “centrl”; did you mean “central”?"
      ),
      (
        "devices: { host: { phone: lobby.yaml } }",
        "rooms/it.yaml:1:27: “lobby.yaml” has several phones; write “lobby.yaml#central” or “lobby.yaml#peripheral”"
      ),
      (
        "devices: { host: { phone: iphoen } }",
        "rooms/it.yaml:1:27: phone “iphoen” does not exist; did you mean “iphone”?"
      ),
      (
        "radio: lobby.yaml#central\ndevices: { host: {} }",
        "rooms/it.yaml:1:8: a profile has one room; write “lobby.yaml” without “#”"
      ),
      (
        "devices: { host: { phone: '#x' } }",
        "rooms/it.yaml:1:27: the profile's file is missing; write “profile.yaml#name”"
      ),
    ])
  func references(_ text: String, _ message: String) {
    equal(problems(text), [message])
  }

  @Test("Problems of a profile are told with its own name and place")
  func profileProblems() {
    let broken = """
      profile: lobby
      phones:
        central: { att mtuu: 185 }
        peripheral: { preset: other.yaml#x }
      """
    let told = problems("devices: { host: { phone: lobby.yaml#central } }", profile: broken)
    expect(told.contains("rooms/it.yaml:1:27: the profile “lobby.yaml” cannot be used; it has 3 problems"), "\(told)")
    expect(told.contains("lobby.yaml:3:14: “phone” has no key “att mtuu”; did you mean “att mtu”?"), "\(told)")
    expect(told.contains("lobby.yaml:4:25: the profile “other.yaml” cannot be used; it has 1 problem"), "\(told)")
    expect(problems("radio: lobby.yaml\ndevices: { host: {} }", profile: "phones: {}").count >= 2)
  }

  @Test("A profile that is not there, and one where none can be read")
  func missing() throws {
    let scenario = "devices: { host: { phone: nowhere.yaml#a } }"
    let folder = ScenarioReader.read(
      text: scenario, file: "/nonexistent/it.yaml", language: .bab(), profiles: .besides("/nonexistent/it.yaml"))
    guard case .failure(let problems) = folder else { return expect(false) }
    let told = problems.list[1].description
    expect(told.hasPrefix("/nonexistent/nowhere.yaml:1:1: there is no such file; the path counts from"), "\(told)")
    guard case .failure = ScenarioReader.read(text: scenario, file: "it.yaml", language: .bab()) else {
      return expect(false)
    }
  }

  @Test("A session keeps the profiles that its scenario names")
  func session() throws {
    let text = "devices: { host: { phone: lobby.yaml#central }, client: {} }"
    let collector = ProfileCollector(.texts([("lobby.yaml", Self.profile)]))
    let scenario = try ScenarioReader.read(text: text, file: "it.yaml", language: .bab(), profiles: collector.source)
      .get()
    var header = SessionRecording.Header(bench: "1", file: "it.yaml", scenario: text, settings: [], seed: 1, seats: [])
    header.profiles = collector.texts
    let again = try SessionFile.read(SessionRecording(header: header).octets, file: "session.jsonl").get()
    equal(again.header, header)
    try equal(again.scenario(.bab()).get(), scenario)
  }

  @Test("Every prefix and every changed octet of a profile is a profile or a list of problems")
  func hostile() {
    let octets = Array(Self.profile.utf8)
    for length in octets.indices { _ = PhoneProfile.read(octets: Array(octets[..<length]), file: "p") }
    for index in octets.indices {
      var changed = octets
      changed[index] ^= 0x15
      _ = PhoneProfile.read(octets: changed, file: "p")
    }
  }

  @Test("The page of the format has every key, and its example is a profile")
  func document() throws {
    let page = try Repository.text("Docs/Formats/profile.md")
    for key in ["profile", "summary", "captures", "phones", "radio", "measured"] { expect(page.contains("`\(key)`")) }
    let example = try required(page.split(separator: "```yaml\n").dropFirst().first?.split(separator: "```").first)
    let profile = try PhoneProfile.read(octets: Array(example.utf8), file: "profile.md").get()
    equal(profile.phones.map(\.name), ["central", "peripheral"])
  }
}
