"""A reader of Bab packets that shares nothing with the bench's: written from tables 4.C and 4.D of Docs/Protocol/wire.md.

It reads one packet per line on standard input, says what is wrong with each line that is no packet, and ends with 1 if
there was any. Strict: every key, in the order of the tables, once; every value of the type that the tables say. The
first argument is the path of wire.md: the keys that are written down here must be those of its table.
"""

import json
import re
import sys

PREFIX = "com.bablabs.bringabrainlanguage.domain.models.PacketPayload."


class Wrong(Exception):
    """What is wrong with a packet, and where in it."""


# What a value must be: a function that refuses what it is not.


def refuse(where, what, value):
    raise Wrong(f"{where} must be {what}, and is {json.dumps(value)[:80]}")


def text(value, where):
    if not isinstance(value, str):
        refuse(where, "a string", value)


def boolean(value, where):
    if not isinstance(value, bool):
        refuse(where, "true or false", value)


def integer(bits):
    def check(value, where):
        limit = 1 << (bits - 1)
        if isinstance(value, bool) or not isinstance(value, int) or not -limit <= value < limit:
            refuse(where, f"an integer of {bits} bits", value)

    return check


def fraction(value, where):
    # Written with a point (4.11), which the standard library reads as a float.
    if not isinstance(value, float) or value != value or value in (float("inf"), float("-inf")):
        refuse(where, "a number with a point", value)


def anything(value, where):
    pass


def one_of(*names):
    def check(value, where):
        if value not in names or not isinstance(value, str):
            refuse(where, "one of " + ", ".join(names), value)

    return check


def maybe(inner):
    def check(value, where):
        if value is not None:
            inner(value, where)

    check.may_be_null = True
    return check


def listed(inner):
    def check(value, where):
        if not isinstance(value, list):
            refuse(where, "a list", value)
        for index, item in enumerate(value):
            inner(item, f"{where}[{index}]")

    return check


def mapped(inner):
    def check(value, where):
        if not isinstance(value, Members):
            refuse(where, "an object", value)
        for key, item in value.pairs:
            inner(item, f"{where}.{key}")

    return check


def record(name):
    """An object of table 4.D."""
    return lambda value, where: keys(value, where, OBJECTS[name])


class Members:
    """An object as it was written: its members in their order."""

    def __init__(self, pairs):
        self.pairs = pairs

    def get(self, name, where):
        for key, value in self.pairs:
            if key == name:
                return value
        raise Wrong(f"{where} has no {name}")


def keys(value, where, table):
    if not isinstance(value, Members):
        refuse(where, "an object", value)
    names = [key for key, _ in value.pairs]
    if names != list(table):
        raise Wrong(f"{where} must have the keys {', '.join(table) or 'none'}, and has {', '.join(names) or 'none'}")
    for key, item in value.pairs:
        table[key](item, f"{where}.{key}")


int32, int64 = integer(32), integer(64)

OBJECTS = {
    "participant": {"id": text, "name": text, "role": maybe(record("role")), "isHost": boolean},
    "role": {"id": text, "name": text, "description": text},
    "line": {
        "id": text, "speakerId": text, "roleName": text, "textNative": text, "textTranslated": text,
        "timestamp": int64, "assignedToPlayerId": text, "visibility": one_of("PRIVATE", "COMMITTED"),
        "pronunciationResult": maybe(record("result")),
    },
    "result": {
        "errorCount": int32, "accuracy": fraction, "wordErrors": listed(record("word error")), "skipped": boolean,
        "duration": int64,
    },
    "word error": {"word": text, "position": int32, "expected": maybe(text), "heard": maybe(text)},
    "leaderboard": {"rankings": listed(record("ranking")), "updatedAt": int64},
    "ranking": {"rank": int32, "playerId": text, "displayName": text, "score": int32, "highlight": maybe(text)},
    "lobbyState": {
        "selectedScenarioId": text, "difficultyLevel": text, "connectedPlayers": listed(record("profile")),
    },
    "profile": {"playerId": text, "displayName": text},
    "state": {
        "mode": one_of("SOLO", "HOST", "CLIENT"),
        "connectionStatus": one_of("DISCONNECTED", "CONNECTING", "CONNECTED", "RECONNECTING"),
        "peers": listed(record("participant")), "localPeerId": text, "scenario": maybe(record("scenario")),
        "roles": mapped(record("role")), "dialogHistory": listed(record("line")),
        "currentPhase": one_of("LOBBY", "ROLE_SELECTION", "WAITING", "ACTIVE", "VOTING", "FINISHED"),
        "pendingVote": maybe(record("pending vote")), "voteResults": mapped(boolean), "vectorClock": record("clock"),
        "lastSyncTimestamp": int64, "playerContexts": mapped(anything), "activePlotTwist": maybe(anything),
        "recentFeedback": listed(anything), "sessionStats": maybe(anything),
        "lobbyPlayers": listed(record("lobby player")), "isAdvertising": boolean,
        "connectedPeers": listed(record("connected peer")), "currentTurnPlayerId": maybe(text),
        "pendingLine": maybe(record("line")), "committedHistory": listed(record("line")),
        "playerStats": mapped(record("player stats")), "sessionLeaderboard": maybe(record("leaderboard")),
        "sessionSummary": maybe(record("session summary")),
    },
    "scenario": {"id": text, "name": text, "description": text, "availableRoles": listed(record("role"))},
    "pending vote": {
        "proposerId": text, "action": one_of("CHANGE_SCENE", "END_GAME", "SKIP_LINE"), "requiredVotes": int32,
    },
    "lobby player": {
        "peerId": text, "displayName": text, "assignedRole": maybe(record("role")), "isReady": boolean,
        "connectionQuality": one_of("EXCELLENT", "GOOD", "FAIR", "POOR"),
    },
    "connected peer": {"peerId": text, "displayName": text, "isHost": boolean, "lastSeen": int64},
    "player stats": {
        "playerId": text, "linesCompleted": int32, "totalErrors": int32, "perfectLines": int32,
        "averageAccuracy": fraction, "currentStreak": int32, "xpEarned": int32,
    },
    "session summary": {
        "scenarioName": text, "durationMs": int64, "totalLines": int32, "playerRankings": listed(record("ranking")),
        "xpEarned": mapped(int32), "achievementsUnlocked": listed(record("achievement")),
        "vocabularyLearned": listed(anything), "overallAccuracy": fraction,
    },
    "achievement": {"id": text, "name": text, "description": text, "iconName": maybe(text), "unlockedAt": int64},
}

