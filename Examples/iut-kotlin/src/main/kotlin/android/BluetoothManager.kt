package android.bluetooth

import android.bluetooth.le.BluetoothLeAdvertiser
import android.content.Context
import bench.Platform

class BluetoothManager internal constructor(private val platform: Platform) {
    val adapter = BluetoothAdapter(platform)

    private var server: BluetoothGattServer? = null
    private var newestKey = 0L

    /** One server: the seam has one attribute table, and a new server takes the services of the old one back. */
    fun openGattServer(context: Context, callback: BluetoothGattServerCallback): BluetoothGattServer {
        server?.clearServices()
        return BluetoothGattServer(platform, adapter, { ++newestKey }, callback).also { server = it }
    }

    internal companion object {
        val current: BluetoothManager by lazy { BluetoothManager(Platform.current) }
    }
}

class BluetoothAdapter internal constructor(private val platform: Platform) {
    val isEnabled: Boolean get() = platform.radio.value

    /** What is advertised where AdvertiseData asks for the name. */
    var name: String = "android"

    /** Null while Bluetooth is off. */
    val bluetoothLeAdvertiser: BluetoothLeAdvertiser? get() = if (isEnabled) advertiser else null
    internal val advertiser = BluetoothLeAdvertiser(platform, this)
}

/** A phone at the other end, by its address. */
data class BluetoothDevice(val address: String) {
    val name: String? get() = null
}

object BluetoothProfile {
    const val STATE_DISCONNECTED = 0
    const val STATE_CONNECTED = 2
    const val GATT_SERVER = 8
}

object BluetoothGatt {
    const val GATT_SUCCESS = 0
    const val GATT_READ_NOT_PERMITTED = 0x02
    const val GATT_WRITE_NOT_PERMITTED = 0x03
    const val GATT_REQUEST_NOT_SUPPORTED = 0x06
    const val GATT_INVALID_OFFSET = 0x07
    const val GATT_INVALID_ATTRIBUTE_LENGTH = 0x0D
    const val GATT_FAILURE = 0x101
}

object BluetoothStatusCodes {
    const val SUCCESS = 0
    const val ERROR_DEVICE_NOT_CONNECTED = 4
}
