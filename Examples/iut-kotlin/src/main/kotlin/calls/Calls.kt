package calls

import android.bluetooth.BluetoothDevice
import android.bluetooth.BluetoothGatt
import android.bluetooth.BluetoothGattCharacteristic
import android.bluetooth.BluetoothGattDescriptor
import android.bluetooth.BluetoothGattServer
import android.bluetooth.BluetoothGattServerCallback
import android.bluetooth.BluetoothGattService
import android.bluetooth.BluetoothManager
import android.content.Context
import bench.Platform
import bench.hex
import bench.text
import com.juul.kable.Bluetooth
import com.juul.kable.GattStatusException
import com.juul.kable.Peripheral
import com.juul.kable.WriteType
import com.juul.kable.characteristicOf
import com.juul.kable.descriptorOf
import java.util.UUID
import kotlinx.coroutines.launch

/** Calls that the lobby does not make, for test/test_calls.py; results are entries `said` of the answer. */
class Calls(private val platform: Platform) {
    fun handle(input: Map<String, Any?>) {
        if (input["name"] != "user") return
        when (input.text("action")) {
            "client" -> platform.scope.launch { client() }
            "server" -> Server(platform).open()
        }
    }

    private suspend fun client() {
        val service = Bluetooth.BaseUuid + 0x180F
        val level = characteristicOf(service, Bluetooth.BaseUuid + 0x2A19)
        val note = descriptorOf(service, Bluetooth.BaseUuid + 0x2A19, Bluetooth.BaseUuid + 0x2901)
        val peripheral = Peripheral("D1:DB:B1:4F:4C:00")
        peripheral.connect()
        say("length ${peripheral.maximumWriteValueLengthForType(WriteType.WithResponse)}")
        say("level ${hex(peripheral.read(level))}")
        say("note ${hex(peripheral.read(note))}")
        peripheral.write(note, byteArrayOf(1, 2))
        say("signal ${peripheral.rssi()}")
        peripheral.write(level, byteArrayOf(3), WriteType.WithoutResponse)
        try {
            peripheral.write(level, ByteArray(40), WriteType.WithResponse)
        } catch (refused: GattStatusException) {
            say("status ${refused.status}")
        }
        peripheral.disconnect()
        say("state ${peripheral.state.value}")
    }

    private fun say(text: String) = platform.ask("said", mapOf("text" to text))
}

/** Answers reads from their offset on, refuses a write of nothing, and notifies twice. */
private class Server(private val platform: Platform) : BluetoothGattServerCallback() {
    private val context = Context()
    private val value = ByteArray(30) { it.toByte() }
    private lateinit var server: BluetoothGattServer
    private val characteristic = BluetoothGattCharacteristic(
        uuid(0x2A19), BluetoothGattCharacteristic.PROPERTY_READ or BluetoothGattCharacteristic.PROPERTY_WRITE or
            BluetoothGattCharacteristic.PROPERTY_NOTIFY,
        BluetoothGattCharacteristic.PERMISSION_READ or BluetoothGattCharacteristic.PERMISSION_WRITE_ENCRYPTED,
    )

    fun open() {
        server = context.getSystemService(BluetoothManager::class.java)!!.openGattServer(context, this)
        val note = BluetoothGattDescriptor(uuid(0x2901), BluetoothGattDescriptor.PERMISSION_READ)
        note.value = "note".encodeToByteArray()
        characteristic.addDescriptor(note)
        characteristic.addDescriptor(BluetoothGattDescriptor(uuid(0x2902), BluetoothGattDescriptor.PERMISSION_WRITE))
        val service = BluetoothGattService(uuid(0x180F), BluetoothGattService.SERVICE_TYPE_PRIMARY)
        service.addCharacteristic(characteristic)
        server.addService(service)
    }

    override fun onCharacteristicReadRequest(
        device: BluetoothDevice, requestId: Int, offset: Int, characteristic: BluetoothGattCharacteristic,
    ) {
        server.sendResponse(
            device, requestId, BluetoothGatt.GATT_SUCCESS, offset, value.copyOfRange(offset, value.size),
        )
    }

    override fun onCharacteristicWriteRequest(
        device: BluetoothDevice, requestId: Int, characteristic: BluetoothGattCharacteristic, preparedWrite: Boolean,
        responseNeeded: Boolean, offset: Int, value: ByteArray,
    ) {
        platform.ask("said", mapOf("text" to "write $preparedWrite $offset ${hex(value)}"))
        val isEmpty = value.isEmpty()
        val status = if (isEmpty) BluetoothGatt.GATT_INVALID_ATTRIBUTE_LENGTH else BluetoothGatt.GATT_SUCCESS
        if (responseNeeded) server.sendResponse(device, requestId, status, offset, null)
    }

    override fun onExecuteWrite(device: BluetoothDevice, requestId: Int, execute: Boolean) {
        server.sendResponse(device, requestId, BluetoothGatt.GATT_SUCCESS, 0, null)
    }

    override fun onDescriptorWriteRequest(
        device: BluetoothDevice, requestId: Int, descriptor: BluetoothGattDescriptor, preparedWrite: Boolean,
        responseNeeded: Boolean, offset: Int, value: ByteArray,
    ) {
        server.sendResponse(device, requestId, BluetoothGatt.GATT_SUCCESS, 0, null)
        server.notifyCharacteristicChanged(device, characteristic, false, byteArrayOf(7))
    }

    override fun onNotificationSent(device: BluetoothDevice, status: Int) =
        platform.ask("said", mapOf("text" to "sent $status"))

    private fun uuid(number: Int): UUID = UUID.fromString("0000%04x-0000-1000-8000-00805f9b34fb".format(number))
}