# 4.13, which has no row of the table.
OBJECTS["clock"] = {"timestamps": mapped(int64)}

# Table 4.C: the payload's name and its fields.
KINDS = {
    "HANDSHAKE": ("Handshake", {"participant": record("participant")}),
    "HEARTBEAT": ("Heartbeat", {}),
    "GENERATE_REQUEST": ("GenerateRequest", {"prompt": text}),
    "DIALOG_LINE_ADDED": ("DialogLineAdded", {"line": record("line")}),
    "VOTE_REQUEST": ("VoteRequest", {"proposerId": text, "action": one_of("CHANGE_SCENE", "END_GAME", "SKIP_LINE")}),
    "VOTE_CAST": ("VoteCast", {"voterId": text, "vote": boolean}),
    "FULL_STATE_SNAPSHOT": ("FullStateSnapshot", {"state": record("state")}),
    "NAVIGATION_SYNC": ("NavigationSync", {"screenName": text}),
    "LINE_COMPLETED": ("LineCompleted", {"lineId": text, "result": record("result")}),
    "LINE_SKIPPED": ("LineSkipped", {"lineId": text}),
    "ROLE_ASSIGNED": ("RoleAssigned", {"playerId": text, "roleId": text}),
    "PLAYER_READY": ("PlayerReady", {"playerId": text, "isReady": boolean}),
    "GAME_STARTED": ("GameStarted", {}),
    "TURN_ADVANCED": ("TurnAdvanced", {"nextPlayerId": text, "pendingLine": maybe(record("line"))}),
    "LEADERBOARD_UPDATE": ("LeaderboardUpdate", {"leaderboard": record("leaderboard")}),
    "LOBBY_UPDATE": ("LobbyUpdate", {"lobbyState": record("lobbyState")}),
    "CLIENT_JOIN": ("ClientJoin", {"profile": record("profile")}),
    "START_GAME": ("StartGame", {}),
}


def read(line):
    """The kind of a packet; refuses what is none."""
    try:
        packet = json.loads(line, object_pairs_hook=Members)
    except ValueError as problem:
        raise Wrong(f"no JSON: {problem}") from None
    if not isinstance(packet, Members):
        refuse("the packet", "an object", packet)
    kind = packet.get("type", "the packet")
    if kind not in KINDS:
        refuse("type", "a name of table 4.C", kind)
    name, fields = KINDS[kind]
    payload = {"type": one_of(PREFIX + name), **fields}
    envelope = {
        "type": text, "senderId": text, "vectorClock": record("clock"),
        "payload": lambda value, where: keys(value, where, payload),
    }
    keys(packet, "the packet", envelope)
    return kind


def table(path):
    """The keys of table 4.D, by object, and which of them may be null."""
    objects = {}
    part = open(path, encoding="utf-8").read().split("### 4.D")[1].split("### 4.E")[0]
    for row in re.findall(r"^\| (.+?) \| (.+) \|$", part, re.MULTILINE):
        if row[0] == "Object":
            continue
        names = re.sub(r"\(.*?\)|\{.*?\}", "", row[1]).split(",")
        words = [name.split()[0] for name in names]
        objects[row[0]] = {word.rstrip("?"): word.endswith("?") for word in words}
    return objects


def main():
    known = {name: keys for name, keys in OBJECTS.items() if name != "clock"}
    here = {
        name: {key: getattr(check, "may_be_null", False) for key, check in keys.items()} for name, keys in known.items()
    }
    written = table(sys.argv[1])
    if here != written:
        names = [name for name in {**here, **written} if here.get(name) != written.get(name)]
        sys.exit(f"{sys.argv[1]}, table 4.D says something else about: {', '.join(names)}")
    wrong, seen = 0, {}
    for number, line in enumerate(sys.stdin.buffer.read().decode("utf-8").split("\n"), 1):
        if not line:
            continue
        try:
            kind = read(line)
            seen[kind] = seen.get(kind, 0) + 1
        except Wrong as problem:
            wrong += 1
            print(f"line {number}: {problem}: {line[:300]}")
    print("read: " + ", ".join(f"{kind} {seen[kind]}" for kind in sorted(seen)))
    sys.exit(1 if wrong else 0)


main()
