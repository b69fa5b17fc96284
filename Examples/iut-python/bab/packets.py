"""Packets: one JSON object each, with the keys of tables 4.C and 4.D in their order (wire.md 4).

A packet in memory is a `Packet` whose payload is a dictionary with the keys of its kind. What is read is checked
against the same tables that are written from, so that the rest of the program meets nothing but what they say.
"""

from .jsontext import NotJSON, float32, quoted, read, write

PREFIX = "com.bablabs.bringabrainlanguage.domain.models.PacketPayload."
REQUIRED = object()

# The type of a member: "str", "i32", "i64", "f32", "bool", "any", a tuple of names (an enumeration),
# ["list", type], ["map", type], ["null", type], or an object of table 4.D by name.
_role = ["null", "role"]
_line = ["null", "line"]

OBJECTS = {
    "participant": [("id", "str"), ("name", "str"), ("role", _role, None), ("isHost", "bool", False)],
    "role": [("id", "str"), ("name", "str"), ("description", "str")],
    "line": [
        ("id", "str"), ("speakerId", "str"), ("roleName", "str"), ("textNative", "str"), ("textTranslated", "str"),
        ("timestamp", "i64"), ("assignedToPlayerId", "str", ""), ("visibility", ("PRIVATE", "COMMITTED"), "COMMITTED"),
        ("pronunciationResult", ["null", "result"], None)],
    "result": [
        ("errorCount", "i32"), ("accuracy", "f32"), ("wordErrors", ["list", "wordError"]), ("skipped", "bool"),
        ("duration", "i64")],
    "wordError": [("word", "str"), ("position", "i32"), ("expected", ["null", "str"]), ("heard", ["null", "str"])],
    "leaderboard": [("rankings", ["list", "ranking"]), ("updatedAt", "i64")],
    "ranking": [
        ("rank", "i32"), ("playerId", "str"), ("displayName", "str"), ("score", "i32"),
        ("highlight", ["null", "str"], None)],
    "lobbyState": [
        ("selectedScenarioId", "str", ""), ("difficultyLevel", "str", "normal"),
        ("connectedPlayers", ["list", "profile"], [])],
    "profile": [("playerId", "str"), ("displayName", "str")],
    "clock": [("timestamps", ["map", "i64"], {})],
    "scenario": [("id", "str"), ("name", "str"), ("description", "str"), ("availableRoles", ["list", "role"])],
    "pendingVote": [
        ("proposerId", "str"), ("action", ("CHANGE_SCENE", "END_GAME", "SKIP_LINE")), ("requiredVotes", "i32")],
    "lobbyPlayer": [
        ("peerId", "str"), ("displayName", "str"), ("assignedRole", _role), ("isReady", "bool"),
        ("connectionQuality", ("EXCELLENT", "GOOD", "FAIR", "POOR"), "GOOD")],
    "connectedPeer": [("peerId", "str"), ("displayName", "str"), ("isHost", "bool", False), ("lastSeen", "i64", 0)],
    "playerStats": [
        ("playerId", "str"), ("linesCompleted", "i32", 0), ("totalErrors", "i32", 0), ("perfectLines", "i32", 0),
        ("averageAccuracy", "f32", 0.0), ("currentStreak", "i32", 0), ("xpEarned", "i32", 0)],
    "summary": [
        ("scenarioName", "str"), ("durationMs", "i64"), ("totalLines", "i32"), ("playerRankings", ["list", "ranking"]),
        ("xpEarned", ["map", "i32"]), ("achievementsUnlocked", ["list", "achievement"]),
        ("vocabularyLearned", ["list", "any"]), ("overallAccuracy", "f32")],
    "achievement": [
        ("id", "str"), ("name", "str"), ("description", "str"), ("iconName", ["null", "str"], None),
        ("unlockedAt", "i64")],
    "state": [
        ("mode", ("SOLO", "HOST", "CLIENT"), "SOLO"),
        ("connectionStatus", ("DISCONNECTED", "CONNECTING", "CONNECTED", "RECONNECTING"), "DISCONNECTED"),
        ("peers", ["list", "participant"], []), ("localPeerId", "str", ""), ("scenario", ["null", "scenario"], None),
        ("roles", ["map", "role"], {}), ("dialogHistory", ["list", "line"], []),
        ("currentPhase", ("LOBBY", "ROLE_SELECTION", "WAITING", "ACTIVE", "VOTING", "FINISHED"), "LOBBY"),
        ("pendingVote", ["null", "pendingVote"], None), ("voteResults", ["map", "bool"], {}),
        ("vectorClock", "clock", {}), ("lastSyncTimestamp", "i64", 0), ("playerContexts", "any", {}),
        ("activePlotTwist", "any", None), ("recentFeedback", "any", []), ("sessionStats", "any", None),
        ("lobbyPlayers", ["list", "lobbyPlayer"], []), ("isAdvertising", "bool", False),
        ("connectedPeers", ["list", "connectedPeer"], []), ("currentTurnPlayerId", ["null", "str"], None),
        ("pendingLine", _line, None), ("committedHistory", ["list", "line"], []),
        ("playerStats", ["map", "playerStats"], {}), ("sessionLeaderboard", ["null", "leaderboard"], None),
        ("sessionSummary", ["null", "summary"], None)],
}

