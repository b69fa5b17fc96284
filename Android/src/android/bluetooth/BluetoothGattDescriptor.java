package android.bluetooth;

import android.os.Parcel;
import android.os.Parcelable;
import java.util.UUID;

/** A descriptor: one that was found, or one of this phone. */
public class BluetoothGattDescriptor implements Parcelable {
  public static final byte[] ENABLE_NOTIFICATION_VALUE = {1, 0};
  public static final byte[] ENABLE_INDICATION_VALUE = {2, 0};
  public static final byte[] DISABLE_NOTIFICATION_VALUE = {0, 0};
  public static final int PERMISSION_READ = 0x01;
  public static final int PERMISSION_READ_ENCRYPTED = 0x02;
  public static final int PERMISSION_READ_ENCRYPTED_MITM = 0x04;
  public static final int PERMISSION_WRITE = 0x10;
  public static final int PERMISSION_WRITE_ENCRYPTED = 0x20;
  public static final int PERMISSION_WRITE_ENCRYPTED_MITM = 0x40;
  public static final int PERMISSION_WRITE_SIGNED = 0x80;
  public static final int PERMISSION_WRITE_SIGNED_MITM = 0x100;

  private final UUID uuid;
  private final int permissions;
  final int handle;
  private byte[] value;
  BluetoothGattCharacteristic characteristic;

  /** What the stack has of it, once a server has it. */
  babbench.android.stack.ServerCore.Attribute core;

  public BluetoothGattDescriptor(UUID uuid, int permissions) {
    this(uuid, permissions, 0);
  }

  BluetoothGattDescriptor(UUID uuid, int permissions, int handle) {
    this.uuid = uuid;
    this.permissions = permissions;
    this.handle = handle;
  }

  public BluetoothGattCharacteristic getCharacteristic() {
    return characteristic;
  }

  public UUID getUuid() {
    return uuid;
  }

  public int getPermissions() {
    return permissions;
  }

  @Deprecated
  public byte[] getValue() {
    return value;
  }

  @Deprecated
  public boolean setValue(byte[] value) {
    this.value = value;
    return true;
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
