package lobby

import android.bluetooth.BluetoothAdapter
import android.content.BroadcastReceiver
import android.content.Context
import android.content.Intent
import android.content.IntentFilter
import babbench.android.Program
import bench.Platform
import bench.text

/** Host or client of this folder as an app on a phone with Android, over the classes of babbench-android.jar. */
class PhoneLobby : Program.App {
    private lateinit var handle: (Map<String, Any?>) -> Unit

    override fun launch(context: Context, bench: Program.Bench) {
        val platform = Platform(bench, context)
        val hello = bench.hello()
        handle = when (hello.text("role")) {
            "host" -> LobbyHost(hello, platform, context)::handle
            else -> LobbyClient(hello, platform)::handle
        }
        val power = object : BroadcastReceiver() {
            override fun onReceive(context: Context, intent: Intent) {
                val state = intent.getIntExtra(BluetoothAdapter.EXTRA_STATE, BluetoothAdapter.ERROR)
                if (state != BluetoothAdapter.STATE_ON && state != BluetoothAdapter.STATE_OFF) return
                platform.radio.value = state == BluetoothAdapter.STATE_ON
                handle(mapOf("name" to "radioPower", "on" to platform.radio.value))
            }
        }
        context.registerReceiver(power, IntentFilter(BluetoothAdapter.ACTION_STATE_CHANGED))
        handle(mapOf("name" to "launched"))
    }

    override fun user(action: String, arguments: Map<String, Any?>) = handle(arguments)
}
