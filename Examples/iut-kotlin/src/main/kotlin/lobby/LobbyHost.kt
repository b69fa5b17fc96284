package lobby

import android.bluetooth.BluetoothDevice
import android.content.Context
import bench.NotJson
import bench.Platform
import bench.flag
import bench.members
import bench.records
import bench.text
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.cancel
import kotlinx.coroutines.delay
import kotlinx.coroutines.job
import kotlinx.coroutines.launch

/** A host that opens a lobby, gives seats, and starts a game that it does not play (dialect `sdk`). */
class LobbyHost(hello: Map<String, Any?>, private val platform: Platform, context: Context) : HostServer.Listener {
    private class Guest(val scope: CoroutineScope, val reassembler: Reassembler) {
        var id: String? = null
        var name: String? = null
        var lastCount = 0L
        val hasSeat get() = name != null
    }

    private val id = hello.text("peerID")
    private val name = hello.text("displayName")
    private val server = HostServer(context, platform, "bab-game-$id", this)
    private val scenarios = hello.members("game").records("scenarios").map { it.text("id") }
    private val counts = VectorClock()

    /** In the order of their links; seats are in the order of the joins. */
    private val guests = LinkedHashMap<BluetoothDevice, Guest>()
    private val seats = ArrayList<BluetoothDevice>()
    private var isHosting = false
    private var hasBegun = false
    private var scenario = ""
    private var difficulty = "normal"

    fun handle(input: Map<String, Any?>) {
        when (input.text("name")) {
            "launched" -> {
                platform.ask("identity", mapOf("role" to "host", "peerID" to id, "displayName" to name))
                platform.ask("phase", mapOf("phase" to "LOBBY"))
            }
            "user" -> obey(input)
            "radioPower" -> if (!input.flag("on")) server.switchedOff() else if (isHosting) server.open()
        }
    }

    private fun obey(input: Map<String, Any?>) {
        when (input.text("action")) {
            "startHosting" -> if (!isHosting) {
                isHosting = true
                server.open()
            }
            "setLobbyScenario" -> if (!hasBegun) {
                scenario = input.text("scenario")
                sendLobby()
            }
            "setLobbyDifficulty" -> if (!hasBegun && input.text("difficulty") in DIFFICULTIES) {
                difficulty = input.text("difficulty")
                sendLobby()
            }
            "startLobbyGame" -> if (!hasBegun && seats.isNotEmpty() && scenario in scenarios) {
                hasBegun = true
                send(seats, "START_GAME")
                advertise()
            }
            "leave" -> {
                isHosting = false
                hasBegun = false
                advertise()
                server.devices.toList().forEach { server.end(it) }
            }
        }
    }

    private fun advertise() = server.advertise(isHosting && !hasBegun && server.devices.size < SEATS - 1)

    // Links

    override fun came(device: BluetoothDevice) {
        if (hasBegun || server.devices.size > SEATS - 1) return server.end(device)
        val scope = CoroutineScope(platform.scope.coroutineContext + Job(platform.scope.coroutineContext.job))
        val guest = Guest(scope, Reassembler(scope, { platform.now }) { System.err.println("refused: $it") })
        guests[device] = guest
        scope.launch {
            delay(JOIN_MILLISECONDS)
            if (!guest.hasSeat) server.end(device)
        }
        advertise()
    }

    override fun gone(device: BluetoothDevice) {
        guests.remove(device)?.scope?.cancel()
        if (seats.remove(device)) sendLobby()
        advertise()
    }

    override fun received(device: BluetoothDevice, value: ByteArray) {
        val guest = guests[device] ?: return
        val packet = guest.reassembler.take(value) ?: return
        try {
            accept(device, guest, IncomingMessage(packet))
        } catch (problem: NotJson) {
            System.err.println("no packet: ${problem.message}")
        }
    }

    // Packets (bab.md 5.1, 5.6, 7)

    private fun accept(device: BluetoothDevice, guest: Guest, message: IncomingMessage) {
        if (message.name == "Handshake") return greet(device, guest, message)
        if (message.sender != guest.id || message.ownCount < guest.lastCount) return
        guest.lastCount = message.ownCount
        if (message.name == "ClientJoin") {
            val profile = message.payload.members("profile")
            if (profile.text("playerId") != guest.id) return
            merge(message)
            seat(device, guest, profile.text("displayName"))
        } else if (message.name == "Heartbeat") {
            merge(message)
        }
    }

    private fun greet(device: BluetoothDevice, guest: Guest, message: IncomingMessage) {
        val participant = message.payload.members("participant")
        val peer = participant.text("id")
        if (participant["isHost"] == true || peer != message.sender || peer in listOf(id, "")) return
        if (peer != (guest.id ?: peer)) return
        if (guests.any { it.key != device && it.value.id == peer }) return server.end(device)
        val isFirst = guest.id == null
        guest.id = peer
        if (message.ownCount < guest.lastCount) return
        guest.lastCount = message.ownCount
        merge(message)
        val me = linkedMapOf("id" to id, "name" to name, "role" to null, "isHost" to true)
        if (isFirst) send(listOf(device), "HANDSHAKE", "participant" to me)
    }

    private fun seat(device: BluetoothDevice, guest: Guest, player: String) {
        if (guest.hasSeat) return
        if (hasBegun || seats.size >= SEATS - 1) return server.end(device)
        guest.name = player
        seats.add(device)
        sendLobby()
    }

    private fun merge(message: IncomingMessage) {
        val known = guests.values.mapNotNull { it.id } + id
        counts.merge(message.clock.filterKeys { it in known })
    }

    private fun sendLobby() {
        val players = listOf(linkedMapOf("playerId" to id, "displayName" to name)) + seats.map {
            val guest = guests.getValue(it)
            linkedMapOf("playerId" to guest.id, "displayName" to guest.name)
        }
        val lobby = linkedMapOf(
            "selectedScenarioId" to scenario, "difficultyLevel" to difficulty, "connectedPlayers" to players,
        )
        send(seats, "LOBBY_UPDATE", "lobbyState" to lobby)
    }

    /** One packet, to several. */
    private fun send(to: List<BluetoothDevice>, type: String, vararg payload: Pair<String, Any?>) {
        if (to.isEmpty()) return
        counts.countOne(id)
        val packet = OutgoingMessage(type, linkedMapOf(*payload)).packet(id, counts)
        to.toList().forEach { server.send(it, packet) }
    }

    private companion object {
        const val SEATS = 8
        const val JOIN_MILLISECONDS = 15_000L
        val DIFFICULTIES = setOf("easy", "normal", "hard")
    }
}
