package com.juul.kable

import bench.Platform
import bench.flag
import bench.long
import bench.text
import bench.texts
import kotlin.uuid.Uuid
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.ExperimentalCoroutinesApi

/** What all scanners and peripherals of this phone share: the words of the seam about finding each other. */
internal class Central private constructor(val platform: Platform) {
    class Scan(val services: List<Uuid>, val found: (Advertisement) -> Unit)

    private val scans = ArrayList<Scan>()
    private val attempts = HashMap<String, CompletableDeferred<Connection>>()

    /** Attempts that were given up: a link that comes all the same is not wanted. */
    private val abandoned = HashSet<String>()
    private val connections = HashMap<Long, Connection>()

    private fun handle(input: Map<String, Any?>): Boolean {
        when (input.text("name")) {
            "discovered" -> discovered(input)
            "connected" -> return connected(input)
            "connectFailed" -> {
                val reason = input.long("reason").toInt()
                attempts.remove(input.text("address"))?.completeExceptionally(ConnectionFailure(reason))
            }
            "radioPower" -> {
                if (!input.flag("on")) switchedOff()
                return false
            }
            else -> return connections[input["link"]]?.handle(input) ?: false
        }
        return true
    }

    private fun discovered(input: Map<String, Any?>) {
        val found = Advertisement(
            input.text("address"), input["localName"] as? String, input.texts("services").map { uuidOf(it) },
            input.long("rssi").toInt(),
        )
        scans.toList().forEach { it.found(found) }
    }

    /** False for a link that another phone asked for. */
    private fun connected(input: Map<String, Any?>): Boolean {
        val address = input.text("address")
        val link = input.long("link")
        val attempt = attempts.remove(address)
        if (attempt == null) {
            if (!abandoned.remove(address)) return false
            platform.ask("disconnect", mapOf("link" to link))
            return true
        }
        abandoned.remove(address)
        val connection = Connection(link, platform) { connections.remove(link) }
        connections[link] = connection
        attempt.complete(connection)
        return true
    }

    private fun switchedOff() {
        abandoned.clear()
        val failed = attempts.values.toList()
        attempts.clear()
        failed.forEach { it.completeExceptionally(ConnectionFailure(LOCAL_HOST_TERMINATED)) }
        connections.values.sortedBy { it.link }.forEach { it.end(LOCAL_HOST_TERMINATED) }
    }

    // Scanning

    fun begin(scan: Scan) {
        requireRadio()
        scans.add(scan)
        scan()
    }

    fun end(scan: Scan) {
        if (scans.remove(scan) && platform.radio.value) scan()
    }

    /** One scan for all that look for something. */
    private fun scan() {
        if (scans.isEmpty()) return platform.ask("stopScanning")
        val isOpen = scans.any { it.services.isEmpty() }
        val services = if (isOpen) emptyList() else scans.flatMap { it.services }.distinct()
        platform.ask("scan", mapOf("services" to services.map { it.seam }))
    }

    // Connecting

    /** Throws ConnectionFailure. How long an attempt lasts is the phone's; 30 s on Android. */
    @OptIn(ExperimentalCoroutinesApi::class)
    suspend fun connect(address: String): Connection {
        requireRadio()
        check(address !in attempts) { "an attempt to connect to $address is under way" }
        val attempt = CompletableDeferred<Connection>()
        attempts[address] = attempt
        platform.ask("connect", mapOf("address" to address))
        try {
            return attempt.await()
        } catch (cancelled: CancellationException) {
            if (attempts.remove(address) != null && platform.radio.value) {
                abandoned.add(address)
                platform.ask("cancelConnect", mapOf("address" to address))
            } else if (attempt.isCompleted && attempt.getCompletionExceptionOrNull() == null) {
                attempt.getCompleted().disconnect()
            }
            throw cancelled
        }
    }

    private fun requireRadio() {
        if (platform.radio.value) return
        throw UnmetRequirementException(UnmetRequirementReason.BluetoothDisabled, "Bluetooth is off")
    }

    companion object {
        const val LOCAL_HOST_TERMINATED = 0x16
        val current: Central by lazy { Central(Platform.current).also { it.platform.listen(it::handle) } }
    }
}

/** `reason` is an error code of HCI. */
internal class ConnectionFailure(val reason: Int) : NotConnectedException("the connection failed, reason $reason")
