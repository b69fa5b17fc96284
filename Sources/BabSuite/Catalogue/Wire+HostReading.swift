import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// WIRE, host: what a host makes of packets that are written in another way, or badly (BAB 4.6, 4.E, 7.13).
///
/// What plain JSON allows every implementation must understand; what only the published decoder takes is after the
/// ICS item `lenient` (BAB 4.30 binds nobody but the bench).
extension Catalog {
  static let wireHostReading: [TestPurpose] = [
    hostReads("BV-27-C", "BAB 4.32", "Unknown keys are skipped with their values.") {
      $0.withStrangers(.object([.init("a", .array([.number("-1.5e3"), .word("null"), .string("\\\"}")]))])).octets
    },
    hostReads("BV-28-C", "BAB 4.37", "Keys are understood in any order.") { $0.reversed.octets },
    hostReads("BV-29-C", "BAB 4.30", "White space between tokens means nothing.") { Array($0.spaced.utf8) },
    hostReads("BV-30-C", "BAB 4.30", "An escaped character is that character, in keys too.") {
      $0.rawStrings(WireText.allEscaped).octets
    },
    hostReads("BV-31-C", "BAB 4.33", "Keys and strings may stand without quotes.", [.lenient]) {
      Array($0.unquoted.utf8)
    },
    hostReads("BV-32-C", "BAB 4.34", "When a key occurs twice, its last value counts.", [.lenient]) {
      $0.doubled.octets
    },
    hostReads("BV-33-C", "BAB 4.35", "Numbers may be quoted.", [.lenient]) { $0.quoted.octets },
    hostReads("BV-34-C", "BAB 4.32", "A skipped value may be nested at any depth.", [.lenient]) {
      Array("{\"x-new\":".utf8) + WireText.nested(600) + Array(",".utf8) + $0.octets.dropFirst()
    },
    TestPurpose(
      "BAB/HOST/WIRE/BV-35-C", ["BAB 3.5", "BAB 3.15"],
      "A packet of 255 full fragments is understood.",
      initial: "client-1 is seated; the scenario is coffee-shop.",
      expects: ["ROLE_ASSIGNED; the request for it had as much white space before it as fits"], needs: [.roles]
    ) { t, client in
      try t.preamble {
        t.iut.user(.startHosting)
        try client.join()
        t.iut.user(.setLobbyScenario("coffee-shop"))
        try t.expect("the scenario is selected") { client.lobby?.selectedScenarioID == "coffee-shop" }
      }
      let text = client.text(of: .roleAssigned(playerID: client.peerID, roleID: "barista")).octets
      let room = Fragmenter.packetOctets(attMTU: client.link?.attMTU ?? 23)
      let padding = Array(repeating: UInt8(ascii: " "), count: room - text.count)
      client.transmit(padding + text, note: "client-1 asks for the role barista with \(room) octets")
      try client.expect(.roleAssigned, within: .seconds(60))
    },
    TestPurpose(
      "BAB/HOST/WIRE/BI-01-C", ["BAB 4.6", "BAB 7.8"],
      "When envelope and payload name different types, the host acts on the payload.",
      initial: "client-1 has shaken hands.", expects: ["a CLIENT_JOIN under the name HEARTBEAT gets its seat"]
    ) { t, client in
      try t.preamble { try greet(t) }
      client.transmit(
        client.joinText().at("type") { _ in .string("HEARTBEAT") }.octets, note: "client-1 calls CLIENT_JOIN HEARTBEAT")
      try client.expect(.lobbyUpdate, "lists client-1") { $0.lists(client.peerID) }
    },
    TestPurpose(
      "BAB/HOST/WIRE/BI-02-C", ["BAB 4.6", "BAB 7.8"],
      "When envelope and payload name different types, the host reports it.",
      initial: "client-1 has shaken hands.", expects: ["a violation is reported"], needs: [.refusals]
    ) { t, client in
      try t.preamble { try greet(t) }
      let before = t.iut.violations.count
      client.transmit(
        client.joinText().at("type") { _ in .string("HEARTBEAT") }.octets, note: "client-1 calls CLIENT_JOIN HEARTBEAT")
      try t.expect("a violation is reported") { t.iut.violations.count > before }
    },
    hostBears("BI-03-C", "BAB 7.13", "A packet of a type that nobody knows is ignored.") { client in
      let text = client.joinText().at("type") { _ in .string("SPARKLE") }
      return [
        text.at("payload") { $0.at("type") { _ in .string(WireForm.discriminator + "Sparkle") } }.octets,
        client.joinText().at("payload") { $0.at("type") { _ in .string(WireForm.discriminator + "Sparkle") } }.octets,
        client.joinText().at("payload") { $0.members { $0.filter { $0.key != "type" } } }.octets,
      ]
    },
    hostBears("BI-04-C", "BAB 7.13", "A value nested 600 deep stops nothing.") { $0.deepTexts },
    hostBears("BI-05-C", "BAB 7.13", "Octets that are not UTF-8 stop nothing.") { $0.brokenTexts },
    hostBears("BI-06-C", "BAB 7.13", "Numbers beyond all bounds stop nothing.") { $0.wildTexts },
    TestPurpose(
      "BAB/HOST/WIRE/BI-07-C", ["BAB 7.13", "BAB 4.1"],
      "Text that is no Unicode is not handed on: what a host writes stays UTF-8 and JSON.",
      initial: "client-1 is seated, client-2 has shaken hands.",
      expects: [
        "client-2 is not seated", "client-2 is seated under some name, told in well-formed packets",
      ], testers: 2
    ) { t, first, second in
      try t.preamble {
        try t.seat(first, andBring: second, upTo: .greeted)
        try second.expect(.handshake)
      }
      first.forget()
      let text = second.joinText().at("payload") { payload in
        payload.at("profile") { $0.at("displayName") { _ in .string("half \\ud83d of it") } }
      }
      second.transmit(text.octets, note: "client-2 joins with half a character in its name")
      try t.pause(.seconds(2))
      t.iut.user(.setLobbyDifficulty("hard"))
      try first.expectLobby("has the difficulty hard") { lobby in
        lobby.difficultyLevel == "hard"
      }
      let fault = t.texts.lazy.flatMap { WireForm.faults($0.octets) }.first { $0.clause == "BAB 4.1" }
      try t.require("every packet is JSON in UTF-8", clause: "BAB 4.1", actual: fault?.what ?? "", fault == nil)
    },
  ]

