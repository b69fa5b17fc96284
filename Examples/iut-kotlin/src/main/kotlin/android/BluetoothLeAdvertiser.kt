package android.bluetooth.le

import android.bluetooth.BluetoothAdapter
import android.os.ParcelUuid
import bench.Platform
import bench.flag
import bench.seamUuid
import bench.text

/** One advertiser: a second `startAdvertising` fails, where phones have several sets. */
class BluetoothLeAdvertiser internal constructor(
    private val platform: Platform, private val adapter: BluetoothAdapter,
) {
    private var callback: AdvertiseCallback? = null
    private var members: Map<String, Any?> = emptyMap()
    private var isTold = false

    init {
        platform.listen(::handle)
    }

    fun startAdvertising(settings: AdvertiseSettings, advertiseData: AdvertiseData, callback: AdvertiseCallback) =
        startAdvertising(settings, advertiseData, AdvertiseData.Builder().build(), callback)

    /** The preset of the phone decides what goes where; too much is refused by a preset that refuses it. */
    fun startAdvertising(
        settings: AdvertiseSettings, advertiseData: AdvertiseData, scanResponse: AdvertiseData,
        callback: AdvertiseCallback,
    ) {
        if (this.callback != null) {
            return callback.onStartFailure(AdvertiseCallback.ADVERTISE_FAILED_TOO_MANY_ADVERTISERS)
        }
        this.callback = callback
        isTold = false
        val hasName = advertiseData.includeDeviceName || scanResponse.includeDeviceName
        val services = (advertiseData.serviceUuids + scanResponse.serviceUuids).map { seamUuid(it.uuid.toString()) }
        members = mapOf("localName" to if (hasName) adapter.name else "", "services" to services)
        platform.ask("advertise", members)
    }

    fun stopAdvertising(callback: AdvertiseCallback) {
        if (this.callback !== callback) return
        this.callback = null
        platform.ask("stopAdvertising")
    }

    /** A connection ends advertising on the air; Android's stack begins again by itself. */
    internal fun linkCame() {
        if (callback != null) platform.ask("advertise", members)
    }

    private fun handle(input: Map<String, Any?>): Boolean {
        val callback = callback ?: return false
        when (input.text("name")) {
            "advertisingStarted" -> {
                if (isTold) return true
                isTold = true
                if (input.flag("started")) return true.also { callback.onStartSuccess(AdvertiseSettings()) }
                this.callback = null
                callback.onStartFailure(AdvertiseCallback.ADVERTISE_FAILED_DATA_TOO_LARGE)
                return true
            }
            "radioPower" -> if (!input.flag("on")) this.callback = null
        }
        return false
    }
}

abstract class AdvertiseCallback {
    open fun onStartSuccess(settingsInEffect: AdvertiseSettings) {}
    open fun onStartFailure(errorCode: Int) {}

    companion object {
        const val ADVERTISE_FAILED_DATA_TOO_LARGE = 1
        const val ADVERTISE_FAILED_TOO_MANY_ADVERTISERS = 2
        const val ADVERTISE_FAILED_ALREADY_STARTED = 3
    }
}

/** Modes and power are the preset's; what is set here changes nothing. */
class AdvertiseSettings internal constructor() {
    class Builder {
        fun setAdvertiseMode(advertiseMode: Int) = this
        fun setTxPowerLevel(txPowerLevel: Int) = this
        fun setConnectable(connectable: Boolean) = this
        fun setTimeout(timeoutMillis: Int) = this
        fun build() = AdvertiseSettings()
    }

    companion object {
        const val ADVERTISE_MODE_LOW_LATENCY = 2
        const val ADVERTISE_TX_POWER_HIGH = 3
    }
}

class AdvertiseData internal constructor(val serviceUuids: List<ParcelUuid>, val includeDeviceName: Boolean) {
    class Builder {
        private val uuids = ArrayList<ParcelUuid>()
        private var hasName = false

        fun addServiceUuid(serviceUuid: ParcelUuid) = apply { uuids.add(serviceUuid) }
        fun setIncludeDeviceName(includeDeviceName: Boolean) = apply { hasName = includeDeviceName }
        fun build() = AdvertiseData(uuids.toList(), hasName)
    }
}
