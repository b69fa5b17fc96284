package android.bluetooth;

import android.content.Context;
import android.os.Handler;
import android.os.Parcel;
import android.os.ParcelUuid;
import android.os.Parcelable;
import babbench.android.Phone;
import babbench.android.stack.BondCore;
import java.io.IOException;
import java.util.UUID;

/** Another device, by its address. */
public final class BluetoothDevice implements Parcelable {
  public static final int ERROR = Integer.MIN_VALUE;
  public static final String ACTION_FOUND = "android.bluetooth.device.action.FOUND";
  public static final String ACTION_ACL_CONNECTED = "android.bluetooth.device.action.ACL_CONNECTED";
  public static final String ACTION_ACL_DISCONNECTED = "android.bluetooth.device.action.ACL_DISCONNECTED";
  public static final String ACTION_BOND_STATE_CHANGED = "android.bluetooth.device.action.BOND_STATE_CHANGED";
  /** Since API level 36: the other end has lost the bond. */
  public static final String ACTION_KEY_MISSING = "android.bluetooth.device.action.KEY_MISSING";
  public static final String ACTION_PAIRING_REQUEST = "android.bluetooth.device.action.PAIRING_REQUEST";
  public static final String ACTION_NAME_CHANGED = "android.bluetooth.device.action.NAME_CHANGED";
  public static final String ACTION_UUID = "android.bluetooth.device.action.UUID";
  public static final String EXTRA_DEVICE = "android.bluetooth.device.extra.DEVICE";
  public static final String ACTION_ACL_DISCONNECT_REQUESTED =
      "android.bluetooth.device.action.ACL_DISCONNECT_REQUESTED";
  public static final String ACTION_ALIAS_CHANGED = "android.bluetooth.device.action.ALIAS_CHANGED";
  public static final String ACTION_CLASS_CHANGED = "android.bluetooth.device.action.CLASS_CHANGED";
  public static final String EXTRA_CLASS = "android.bluetooth.device.extra.CLASS";
  public static final String EXTRA_IS_COORDINATED_SET_MEMBER = "android.bluetooth.extra.IS_COORDINATED_SET_MEMBER";
  public static final String EXTRA_NAME = "android.bluetooth.device.extra.NAME";
  public static final String EXTRA_RSSI = "android.bluetooth.device.extra.RSSI";
  public static final String EXTRA_BOND_STATE = "android.bluetooth.device.extra.BOND_STATE";
  public static final String EXTRA_PREVIOUS_BOND_STATE = "android.bluetooth.device.extra.PREVIOUS_BOND_STATE";
  public static final String EXTRA_PAIRING_VARIANT = "android.bluetooth.device.extra.PAIRING_VARIANT";
  public static final String EXTRA_PAIRING_KEY = "android.bluetooth.device.extra.PAIRING_KEY";
  public static final String EXTRA_UUID = "android.bluetooth.device.extra.UUID";
  public static final String EXTRA_TRANSPORT = "android.bluetooth.device.extra.TRANSPORT";
  public static final int BOND_NONE = BondCore.NONE;
  public static final int BOND_BONDING = BondCore.BONDING;
  public static final int BOND_BONDED = BondCore.BONDED;
  public static final int DEVICE_TYPE_UNKNOWN = 0;
  public static final int DEVICE_TYPE_CLASSIC = 1;
  public static final int DEVICE_TYPE_LE = 2;
  public static final int DEVICE_TYPE_DUAL = 3;
  public static final int PAIRING_VARIANT_PIN = 0;
  public static final int PAIRING_VARIANT_PASSKEY_CONFIRMATION = 2;
  public static final int TRANSPORT_AUTO = 0;
  public static final int TRANSPORT_BREDR = 1;
  public static final int TRANSPORT_LE = 2;
  public static final int PHY_LE_1M = 1;
  public static final int PHY_LE_2M = 2;
  public static final int PHY_LE_CODED = 3;
  public static final int PHY_LE_1M_MASK = 1;
  public static final int PHY_LE_2M_MASK = 2;
  public static final int PHY_LE_CODED_MASK = 4;
  public static final int PHY_OPTION_NO_PREFERRED = 0;
  public static final int PHY_OPTION_S2 = 1;
  public static final int PHY_OPTION_S8 = 2;
  public static final int ADDRESS_TYPE_PUBLIC = 0;
  public static final int ADDRESS_TYPE_RANDOM = 1;
  public static final int ADDRESS_TYPE_ANONYMOUS = 0xFF;
  public static final int ADDRESS_TYPE_UNKNOWN = 0xFFFF;

