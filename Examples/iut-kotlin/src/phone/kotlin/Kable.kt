package com.juul.kable

import android.bluetooth.BluetoothDevice
import android.bluetooth.BluetoothGatt
import android.bluetooth.BluetoothGattCallback
import android.bluetooth.BluetoothGattCharacteristic
import android.bluetooth.BluetoothGattDescriptor
import android.bluetooth.BluetoothManager
import android.bluetooth.BluetoothProfile
import android.bluetooth.BluetoothStatusCodes
import android.bluetooth.le.ScanCallback
import android.bluetooth.le.ScanFilter
import android.bluetooth.le.ScanResult
import android.bluetooth.le.ScanSettings
import android.os.ParcelUuid
import bench.Platform
import java.io.IOException
import kotlin.uuid.Uuid
import kotlin.uuid.toJavaUuid
import kotlin.uuid.toKotlinUuid
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.awaitClose
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.callbackFlow
import kotlinx.coroutines.flow.channelFlow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock

// As much in Kable's shape as the client of this folder calls, over `android.bluetooth`. Kable's own Android part
// compiles against these classes, too (Docs/android.md); this is for those who do not have it at hand.

object Bluetooth {
    /** `Bluetooth.BaseUuid + 0x180D`: the UUID of an assigned number (Core v5.4, Vol 3, Part B, 2.5.1). */
    object BaseUuid {
        operator fun plus(shortUuid: Int): Uuid = Uuid.parse("0000%04x-0000-1000-8000-00805f9b34fb".format(shortUuid))
    }
}

class Advertisement(internal val device: BluetoothDevice) {
    val address: String get() = device.address
}

class FilterPredicateBuilder {
    var services: List<Uuid> = emptyList()
}

class FiltersBuilder {
    internal val predicates = ArrayList<FilterPredicateBuilder>()

    fun match(builder: FilterPredicateBuilder.() -> Unit) {
        predicates.add(FilterPredicateBuilder().apply(builder))
    }
}

class Scanner(builder: Scanner.() -> Unit) {
    private var predicates: List<FilterPredicateBuilder> = emptyList()

    init {
        builder()
    }

    fun filters(builder: FiltersBuilder.() -> Unit) {
        predicates = FiltersBuilder().apply(builder).predicates
    }

    /** The scan runs while this is collected. Each `match` names one service. */
    val advertisements: Flow<Advertisement> = callbackFlow {
        val manager = Platform.current.context.getSystemService(BluetoothManager::class.java)
        val callback = object : ScanCallback() {
            override fun onScanResult(callbackType: Int, result: ScanResult) {
                trySend(Advertisement(result.device))
            }
        }
        val filters = predicates.flatMap { it.services }.map {
            ScanFilter.Builder().setServiceUuid(ParcelUuid(it.toJavaUuid())).build()
        }
        val settings = ScanSettings.Builder().setScanMode(ScanSettings.SCAN_MODE_LOW_LATENCY).build()
        val scanner = manager.adapter.bluetoothLeScanner
        scanner?.startScan(filters, settings, callback)
        awaitClose { if (manager.adapter.isEnabled) scanner?.stopScan(callback) }
    }.buffer(Channel.UNLIMITED)
}

enum class WriteType { WithResponse, WithoutResponse }

interface Characteristic {
    val serviceUuid: Uuid
    val characteristicUuid: Uuid

    /** Bits of Core v5.4, Vol 3, Part G, 3.3.1.1. */
    @JvmInline
    value class Properties(val value: Int)
}

val Characteristic.Properties.write: Boolean get() = value and BluetoothGattCharacteristic.PROPERTY_WRITE != 0
val Characteristic.Properties.notify: Boolean get() = value and BluetoothGattCharacteristic.PROPERTY_NOTIFY != 0

private data class Named(override val serviceUuid: Uuid, override val characteristicUuid: Uuid) : Characteristic

fun characteristicOf(service: Uuid, characteristic: Uuid): Characteristic = Named(service, characteristic)

class DiscoveredCharacteristic internal constructor(internal val found: BluetoothGattCharacteristic) : Characteristic {
    override val serviceUuid = found.service.uuid.toKotlinUuid()
    override val characteristicUuid = found.uuid.toKotlinUuid()
    val properties = Characteristic.Properties(found.properties)
}

class DiscoveredService internal constructor(val serviceUuid: Uuid, val characteristics: List<DiscoveredCharacteristic>)

class PeripheralBuilder {
    internal var servicesDiscovered: suspend Peripheral.() -> Unit = {}

    fun onServicesDiscovered(action: suspend Peripheral.() -> Unit) {
        servicesDiscovered = action
    }
}

/** One connection of a central. Close it when it is not needed any more. */
class Peripheral(advertisement: Advertisement, builderAction: PeripheralBuilder.() -> Unit) : AutoCloseable {
    private val builder = PeripheralBuilder().apply(builderAction)
    private val device = advertisement.device
    private val platform = Platform.current
    private val connected = CompletableDeferred<Unit>()
    private val found = MutableStateFlow<List<DiscoveredService>?>(null)
    private val current = MutableStateFlow<State>(State.Disconnected())
    private val values = HashMap<BluetoothGattCharacteristic, Channel<ByteArray>>()

    /** Android takes one operation at a time: this is held from a call to its callback. */
    private val mutex = Mutex()
    private var answer: CompletableDeferred<Int>? = null
    private var asked = Operation.DISCOVERY
    private var gatt: BluetoothGatt? = null
    private var attMTU = 23

    val identifier: String get() = device.address
    val state: StateFlow<State> get() = current
    val services: StateFlow<List<DiscoveredService>?> get() = found

