package com.juul.kable

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.StateFlow

enum class WriteType { WithResponse, WithoutResponse }

/** The part of Kable's interface that this sample has. Close it when it is not needed any more. */
interface Peripheral : AutoCloseable {
    val scope: CoroutineScope
    val state: StateFlow<State>
    val identifier: String
    val name: String?

    /** Null until they are discovered. */
    val services: StateFlow<List<DiscoveredService>?>

    /** Returns when services are discovered and observations are on; the scope ends with the connection. */
    suspend fun connect(): CoroutineScope

    /** Ends a connection or an attempt. */
    suspend fun disconnect()

    /** ATT_MTU − 3, for both types, as Kable has it on Android. */
    suspend fun maximumWriteValueLengthForType(writeType: WriteType): Int
    suspend fun rssi(): Int
    suspend fun read(characteristic: Characteristic): ByteArray
    suspend fun write(characteristic: Characteristic, data: ByteArray, writeType: WriteType = WriteType.WithoutResponse)
    suspend fun read(descriptor: Descriptor): ByteArray
    suspend fun write(descriptor: Descriptor, data: ByteArray)

    /** Outlives connections: each new one subscribes again, and then calls `onSubscription`. */
    fun observe(characteristic: Characteristic, onSubscription: suspend () -> Unit = {}): Flow<ByteArray>
}

interface AndroidPeripheral : Peripheral {
    /** The ATT_MTU; null until one was agreed on. */
    val mtu: StateFlow<Int?>

    /** Returns what was agreed on. */
    suspend fun requestMtu(mtu: Int): Int
}

/** What may be done between discovery and observations. */
class ServicesDiscoveredPeripheral internal constructor(private val peripheral: AndroidPeripheral) {
    suspend fun read(characteristic: Characteristic): ByteArray = peripheral.read(characteristic)
    suspend fun read(descriptor: Descriptor): ByteArray = peripheral.read(descriptor)
    suspend fun write(descriptor: Descriptor, data: ByteArray) = peripheral.write(descriptor, data)
    suspend fun write(
        characteristic: Characteristic, data: ByteArray, writeType: WriteType = WriteType.WithoutResponse,
    ) = peripheral.write(characteristic, data, writeType)

    suspend fun requestMtu(mtu: Int): Int = peripheral.requestMtu(mtu)
}

class PeripheralBuilder {
    internal var servicesDiscovered: suspend ServicesDiscoveredPeripheral.() -> Unit = {}

    /** What it throws, `connect` throws. */
    fun onServicesDiscovered(action: suspend ServicesDiscoveredPeripheral.() -> Unit) {
        servicesDiscovered = action
    }
}

fun Peripheral(advertisement: Advertisement, builderAction: PeripheralBuilder.() -> Unit = {}): Peripheral =
    BenchPeripheral(advertisement.identifier, advertisement.name, PeripheralBuilder().apply(builderAction))

fun Peripheral(identifier: String, builderAction: PeripheralBuilder.() -> Unit = {}): Peripheral =
    BenchPeripheral(identifier, null, PeripheralBuilder().apply(builderAction))

/** Not of Kable: the number of the link, which reports to the bench have. Null while there is no link. */
val Peripheral.link: Long? get() = (this as BenchPeripheral).connection?.link
