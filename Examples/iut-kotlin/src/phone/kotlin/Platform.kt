package bench

import android.bluetooth.BluetoothDevice
import android.bluetooth.BluetoothGattCharacteristic
import android.bluetooth.BluetoothGattDescriptor
import android.bluetooth.BluetoothGattServerCallback
import android.bluetooth.BluetoothGattService
import android.bluetooth.BluetoothManager
import android.content.Context
import android.os.Handler
import android.os.Looper
import android.os.SystemClock
import babbench.android.Program
import kotlin.coroutines.CoroutineContext
import kotlin.random.Random
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Delay
import kotlinx.coroutines.DisposableHandle
import kotlinx.coroutines.Runnable
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.flow.MutableStateFlow

/** What an engine may ask for, on a phone with Android: the main thread, its clock, and the bench for reports. */
class Platform(private val bench: Program.Bench, val context: Context) {
    /** The main thread. */
    val handler = Handler(Looper.getMainLooper())

    /** Coroutines on the main thread; an exception that nobody catches is a crash of the app. */
    val scope = CoroutineScope(MainThread(handler) + SupervisorJob())

    /** Draws from the seed of the case. */
    val random = Random(bench.hello().text("seed").toULong().toLong())

    /** Whether Bluetooth is switched on. */
    val radio = MutableStateFlow(context.getSystemService(BluetoothManager::class.java).adapter.isEnabled)

    init {
        current = this
    }

    val now: Long get() = SystemClock.elapsedRealtimeNanos()

    fun ask(name: String, members: Map<String, Any?> = emptyMap()) =
        bench.report(name, *members.flatMap { listOf(it.key, it.value) }.toTypedArray())

    /** The number of the newest link with an address. */
    fun link(address: String): Int = bench.link(address)

    /** The calls of a server come on binder threads; here they are told on the main thread, in their order. */
    fun onMainThread(callback: BluetoothGattServerCallback): BluetoothGattServerCallback =
        PostedServerCallback(handler, callback)

    companion object {
        /** The platform of this app; its classes are loaded for each launch. */
        lateinit var current: Platform
            private set
    }
}

private class MainThread(private val handler: Handler) : CoroutineDispatcher(), Delay {
    override fun dispatch(context: CoroutineContext, block: Runnable) {
        handler.post(block)
    }

    override fun scheduleResumeAfterDelay(timeMillis: Long, continuation: CancellableContinuation<Unit>) {
        val resume = java.lang.Runnable { with(continuation) { resumeUndispatched(Unit) } }
        handler.postDelayed(resume, timeMillis)
        continuation.invokeOnCancellation { handler.removeCallbacks(resume) }
    }

    override fun invokeOnTimeout(timeMillis: Long, block: Runnable, context: CoroutineContext): DisposableHandle {
        handler.postDelayed(block, timeMillis)
        return DisposableHandle { handler.removeCallbacks(block) }
    }
}

private class PostedServerCallback(private val handler: Handler, private val to: BluetoothGattServerCallback) :
    BluetoothGattServerCallback() {
    private fun post(task: () -> Unit) {
        handler.post(task)
    }

    override fun onConnectionStateChange(device: BluetoothDevice, status: Int, newState: Int) =
        post { to.onConnectionStateChange(device, status, newState) }

    override fun onServiceAdded(status: Int, service: BluetoothGattService) =
        post { to.onServiceAdded(status, service) }

    override fun onMtuChanged(device: BluetoothDevice, mtu: Int) = post { to.onMtuChanged(device, mtu) }

    override fun onNotificationSent(device: BluetoothDevice, status: Int) =
        post { to.onNotificationSent(device, status) }

    override fun onExecuteWrite(device: BluetoothDevice, requestId: Int, execute: Boolean) =
        post { to.onExecuteWrite(device, requestId, execute) }

    override fun onCharacteristicWriteRequest(
        device: BluetoothDevice, requestId: Int, characteristic: BluetoothGattCharacteristic, preparedWrite: Boolean,
        responseNeeded: Boolean, offset: Int, value: ByteArray,
    ) = post {
        to.onCharacteristicWriteRequest(
            device, requestId, characteristic, preparedWrite, responseNeeded, offset, value,
        )
    }

    override fun onDescriptorWriteRequest(
        device: BluetoothDevice, requestId: Int, descriptor: BluetoothGattDescriptor, preparedWrite: Boolean,
        responseNeeded: Boolean, offset: Int, value: ByteArray,
    ) = post {
        to.onDescriptorWriteRequest(device, requestId, descriptor, preparedWrite, responseNeeded, offset, value)
    }
}
