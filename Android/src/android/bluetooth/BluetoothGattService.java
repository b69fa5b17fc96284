package android.bluetooth;

import android.os.Parcel;
import android.os.Parcelable;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A service: one that was found, or one for a server of this phone. */
public class BluetoothGattService implements Parcelable {
  public static final int SERVICE_TYPE_PRIMARY = 0;
  public static final int SERVICE_TYPE_SECONDARY = 1;

  private final UUID uuid;
  private final int type;
  private final int instance;
  private final List<BluetoothGattCharacteristic> characteristics = new ArrayList<>();
  private final List<BluetoothGattService> included = new ArrayList<>();
  BluetoothDevice device;

  /** What the stack has of it, once a server has it. */
  babbench.android.stack.ServerCore.Service core;

  public BluetoothGattService(UUID uuid, int serviceType) {
    this(uuid, serviceType, 0);
  }

  BluetoothGattService(UUID uuid, int serviceType, int instance) {
    this.uuid = uuid;
    this.type = serviceType;
    this.instance = instance;
  }

  public boolean addService(BluetoothGattService service) {
    return included.add(service);
  }

  public boolean addCharacteristic(BluetoothGattCharacteristic characteristic) {
    characteristic.service = this;
    return characteristics.add(characteristic);
  }

  public UUID getUuid() {
    return uuid;
  }

  /** The first handle of a service that was found. */
  public int getInstanceId() {
    return instance;
  }

  public int getType() {
    return type;
  }

  public List<BluetoothGattService> getIncludedServices() {
    return included;
  }

  public List<BluetoothGattCharacteristic> getCharacteristics() {
    return characteristics;
  }

  /** The first one with this UUID. */
  public BluetoothGattCharacteristic getCharacteristic(UUID uuid) {
    for (BluetoothGattCharacteristic each : characteristics) if (each.getUuid().equals(uuid)) return each;
    return null;
  }

  @Override
  public int describeContents() {
    return 0;
  }

  @Override
  public void writeToParcel(Parcel destination, int flags) {
    destination.writeValue(this);
  }
}
