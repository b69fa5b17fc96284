package lobby

import android.bluetooth.BluetoothAdapter
import android.content.BroadcastReceiver
import android.content.Context
import android.content.Intent
import android.content.IntentFilter
import babbench.android.Program
import bench.Platform

/** The host of this folder as an app on a phone with Android, over the classes of babbench-android.jar. */
class PhoneHost : Program.App {
    private lateinit var host: LobbyHost

    override fun launch(context: Context, bench: Program.Bench) {
        host = LobbyHost(bench.hello(), Platform(bench), context)
        val power = object : BroadcastReceiver() {
            override fun onReceive(context: Context, intent: Intent) {
                val state = intent.getIntExtra(BluetoothAdapter.EXTRA_STATE, BluetoothAdapter.ERROR)
                if (state != BluetoothAdapter.STATE_ON && state != BluetoothAdapter.STATE_OFF) return
                host.handle(mapOf("name" to "radioPower", "on" to (state == BluetoothAdapter.STATE_ON)))
            }
        }
        context.registerReceiver(power, IntentFilter(BluetoothAdapter.ACTION_STATE_CHANGED))
        host.handle(mapOf("name" to "launched"))
    }

    override fun user(action: String, arguments: Map<String, Any?>) = host.handle(arguments)
}
