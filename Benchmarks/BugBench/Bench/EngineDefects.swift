import BabSuite
import Conformance
import InPlaceFuzz

/// Engines of Bab with one clause broken (`babbench list --mutants`), in the cases that only a hostile peer brings out.
extension Defect {
  private static let kinds = "com.bablabs.bringabrainlanguage.domain.models.PacketPayload."

  private static func packet(_ type: String, from sender: String, _ kind: String, _ members: String = "") -> [UInt8] {
    Array(
      ("{\"type\":\"\(type)\",\"senderId\":\"\(sender)\",\"vectorClock\":{\"timestamps\":{\"\(sender)\":9}},"
        + "\"payload\":{\"type\":\"\(kinds)\(kind)\"\(members)}}").utf8)
  }

  private static let half = Array("{\"type\":\"HANDSHAKE\",".utf8)

  private static func engine(
    _ mutant: String, _ shows: String, victim: String = "host", state: String = "host is ACTIVE", witness: [[UInt8]]
  ) -> Defect {
    guard let known = Mutants.named(mutant) else { preconditionFailure("no mutant is called \(mutant)") }
    var target = HuntedWorld(seam: .packet, victim: victim, witness: witness).with(engine: mutant)
    target.state = state
    if victim != "host" { target.from = "host" }
    return Defect(id: mutant, kind: .engine, summary: known.summary, shows: shows, hunt: .world(target))
  }

  private static let lobby = "all clients in lobby"
  /// Players of a lobby that is beyond every capacity.
  private static let crowd = (0..<20).map { "{\"playerId\":\"p\($0)\",\"displayName\":\"x\"}" }.joined(separator: ",")

  static let engines: [Defect] = [
    engine("host-crashes-on-half-packets", "Breakdown, BAB 7.13", witness: [half]),
    engine("host-crashes-on-wrong-kinds", "Breakdown, BAB 7.13", witness: [Array("[1]".utf8)]),
    engine("host-deaf-after-garbage", "NothingSentIsLost, BAB 5.9.1", witness: [half]),
    engine(
      "client-crashes-on-half-packets", "Breakdown, BAB 7.13", victim: "client-2", state: lobby, witness: [half]),
    engine(
      "client-crashes-on-wrong-kinds", "Breakdown, BAB 7.13", victim: "client-2", state: lobby,
      witness: [Array("[1]".utf8)]),
    engine(
      "client-deaf-after-garbage", "NothingSentIsLost, BAB 5.9.1", victim: "client-2", state: lobby, witness: [half]),
    engine(
      "published-any-sender", "NothingSentIsLost, BAB 5.9.1",
      witness: [
        packet(
          "HANDSHAKE", from: "peer-client-2", "Handshake",
          ",\"participant\":{\"id\":\"p\",\"name\":\"x\",\"role\":null,\"isHost\":false}")
      ]),
    engine(
      "passes-packets-on", "CommittedLinesArePrefix, BAB 5.4.7",
      witness: [packet("START_GAME", from: "peer-host", "StartGame")]),
    engine(
      "echoes-host-only-packets", "RosterWithinCapacity, BAB 2.3",
      witness: [
        packet(
          "LOBBY_UPDATE", from: "peer-client-1", "LobbyUpdate",
          ",\"lobbyState\":{\"selectedScenarioId\":\"coffee-shop\",\"difficultyLevel\":\"normal\","
            + "\"connectedPlayers\":[\(crowd)]}")
      ]),
    engine(
      "published-unknown-line-fatal", "Breakdown, BAB 7.13", state: "host has at least 2 lines",
      witness: [
        packet(
          "LINE_COMPLETED", from: "peer-client-1", "LineCompleted",
          ",\"lineId\":\"nobody-knows\",\"result\":{\"errorCount\":2,\"accuracy\":0.8,\"wordErrors\":[],"
            + "\"skipped\":false,\"duration\":1892}")
      ]),
  ]
}
