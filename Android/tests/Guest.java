import android.bluetooth.BluetoothAdapter;
import android.bluetooth.BluetoothDevice;
import android.bluetooth.BluetoothGatt;
import android.bluetooth.BluetoothGattCallback;
import android.bluetooth.BluetoothGattCharacteristic;
import android.bluetooth.BluetoothGattDescriptor;
import android.bluetooth.BluetoothManager;
import android.content.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A client of a test, and a list of what it was told. */
class Guest extends BluetoothGattCallback {
  final List<String> told = new ArrayList<>();
  final List<String> threads = new ArrayList<>();
  Context context;
  BluetoothAdapter adapter;
  BluetoothGatt gatt;

  void launch(Context context) {
    this.context = context;
    adapter = context.getSystemService(BluetoothManager.class).getAdapter();
  }

  void connect(String address, boolean autoConnect) {
    gatt = adapter.getRemoteDevice(address)
        .connectGatt(context, autoConnect, this, BluetoothDevice.TRANSPORT_LE);
  }

  BluetoothGattCharacteristic find(UUID uuid) {
    return gatt.getService(Station.SERVICE).getCharacteristic(uuid);
  }

  int write(UUID uuid, byte[] value, int type) {
    return gatt.writeCharacteristic(find(uuid), value, type);
  }

  int configure(UUID uuid, byte[] value) {
    gatt.setCharacteristicNotification(find(uuid), value[0] != 0);
    return gatt.writeDescriptor(find(uuid).getDescriptor(Station.CONFIGURATION), value);
  }

  String last() {
    return told.isEmpty() ? "" : told.get(told.size() - 1);
  }

  boolean was(String what) {
    return told.contains(what);
  }

  long count(String what) {
    return told.stream().filter(each -> each.startsWith(what)).count();
  }

  private void tell(String what) {
    told.add(what);
    threads.add(Thread.currentThread().getName());
  }

  @Override
  public void onConnectionStateChange(BluetoothGatt from, int status, int newState) {
    tell("state " + status + " " + newState);
  }

  @Override
  public void onServicesDiscovered(BluetoothGatt from, int status) {
    tell("services " + status);
  }

  @Override
  public void onCharacteristicRead(BluetoothGatt from, BluetoothGattCharacteristic characteristic, byte[] value,
      int status) {
    tell("read " + status + " " + value.length);
  }

  @Override
  public void onCharacteristicWrite(BluetoothGatt from, BluetoothGattCharacteristic characteristic, int status) {
    tell("written " + status);
  }

  @Override
  public void onCharacteristicChanged(BluetoothGatt from, BluetoothGattCharacteristic characteristic, byte[] value) {
    tell("changed " + value.length);
  }

  @Override
  public void onDescriptorRead(BluetoothGatt from, BluetoothGattDescriptor descriptor, int status, byte[] value) {
    tell("descriptor read " + status + " " + new String(value));
  }

  @Override
  public void onDescriptorWrite(BluetoothGatt from, BluetoothGattDescriptor descriptor, int status) {
    tell("descriptor written " + status);
  }

  @Override
  public void onReliableWriteCompleted(BluetoothGatt from, int status) {
    tell("reliable " + status);
  }

  @Override
  public void onReadRemoteRssi(BluetoothGatt from, int rssi, int status) {
    tell("rssi " + (rssi < 0) + " " + status);
  }

  @Override
  public void onMtuChanged(BluetoothGatt from, int mtu, int status) {
    tell("mtu " + mtu + " " + status);
  }

  @Override
  public void onPhyUpdate(BluetoothGatt from, int txPhy, int rxPhy, int status) {
    tell("phy " + txPhy + " " + rxPhy + " " + status);
  }

  @Override
  public void onPhyRead(BluetoothGatt from, int txPhy, int rxPhy, int status) {
    tell("phy read " + txPhy + " " + rxPhy + " " + status);
  }

  @Override
  public void onConnectionUpdated(BluetoothGatt from, int interval, int latency, int timeout, int status) {
    tell("updated " + interval + " " + latency + " " + timeout + " " + status);
  }

  @Override
  public void onServiceChanged(BluetoothGatt from) {
    tell("service changed");
  }
}
