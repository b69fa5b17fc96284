package lobby

/** What the client shows of the lobby (bab.md 5.2.6, 5.3.5, 5.3.7). */
class LobbyScreen(private val own: String, private val show: (String, Map<String, Any?>) -> Unit) {
    var lobby: Content.Lobby? = null
        private set
    private var roles = mapOf<String, String>()
    private var ready = setOf<String>()
    private var isPlaying = false
    private var phase = "LOBBY"

    /** Shows what a packet changes. */
    fun take(content: Content) {
        when (content) {
            is Content.Lobby -> take(content)
            is Content.Role -> if (roles[content.player] != content.role) {
                roles = roles + (content.player to content.role)
                ready = ready - content.player
                show("role", mapOf("player" to content.player, "role" to content.role))
            }
            is Content.Ready -> if (content.isReady != content.player in ready) {
                ready = if (content.isReady) ready + content.player else ready - content.player
                show("ready", mapOf("player" to content.player, "ready" to content.isReady))
            }
            Content.Start -> isPlaying = true
            Content.Other -> {}
        }
        val now = when {
            isPlaying -> "ACTIVE"
            own in ready -> "WAITING"
            roles.isEmpty() -> "LOBBY"
            else -> "ROLE_SELECTION"
        }
        if (now != phase) show("phase", mapOf("phase" to now))
        phase = now
    }

    private fun take(new: Content.Lobby) {
        val isSame = new.scenario == lobby?.scenario
        roles = if (isSame) roles.filterKeys { it in new.players } else emptyMap()
        ready = if (isSame) ready.filter { it in new.players }.toSet() else emptySet()
        if (new != lobby) {
            show(
                "lobby",
                mapOf("scenarioID" to new.scenario, "difficulty" to new.difficulty, "players" to new.players),
            )
        }
        if (new.players != lobby?.players) show("roster", mapOf("players" to new.players))
        lobby = new
    }
}
