package lobby

import bench.NotJson
import bench.Platform
import bench.flag
import bench.long
import bench.members
import bench.text
import com.juul.kable.Advertisement
import com.juul.kable.GattStatusException
import com.juul.kable.Peripheral
import com.juul.kable.Scanner
import com.juul.kable.State
import com.juul.kable.WriteType
import com.juul.kable.notify
import com.juul.kable.write
import java.io.IOException
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.cancelChildren
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeoutOrNull

/**
 * A client that joins a host, shows the lobby, and takes a role and readiness; it plays no game (dialect `sdk`).
 *
 * A session is one coroutine, written as if time passed: it sleeps with `delay` and gives up with `withTimeoutOrNull`.
 */
class LobbyClient(hello: Map<String, Any?>, private val platform: Platform) {
    private enum class Ending { REFUSED, OTHER }

    private val id = hello.text("peerID")
    private val name = hello.text("displayName")
    private val heartbeat = hello.members("game").long("heartbeatMilliseconds")
    private val hasRadio = platform.radio
    private val counts = VectorClock()
    private val excluded = HashSet<String>()

    /** A host that was connected when its link was lost. */
    private var known: Advertisement? = null
    private var session: Job? = null
    private var link: ClientLink? = null
    private var hasSeat = false
    private var screen = LobbyScreen(id, platform::ask)

    fun handle(input: Map<String, Any?>) {
        when (input.text("name")) {
            "launched" -> launched()
            "user" -> obey(input)
        }
    }

    private fun launched() {
        platform.ask("identity", mapOf("role" to "client", "peerID" to id, "displayName" to name))
        platform.ask("phase", mapOf("phase" to "LOBBY"))
        show("DISCONNECTED")
    }

    private fun show(linkState: String) = platform.ask("linkState", mapOf("linkState" to linkState))

    // What a person does

    private fun obey(input: Map<String, Any?>) {
        when (input.text("action")) {
            "joinHost" -> if (session == null) session = platform.scope.launch { ended(play()) }
            "leave" -> session?.let { left ->
                session = null
                platform.scope.launch {
                    left.cancelAndJoin()
                    ended("left")
                }
            }
            "requestRole" -> if (hasSeat) send("ROLE_ASSIGNED", "playerId" to id, "roleId" to input.text("role"))
            "setReady" -> if (hasSeat) send("PLAYER_READY", "playerId" to id, "isReady" to input.flag("ready"))
        }
    }

    private fun ended(reason: String) {
        session = null
        hasSeat = false
        show("DISCONNECTED")
        platform.ask("sessionEnded", mapOf("reason" to reason))
    }

    // A session: look, connect, set up, and again after a while (bab.md 2.4, 2.5, 5.1, 8.5, 8.7)

    /** Plays until the session is over, and says why. */
    private suspend fun play(): String {
        var failures = 0
        var refusals = 0
        excluded.clear()
        known = null
        screen = LobbyScreen(id, platform::ask)
        show("CONNECTING")
        while (true) {
            hasRadio.first { it }
            val ending = whileRadioIsOn { meet(find()) }
            // Without the ICS item `reconnect`, a client that had a seat is done.
            if (hasSeat) return "the link is lost"
            if (ending == Ending.REFUSED) refusals += 1
            if (refusals == MOST_REFUSALS) return "refused by the host"
            failures += 1
            delay(BACK_OFF + platform.random.nextLong(BACK_OFF shl failures.coerceAtMost(4)))
        }
    }

    /** Null when the radio was switched off in the middle. */
    private suspend fun <Result> whileRadioIsOn(body: suspend () -> Result): Result? = coroutineScope {
        val work = async { body() }
        val watch = launch {
            hasRadio.first { !it }
            work.cancel()
        }
        try {
            work.await()
        } catch (cancelled: CancellationException) {
            currentCoroutineContext().ensureActive()
            null
        } finally {
            watch.cancel()
        }
    }

    /** Android hears nothing when it is asked to scan a sixth time in 30 s: a host whose link was lost needs none. */
    private suspend fun find(): Advertisement =
        known?.also { known = null } ?: scanner.advertisements.first { it.address !in excluded }

    /** Connects, and uses the link until it ends. */
    private suspend fun meet(advertisement: Advertisement): Ending {
        Peripheral(advertisement) { onServicesDiscovered { requestMtu(185) } }.use { peripheral ->
            try {
                if (!attempt(peripheral)) return Ending.OTHER
            } catch (failed: IOException) {
                if (peripheral.wasLost) known = advertisement
                return if (peripheral.wasRefused) Ending.REFUSED else Ending.OTHER
            }
            return converse(peripheral).also { if (peripheral.wasLost) known = advertisement }
        }
    }

