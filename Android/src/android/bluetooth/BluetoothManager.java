package android.bluetooth;

import android.content.Context;
import babbench.android.Phone;
import java.util.ArrayList;
import java.util.List;

/** The way to a phone's Bluetooth. */
public final class BluetoothManager {
  private final Phone phone;
  private final BluetoothAdapter adapter;

  private BluetoothManager(Phone phone) {
    this.phone = phone;
    adapter = new BluetoothAdapter(phone);
  }

  /** For the context of a phone. */
  public static BluetoothManager ofPhone(Phone phone) {
    return new BluetoothManager(phone);
  }

  public BluetoothAdapter getAdapter() {
    return adapter;
  }

  /** {@code STATE_CONNECTED} when the phone has a link with it, whichever app has made it. */
  public int getConnectionState(BluetoothDevice device, int profile) {
    return phone.stack().linkedAddresses().contains(device.getAddress())
        ? BluetoothProfile.STATE_CONNECTED : BluetoothProfile.STATE_DISCONNECTED;
  }

  public List<BluetoothDevice> getConnectedDevices(int profile) {
    if (profile != BluetoothProfile.GATT && profile != BluetoothProfile.GATT_SERVER) {
      throw new IllegalArgumentException("profile " + profile + " is not supported");
    }
    List<BluetoothDevice> devices = new ArrayList<>();
    for (String address : phone.stack().linkedAddresses()) devices.add(adapter.device(address));
    return devices;
  }

  public List<BluetoothDevice> getDevicesMatchingConnectionStates(int profile, int[] states) {
    for (int state : states) if (state == BluetoothProfile.STATE_CONNECTED) return getConnectedDevices(profile);
    return new ArrayList<>();
  }

  /** Null while Bluetooth is off. */
  public BluetoothGattServer openGattServer(Context context, BluetoothGattServerCallback callback) {
    if (context == null || callback == null) throw new IllegalArgumentException("null parameter");
    return adapter.isEnabled() ? new BluetoothGattServer(phone, adapter, callback) : null;
  }

  public BluetoothGattServer openGattServer(Context context, BluetoothGattServerCallback callback, int transport) {
    return openGattServer(context, callback);
  }
}
