import BabSim
import Expectations
import Testing

/// Excerpts of the published SDK's real output (`bab-packets.tsv`); `@` stands for the discriminator's prefix.
enum GoldenPackets {
  static let all: [String] = [
    // handshake
    #"{"type":"HANDSHAKE","senderId":"peer-a","vectorClock":{"timestamps":{"host-1":3,"peer-a":1}},"payload":{"#
      + #""type":"@Handshake","participant":{"id":"peer-a","name":"Ana","role":{"id":"barista","name":"Barista","#
      + #""description":"The coffee shop worker"},"isHost":false}}}"#,
    // heartbeat
    #"{"type":"HEARTBEAT","senderId":"host-1","vectorClock":{"timestamps":{}},"payload":{"type":"@Heartbeat"}}"#,
    // generate_request
    #"{"type":"GENERATE_REQUEST","senderId":"host-1","vectorClock":{"timestamps":{"host-1":3,"peer-a":1}},"#
      + #""payload":{"type":"@GenerateRequest","#
      + #""prompt":"order a coffee \"now\" / \\ \n tab\t é 😀 \u0001"}}"#,
    // dialog_line_added
    #"{"type":"DIALOG_LINE_ADDED","senderId":"host-1","vectorClock":{"timestamps":{"host-1":3,"peer-a":1}},"#
      + #""payload":{"type":"@DialogLineAdded","line":{"id":"line-1","speakerId":"peer-a","roleName":"Barista","#
      + #""textNative":"¡Hola! ¿Qué desea?","textTranslated":"Hello! What would you like?","#
      + #""timestamp":1700000000123,"assignedToPlayerId":"peer-a","visibility":"PRIVATE","#
      + #""pronunciationResult":null}}}"#,
    // line_completed
    #"{"type":"LINE_COMPLETED","senderId":"host-1","vectorClock":{"timestamps":{"host-1":3,"peer-a":1}},"#
      + #""payload":{"type":"@LineCompleted","lineId":"line-1","result":{"errorCount":1,"accuracy":0.85,"#
      + #""wordErrors":[{"word":"desea","position":2,"expected":"desea","heard":"dese"}],"skipped":false,"#
      + #""duration":2500}}}"#,
    // full_state_snapshot_default
    #"{"type":"FULL_STATE_SNAPSHOT","senderId":"host-1","vectorClock":{"timestamps":{"host-1":3,"peer-a":1}},"#
      + #""payload":{"type":"@FullStateSnapshot","state":{"mode":"SOLO","connectionStatus":"DISCONNECTED","#
      + #""peers":[],"localPeerId":"","scenario":null,"roles":{},"dialogHistory":[],"currentPhase":"LOBBY","#
      + #""pendingVote":null,"voteResults":{},"vectorClock":{"timestamps":{}},"lastSyncTimestamp":0,"#
      + #""playerContexts":{},"activePlotTwist":null,"recentFeedback":[],"sessionStats":null,"lobbyPlayers":[],"#
      + #""isAdvertising":false,"connectedPeers":[],"currentTurnPlayerId":null,"pendingLine":null,"#
      + #""committedHistory":[],"playerStats":{},"sessionLeaderboard":null,"sessionSummary":null}}}"#,
    // leaderboard_update
    #"{"type":"LEADERBOARD_UPDATE","senderId":"host-1","vectorClock":{"timestamps":{"host-1":3,"peer-a":1}},"#
      + #""payload":{"type":"@LeaderboardUpdate","leaderboard":{"rankings":[{"rank":1,"playerId":"peer-a","#
      + #""displayName":"Ana","score":42,"highlight":"On fire! 5 streak"},{"rank":2,"playerId":"host-1","#
      + #""displayName":"Hugo","score":30,"highlight":null}],"updatedAt":1700000000999}}}"#,
    // turn_advanced_null
    #"{"type":"TURN_ADVANCED","senderId":"host-1","vectorClock":{"timestamps":{"host-1":3,"peer-a":1}},"#
      + #""payload":{"type":"@TurnAdvanced","nextPlayerId":"peer-a","pendingLine":null}}"#,
    // The bench's own decision for the three packets whose fields the vectors do not show.
    #"{"type":"LOBBY_UPDATE","senderId":"h","vectorClock":{"timestamps":{"h":9}},"payload":{"type":"@LobbyUpdate","#
      + #""lobbyState":{"selectedScenarioId":"the-heist","difficultyLevel":"hard","connectedPlayers":[{"#
      + #""playerId":"p","displayName":"P"}]}}}"#,
    #"{"type":"CLIENT_JOIN","senderId":"p","vectorClock":{"timestamps":{}},"payload":{"type":"@ClientJoin","#
      + #""profile":{"playerId":"p","displayName":"P"}}}"#,
    #"{"type":"START_GAME","senderId":"h","vectorClock":{"timestamps":{}},"payload":{"type":"@StartGame"}}"#,
  ]
}

