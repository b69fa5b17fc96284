package com.juul.kable

import bench.hex
import bench.long
import bench.octets
import bench.records
import bench.text
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.cancel
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext

/** A peripheral over the `gatt.*` words of the seam. Everything runs on the one dispatcher of the bench. */
internal class BenchPeripheral(
    override val identifier: String, override val name: String?, private val builder: PeripheralBuilder,
) : AndroidPeripheral {
    private val central = Central.current
    override val scope = childOf(central.platform.scope)
    override val state = MutableStateFlow<State>(State.Disconnected())
    override val services = MutableStateFlow<List<FoundService>?>(null)
    override val mtu = MutableStateFlow<Int?>(null)
    private val observers = Observers(this)
    private var attempt: Deferred<CoroutineScope>? = null
    private var tasks: CoroutineScope? = null
    var connection: Connection? = null
        private set

    // Connecting

    override suspend fun connect(): CoroutineScope {
        check(scope.coroutineContext.job.isActive) { "the peripheral is closed" }
        val current = attempt?.takeIf { !it.isCompleted || state.value is State.Connected }
            ?: scope.async { establish() }.also { attempt = it }
        try {
            return current.await()
        } catch (cancelled: CancellationException) {
            currentCoroutineContext().ensureActive()
            throw IllegalStateException("the attempt to connect was cancelled", cancelled)
        }
    }

    private suspend fun establish(): CoroutineScope {
        state.value = State.Connecting.Bluetooth
        val connection = try {
            central.connect(identifier)
        } catch (failure: Throwable) {
            state.value = State.Disconnected(
                when (failure) {
                    is ConnectionFailure -> State.Disconnected.Status.of(failure.reason)
                    is CancellationException -> State.Disconnected.Status.Cancelled
                    else -> null
                },
            )
            throw failure
        }
        this.connection = connection
        connection.onEnd = ::ended
        connection.onNotified = observers::notified
        try {
            state.value = State.Connecting.Services
            services.value = discover(connection)
            builder.servicesDiscovered(ServicesDiscoveredPeripheral(this))
            state.value = State.Connecting.Observes
            observers.onConnected()
        } catch (failure: Throwable) {
            withContext(NonCancellable) { end(connection) }
            throw failure
        }
        return childOf(scope).also {
            tasks = it
            state.value = State.Connected(it)
        }
    }

    private suspend fun discover(connection: Connection): List<FoundService> {
        val found = connection.ask("gatt.discoverServices", "gatt.services", mapOf("types" to emptyList<String>()))
        return found.records("services").map { record ->
            FoundService(record).also { service ->
                val answer = connection.ask("gatt.discoverCharacteristics", "gatt.characteristics", record)
                answer.records("characteristics").mapTo(service.characteristics) { discover(connection, service, it) }
            }
        }
    }

    private suspend fun discover(
        connection: Connection, service: FoundService, record: Map<String, Any?>,
    ): FoundCharacteristic {
        val characteristic = FoundCharacteristic(service.serviceUuid, record)
        if (record.long("end") == characteristic.handle) return characteristic
        val answer = connection.ask("gatt.discoverDescriptors", "gatt.descriptors", record)
        answer.records("descriptors").mapTo(characteristic.descriptors) {
            FoundDescriptor(service.serviceUuid, characteristic.characteristicUuid, it)
        }
        return characteristic
    }

    /** The link is gone. */
    private fun ended(reason: Int) {
        state.value = State.Disconnecting
        connection = null
        tasks?.cancel(CancellationException("disconnected", NotConnectedException("reason $reason")))
        tasks = null
        services.value = null
        mtu.value = null
        observers.onDisconnected()
        state.value = State.Disconnected(State.Disconnected.Status.of(reason))
    }

    override suspend fun disconnect() {
        attempt?.cancelAndJoin()
        tasks?.coroutineContext?.job?.cancelAndJoin()
        connection?.let { end(it) }
    }

    private suspend fun end(connection: Connection) {
        if (connection.ended.isCompleted) return
        state.value = State.Disconnecting
        connection.disconnect()
        connection.ended.await()
    }

    override fun close() {
        connection?.disconnect()
        scope.cancel()
    }

    // Values

    internal fun servicesOrThrow() = services.value ?: throw IllegalStateException("services are not discovered")

    internal fun connectionOrThrow() = connection ?: throw NotConnectedException("not connected, state ${state.value}")

    override suspend fun maximumWriteValueLengthForType(writeType: WriteType): Int =
        (connection?.attMTU?.value ?: DEFAULT_ATT_MTU) - HEADER

    override suspend fun requestMtu(mtu: Int): Int {
        val answer = connectionOrThrow().ask("exchangeMTU", "attMTU", mapOf("attMTU" to mtu)).long("attMTU").toInt()
        this.mtu.value = answer
        return answer
    }

    override suspend fun rssi(): Int = connectionOrThrow().ask("gatt.readRSSI", "gatt.rssi").long("rssi").toInt()

    override suspend fun read(characteristic: Characteristic): ByteArray {
        connectionOrThrow()
        return servicesOrThrow().obtain(characteristic, READ).let { read(it.handle, it.characteristicUuid.seam) }
    }

    override suspend fun read(descriptor: Descriptor): ByteArray {
        connectionOrThrow()
        return servicesOrThrow().obtain(descriptor).let { read(it.handle, it.descriptorUuid.seam) }
    }

    private suspend fun read(handle: Long, type: String) =
        connectionOrThrow().ask("gatt.read", "gatt.valueRead", Connection.value(handle, type)).octets("octets")

    override suspend fun write(characteristic: Characteristic, data: ByteArray, writeType: WriteType) {
        val connection = connectionOrThrow()
        val property = if (writeType == WriteType.WithResponse) WRITE else WRITE_WITHOUT_RESPONSE
        val found = servicesOrThrow().obtain(characteristic, property)
        if (writeType == WriteType.WithoutResponse) return connection.writeWithoutResponse(found, data)
        write(found.handle, found.record.text("type"), data)
    }

    override suspend fun write(descriptor: Descriptor, data: ByteArray) {
        connectionOrThrow()
        servicesOrThrow().obtain(descriptor).let { write(it.handle, it.descriptorUuid.seam, data) }
    }

    private suspend fun write(handle: Long, type: String, data: ByteArray) {
        val members = Connection.value(handle, type) + ("octets" to hex(data))
        connectionOrThrow().ask("gatt.write", "gatt.valueWritten", members)
    }

    override fun observe(characteristic: Characteristic, onSubscription: suspend () -> Unit): Flow<ByteArray> =
        observers.observe(characteristic, onSubscription)

    /** Switches notifications on or off, or indications where there are no notifications. */
    internal suspend fun configure(characteristic: FoundCharacteristic, isOn: Boolean) {
        val members = Connection.value(characteristic.handle, characteristic.record.text("type")) + ("on" to isOn)
        connectionOrThrow().ask("gatt.configure", "gatt.configured", members)
    }

    private companion object {
        const val DEFAULT_ATT_MTU = 23
        const val HEADER = 3

        fun childOf(parent: CoroutineScope) =
            CoroutineScope(parent.coroutineContext + SupervisorJob(parent.coroutineContext.job))
    }
}
