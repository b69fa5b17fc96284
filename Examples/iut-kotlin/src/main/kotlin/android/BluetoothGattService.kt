package android.bluetooth

import java.util.UUID

class BluetoothGattService(val uuid: UUID, val type: Int) {
    val characteristics: List<BluetoothGattCharacteristic> = ArrayList()
    val includedServices: List<BluetoothGattService> = ArrayList()

    fun addCharacteristic(characteristic: BluetoothGattCharacteristic): Boolean {
        characteristic.service = this
        return (characteristics as ArrayList).add(characteristic)
    }

    /** A service that the server has already. */
    fun addService(service: BluetoothGattService): Boolean = (includedServices as ArrayList).add(service)

    fun getCharacteristic(uuid: UUID): BluetoothGattCharacteristic? = characteristics.firstOrNull { it.uuid == uuid }

    internal var key = 0L

    companion object {
        const val SERVICE_TYPE_PRIMARY = 0
        const val SERVICE_TYPE_SECONDARY = 1
    }
}

class BluetoothGattCharacteristic(val uuid: UUID, val properties: Int, val permissions: Int) {
    val descriptors: List<BluetoothGattDescriptor> = ArrayList()
    lateinit var service: BluetoothGattService
        internal set

    fun addDescriptor(descriptor: BluetoothGattDescriptor): Boolean {
        descriptor.characteristic = this
        return (descriptors as ArrayList).add(descriptor)
    }

    fun getDescriptor(uuid: UUID): BluetoothGattDescriptor? = descriptors.firstOrNull { it.uuid == uuid }

    internal var key = 0L

    companion object {
        const val PROPERTY_BROADCAST = 0x01
        const val PROPERTY_READ = 0x02
        const val PROPERTY_WRITE_NO_RESPONSE = 0x04
        const val PROPERTY_WRITE = 0x08
        const val PROPERTY_NOTIFY = 0x10
        const val PROPERTY_INDICATE = 0x20
        const val PERMISSION_READ = 0x01
        const val PERMISSION_READ_ENCRYPTED = 0x02
        const val PERMISSION_READ_ENCRYPTED_MITM = 0x04
        const val PERMISSION_WRITE = 0x10
        const val PERMISSION_WRITE_ENCRYPTED = 0x20
        const val PERMISSION_WRITE_ENCRYPTED_MITM = 0x40
    }
}

class BluetoothGattDescriptor(val uuid: UUID, val permissions: Int) {
    lateinit var characteristic: BluetoothGattCharacteristic
        internal set

    /** What clients read; it cannot change once the service is added. */
    var value: ByteArray = ByteArray(0)

    internal var key = 0L

    companion object {
        const val PERMISSION_READ = 0x01
        const val PERMISSION_WRITE = 0x10
        val ENABLE_NOTIFICATION_VALUE: ByteArray get() = byteArrayOf(1, 0)
        val ENABLE_INDICATION_VALUE: ByteArray get() = byteArrayOf(2, 0)
        val DISABLE_NOTIFICATION_VALUE: ByteArray get() = byteArrayOf(0, 0)
    }
}
