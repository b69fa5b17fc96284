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
