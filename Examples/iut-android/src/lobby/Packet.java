package lobby;

import babbench.android.Json;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** A packet of Bab (wire.md 4). */
final class Packet {
  private static final String PREFIX = "com.bablabs.bringabrainlanguage.domain.models.PacketPayload.";
  private static final Map<String, String> PAYLOADS = new LinkedHashMap<>();

  static {
    String[] names = {"HANDSHAKE", "Handshake", "HEARTBEAT", "Heartbeat", "GENERATE_REQUEST", "GenerateRequest",
        "DIALOG_LINE_ADDED", "DialogLineAdded", "VOTE_REQUEST", "VoteRequest", "VOTE_CAST", "VoteCast",
        "FULL_STATE_SNAPSHOT", "FullStateSnapshot", "NAVIGATION_SYNC", "NavigationSync", "LINE_COMPLETED",
        "LineCompleted", "LINE_SKIPPED", "LineSkipped", "ROLE_ASSIGNED", "RoleAssigned", "PLAYER_READY", "PlayerReady",
        "GAME_STARTED", "GameStarted", "TURN_ADVANCED", "TurnAdvanced", "LEADERBOARD_UPDATE", "LeaderboardUpdate",
        "LOBBY_UPDATE", "LobbyUpdate", "CLIENT_JOIN", "ClientJoin", "START_GAME", "StartGame"};
    for (int index = 0; index < names.length; index += 2) PAYLOADS.put(names[index], names[index + 1]);
  }

  final Map<String, Object> payload;
  final String sender;
  final Map<String, Long> clock = new LinkedHashMap<>();

  /** The payload's name. */
  final String name;

  /** The envelope names the payload (wire.md 4.5). */
  final boolean namesItself;

  /** Reads one; throws {@link Fields.NoPacket}. */
  Packet(byte[] octets) {
    Map<String, Object> message;
    try {
      message = Json.readObject(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(octets)).toString());
    } catch (CharacterCodingException | IllegalArgumentException problem) {
      throw new Fields.NoPacket("no JSON: " + problem.getMessage());
    }
    payload = Fields.members(message, "payload");
    sender = Fields.text(message, "senderId");
    Map<String, Object> known = Fields.members(message, "vectorClock");
    if (known.containsKey("timestamps")) {
      Map<String, Object> counts = Fields.members(known, "timestamps");
      for (String peer : counts.keySet()) clock.put(peer, Fields.number(counts, peer));
    }
    String type = Fields.text(payload, "type");
    if (!type.startsWith(PREFIX)) throw new Fields.NoPacket("unknown payload");
    name = type.substring(PREFIX.length());
    String envelope = PAYLOADS.get(Fields.text(message, "type"));
    if (envelope == null) throw new Fields.NoPacket("unknown type");
    if (!PAYLOADS.containsValue(name)) throw new Fields.NoPacket("unknown payload");
    namesItself = envelope.equals(name);
  }

  /** What the sender has counted of itself. */
  long ownCount() {
    return clock.getOrDefault(sender, 0L);
  }

  /** Octets of a packet: members in the order of table 4.D, those of the payload as name, value, name, value. */
  static byte[] octets(String type, String sender, VectorClock clock, Object... members) {
    Map<String, Object> payload = new LinkedHashMap<>();
    payload.put("type", PREFIX + PAYLOADS.get(type));
    payload.putAll(object(members));
    Map<String, Object> message = object("type", type, "senderId", sender, "vectorClock",
        object("timestamps", clock.counts()), "payload", payload);
    return Json.write(message).getBytes(StandardCharsets.UTF_8);
  }

  static Map<String, Object> object(Object... members) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (int index = 0; index < members.length; index += 2) object.put((String) members[index], members[index + 1]);
    return object;
  }
}
