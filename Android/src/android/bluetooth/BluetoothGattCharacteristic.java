package android.bluetooth;

import android.os.Parcel;
import android.os.Parcelable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** A characteristic: one that was found, or one of this phone. It keeps the newest value, as Android's does. */
public class BluetoothGattCharacteristic implements Parcelable {
  public static final int PROPERTY_BROADCAST = 0x01;
  public static final int PROPERTY_READ = 0x02;
  public static final int PROPERTY_WRITE_NO_RESPONSE = 0x04;
  public static final int PROPERTY_WRITE = 0x08;
  public static final int PROPERTY_NOTIFY = 0x10;
  public static final int PROPERTY_INDICATE = 0x20;
  public static final int PROPERTY_SIGNED_WRITE = 0x40;
  public static final int PROPERTY_EXTENDED_PROPS = 0x80;
  public static final int PERMISSION_READ = 0x01;
  public static final int PERMISSION_READ_ENCRYPTED = 0x02;
  public static final int PERMISSION_READ_ENCRYPTED_MITM = 0x04;
  public static final int PERMISSION_WRITE = 0x10;
  public static final int PERMISSION_WRITE_ENCRYPTED = 0x20;
  public static final int PERMISSION_WRITE_ENCRYPTED_MITM = 0x40;
  public static final int PERMISSION_WRITE_SIGNED = 0x80;
  public static final int PERMISSION_WRITE_SIGNED_MITM = 0x100;
  public static final int WRITE_TYPE_NO_RESPONSE = 0x01;
  public static final int WRITE_TYPE_DEFAULT = 0x02;
  public static final int WRITE_TYPE_SIGNED = 0x04;
  public static final int FORMAT_UINT8 = 0x11;
  public static final int FORMAT_UINT16 = 0x12;
  public static final int FORMAT_UINT32 = 0x14;
  public static final int FORMAT_SINT8 = 0x21;
  public static final int FORMAT_SINT16 = 0x22;
  public static final int FORMAT_SINT32 = 0x24;
  public static final int FORMAT_SFLOAT = 0x32;
  public static final int FORMAT_FLOAT = 0x34;

  private final UUID uuid;
  private final int properties;
  private final int permissions;
  private final int instance;
  private final List<BluetoothGattDescriptor> descriptors = new ArrayList<>();
  private int writeType;
  private byte[] value;
  BluetoothGattService service;

  /** What the stack has of it, once a server has it. */
  babbench.android.stack.ServerCore.Attribute core;

  public BluetoothGattCharacteristic(UUID uuid, int properties, int permissions) {
    this(uuid, properties, permissions, 0);
  }

  BluetoothGattCharacteristic(UUID uuid, int properties, int permissions, int instance) {
    this.uuid = uuid;
    this.properties = properties;
    this.permissions = permissions;
    this.instance = instance;
    writeType = (properties & PROPERTY_WRITE_NO_RESPONSE) != 0 ? WRITE_TYPE_NO_RESPONSE : WRITE_TYPE_DEFAULT;
  }

  public boolean addDescriptor(BluetoothGattDescriptor descriptor) {
    descriptor.characteristic = this;
    return descriptors.add(descriptor);
  }

  public BluetoothGattService getService() {
    return service;
  }

  public UUID getUuid() {
    return uuid;
  }

  /** The handle of the value of one that was found. */
  public int getInstanceId() {
    return instance;
  }

  public int getProperties() {
    return properties;
  }

  public int getPermissions() {
    return permissions;
  }

  public int getWriteType() {
    return writeType;
  }

  public void setWriteType(int writeType) {
    this.writeType = writeType;
  }

  public List<BluetoothGattDescriptor> getDescriptors() {
    return descriptors;
  }

  public BluetoothGattDescriptor getDescriptor(UUID uuid) {
    for (BluetoothGattDescriptor each : descriptors) if (each.getUuid().equals(uuid)) return each;
    return null;
  }

  // Values

  @Deprecated
  public byte[] getValue() {
    return value;
  }

  @Deprecated
  public boolean setValue(byte[] value) {
    this.value = value;
    return true;
  }

  @Deprecated
  public boolean setValue(String value) {
    this.value = value.getBytes(StandardCharsets.UTF_8);
    return true;
  }

  /** Puts a whole number at an offset, least significant octet first. */
  @Deprecated
  public boolean setValue(int number, int formatType, int offset) {
    int size = formatType & 0xF;
    if (size != 1 && size != 2 && size != 4 || formatType > FORMAT_SINT32) return false;
    byte[] known = value == null ? new byte[0] : value;
    byte[] longer = Arrays.copyOf(known, Math.max(known.length, offset + size));
    for (int index = 0; index < size; index++) longer[offset + index] = (byte) (number >> 8 * index);
    value = longer;
    return true;
  }

  /** Puts a number with a decimal exponent at an offset (IEEE 11073: 4 and 12 bits, or 8 and 24). */
  @Deprecated
  public boolean setValue(int mantissa, int exponent, int formatType, int offset) {
    if (formatType == FORMAT_SFLOAT) {
      return setValue((exponent & 0xF) << 12 | mantissa & 0xFFF, FORMAT_UINT16, offset);
    }
    if (formatType != FORMAT_FLOAT) return false;
    return setValue((exponent & 0xFF) << 24 | mantissa & 0xFFFFFF, FORMAT_UINT32, offset);
  }

  @Deprecated
  public Integer getIntValue(int formatType, int offset) {
    int size = formatType & 0xF;
    if (value == null || offset + size > value.length) return null;
    ByteBuffer octets = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    switch (formatType) {
      case FORMAT_UINT8: return octets.get(offset) & 0xFF;
      case FORMAT_SINT8: return (int) octets.get(offset);
      case FORMAT_UINT16: return octets.getShort(offset) & 0xFFFF;
      case FORMAT_SINT16: return (int) octets.getShort(offset);
      case FORMAT_UINT32: case FORMAT_SINT32: return octets.getInt(offset);
      default: return null;
    }
  }

  @Deprecated
  public Float getFloatValue(int formatType, int offset) {
    Integer number = getIntValue(formatType == FORMAT_SFLOAT ? FORMAT_UINT16 : FORMAT_UINT32, offset);
    if (number == null || formatType != FORMAT_SFLOAT && formatType != FORMAT_FLOAT) return null;
    boolean isShort = formatType == FORMAT_SFLOAT;
    int mantissa = isShort ? number << 20 >> 20 : number << 8 >> 8;
    int exponent = isShort ? (short) (int) number >> 12 : number >> 24;
    return (float) (mantissa * Math.pow(10, exponent));
  }

  @Deprecated
  public String getStringValue(int offset) {
    if (value == null || offset > value.length) return null;
    return new String(value, offset, value.length - offset, StandardCharsets.UTF_8);
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