    internal val number: Int get() = platform.link(device.address)

    private val callback = object : BluetoothGattCallback() {
        override fun onConnectionStateChange(gatt: BluetoothGatt, status: Int, newState: Int) {
            if (newState == BluetoothProfile.STATE_CONNECTED) connected.complete(Unit) else ended(status)
        }

        override fun onServicesDiscovered(gatt: BluetoothGatt, status: Int) =
            answered(Operation.DISCOVERY, status)

        override fun onMtuChanged(gatt: BluetoothGatt, mtu: Int, status: Int) {
            if (status == BluetoothGatt.GATT_SUCCESS) attMTU = mtu
            answered(Operation.ATT_MTU, status)
        }

        override fun onCharacteristicWrite(gatt: BluetoothGatt, written: BluetoothGattCharacteristic, status: Int) =
            answered(Operation.WRITE, status)

        override fun onDescriptorWrite(gatt: BluetoothGatt, written: BluetoothGattDescriptor, status: Int) =
            answered(Operation.SUBSCRIPTION, status)

        override fun onCharacteristicChanged(
            gatt: BluetoothGatt, changed: BluetoothGattCharacteristic, value: ByteArray,
        ) {
            values[changed]?.trySend(value)
        }
    }

    /** An ATT_MTU that the other end has asked for answers nothing else. */
    private fun answered(operation: Operation, status: Int) {
        if (operation == asked) answer?.complete(status)
    }

    private fun ended(status: Int) {
        gatt?.close()
        gatt = null
        current.value = State.Disconnected(State.Disconnected.Status.of(status))
        val lost = NotConnectedException("the connection has ended, status $status")
        connected.completeExceptionally(lost)
        answer?.completeExceptionally(lost)
    }

    /** Returns when services are discovered and what is to be done then is done. */
    suspend fun connect() {
        current.value = State.Connecting.Bluetooth
        gatt = device.connectGatt(
            platform.context, false, callback, BluetoothDevice.TRANSPORT_LE, BluetoothDevice.PHY_LE_1M_MASK,
            platform.handler,
        ) ?: throw NotConnectedException("Bluetooth is off")
        try {
            connected.await()
            current.value = State.Connecting.Services
            ask(Operation.DISCOVERY) { it.discoverServices() }
            found.value = gatt?.services.orEmpty().map { service ->
                DiscoveredService(service.uuid.toKotlinUuid(), service.characteristics.map(::DiscoveredCharacteristic))
            }
            builder.servicesDiscovered(this)
            current.value = State.Connected(platform.scope)
        } catch (givenUp: CancellationException) {
            close()
            throw givenUp
        }
    }

    /** Asks for something, and waits for its callback. */
    private suspend fun ask(what: Operation, operation: (BluetoothGatt) -> Boolean) = mutex.withLock {
        val own = CompletableDeferred<Int>()
        val gatt = gatt ?: throw NotConnectedException("there is no connection")
        answer = own
        asked = what
        if (!operation(gatt)) throw IOException("$what is refused")
        val status = own.await()
        if (status != BluetoothGatt.GATT_SUCCESS) throw GattStatusException("$what: status $status", status = status)
    }

    suspend fun requestMtu(mtu: Int): Int {
        ask(Operation.ATT_MTU) { it.requestMtu(mtu) }
        return attMTU
    }

    /** ATT_MTU − 3, for both types, as Kable has it on Android. */
    @Suppress("UNUSED_PARAMETER", "RedundantSuspendModifier")
    suspend fun maximumWriteValueLengthForType(writeType: WriteType): Int = attMTU - 3

    suspend fun write(characteristic: Characteristic, data: ByteArray, writeType: WriteType) {
        val service = gatt?.getService(characteristic.serviceUuid.toJavaUuid())
        val target = service?.getCharacteristic(characteristic.characteristicUuid.toJavaUuid())
            ?: throw NotConnectedException("no ${characteristic.characteristicUuid}")
        val type = when (writeType) {
            WriteType.WithResponse -> BluetoothGattCharacteristic.WRITE_TYPE_DEFAULT
            WriteType.WithoutResponse -> BluetoothGattCharacteristic.WRITE_TYPE_NO_RESPONSE
        }
        ask(Operation.WRITE) { it.writeCharacteristic(target, data, type) == BluetoothStatusCodes.SUCCESS }
    }

    /** Subscribes, calls `onSubscription`, and gives each value. */
    fun observe(characteristic: DiscoveredCharacteristic, onSubscription: suspend () -> Unit): Flow<ByteArray> =
        channelFlow {
            val came = values.getOrPut(characteristic.found) { Channel(Channel.UNLIMITED) }
            gatt?.setCharacteristicNotification(characteristic.found, true)
            val configuration = characteristic.found.getDescriptor(CONFIGURATION)
            if (configuration != null) {
                val on = BluetoothGattDescriptor.ENABLE_NOTIFICATION_VALUE
                ask(Operation.SUBSCRIPTION) { it.writeDescriptor(configuration, on) == BluetoothStatusCodes.SUCCESS }
            }
            onSubscription()
            for (value in came) send(value)
        }

    suspend fun disconnect() {
        val gatt = gatt ?: return
        current.value = State.Disconnecting
        gatt.disconnect()
        current.first { it is State.Disconnected }
    }

    override fun close() {
        if (gatt != null) ended(0)
    }

    private enum class Operation { DISCOVERY, ATT_MTU, WRITE, SUBSCRIPTION }

    private companion object {
        val CONFIGURATION = (Bluetooth.BaseUuid + 0x2902).toJavaUuid()
    }
}

/** Not of Kable: the number of the link, which reports to the bench have. */
val Peripheral.link: Int get() = number
