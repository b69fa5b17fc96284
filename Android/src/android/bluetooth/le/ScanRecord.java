package android.bluetooth.le;

import android.os.ParcelUuid;
import android.util.SparseArray;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What an advertiser says: advertising data and scan response, one after the other (Core Specification, Vol 3, Part C,
 * 11). A structure that is longer than what is left ends it.
 */
public final class ScanRecord {
  // Types of structures: Assigned Numbers, 2.3
  public static final int DATA_TYPE_NONE = -1;
  public static final int DATA_TYPE_FLAGS = 0x01;
  public static final int DATA_TYPE_SERVICE_UUIDS_16_BIT_PARTIAL = 0x02;
  public static final int DATA_TYPE_SERVICE_UUIDS_16_BIT_COMPLETE = 0x03;
  public static final int DATA_TYPE_SERVICE_UUIDS_32_BIT_PARTIAL = 0x04;
  public static final int DATA_TYPE_SERVICE_UUIDS_32_BIT_COMPLETE = 0x05;
  public static final int DATA_TYPE_SERVICE_UUIDS_128_BIT_PARTIAL = 0x06;
  public static final int DATA_TYPE_SERVICE_UUIDS_128_BIT_COMPLETE = 0x07;
  public static final int DATA_TYPE_LOCAL_NAME_SHORT = 0x08;
  public static final int DATA_TYPE_LOCAL_NAME_COMPLETE = 0x09;
  public static final int DATA_TYPE_TX_POWER_LEVEL = 0x0A;
  public static final int DATA_TYPE_CLASS_OF_DEVICE = 0x0D;
  public static final int DATA_TYPE_SIMPLE_PAIRING_HASH_C = 0x0E;
  public static final int DATA_TYPE_SIMPLE_PAIRING_RANDOMIZER_R = 0x0F;
  public static final int DATA_TYPE_DEVICE_ID = 0x10;
  public static final int DATA_TYPE_SECURITY_MANAGER_OUT_OF_BAND_FLAGS = 0x11;
  public static final int DATA_TYPE_SLAVE_CONNECTION_INTERVAL_RANGE = 0x12;
  public static final int DATA_TYPE_SERVICE_SOLICITATION_UUIDS_16_BIT = 0x14;
  public static final int DATA_TYPE_SERVICE_SOLICITATION_UUIDS_128_BIT = 0x15;
  public static final int DATA_TYPE_SERVICE_DATA_16_BIT = 0x16;
  public static final int DATA_TYPE_PUBLIC_TARGET_ADDRESS = 0x17;
  public static final int DATA_TYPE_RANDOM_TARGET_ADDRESS = 0x18;
  public static final int DATA_TYPE_APPEARANCE = 0x19;
  public static final int DATA_TYPE_ADVERTISING_INTERVAL = 0x1A;
  public static final int DATA_TYPE_LE_BLUETOOTH_DEVICE_ADDRESS = 0x1B;
  public static final int DATA_TYPE_LE_ROLE = 0x1C;
  public static final int DATA_TYPE_SIMPLE_PAIRING_HASH_C_256 = 0x1D;
  public static final int DATA_TYPE_SIMPLE_PAIRING_RANDOMIZER_R_256 = 0x1E;
  public static final int DATA_TYPE_SERVICE_SOLICITATION_UUIDS_32_BIT = 0x1F;
  public static final int DATA_TYPE_SERVICE_DATA_32_BIT = 0x20;
  public static final int DATA_TYPE_SERVICE_DATA_128_BIT = 0x21;
  public static final int DATA_TYPE_LE_SECURE_CONNECTIONS_CONFIRMATION_VALUE = 0x22;
  public static final int DATA_TYPE_LE_SECURE_CONNECTIONS_RANDOM_VALUE = 0x23;
  public static final int DATA_TYPE_URI = 0x24;
  public static final int DATA_TYPE_INDOOR_POSITIONING = 0x25;
  public static final int DATA_TYPE_TRANSPORT_DISCOVERY_DATA = 0x26;
  public static final int DATA_TYPE_LE_SUPPORTED_FEATURES = 0x27;
  public static final int DATA_TYPE_CHANNEL_MAP_UPDATE_INDICATION = 0x28;
  public static final int DATA_TYPE_PB_ADV = 0x29;
  public static final int DATA_TYPE_MESH_MESSAGE = 0x2A;
  public static final int DATA_TYPE_MESH_BEACON = 0x2B;
  public static final int DATA_TYPE_BIG_INFO = 0x2C;
  public static final int DATA_TYPE_BROADCAST_CODE = 0x2D;
  public static final int DATA_TYPE_RESOLVABLE_SET_IDENTIFIER = 0x2E;
  public static final int DATA_TYPE_ADVERTISING_INTERVAL_LONG = 0x2F;
  public static final int DATA_TYPE_3D_INFORMATION_DATA = 0x3D;
  public static final int DATA_TYPE_MANUFACTURER_SPECIFIC_DATA = 0xFF;