@Suite("Bab packets, embedded excerpts")
struct WireGoldenTests {
  @Test("Golden packets decode, and encode back to the same octets", arguments: GoldenPackets.all)
  func golden(_ text: String) throws {
    let octets = packetText(text)
    try equal(BabPacket(decoding: octets).encoded(), octets)
  }

  @Test("A built packet is written as the published encoder writes it")
  func built() {
    var clock = VectorClock(["host-1": 2])
    clock.increment("host-1")
    clock.merge(VectorClock(["peer-a": 1]))
    let error = WordError(word: "desea", position: 2, expected: "desea", heard: "dese")
    let result = PronunciationResult(
      errorCount: 1, accuracy: Accuracy.float(permille: 850), wordErrors: [error], skipped: false, duration: 2500)
    let packet = BabPacket(
      senderID: "host-1", vectorClock: clock, payload: .lineCompleted(lineID: "line-1", result: result))
    equal(packet.encoded(), packetText(GoldenPackets.all[4]))
    equal(result.accuracyPermille, 850)
  }

  /// Rows of `bab-decode.tsv`: the envelope's part between `"senderId":"x",` and the end, and what it re-encodes to.
  static let heartbeats: [(rest: String, canonical: String?)] = [
    (#""vectorClock":{},"payload":{"type":"@Heartbeat"}}"#, #""x""#),
    (#""vectorClock":{},"payload":{"type":"@Heartbeat"}}}"#, nil),
    (#""vectorClock":{},"payload":{"type":"@Heartbeat"},"senderId":"y"}"#, #""y""#),
    (#""vectorClock":{},"payload":{"type":"@Heartbeat"},"senderId":null}"#, nil),
    (#""vectorClock":{},"payload":{"type":"@Heartbeat"},"senderId":true}"#, #""true""#),
    (#""vectorClock":{},"payload":{"type":"@Heartbeat"},"senderId":'x'}"#, #""'x'""#),
    (#""vectorClock":{},"payload":{"type":"@Heartbeat"},"senderId":"\u00e9\ud83d\ude00"}"#, #""é😀""#),
    (#""vectorClock":{},"payload":{"type":"@Heartbeat"},"senderId":"\ud83d"}"#, #""?""#),
    (#""vectorClock":{},"payload":{"type":"@Heartbeat"},"senderId":"\q"}"#, nil),
    ("\"vectorClock\":{},\"payload\":{\"type\":\"@Heartbeat\"},\"senderId\":\"a\nb\"}", #""a\nb""#),
    (#""vectorClock":{},"payload":{}}"#, nil),
    (#""vectorClock":null,"payload":{"type":"@Heartbeat"}}"#, nil),
  ]

  @Test("Lenient envelopes, as the published decoder reads them", arguments: 0..<heartbeats.count)
  func heartbeat(_ row: Int) {
    let (rest, canonical) = Self.heartbeats[row]
    let expected = canonical.map { sender in
      "ACCEPT "
        + String(
          decoding: packetText(
            #"{"type":"HEARTBEAT","senderId":\#(sender),"vectorClock":{"timestamps":{}},"payload":{"type":"@Heartbeat"}}"#
          ), as: UTF8.self)
    }
    equal(verdict(packetText(#"{"type":"HEARTBEAT","senderId":"x","# + rest)), expected ?? "REJECT")
  }

  /// `accuracy` as written, and as it is written again. Rows with a source are of `bab-decode.tsv` and
  /// `jvm-floats.tsv`; the others follow the grammar of the JVM's `Float.parseFloat`.
  @Test(
    "Accuracy is read and printed as on the JVM",
    arguments: [
      ("1", "1.0"), ("1e-3", "0.001"), (#""0.25""#, "0.25"), (#""NaN""#, nil), ("1e40", nil), ("0x10", nil),
      (".5", "0.5"), ("0.33333334", "0.33333334"), ("0.00001", "1.0E-5"), ("10000000", "1.0E7"),
      ("1234567", "1234567.0"), ("3.4028235e38", "3.4028235E38"), ("3.4028236e38", nil), ("-0", "-0.0"),
      ("1f", "1.0"), ("1.5D", "1.5"), ("0x1p3", "8.0"), ("0x.8p1", "1.0"), (#"" 1.5 ""#, "1.5"), ("+1.5", "1.5"),
      ("5.", "5.0"), ("1e", nil), (".", nil), ("1ff", nil), ("Infinity", nil), ("nan", nil), ("null", nil),
      ("1e-46", "0.0"), ("1.4e-45", "1.4E-45"), ("4.2e-45", "4.2E-45"), ("1e-40", "1.0E-40"),
      ("0.00099999", "9.9999E-4"), ("9999999.5", "1.0E7"), ("true", nil), (#""""#, nil),
    ] as [(String, String?)])
  func accuracy(_ written: String, _ printed: String?) {
    let head =
      #"{"type":"LINE_COMPLETED","senderId":"x","vectorClock":{"timestamps":{"a":1}},"payload":{"#
      + #""type":"@LineCompleted","lineId":"l","result":{"errorCount":0,"accuracy":"#
    let tail = #","wordErrors":[],"skipped":false,"duration":0}}}"#
    let expected = printed.map { "ACCEPT " + String(decoding: packetText(head + $0 + tail), as: UTF8.self) }
    equal(verdict(packetText(head + written + tail)), expected ?? "REJECT")
  }

  /// Counts of the vector clock. Rows with a source are of `bab-decode.tsv`; the others follow the published decoder's
  /// (kotlinx.serialization 1.6.3) arithmetic, which wraps.
  @Test(
    "64-bit integers are read as by the published decoder",
    arguments: [
      ("9223372036854775807", "9223372036854775807"), ("-1", "-1"), ("1e3", "1000"), ("007", "7"), (#""5""#, "5"),
      ("-9223372036854775808", "-9223372036854775808"), ("9223372036854775808", nil), ("18446744073709551617", "1"),
      ("+1", nil), ("1.0", nil), ("-", nil), ("", nil), (#"" 5""#, nil), (#""5 ""#, nil), ("1E2", "100"),
      ("1500e-2", "15"), ("15e-1", nil), ("1e", "1"), ("1e+2", "100"), ("1e19", nil), ("0e99", "0"), ("0e999", nil),
      ("5e-999", "0"), ("1e1e1", nil), ("e1", nil), ("true", nil), ("null", nil), ("0x1", nil), ("1-", nil),
      ("1e2-", nil),
    ] as [(String, String?)])
  func integer(_ written: String, _ printed: String?) {
    let head = #"{"type":"HEARTBEAT","senderId":"x","vectorClock":{"timestamps":{"a":"#
    let tail = #"}},"payload":{"type":"@Heartbeat"}}"#
    let expected = printed.map { "ACCEPT " + String(decoding: packetText(head + $0 + tail), as: UTF8.self) }
    equal(verdict(packetText(head + written + tail)), expected ?? "REJECT")
  }
}
