package android.bluetooth;

/** What a {@link BluetoothGattServer} tells an app, on a binder thread. */
public abstract class BluetoothGattServerCallback {
  public void onConnectionStateChange(BluetoothDevice device, int status, int newState) {}

  public void onServiceAdded(int status, BluetoothGattService service) {}

  public void onCharacteristicReadRequest(BluetoothDevice device, int requestId, int offset,
      BluetoothGattCharacteristic characteristic) {}

  public void onCharacteristicWriteRequest(BluetoothDevice device, int requestId,
      BluetoothGattCharacteristic characteristic, boolean preparedWrite, boolean responseNeeded, int offset,
      byte[] value) {}

  public void onDescriptorReadRequest(BluetoothDevice device, int requestId, int offset,
      BluetoothGattDescriptor descriptor) {}

  public void onDescriptorWriteRequest(BluetoothDevice device, int requestId, BluetoothGattDescriptor descriptor,
      boolean preparedWrite, boolean responseNeeded, int offset, byte[] value) {}

  public void onExecuteWrite(BluetoothDevice device, int requestId, boolean execute) {}

  public void onNotificationSent(BluetoothDevice device, int status) {}

  public void onMtuChanged(BluetoothDevice device, int mtu) {}

  public void onPhyUpdate(BluetoothDevice device, int txPhy, int rxPhy, int status) {}

  public void onPhyRead(BluetoothDevice device, int txPhy, int rxPhy, int status) {}

  /** Not in Android's public interface. The interval is in units of 1.25 ms, the timeout in units of 10 ms. */
  public void onConnectionUpdated(BluetoothDevice device, int interval, int latency, int timeout, int status) {}
}
