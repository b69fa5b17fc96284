package lobby

import android.bluetooth.BluetoothDevice
import android.bluetooth.BluetoothGatt
import android.bluetooth.BluetoothGattCharacteristic
import android.bluetooth.BluetoothGattDescriptor
import android.bluetooth.BluetoothGattServer
import android.bluetooth.BluetoothGattServerCallback
import android.bluetooth.BluetoothGattService
import android.bluetooth.BluetoothManager
import android.bluetooth.BluetoothProfile
import android.bluetooth.le.AdvertiseCallback
import android.bluetooth.le.AdvertiseData
import android.bluetooth.le.AdvertiseSettings
import android.content.Context
import android.os.ParcelUuid
import bench.Platform
import java.util.UUID

/** The BLE half of a host as an Android app has it: one server, one advertiser, one value at a time to each device. */
class HostServer(
    private val context: Context, private val platform: Platform, private val name: String,
    private val app: Listener,
) : BluetoothGattServerCallback() {
    interface Listener {
        fun came(device: BluetoothDevice)
        fun received(device: BluetoothDevice, value: ByteArray)
        fun gone(device: BluetoothDevice)
    }

    private class Link {
        var attMTU = 23
        var isSubscribed = false
        var isSending = false
        var nextPacketID = 0

        /** What a phone has written in parts; null when they do not fit together. */
        var parts: ByteArray? = ByteArray(0)
        val packets = ArrayDeque<ByteArray>()
        val values = ArrayDeque<ByteArray>()
    }

    private val manager = context.getSystemService(BluetoothManager::class.java)!!
    private lateinit var server: BluetoothGattServer
    private val links = LinkedHashMap<BluetoothDevice, Link>()
    private lateinit var state: BluetoothGattCharacteristic

    private val advertising = object : AdvertiseCallback() {
        override fun onStartFailure(errorCode: Int) = System.err.println("advertising failed: $errorCode")
    }
    private var isAdvertising = false
    private var isOpen = false

    val devices: Set<BluetoothDevice> get() = links.keys

    /** Publishes, and then advertises. */
    fun open() {
        if (isOpen) return advertise(true)
        isOpen = true
        server = manager.openGattServer(context, platform.onMainThread(this))
        state = notifying(0xBAB3)
        val service = BluetoothGattService(uuid(0xBAB1), BluetoothGattService.SERVICE_TYPE_PRIMARY)
        val both = BluetoothGattCharacteristic.PROPERTY_WRITE or BluetoothGattCharacteristic.PROPERTY_WRITE_NO_RESPONSE
        service.addCharacteristic(
            BluetoothGattCharacteristic(uuid(0xBAB2), both, BluetoothGattCharacteristic.PERMISSION_WRITE),
        )
        service.addCharacteristic(state)
        service.addCharacteristic(notifying(0xBAB4))
        server.addService(service)
    }

    private fun notifying(number: Int) =
        BluetoothGattCharacteristic(uuid(number), BluetoothGattCharacteristic.PROPERTY_NOTIFY, 0).apply {
            val permissions = BluetoothGattDescriptor.PERMISSION_READ or BluetoothGattDescriptor.PERMISSION_WRITE
            addDescriptor(BluetoothGattDescriptor(CONFIGURATION, permissions))
        }

    override fun onServiceAdded(status: Int, service: BluetoothGattService) = advertise(true)

    fun advertise(on: Boolean) {
        if (on == isAdvertising) return
        val advertiser = manager.adapter.bluetoothLeAdvertiser ?: return
        isAdvertising = on
        if (!on) return advertiser.stopAdvertising(advertising)
        manager.adapter.name = name
        val mode = AdvertiseSettings.ADVERTISE_MODE_LOW_LATENCY
        val settings = AdvertiseSettings.Builder().setAdvertiseMode(mode).build()
        val data = AdvertiseData.Builder().addServiceUuid(ParcelUuid(uuid(0xBAB1))).build()
        val response = AdvertiseData.Builder().setIncludeDeviceName(true).build()
        advertiser.startAdvertising(settings, data, response, advertising)
    }

    /** Bluetooth is off: server and advertiser are gone, and so are the devices, of which Android tells nothing. */
    fun switchedOff() {
        isOpen = false
        isAdvertising = false
        val gone = links.keys.toList()
        links.clear()
        gone.forEach { app.gone(it) }
    }

    fun end(device: BluetoothDevice) = server.cancelConnection(device)

    /** Queues a packet; it goes when the device has subscribed. */
    fun send(device: BluetoothDevice, packet: ByteArray) {
        val link = links[device] ?: return
        if (link.packets.size >= MOST_QUEUED) return end(device)
        link.packets.addLast(packet)
        pump(device, link)
    }

    private fun pump(device: BluetoothDevice, link: Link) {
        if (link.isSending || !link.isSubscribed) return
        while (link.values.isEmpty()) cut(link.packets.removeFirstOrNull() ?: return, link)
        link.isSending = true
        server.notifyCharacteristicChanged(device, state, false, link.values.removeFirst())
    }

    /** Fragments of a packet; none of one that needs too many (wire.md 3). */
    private fun cut(packet: ByteArray, link: Link) {
        val size = (link.attMTU - 3).coerceAtMost(512) - 4
        val count = ((packet.size + size - 1) / size).coerceAtLeast(1)
        if (count > 255) return
        val id = link.nextPacketID
        link.nextPacketID = (id + 1) and 0xFFFF
        for (index in 0 until count) {
            val head = byteArrayOf((id shr 8).toByte(), id.toByte(), index.toByte(), count.toByte())
            val body = packet.copyOfRange(index * size, ((index + 1) * size).coerceAtMost(packet.size))
            link.values.addLast(head + body)
        }
    }

    // What Android tells

    override fun onConnectionStateChange(device: BluetoothDevice, status: Int, newState: Int) {
        if (newState == BluetoothProfile.STATE_CONNECTED) {
            links[device] = Link()
            app.came(device)
        } else if (links.remove(device) != null) {
            app.gone(device)
        }
    }

    override fun onMtuChanged(device: BluetoothDevice, mtu: Int) {
        links[device]?.attMTU = mtu
    }

    override fun onCharacteristicWriteRequest(
        device: BluetoothDevice, requestId: Int, characteristic: BluetoothGattCharacteristic, preparedWrite: Boolean,
        responseNeeded: Boolean, offset: Int, value: ByteArray,
    ) {
        if (responseNeeded) server.sendResponse(device, requestId, BluetoothGatt.GATT_SUCCESS, offset, value)
        if (!preparedWrite) return app.received(device, value)
        val link = links[device] ?: return
        // Parts come in their order; one that does not follow spoils the value.
        link.parts = link.parts?.takeIf { it.size == offset && offset + value.size <= MOST_OCTETS }?.plus(value)
    }

    override fun onExecuteWrite(device: BluetoothDevice, requestId: Int, execute: Boolean) {
        server.sendResponse(device, requestId, BluetoothGatt.GATT_SUCCESS, 0, null)
        val link = links[device] ?: return
        val value = link.parts
        link.parts = ByteArray(0)
        if (execute && value != null && value.isNotEmpty()) app.received(device, value)
    }

    override fun onDescriptorWriteRequest(
        device: BluetoothDevice, requestId: Int, descriptor: BluetoothGattDescriptor, preparedWrite: Boolean,
        responseNeeded: Boolean, offset: Int, value: ByteArray,
    ) {
        if (responseNeeded) server.sendResponse(device, requestId, BluetoothGatt.GATT_SUCCESS, offset, value)
        val link = links[device] ?: return
        if (descriptor.characteristic !== state) return
        link.isSubscribed = value.contentEquals(BluetoothGattDescriptor.ENABLE_NOTIFICATION_VALUE)
        pump(device, link)
    }

    override fun onNotificationSent(device: BluetoothDevice, status: Int) {
        val link = links[device] ?: return
        link.isSending = false
        pump(device, link)
    }

    private companion object {
        const val MOST_QUEUED = 256
        const val MOST_OCTETS = 512
        val CONFIGURATION = uuid(0x2902)

        fun uuid(number: Int): UUID = UUID.fromString("0000%04x-0000-1000-8000-00805f9b34fb".format(number))
    }
}