    /** False when there is no link in time. What comes then has limits of its own: a slow link may take long. */
    private suspend fun attempt(peripheral: Peripheral): Boolean = coroutineScope {
        val connecting = async { peripheral.connect() }
        val isThere = withTimeoutOrNull(ATTEMPT) {
            peripheral.state.first { it !is State.Disconnected && it !is State.Connecting.Bluetooth }
        }
        if (isThere == null) connecting.cancel() else connecting.await()
        isThere != null
    }

    private val Peripheral.wasRefused: Boolean
        get() = (state.value as? State.Disconnected)?.status == State.Disconnected.Status.PeripheralDisconnected

    private val Peripheral.wasLost: Boolean
        get() = when ((state.value as? State.Disconnected)?.status) {
            State.Disconnected.Status.Failed, State.Disconnected.Status.Timeout -> true
            else -> false
        }

    private suspend fun converse(peripheral: Peripheral): Ending = coroutineScope {
        val link = ClientLink(peripheral, platform, this)
        this@LobbyClient.link = link
        try {
            launch {
                link.ending.receive()
                peripheral.disconnect()
            }
            launch {
                if (!setUp(link, peripheral)) {
                    excluded.add(peripheral.identifier)
                    link.disconnect()
                }
            }
            peripheral.state.first { it is State.Disconnected }
            if (!link.isEnding && peripheral.wasRefused) Ending.REFUSED else Ending.OTHER
        } finally {
            coroutineContext.cancelChildren()
            this@LobbyClient.link = null
        }
    }

    /** False when the peer is no host. Does not return while the link is used. */
    private suspend fun setUp(link: ClientLink, peripheral: Peripheral): Boolean = coroutineScope {
        val service = peripheral.services.value.orEmpty().firstOrNull { it.serviceUuid == ClientLink.SERVICE }
        val found = service?.characteristics.orEmpty()
        val notifying = found.filter { it.properties.notify }
        val command = found.firstOrNull { it.characteristicUuid == ClientLink.COMMAND }
        if (command == null || notifying.none { it.characteristicUuid == ClientLink.STATE }) return@coroutineScope false
        link.writeType = if (command.properties.write) WriteType.WithResponse else WriteType.WithoutResponse
        for (characteristic in notifying) {
            val isOn = CompletableDeferred<Boolean>()
            launch {
                try {
                    peripheral.observe(characteristic) { isOn.complete(true) }.collect { receive(link, it) }
                } catch (refused: GattStatusException) {
                    isOn.complete(false)
                }
            }
            if (!isOn.await()) {
                link.disconnect()
                awaitCancellation()
            }
        }
        val me = linkedMapOf("id" to id, "name" to name, "role" to null, "isHost" to false)
        send("HANDSHAKE", "participant" to me)
        send("CLIENT_JOIN", "profile" to linkedMapOf("playerId" to id, "displayName" to name))
        if (heartbeat > 0) {
            launch {
                while (true) {
                    delay(heartbeat)
                    send("HEARTBEAT")
                }
            }
        }
        link.pump()
        true
    }

    private fun send(type: String, vararg payload: Pair<String, Any?>) {
        val link = link?.takeIf { !it.isEnding } ?: return
        counts.countOne(id)
        link.post(type, OutgoingMessage(type, linkedMapOf(*payload)).packet(id, counts))
    }

    // Packets of the host

    private fun receive(link: ClientLink, value: ByteArray) {
        if (link.isEnding) return
        val packet = link.reassembler.take(value) ?: return
        val message = try {
            IncomingMessage(packet)
        } catch (problem: NotJson) {
            return link.report("refused", "reason" to problem.message)
        }
        accept(message, link)
    }

    /** Who may say what to a client (bab.md 5.6.4, 7.5, 7.8, 7.12), and what it changes. */
    private fun accept(message: IncomingMessage, link: ClientLink) {
        fun violation(rule: String, detail: String) = link.report("violation", "rule" to rule, "detail" to detail)
        if (message.isClientOnly) return violation("BAB 7.12", "${message.name} from a host")
        if (message.sender != (link.host ?: message.sender) || message.sender == id || !message.isFitHandshake) {
            return violation("BAB 7.5", "${message.sender} on the link of ${link.host ?: "nobody"}")
        }
        link.host = message.sender
        if (message.ownCount < link.lastCount) return
        link.lastCount = message.ownCount
        counts.merge(message.clock)
        screen.take(message.content)
        if (!hasSeat && id in screen.lobby?.players.orEmpty()) {
            hasSeat = true
            show("CONNECTED")
        }
        val entries = counts.entries.map { (peer, count) -> mapOf("peerID" to peer, "count" to count) }
        platform.ask("vectorClock", mapOf("entries" to entries))
        if (!message.namesItself) violation("BAB 7.8", "the envelope is not of ${message.name}")
    }

    private companion object {
        const val ATTEMPT = 10_000L // milliseconds, 8.5
        const val BACK_OFF = 100L // milliseconds, 8.7
        const val MOST_REFUSALS = 3 // 8.10
        val scanner = Scanner { filters { match { services = listOf(ClientLink.SERVICE) } } }
    }
}
