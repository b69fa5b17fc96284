package lobby

import bench.Platform
import com.juul.kable.Bluetooth
import com.juul.kable.GattStatusException
import com.juul.kable.Peripheral
import com.juul.kable.WriteType
import com.juul.kable.characteristicOf
import com.juul.kable.link
import java.io.IOException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.channels.Channel

/** A connected peripheral: what waits to be written to it, and what is known of it. */
class ClientLink(private val peripheral: Peripheral, private val platform: Platform, scope: CoroutineScope) {
    /** The sender of the first packet (bab.md 7.5). */
    var host: String? = null
    var lastCount = 0L
    var writeType = WriteType.WithResponse

    /** This client ends the link. */
    val ending = Channel<Unit>(Channel.CONFLATED)
    var isEnding = false
        private set
    val reassembler = Reassembler(scope, { platform.now }) { report("refused", "reason" to it) }

    private val outbox = Channel<Pair<String, ByteArray>>(Channel.UNLIMITED)
    private val number = peripheral.link
    private var waiting = 0
    private var nextPacketID = 0
    private var sent = 0

    fun report(name: String, vararg members: Pair<String, Any?>) =
        platform.ask(name, mapOf("link" to number) + members)

    fun disconnect() {
        isEnding = true
        ending.trySend(Unit)
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
            val size = peripheral.maximumWriteValueLengthForType(writeType).coerceAtMost(512) - 4
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
        try {
            peripheral.write(command, value, writeType)
        } catch (refused: IOException) {
            if (refused is GattStatusException) disconnect() // bab.md 5.9.6
            awaitCancellation()
        }
    }

    companion object {
        val SERVICE = Bluetooth.BaseUuid + 0xBAB1
        val COMMAND = Bluetooth.BaseUuid + 0xBAB2
        val STATE = Bluetooth.BaseUuid + 0xBAB3
        private val command = characteristicOf(SERVICE, COMMAND)
        private const val MOST_QUEUED = 4_096
    }
}