# Table 4.C: the payload's members by the envelope's type.
KINDS = {
    "HANDSHAKE": ("Handshake", [("participant", "participant")]),
    "HEARTBEAT": ("Heartbeat", []),
    "GENERATE_REQUEST": ("GenerateRequest", [("prompt", "str")]),
    "DIALOG_LINE_ADDED": ("DialogLineAdded", [("line", "line")]),
    "VOTE_REQUEST": (
        "VoteRequest", [("proposerId", "str"), ("action", ("CHANGE_SCENE", "END_GAME", "SKIP_LINE"))]),
    "VOTE_CAST": ("VoteCast", [("voterId", "str"), ("vote", "bool")]),
    "FULL_STATE_SNAPSHOT": ("FullStateSnapshot", [("state", "state")]),
    "NAVIGATION_SYNC": ("NavigationSync", [("screenName", "str")]),
    "LINE_COMPLETED": ("LineCompleted", [("lineId", "str"), ("result", "result")]),
    "LINE_SKIPPED": ("LineSkipped", [("lineId", "str")]),
    "ROLE_ASSIGNED": ("RoleAssigned", [("playerId", "str"), ("roleId", "str")]),
    "PLAYER_READY": ("PlayerReady", [("playerId", "str"), ("isReady", "bool")]),
    "GAME_STARTED": ("GameStarted", []),
    "TURN_ADVANCED": ("TurnAdvanced", [("nextPlayerId", "str"), ("pendingLine", _line)]),
    "LEADERBOARD_UPDATE": ("LeaderboardUpdate", [("leaderboard", "leaderboard")]),
    "LOBBY_UPDATE": ("LobbyUpdate", [("lobbyState", "lobbyState")]),
    "CLIENT_JOIN": ("ClientJoin", [("profile", "profile")]),
    "START_GAME": ("StartGame", []),
}

_by_payload = {PREFIX + name: kind for kind, (name, _) in KINDS.items()}


class NotAPacket(Exception):
    """Octets that are no packet, with why."""


class Packet:
    """One packet. `envelope` differs from `kind` when a sender contradicted itself (4.6)."""
    __slots__ = ("kind", "sender", "clock", "payload", "envelope")

    def __init__(self, kind, sender, clock, payload, envelope=None):
        self.kind = kind
        self.sender = sender
        self.clock = clock
        self.payload = payload
        self.envelope = envelope or kind

    @property
    def count(self):
        """The sender's own entry (5.6.4)."""
        return self.clock.get(self.sender, 0)


# Writing

