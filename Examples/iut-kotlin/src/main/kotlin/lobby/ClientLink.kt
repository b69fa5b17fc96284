package lobby

import bench.Platform
import bench.flag
import bench.long
import bench.text
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.channels.Channel

/** One connection: what came of it and was not taken, and what waits to be written. */
class ClientLink(private val number: Long, private val platform: Platform, scope: CoroutineScope) {
    /** The reason, an HCI error code. */
    val end = CompletableDeferred<Long>()
    var isEnding = false
        private set

    /** The sender of the first packet (bab.md 7.5). */
    var host: String? = null
    var lastCount = 0L
    var wantsResponse = true
    val reassembler = Reassembler(scope, { platform.now }) { report("refused", "reason" to it) }

    private var attMTU = 23
    private val inbox = Channel<Map<String, Any?>>(Channel.UNLIMITED)
    private val outbox = Channel<Pair<String, ByteArray>>(Channel.UNLIMITED)
    private var waiting = 0
    private var nextPacketID = 0
    private var sent = 0

    fun handle(input: Map<String, Any?>) {
        if (input["link"] != number) return
        if (input["name"] == "disconnected") end.complete(input.long("reason"))
        if (input["name"] == "attMTU") attMTU = input.long("attMTU").toInt()
        inbox.trySend(input)
    }

    fun report(name: String, vararg members: Pair<String, Any?>) =
        platform.ask(name, mapOf("link" to number) + members)

    /** Asks the platform for something and waits for its answer. */
    suspend fun ask(name: String, answer: String, vararg members: Pair<String, Any?>): Map<String, Any?> {
        report(name, *members)
        return await(answer)
    }

    private suspend fun await(name: String): Map<String, Any?> {
        while (true) inbox.receive().let { if (it["name"] == name) return it }
    }

    /** Ends the link; `disconnected` says when it is gone. */
    fun disconnect() {
        if (isEnding || end.isCompleted) return
        isEnding = true
        report("disconnect")
    }

    /** Queues a packet. */
    fun post(type: String, packet: ByteArray) {
        if (isEnding) return
        if (waiting >= MOST_QUEUED) return disconnect()
        waiting += 1
        outbox.trySend(type to packet)
    }

    /** Sends what is queued, one value at a time, as long as it is not cancelled. */
    suspend fun pump() {
        for ((type, packet) in outbox) {
            val size = (attMTU - 3).coerceAtMost(512) - 4
            val count = ((packet.size + size - 1) / size).coerceAtLeast(1)
            waiting -= 1
            if (count > 255) continue
            val head = byteArrayOf((nextPacketID shr 8).toByte(), nextPacketID.toByte())
            nextPacketID = (nextPacketID + 1) and 0xFFFF
            for (index in 0 until count) {
                val body = packet.copyOfRange(index * size, ((index + 1) * size).coerceAtMost(packet.size))
                transmit(head + byteArrayOf(index.toByte(), count.toByte()) + body)
            }
            report("packetSent", "type" to type, "packet" to sent, "fragments" to count)
            sent += 1
        }
    }

    private suspend fun transmit(value: ByteArray) {
        val members = arrayOf<Pair<String, Any?>>("characteristic" to COMMAND, "octets" to HEX.formatHex(value))
        if (wantsResponse) {
            if (ask("write", "writeCompleted", *members)["error"] == null) return
            disconnect() // bab.md 5.9.6
            awaitCancellation()
        }
        while (!ask("writeWithoutResponse", "submitted", *members).flag("accepted")) await("readyToSend")
    }

    companion object {
        const val COMMAND = "BAB2"
        val HEX: java.util.HexFormat = java.util.HexFormat.of()
        private const val MOST_QUEUED = 4_096
    }
}
