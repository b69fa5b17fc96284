package android.bluetooth

/** What a server is told; on Android by a binder thread, here by the one thread there is. */
abstract class BluetoothGattServerCallback {
    open fun onConnectionStateChange(device: BluetoothDevice, status: Int, newState: Int) {}
    open fun onServiceAdded(status: Int, service: BluetoothGattService) {}
    open fun onMtuChanged(device: BluetoothDevice, mtu: Int) {}
    open fun onNotificationSent(device: BluetoothDevice, status: Int) {}
    open fun onExecuteWrite(device: BluetoothDevice, requestId: Int, execute: Boolean) {}

    open fun onCharacteristicReadRequest(
        device: BluetoothDevice, requestId: Int, offset: Int, characteristic: BluetoothGattCharacteristic,
    ) {}

    open fun onCharacteristicWriteRequest(
        device: BluetoothDevice, requestId: Int, characteristic: BluetoothGattCharacteristic, preparedWrite: Boolean,
        responseNeeded: Boolean, offset: Int, value: ByteArray,
    ) {}

    open fun onDescriptorWriteRequest(
        device: BluetoothDevice, requestId: Int, descriptor: BluetoothGattDescriptor, preparedWrite: Boolean,
        responseNeeded: Boolean, offset: Int, value: ByteArray,
    ) {}
}
