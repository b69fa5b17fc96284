package com.juul.kable

import bench.Platform
import bench.flag
import bench.hex
import bench.long
import bench.octets
import bench.text
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock

/** One link, as its client: one request at a time, as Android's stack takes them. */
internal class Connection(val link: Long, private val platform: Platform, private val forget: () -> Unit) {
    /** The reason, an error code of HCI. */
    val ended = CompletableDeferred<Int>()
    val attMTU = MutableStateFlow<Int?>(null)
    var onNotified: (Long, ByteArray) -> Unit = { _, _ -> }
    var onEnd: (Int) -> Unit = {}
    private val mutex = Mutex()
    private val expected = HashMap<String, ArrayDeque<CompletableDeferred<Map<String, Any?>>>>()
    private var isEnding = false

    /** Answers come in the order of the questions; one whose question was given up reaches nobody. */
    fun handle(input: Map<String, Any?>): Boolean {
        val name = input.text("name")
        when (name) {
            "disconnected" -> end(input.long("reason").toInt())
            "attMTU" -> attMTU.value = input.long("attMTU").toInt()
            "gatt.notified" -> onNotified(input.long("handle"), input.octets("octets"))
        }
        expected[name]?.removeFirstOrNull()?.complete(input)
        return name in CLIENT_WORDS
    }

    fun end(reason: Int) {
        if (!ended.complete(reason)) return
        forget()
        val lost = NotConnectedException("the connection has ended, reason $reason")
        expected.values.flatten().forEach { it.completeExceptionally(lost) }
        onEnd(reason)
    }

    fun disconnect() {
        if (isEnding || ended.isCompleted) return
        isEnding = true
        platform.ask("disconnect", mapOf("link" to link))
    }

    /** Asks, and waits for the answer. Throws NotConnectedException, and GattStatusException by `error`. */
    suspend fun ask(name: String, answer: String, members: Map<String, Any?> = emptyMap()): Map<String, Any?> =
        mutex.withLock { exchange(name, answer, members) }

    suspend fun writeWithoutResponse(characteristic: FoundCharacteristic, data: ByteArray) = mutex.withLock {
        val members = value(characteristic.handle, characteristic.record.text("type")) + ("octets" to hex(data))
        while (!exchange("gatt.writeWithoutResponse", "gatt.submitted", members).flag("accepted")) {
            await("readyToSend")
        }
    }

    private suspend fun exchange(name: String, answer: String, members: Map<String, Any?>): Map<String, Any?> {
        if (isEnding || ended.isCompleted) throw NotConnectedException("the connection has ended")
        platform.ask(name, mapOf("link" to link) + members)
        val result = await(answer)
        val error = result["error"] ?: return result
        throw GattStatusException("$name is answered with error $error", status = (error as Long).toInt())
    }

    private suspend fun await(name: String): Map<String, Any?> {
        if (ended.isCompleted) throw NotConnectedException("the connection has ended")
        val answer = CompletableDeferred<Map<String, Any?>>()
        expected.getOrPut(name) { ArrayDeque() }.addLast(answer)
        return answer.await()
    }

    companion object {
        /** What a server on the same link has no use for. */
        private val CLIENT_WORDS = setOf(
            "gatt.services", "gatt.included", "gatt.characteristics", "gatt.descriptors", "gatt.servicesChanged",
            "gatt.valueRead", "gatt.valueWritten", "gatt.submitted", "gatt.configured", "gatt.notified", "gatt.rssi",
        )

        fun value(handle: Long, type: String): Map<String, Any?> = mapOf("handle" to handle, "type" to type)
    }
}
