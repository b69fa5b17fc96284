import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// WIRE, client: what a client makes of packets that are written in another way, or badly (BAB 4.6, 4.E, 7.13).
extension Catalog {
  static let wireClientReading: [TestPurpose] = [
    clientReads("BV-20-C", "BAB 4.32", "Unknown keys are skipped with their values.") {
      $0.withStrangers(.object([.init("a", .array([.number("-1.5e3"), .word("null"), .string("\\\"}")]))])).octets
    },
    clientReads("BV-21-C", "BAB 4.37", "Keys are understood in any order.") { $0.reversed.octets },
    clientReads("BV-22-C", "BAB 4.30", "White space between tokens means nothing.") { Array($0.spaced.utf8) },
    clientReads("BV-23-C", "BAB 4.30", "An escaped character is that character, in keys too.") {
      $0.rawStrings(WireText.allEscaped).octets
    },
    clientReads("BV-24-C", "BAB 4.33", "Keys and strings may stand without quotes.", [.lenient]) {
      Array($0.unquoted.utf8)
    },
    clientReads("BV-25-C", "BAB 4.34", "When a key occurs twice, its last value counts.", [.lenient]) {
      $0.doubled.octets
    },
    clientReads("BV-26-C", "BAB 4.35", "Numbers may be quoted.", [.lenient]) { $0.quoted.octets },
    .client(
      "BAB/CLIENT/WIRE/BI-01-C", ["BAB 4.6", "BAB 7.8"],
      "When envelope and payload name different types, the client acts on the payload.",
      initial: "The client is seated.", expects: ["a LOBBY_UPDATE under the name HEARTBEAT is shown"],
      needs: [.screen]
    ) { t, host in
      try t.preamble { try t.seat(t.hosts[0]) }
      host.transmit(
        host.hardLobbyText().at("type") { _ in .string("HEARTBEAT") }.octets, note: "LOBBY_UPDATE is called HEARTBEAT")
      try t.expect("the lobby shows the difficulty hard") { t.iut.lobby?.difficulty == "hard" }
    },
    .client(
      "BAB/CLIENT/WIRE/BI-02-C", ["BAB 4.6", "BAB 7.8"],
      "When envelope and payload name different types, the client reports it.",
      initial: "The client is seated.", expects: ["a violation is reported"], needs: [.refusals]
    ) { t, host in
      try t.preamble { try t.seat(t.hosts[0]) }
      let before = t.iut.violations.count
      host.transmit(
        host.hardLobbyText().at("type") { _ in .string("HEARTBEAT") }.octets, note: "LOBBY_UPDATE is called HEARTBEAT")
      try t.expect("a violation is reported") { t.iut.violations.count > before }
    },
    clientBears("BI-03-C", "A packet of a type that nobody knows is ignored.") { host in
      let stranger = WireText.string(WireForm.discriminator + "Sparkle")
      let text = host.hardLobbyText()
      return [
        text.at("type") { _ in .string("SPARKLE") }.at("payload") { $0.at("type") { _ in stranger } }.octets,
        text.at("payload") { $0.at("type") { _ in stranger } }.octets,
        text.at("payload") { $0.members { $0.filter { $0.key != "type" } } }.octets,
      ]
    },
    clientBears("BI-04-C", "A value nested 600 deep stops nothing.") { $0.deepTexts },
    clientBears("BI-05-C", "Octets that are not UTF-8 stop nothing.") { $0.brokenTexts },
    clientBears("BI-06-C", "Numbers beyond all bounds stop nothing.") { $0.wildTexts },
  ]

  /// A LOBBY_UPDATE written in another way is shown.
  private static func clientReads(
    _ number: String, _ clause: String, _ purpose: String, _ needs: [ICS.Item] = [],
    _ write: @escaping @Sendable (WireText) -> [UInt8]
  ) -> TestPurpose {
    .client(
      "BAB/CLIENT/WIRE/" + number, [clause], purpose, initial: "The client is seated.",
      expects: ["a LOBBY_UPDATE that is written so is shown"], needs: [.screen] + needs
    ) { t, host in
      try t.preamble { try t.seat(t.hosts[0]) }
      host.transmit(write(host.hardLobbyText()), note: "the host sends LOBBY_UPDATE, written in another way")
      try t.expect("the lobby shows the difficulty hard") { t.iut.lobby?.difficulty == "hard" }
    }
  }

  /// Texts that are nothing, or nothing much, neither stop a client nor change what it shows.
  private static func clientBears(
    _ number: String, _ purpose: String, _ texts: @escaping @Sendable (HostTester) -> [[UInt8]]
  ) -> TestPurpose {
    .client(
      "BAB/CLIENT/WIRE/" + number, ["BAB 7.13"], purpose, initial: "The client is seated.",
      expects: ["the lobby is shown as it was", "the next LOBBY_UPDATE is shown"], needs: [.screen]
    ) { t, host in
      try t.preamble { try t.seat(t.hosts[0]) }
      try t.ignores {
        for text in texts(host) {
          host.transmit(text, note: "the host sends \(String(decoding: text.prefix(80), as: UTF8.self))")
        }
        try host.flush()
        try host.expectConnected()
      }
      host.tellChange()
      try host.expectChangeShown()
    }
  }
}

extension HostTester {
  /// A LOBBY_UPDATE with the present players and the difficulty hard.
  func hardLobbyText() -> WireText {
    var lobby = lobby
    lobby.difficultyLevel = "hard"
    return text(of: .lobbyUpdate(lobby))
  }
}
