package lobby

import bench.Json
import bench.NotJson
import bench.flag
import bench.long
import bench.members
import bench.text

private const val PREFIX = "com.bablabs.bringabrainlanguage.domain.models.PacketPayload."

/** Table 4.C of wire.md: the payload's name by the envelope's type. */
private val payloads = mapOf(
    "HANDSHAKE" to "Handshake", "HEARTBEAT" to "Heartbeat", "GENERATE_REQUEST" to "GenerateRequest",
    "DIALOG_LINE_ADDED" to "DialogLineAdded", "VOTE_REQUEST" to "VoteRequest", "VOTE_CAST" to "VoteCast",
    "FULL_STATE_SNAPSHOT" to "FullStateSnapshot", "NAVIGATION_SYNC" to "NavigationSync",
    "LINE_COMPLETED" to "LineCompleted", "LINE_SKIPPED" to "LineSkipped", "ROLE_ASSIGNED" to "RoleAssigned",
    "PLAYER_READY" to "PlayerReady", "GAME_STARTED" to "GameStarted", "TURN_ADVANCED" to "TurnAdvanced",
    "LEADERBOARD_UPDATE" to "LeaderboardUpdate", "LOBBY_UPDATE" to "LobbyUpdate", "CLIENT_JOIN" to "ClientJoin",
    "START_GAME" to "StartGame",
)

/** What everybody's counts are, as far as they are known here (bab.md 5.6). */
class VectorClock {
    private val counts = LinkedHashMap<String, Long>()

    val entries: Map<String, Long> get() = counts

    fun countOne(peer: String) {
        val own = counts[peer] ?: 0
        set(peer, if (own == Long.MAX_VALUE) own else own + 1)
    }

    /** The larger count of each, 64 entries at most. */
    fun merge(other: Map<String, Long>) {
        for ((peer, count) in other) if (count > (counts[peer] ?: 0)) set(peer, count)
    }

    private fun set(peer: String, count: Long) {
        if (peer in counts || counts.size < MOST_ENTRIES) counts[peer] = count
    }

    private companion object {
        const val MOST_ENTRIES = 64
    }
}

/** A packet to the host; members in the order of table 4.D. */
class OutgoingMessage(val type: String, private val payload: Map<String, Any?>) {
    fun packet(sender: String, clock: VectorClock): ByteArray = Json.write(
        linkedMapOf(
            "type" to type, "senderId" to sender, "vectorClock" to mapOf("timestamps" to clock.entries),
            "payload" to mapOf("type" to PREFIX + payloads[type]) + payload,
        ),
    ).encodeToByteArray()
}

/** What a packet tells this client. */
sealed interface Content {
    data class Lobby(val scenario: String, val difficulty: String, val players: List<String>) : Content
    data class Role(val player: String, val role: String) : Content
    data class Ready(val player: String, val isReady: Boolean) : Content
    data object Start : Content
    data object Other : Content
}

/** A packet from a host, as far as this client cares. Throws NotJson for octets that are no packet. */
class IncomingMessage(octets: ByteArray) {
    private val message = Json.objectOf(
        try {
            octets.decodeToString(throwOnInvalidSequence = true)
        } catch (error: CharacterCodingException) {
            throw NotJson("no UTF-8")
        },
    )
    val payload = message.members("payload")
    val sender = message.text("senderId")
    val clock = (message.members("vectorClock")["timestamps"] ?: emptyMap<String, Long>()).let { counts ->
        val members = mapOf("clock" to counts).members("clock")
        members.mapValues { members.long(it.key) }
    }

    /** The payload's name. */
    val name = payload.text("type").removePrefix(PREFIX)

    /** The envelope names the payload (wire.md 4.5). */
    val namesItself = (payloads[message.text("type")] ?: throw NotJson("unknown type")) == name
    val isClientOnly = name == "ClientJoin" || name == "GenerateRequest"
    val ownCount = clock[sender] ?: 0

    /** False for a HANDSHAKE that is not the host's. */
    val isFitHandshake: Boolean
    val content: Content

    init {
        if (payload["type"] != PREFIX + name || name !in payloads.values) throw NotJson("unknown payload")
        isFitHandshake = if (name != "Handshake") true else payload.members("participant").let {
            it.text("name")
            it.text("id") == sender && it["isHost"] == true
        }
        content = when (name) {
            "LobbyUpdate" -> lobby(payload.members("lobbyState"))
            "RoleAssigned" -> Content.Role(payload.text("playerId"), payload.text("roleId"))
            "PlayerReady" -> Content.Ready(payload.text("playerId"), payload.flag("isReady"))
            "GameStarted", "StartGame" -> Content.Start
            else -> Content.Other
        }
    }

    private fun lobby(state: Map<String, Any?>): Content {
        val players = (state["connectedPlayers"] ?: emptyList<Any?>()) as? List<*> ?: throw NotJson("no players")
        val ids = players.map { player ->
            mapOf("profile" to player).members("profile").let { profile ->
                profile.text("displayName")
                profile.text("playerId")
            }
        }
        fun text(key: String, ifAbsent: String) = if (key in state) state.text(key) else ifAbsent
        return Content.Lobby(text("selectedScenarioId", ""), text("difficultyLevel", "normal"), ids)
    }
}