  private static final long BASE = 0x800000805F9B34FBL;

  private final byte[] octets;
  private final List<ParcelUuid> services = new ArrayList<>();
  private final List<ParcelUuid> solicited = new ArrayList<>();
  private final Map<ParcelUuid, byte[]> serviceData = new LinkedHashMap<>();
  private final SparseArray<byte[]> manufacturerData = new SparseArray<>();
  private final Map<Integer, byte[]> structures = new LinkedHashMap<>();
  private int flags = -1;
  private int power = Integer.MIN_VALUE;
  private String name;

  private ScanRecord(byte[] octets) {
    this.octets = octets;
  }

  /** Reads one; for scanners. */
  static ScanRecord parse(byte[] octets) {
    ScanRecord record = new ScanRecord(octets);
    for (int place = 0; place < octets.length;) {
      int length = octets[place] & 0xFF;
      if (length == 0 || place + 1 + length > octets.length) break;
      record.take(octets[place + 1] & 0xFF, Arrays.copyOfRange(octets, place + 2, place + 1 + length));
      place += 1 + length;
    }
    return record;
  }

  private void take(int type, byte[] value) {
    structures.put(type, value);
    switch (type) {
      case 0x01: if (value.length > 0) flags = value[0] & 0xFF; break;
      case 0x02: case 0x03: uuids(value, 2, services); break;
      case 0x04: case 0x05: uuids(value, 4, services); break;
      case 0x06: case 0x07: uuids(value, 16, services); break;
      case 0x08: case 0x09: name = new String(value, StandardCharsets.UTF_8); break;
      case 0x0A: if (value.length > 0) power = value[0]; break;
      case 0x14: uuids(value, 2, solicited); break;
      case 0x1F: uuids(value, 4, solicited); break;
      case 0x15: uuids(value, 16, solicited); break;
      case 0x16: data(value, 2); break;
      case 0x20: data(value, 4); break;
      case 0x21: data(value, 16); break;
      case 0xFF:
        if (value.length >= 2) {
          int manufacturer = (value[1] & 0xFF) << 8 | value[0] & 0xFF;
          manufacturerData.put(manufacturer, Arrays.copyOfRange(value, 2, value.length));
        }
        break;
      default: break;
    }
  }

  private static void uuids(byte[] value, int size, List<ParcelUuid> to) {
    for (int place = 0; place + size <= value.length; place += size) to.add(uuid(value, place, size));
  }

  private void data(byte[] value, int size) {
    if (value.length < size) return;
    serviceData.put(uuid(value, 0, size), Arrays.copyOfRange(value, size, value.length));
  }

  private static ParcelUuid uuid(byte[] value, int place, int size) {
    if (size < 16) {
      long number = 0;
      for (int index = size - 1; index >= 0; index--) number = number << 8 | value[place + index] & 0xFF;
      return new ParcelUuid(new UUID(number << 32 | 0x1000L, BASE));
    }
    long high = 0;
    long low = 0;
    for (int index = 15; index >= 8; index--) high = high << 8 | value[place + index] & 0xFF;
    for (int index = 7; index >= 0; index--) low = low << 8 | value[place + index] & 0xFF;
    return new ParcelUuid(new UUID(high, low));
  }

  /** −1 when there are none. */
  public int getAdvertiseFlags() {
    return flags;
  }

  /** Null when there are none. */
  public List<ParcelUuid> getServiceUuids() {
    return services.isEmpty() ? null : services;
  }

  public List<ParcelUuid> getServiceSolicitationUuids() {
    return solicited;
  }

  public Map<ParcelUuid, byte[]> getServiceData() {
    return serviceData;
  }

  public byte[] getServiceData(ParcelUuid uuid) {
    return serviceData.get(uuid);
  }

  public SparseArray<byte[]> getManufacturerSpecificData() {
    return manufacturerData;
  }

  public byte[] getManufacturerSpecificData(int manufacturer) {
    return manufacturerData.get(manufacturer);
  }

  /** The least number there is when it is not said. */
  public int getTxPowerLevel() {
    return power;
  }

  public String getDeviceName() {
    return name;
  }

  public byte[] getBytes() {
    return octets;
  }

  /** Structures by their type. */
  public Map<Integer, byte[]> getAdvertisingDataMap() {
    return structures;
  }

  @Override
  public String toString() {
    return "ScanRecord [flags=" + flags + ", services=" + services + ", name=" + name + "]";
  }
}
