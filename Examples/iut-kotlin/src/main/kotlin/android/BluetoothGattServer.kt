package android.bluetooth

import bench.Platform
import bench.flag
import bench.hex
import bench.long
import bench.octets
import bench.records
import bench.seamUuid
import bench.text
import java.util.UUID

/**
 * A server over the `gatt.*` words of the seam.
 *
 * The platform keeps the Client Characteristic Configuration and answers for it. An app is shown each write of it as
 * Android shows it, and its answer goes nowhere; that it adds the descriptor 0x2902 and answers is checked by a remark.
 */
class BluetoothGattServer internal constructor(
    private val platform: Platform, private val adapter: BluetoothAdapter, private val newKey: () -> Long,
    private val callback: BluetoothGattServerCallback,
) {
    private class Peer(val link: Long, val device: BluetoothDevice) {
        /** Values that are not known to be sent, the oldest of which is with the platform unless it has no room. */
        val waiting = ArrayDeque<Pair<BluetoothGattCharacteristic, ByteArray>>()
        var isBlocked = false
    }

    private val services = ArrayList<BluetoothGattService>()
    private val characteristics = HashMap<Long, BluetoothGattCharacteristic>()
    private val peers = ArrayList<Peer>()
    private val requests = Requests(platform)

    /** Bluetooth was switched off: on Android the app has to open a server again. */
    private var isDead = false

    init {
        platform.listen(::handle)
    }

    // What the app asks for

    val connectedDevices: List<BluetoothDevice> get() = peers.map { it.device }

    /** `onServiceAdded` says when it is there. */
    fun addService(service: BluetoothGattService): Boolean {
        service.key = newKey()
        services.add(service)
        val own = service.characteristics.map { characteristic ->
            characteristic.key = newKey()
            characteristics[characteristic.key] = characteristic
            remarkMissingConfiguration(characteristic)
            val fixed = characteristic.descriptors.filter { it.uuid != CONFIGURATION }.map { descriptor ->
                descriptor.key = newKey()
                mapOf(
                    "attribute" to descriptor.key, "type" to seamUuid(descriptor.uuid.toString()),
                    "value" to hex(descriptor.value),
                )
            }
            mapOf(
                "attribute" to characteristic.key, "type" to seamUuid(characteristic.uuid.toString()),
                "properties" to characteristic.properties, "permissions" to permissions(characteristic),
                "value" to null, "descriptors" to fixed,
            )
        }
        platform.ask(
            "gatt.publish",
            mapOf(
                "service" to service.key, "type" to seamUuid(service.uuid.toString()),
                "primary" to (service.type == BluetoothGattService.SERVICE_TYPE_PRIMARY),
                "included" to service.includedServices.map { mapOf("service" to it.key) }, "characteristics" to own,
            ),
        )
        return true
    }

    private fun permissions(of: BluetoothGattCharacteristic): Int {
        fun bit(android: Int, seam: Int) = if (of.permissions and android != 0) seam else 0
        return bit(0x01 or 0x02 or 0x04, 1) + bit(0x10 or 0x20 or 0x40, 2) + bit(0x02 or 0x04, 4) + bit(0x20 or 0x40, 8)
    }

    private fun remarkMissingConfiguration(characteristic: BluetoothGattCharacteristic) {
        val sends = BluetoothGattCharacteristic.PROPERTY_NOTIFY or BluetoothGattCharacteristic.PROPERTY_INDICATE
        if (characteristic.properties and sends == 0 || characteristic.getDescriptor(CONFIGURATION) != null) return
        System.err.println("remark: ${characteristic.uuid} has no descriptor 2902; on Android nobody could subscribe")
    }

    fun removeService(service: BluetoothGattService): Boolean {
        if (!services.remove(service)) return false
        service.characteristics.forEach { characteristics.remove(it.key) }
        platform.ask("gatt.unpublish", mapOf("service" to service.key))
        return true
    }

    fun clearServices() = services.toList().forEach { removeService(it) }

    fun getService(uuid: UUID): BluetoothGattService? = services.firstOrNull { it.uuid == uuid }

    fun cancelConnection(device: BluetoothDevice) {
        peer(device)?.let { platform.ask("disconnect", mapOf("link" to it.link)) }
    }

    fun close() {
        clearServices()
        peers.toList().forEach { cancelConnection(it.device) }
    }

    /** False when the device is not connected, or the request is not known or answered. */
    fun sendResponse(device: BluetoothDevice, requestId: Int, status: Int, offset: Int, value: ByteArray?): Boolean =
        peer(device) != null && requests.answer(requestId, status, value)

    /** A notification, or an indication where the client has switched on that alone; `onNotificationSent` follows. */
    fun notifyCharacteristicChanged(
        device: BluetoothDevice, characteristic: BluetoothGattCharacteristic, confirm: Boolean, value: ByteArray,
    ): Int {
        val peer = peer(device) ?: return BluetoothStatusCodes.ERROR_DEVICE_NOT_CONNECTED
        if (peer.waiting.isNotEmpty()) {
            System.err.println("remark: notifyCharacteristicChanged before onNotificationSent of the last one")
        }
        peer.waiting.addLast(characteristic to value)
        if (peer.waiting.size == 1) submit(peer)
        return BluetoothStatusCodes.SUCCESS
    }

    private fun submit(peer: Peer) {
        val (characteristic, value) = peer.waiting.first()
        platform.ask(
            "gatt.notify",
            mapOf(
                "link" to peer.link, "attribute" to characteristic.key,
                "type" to seamUuid(characteristic.uuid.toString()), "octets" to hex(value),
            ),
        )
    }

    // What the platform tells

    private fun peer(device: BluetoothDevice) = peers.firstOrNull { it.device == device }

    private fun handle(input: Map<String, Any?>): Boolean {
        if (isDead) return false
        val name = input.text("name")
        if (name == "connected") return connected(Peer(input.long("link"), BluetoothDevice(input.text("address"))))
        if (name == "gatt.published") return published(input)
        if (name == "radioPower" && !input.flag("on")) {
            peers.toList().forEach { disconnected(it) }
            isDead = true
        }
        val peer = peers.firstOrNull { it.link == input["link"] } ?: return false
        when (name) {
            "disconnected" -> disconnected(peer)
            "attMTU" -> callback.onMtuChanged(peer.device, input.long("attMTU").toInt())
            "gatt.subscription" -> configured(peer, input)
            "gatt.readAsked" -> {
                val id = requests.take(input.long("request"))
                val own = characteristics.getValue(input.long("attribute"))
                callback.onCharacteristicReadRequest(peer.device, id, input.long("offset").toInt(), own)
            }
            "gatt.writesAsked" -> written(peer, input)
            "gatt.notifySubmitted" -> submitted(peer, input.flag("accepted"))
            "readyToSend" -> if (peer.isBlocked) {
                peer.isBlocked = false
                submit(peer)
            }
            else -> return false
        }
        return true
    }

    private fun connected(peer: Peer): Boolean {
        // Android has one connection to an address: a new one means that the old one is dead.
        peer(peer.device)?.let {
            platform.ask("disconnect", mapOf("link" to it.link))
            disconnected(it)
        }
        peers.add(peer)
        adapter.advertiser.linkCame()
        callback.onConnectionStateChange(peer.device, BluetoothGatt.GATT_SUCCESS, BluetoothProfile.STATE_CONNECTED)
        return true
    }

    private fun published(input: Map<String, Any?>): Boolean {
        val service = services.firstOrNull { it.key == input["service"] } ?: return false
        val status = if (input["error"] == null) BluetoothGatt.GATT_SUCCESS else BluetoothGatt.GATT_FAILURE
        callback.onServiceAdded(status, service)
        return true
    }

    private fun disconnected(peer: Peer) {
        peers.remove(peer)
        callback.onConnectionStateChange(peer.device, BluetoothGatt.GATT_SUCCESS, BluetoothProfile.STATE_DISCONNECTED)
    }

    /** The client wrote the Client Characteristic Configuration. */
    private fun configured(peer: Peer, input: Map<String, Any?>) {
        val descriptor = characteristics.getValue(input.long("attribute")).getDescriptor(CONFIGURATION) ?: return
        val notifies = descriptor.characteristic.properties and BluetoothGattCharacteristic.PROPERTY_NOTIFY != 0
        val value = when {
            !input.flag("on") -> BluetoothGattDescriptor.DISABLE_NOTIFICATION_VALUE
            notifies -> BluetoothGattDescriptor.ENABLE_NOTIFICATION_VALUE
            else -> BluetoothGattDescriptor.ENABLE_INDICATION_VALUE
        }
        callback.onDescriptorWriteRequest(peer.device, requests.take(null), descriptor, false, true, 0, value)
    }

    /** One write, or all prepared writes of a client, which Android hands over one by one before `onExecuteWrite`. */
    private fun written(peer: Peer, input: Map<String, Any?>) {
        val parts = input.records("parts")
        val needsAnswer = input.flag("needsAnswer")
        val isPrepared = parts.size > 1 || parts.any { it["offset"] != 0L }
        for (part in parts) {
            val own = characteristics.getValue(part.long("attribute"))
            val id = requests.take(if (needsAnswer && !isPrepared) input.long("request") else null)
            val offset = part.long("offset").toInt()
            callback.onCharacteristicWriteRequest(
                peer.device, id, own, isPrepared, needsAnswer, offset, part.octets("octets"),
            )
        }
        if (isPrepared) callback.onExecuteWrite(peer.device, requests.take(input.long("request")), true)
    }

    private fun submitted(peer: Peer, isAccepted: Boolean) {
        if (!isAccepted) {
            peer.isBlocked = true
            return
        }
        peer.waiting.removeFirstOrNull()
        if (peer.waiting.isNotEmpty()) submit(peer)
        callback.onNotificationSent(peer.device, BluetoothGatt.GATT_SUCCESS)
    }

    private companion object {
        val CONFIGURATION: UUID = UUID.fromString("00002902-0000-1000-8000-00805f9b34fb")
    }
}
