package android.bluetooth;

/** What kind of device one with classic Bluetooth is. */
public final class BluetoothClass {
  private BluetoothClass() {}
}