  public static final Creator<BluetoothDevice> CREATOR = new Creator<>() {
    @Override
    public BluetoothDevice createFromParcel(Parcel source) {
      return BluetoothAdapter.getDefaultAdapter().getRemoteDevice(source.readString());
    }

    @Override
    public BluetoothDevice[] newArray(int size) {
      return new BluetoothDevice[size];
    }
  };

  private final BluetoothAdapter adapter;
  private final String address;

  BluetoothDevice(BluetoothAdapter adapter, String address) {
    this.adapter = adapter;
    this.address = address;
  }

  Phone phone() {
    return adapter.phone;
  }

  BluetoothAdapter adapter() {
    return adapter;
  }

  public String getAddress() {
    return address;
  }

  public int getAddressType() {
    return ADDRESS_TYPE_RANDOM;
  }

  /** The name that the device has advertised; null when none was heard. */
  public String getName() {
    return phone().stack().scans().name(address);
  }

  public String getAlias() {
    return getName();
  }

  public int getType() {
    return DEVICE_TYPE_LE;
  }

  public ParcelUuid[] getUuids() {
    return null;
  }

  public boolean fetchUuidsWithSdp() {
    return false;
  }

  // Bonds

  public int getBondState() {
    return phone().stack().bonds().state(address);
  }

  /** Begins to bond; {@link #ACTION_BOND_STATE_CHANGED} says how that ends. False when there is a bond or attempt. */
  public boolean createBond() {
    return phone().stack().bonds().create(address);
  }

  public boolean createBond(int transport) {
    return createBond();
  }

  /** Not in Android's public interface; apps call it by reflection. */
  public boolean removeBond() {
    return phone().stack().bonds().remove(address);
  }

  /** Not in Android's public interface; apps call it by reflection. */
  public boolean cancelBondProcess() {
    return phone().stack().bonds().cancel(address);
  }

  /** A person answers here. */
  public boolean setPin(byte[] pin) {
    return false;
  }

  /** A person answers here. */
  public boolean setPairingConfirmation(boolean confirm) {
    return false;
  }

  // Connections

  public BluetoothGatt connectGatt(Context context, boolean autoConnect, BluetoothGattCallback callback) {
    return connectGatt(context, autoConnect, callback, TRANSPORT_AUTO);
  }

  public BluetoothGatt connectGatt(Context context, boolean autoConnect, BluetoothGattCallback callback,
      int transport) {
    return connectGatt(context, autoConnect, callback, transport, PHY_LE_1M_MASK);
  }

  public BluetoothGatt connectGatt(Context context, boolean autoConnect, BluetoothGattCallback callback,
      int transport, int phy) {
    return connectGatt(context, autoConnect, callback, transport, phy, null);
  }

  /**
   * Connects. Callbacks come on the handler, or without one on a binder thread.
   *
   * @return null while Bluetooth is off
   */
  public BluetoothGatt connectGatt(Context context, boolean autoConnect, BluetoothGattCallback callback,
      int transport, int phy, Handler handler) {
    if (callback == null) throw new NullPointerException("callback is null");
    if (!adapter.isEnabled()) return null;
    BluetoothGatt gatt = new BluetoothGatt(this, callback, handler);
    gatt.begin(autoConnect);
    return gatt;
  }

  /** Refused: there is no classic Bluetooth here. */
  public BluetoothSocket createRfcommSocketToServiceRecord(UUID uuid) throws IOException {
    throw new IOException("the bench has no classic Bluetooth, and so no RFCOMM");
  }

  public BluetoothSocket createInsecureRfcommSocketToServiceRecord(UUID uuid) throws IOException {
    return createRfcommSocketToServiceRecord(uuid);
  }

  public BluetoothSocket createL2capChannel(int psm) throws IOException {
    return new BluetoothSocket(this, psm);
  }

  public BluetoothSocket createInsecureL2capChannel(int psm) throws IOException {
    return new BluetoothSocket(this, psm);
  }

  @Override
  public int describeContents() {
    return 0;
  }

  @Override
  public void writeToParcel(Parcel destination, int flags) {
    destination.writeString(address);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BluetoothDevice && address.equals(((BluetoothDevice) other).address);
  }

  @Override
  public int hashCode() {
    return address.hashCode();
  }

  @Override
  public String toString() {
    return address;
  }
}
