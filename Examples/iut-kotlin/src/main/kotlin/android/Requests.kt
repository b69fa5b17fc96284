package android.bluetooth

import bench.Platform
import bench.hex

/** Requests that wait for `sendResponse`: Android's numbers for them, and the seam's. */
internal class Requests(private val platform: Platform) {
    private val open = HashMap<Int, Long?>()
    private var newest = 0

    /** Null: an answer that the platform has given already. */
    fun take(request: Long?): Int {
        newest += 1
        open[newest] = request
        return newest
    }

    /** `value` begins at the offset that was asked for. */
    fun answer(id: Int, status: Int, value: ByteArray?): Boolean {
        if (id !in open) return false
        val request = open.remove(id) ?: return true
        val isGood = status == BluetoothGatt.GATT_SUCCESS
        // What is no code of ATT is answered as Unlikely Error.
        val error = if (isGood) null else status.takeIf { it in 1..0xFF } ?: UNLIKELY
        val octets = if (isGood && value != null) hex(value) else ""
        platform.ask("gatt.answer", mapOf("request" to request, "value" to octets, "error" to error))
        return true
    }

    private companion object {
        const val UNLIKELY = 0x0E
    }
}
