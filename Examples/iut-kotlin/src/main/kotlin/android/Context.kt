package android.content

import android.bluetooth.BluetoothManager

/** What an app asks for system services; there is Bluetooth alone. */
open class Context {
    open fun getSystemService(name: String): Any? = if (name == BLUETOOTH_SERVICE) BluetoothManager.current else null

    @Suppress("UNCHECKED_CAST")
    fun <T> getSystemService(serviceClass: Class<T>): T? =
        (if (serviceClass == BluetoothManager::class.java) BluetoothManager.current else null) as T?

    companion object {
        const val BLUETOOTH_SERVICE = "bluetooth"
    }
}