def _written(value, type):
    if type == "str":
        return quoted(value)
    if type == "bool":
        return "true" if value else "false"
    if type.__class__ is str and type in OBJECTS:
        return "{%s}" % _members(value, OBJECTS[type])
    if type.__class__ is list:
        if value is None:
            return "null"
        if type[0] == "null":
            return _written(value, type[1])
        if type[0] == "list":
            return "[%s]" % ",".join([_written(item, type[1]) for item in value])
        return "{%s}" % ",".join([quoted(key) + ":" + _written(item, type[1]) for key, item in value.items()])
    if type == "f32":
        return write(float(value))
    return write(value)


def _members(value, table):
    parts = []
    for member in table:
        name = member[0]
        item = value[name] if name in value else member[2]
        parts.append('"%s":%s' % (name, _written(item, member[1])))
    return ",".join(parts)


def encode(packet):
    """The octets of a packet (4.1 to 4.13)."""
    name, table = KINDS[packet.kind]
    members = _members(packet.payload, table)
    text = '{"type":"%s","senderId":%s,"vectorClock":%s,"payload":{"type":"%s%s"%s%s}}' % (
        packet.envelope, quoted(packet.sender), _written({"timestamps": packet.clock}, "clock"), PREFIX, name,
        "," if members else "", members)
    return text.encode("utf-8", "replace")


# Reading

def _whole(value, bits, path):
    if value.__class__ is not int or not -(1 << bits) <= value < 1 << bits:
        raise NotAPacket("%s is no integer of %d bits" % (path, bits + 1))
    return value


def _read(value, type, path):
    if type.__class__ is str:
        if type == "str":
            if value.__class__ is not str:
                raise NotAPacket(path + " is no string")
            return value
        if type == "bool":
            if value.__class__ is not bool:
                raise NotAPacket(path + " is no boolean")
            return value
        if type == "i32":
            return _whole(value, 31, path)
        if type == "i64":
            return _whole(value, 63, path)
        if type == "f32":
            number = float32(value) if value.__class__ in (int, float) else None
            if number is None:
                raise NotAPacket(path + " is no 32-bit number")
            return number
        if type == "any":
            return value
        return _object(value, OBJECTS[type], path)
    if type.__class__ is tuple:
        if value.__class__ is not str or value not in type:
            raise NotAPacket(path + " is none of " + " ".join(type))
        return value
    if type[0] == "null":
        return None if value is None else _read(value, type[1], path)
    if type[0] == "list":
        if value.__class__ is not list:
            raise NotAPacket(path + " is no list")
        return [_read(item, type[1], path) for item in value]
    if value.__class__ is not dict:
        raise NotAPacket(path + " is no map")
    return {key: _read(item, type[1], path) for key, item in value.items()}


def _object(value, table, path):
    if value.__class__ is not dict:
        raise NotAPacket(path + " is no object")
    result = {}
    for member in table:
        name = member[0]
        if name in value:
            result[name] = _read(value[name], member[1], path + "." + name)
        elif len(member) == 3:
            result[name] = member[2]
        else:
            raise NotAPacket(path + "." + name + " is missing")
    return result


def decode(octets):
    """The packet in these octets. Raises NotAPacket."""
    try:
        value = read(octets.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise NotAPacket("no UTF-8 at octet %d" % error.start) from None
    except NotJSON as error:
        raise NotAPacket("no JSON: %s" % error) from None
    if value.__class__ is not dict:
        raise NotAPacket("no object")
    envelope = value.get("type")
    if envelope.__class__ is not str or envelope not in KINDS:
        raise NotAPacket("unknown type")
    sender = _read(value.get("senderId"), "str", "senderId")
    clock = _object(value.get("vectorClock"), OBJECTS["clock"], "vectorClock")["timestamps"]
    payload = value.get("payload")
    if payload.__class__ is not dict:
        raise NotAPacket("payload is no object")
    name = payload.get("type")
    kind = _by_payload.get(name) if name.__class__ is str else None
    if kind is None:
        raise NotAPacket("unknown payload")
    return Packet(kind, sender, clock, _object(payload, KINDS[kind][1], "payload"), envelope)
