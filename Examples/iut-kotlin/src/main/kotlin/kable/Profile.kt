package com.juul.kable

import bench.long
import bench.text
import kotlin.uuid.Uuid

interface Service {
    val serviceUuid: Uuid
}

interface Characteristic {
    val serviceUuid: Uuid
    val characteristicUuid: Uuid

    /** Bits of Core v5.4, Vol 3, Part G, 3.3.1.1. */
    @JvmInline
    value class Properties(val value: Int)
}

interface Descriptor {
    val serviceUuid: Uuid
    val characteristicUuid: Uuid
    val descriptorUuid: Uuid
}

interface DiscoveredService : Service {
    val characteristics: List<DiscoveredCharacteristic>
}

interface DiscoveredCharacteristic : Characteristic {
    val descriptors: List<DiscoveredDescriptor>
    val properties: Characteristic.Properties
}

interface DiscoveredDescriptor : Descriptor

val Characteristic.Properties.read: Boolean get() = value and READ != 0
val Characteristic.Properties.writeWithoutResponse: Boolean get() = value and WRITE_WITHOUT_RESPONSE != 0
val Characteristic.Properties.write: Boolean get() = value and WRITE != 0
val Characteristic.Properties.notify: Boolean get() = value and NOTIFY != 0
val Characteristic.Properties.indicate: Boolean get() = value and INDICATE != 0

/** The first one of these types that a peripheral has. */
fun characteristicOf(service: Uuid, characteristic: Uuid): Characteristic =
    LazyAttribute(service, characteristic, characteristic)

fun descriptorOf(service: Uuid, characteristic: Uuid, descriptor: Uuid): Descriptor =
    LazyAttribute(service, characteristic, descriptor)

private data class LazyAttribute(
    override val serviceUuid: Uuid, override val characteristicUuid: Uuid, override val descriptorUuid: Uuid,
) : Characteristic, Descriptor

internal const val READ = 0x02
internal const val WRITE_WITHOUT_RESPONSE = 0x04
internal const val WRITE = 0x08
internal const val NOTIFY = 0x10
internal const val INDICATE = 0x20

// What the seam found, by handle.

internal class FoundService(val record: Map<String, Any?>) : DiscoveredService {
    override val serviceUuid = uuidOf(record.text("type"))
    override val characteristics = ArrayList<FoundCharacteristic>()
}

internal class FoundCharacteristic(override val serviceUuid: Uuid, val record: Map<String, Any?>) :
    DiscoveredCharacteristic {
    override val characteristicUuid = uuidOf(record.text("type"))
    override val properties = Characteristic.Properties(record.long("properties").toInt())
    override val descriptors = ArrayList<FoundDescriptor>()
    val handle = record.long("handle")
}

internal class FoundDescriptor(
    override val serviceUuid: Uuid, override val characteristicUuid: Uuid, record: Map<String, Any?>,
) : DiscoveredDescriptor {
    override val descriptorUuid = uuidOf(record.text("type"))
    val handle = record.long("handle")
}

/** Throws NoSuchElementException when there is none with one of these properties. */
internal fun List<FoundService>.obtain(wanted: Characteristic, properties: Int): FoundCharacteristic {
    if (wanted is FoundCharacteristic) return wanted
    return filter { it.serviceUuid == wanted.serviceUuid }.flatMap { it.characteristics }.firstOrNull {
        it.characteristicUuid == wanted.characteristicUuid && it.properties.value and properties != 0
    } ?: throw NoSuchElementException("no characteristic ${wanted.characteristicUuid} with properties $properties")
}

internal fun List<FoundService>.obtain(wanted: Descriptor): FoundDescriptor {
    if (wanted is FoundDescriptor) return wanted
    return filter { it.serviceUuid == wanted.serviceUuid }.flatMap { it.characteristics }
        .filter { it.characteristicUuid == wanted.characteristicUuid }.flatMap { it.descriptors }
        .firstOrNull { it.descriptorUuid == wanted.descriptorUuid }
        ?: throw NoSuchElementException("no descriptor ${wanted.descriptorUuid}")
}