  /// client-1 has shaken hands with a host that advertises.
  static func greet(_ t: BabBed) throws {
    t.iut.user(.startHosting)
    try t.clients[0].join(upTo: .greeted)
    try t.clients[0].expect(.handshake)
  }

  /// A CLIENT_JOIN written in another way gets its seat, with the name that it says.
  private static func hostReads(
    _ number: String, _ clause: String, _ purpose: String, _ needs: [ICS.Item] = [],
    _ write: @escaping @Sendable (WireText) -> [UInt8]
  ) -> TestPurpose {
    TestPurpose(
      "BAB/HOST/WIRE/" + number, [clause], purpose, initial: "client-1 has shaken hands.",
      expects: ["a CLIENT_JOIN that is written so gets its seat, under its name"], needs: needs
    ) { t, client in
      try t.preamble { try greet(t) }
      let name = needs.contains(.lenient) ? "Ann" : "Zoë 😀"
      client.transmit(write(client.joinText(name)), note: "client-1 sends CLIENT_JOIN, written in another way")
      try client.expect(.lobbyUpdate, "lists client-1 with its name") {
        guard case .lobbyUpdate(let lobby) = $0.payload else { return false }
        let profile = lobby.connectedPlayers.first { $0.playerID == client.peerID }
        return profile.map { $0.displayName.utf8.elementsEqual(name.utf8) } ?? false
      }
    }
  }

  /// Texts that are nothing, or nothing much, neither stop a host nor end the link they came on.
  private static func hostBears(
    _ number: String, _ clause: String, _ purpose: String, _ texts: @escaping @Sendable (ClientTester) -> [[UInt8]]
  ) -> TestPurpose {
    TestPurpose(
      "BAB/HOST/WIRE/" + number, [clause], purpose, initial: "client-1 has shaken hands.",
      expects: ["client-1 is not given a seat by it", "client-1 is then given the seat it asks for"], testers: 2
    ) { t, client in
      try t.preamble { try greet(t) }
      client.forget()
      try t.ignores {
        for text in texts(client) {
          client.transmit(text, note: "client-1 sends \(String(decoding: text.prefix(80), as: UTF8.self))")
        }
        try client.flush()
        try client.expectNone(of: [.lobbyUpdate], for: .seconds(1))
      }
      client.askForSeat()
      try client.expect(.lobbyUpdate, "lists client-1") { $0.lists(client.peerID) }
      try t.clients[1].join()
      t.passed("client-2 joins")
    }
  }
}

extension LowerTester {
  /// The text of a packet of this tester's, taken apart.
  func text(of payload: PacketPayload) -> WireText {
    (try? WireText.parse(packet(payload).encoded()).value) ?? .word("null")
  }

  func heartbeatText() -> WireText { text(of: .heartbeat) }

  func joinText(_ name: String? = nil) -> WireText {
    text(of: .clientJoin(LobbyProfile(playerID: peerID, displayName: name ?? self.name)))
  }

  /// Nested 600 deep.
  var deepTexts: [[UInt8]] {
    [
      Array("{\"x-new\":".utf8) + WireText.nested(600) + Array(",".utf8) + heartbeatText().octets.dropFirst(),
      WireText.nested(600), Array(repeating: UInt8(ascii: "["), count: 600),
    ]
  }

  /// Not in UTF-8.
  var brokenTexts: [[UInt8]] {
    let text = heartbeatText().octets
    let bad: [[UInt8]] = [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82]]
    return bad.map { Array("{\"x-new\":\"".utf8) + $0 + Array("\",".utf8) + text.dropFirst() }
      + [[0xEF, 0xBB, 0xBF] + text]
  }

  /// With numbers beyond all bounds.
  var wildTexts: [[UInt8]] {
    let wild = ["99999999999999999999999", "-9223372036854775809", "1e400", "-1E+99999", "1.5"]
    let texts = wild.map { number in
      heartbeatText().at("vectorClock") { _ in
        .object([.init("timestamps", .object([.init("peer-nobody", .number(number))]))])
      }.octets
    }
    let digits = String(repeating: "9", count: 5_000)
    return texts + [heartbeatText().members { $0 + [.init("x-new", .number(digits))] }.octets]
  }
}
