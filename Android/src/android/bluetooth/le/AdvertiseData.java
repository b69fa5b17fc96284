package android.bluetooth.le;

import android.os.Parcel;
import android.os.ParcelUuid;
import android.os.Parcelable;
import android.util.SparseArray;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What to advertise. */
public final class AdvertiseData implements Parcelable {
  private static final long BASE = 0x800000805F9B34FBL;

  private final List<ParcelUuid> services;
  private final List<ParcelUuid> solicited;
  private final Map<ParcelUuid, byte[]> serviceData;
  private final SparseArray<byte[]> manufacturerData;
  private final boolean hasName;
  private final boolean hasPower;

  private AdvertiseData(Builder from) {
    services = new ArrayList<>(from.services);
    solicited = new ArrayList<>(from.solicited);
    serviceData = new LinkedHashMap<>(from.serviceData);
    manufacturerData = from.manufacturerData.clone();
    hasName = from.hasName;
    hasPower = from.hasPower;
  }

  public List<ParcelUuid> getServiceUuids() {
    return services;
  }

  public List<ParcelUuid> getServiceSolicitationUuids() {
    return solicited;
  }

  public Map<ParcelUuid, byte[]> getServiceData() {
    return serviceData;
  }

  public SparseArray<byte[]> getManufacturerSpecificData() {
    return manufacturerData;
  }

  public boolean getIncludeDeviceName() {
    return hasName;
  }

  public boolean getIncludeTxPowerLevel() {
    return hasPower;
  }

  /** The structures of the Core Specification Supplement, Part A, 1, after flags where they are wanted. */
  byte[] octets(String name, boolean withFlags) {
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    if (withFlags) put(to, 0x01, new byte[] {2});
    if (hasName && name != null) put(to, 0x09, name.getBytes(StandardCharsets.UTF_8));
    for (int index = 0; index < manufacturerData.size(); index++) {
      int manufacturer = manufacturerData.keyAt(index);
      byte[] head = {(byte) manufacturer, (byte) (manufacturer >> 8)};
      put(to, 0xFF, joined(head, manufacturerData.valueAt(index)));
    }
    if (hasPower) put(to, 0x0A, new byte[] {0});
    lists(to, services, new int[] {0x03, 0x05, 0x07});
    for (Map.Entry<ParcelUuid, byte[]> each : serviceData.entrySet()) {
      byte[] uuid = octets(each.getKey().getUuid());
      put(to, uuid.length == 2 ? 0x16 : uuid.length == 4 ? 0x20 : 0x21, joined(uuid, each.getValue()));
    }
    lists(to, solicited, new int[] {0x14, 0x1F, 0x15});
    return to.toByteArray();
  }

  /** Whether there is nothing but services and a name. */
  boolean isPlain() {
    return solicited.isEmpty() && serviceData.isEmpty() && manufacturerData.size() == 0 && !hasPower;
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = java.util.Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static void lists(ByteArrayOutputStream to, List<ParcelUuid> uuids, int[] types) {
    for (int kind = 0; kind < 3; kind++) {
      byte[] all = {};
      for (ParcelUuid each : uuids) {
        byte[] octets = octets(each.getUuid());
        if (octets.length == 2 << kind + kind / 2) all = joined(all, octets);
      }
      if (all.length > 0) put(to, types[kind], all);
    }
  }

  private static void put(ByteArrayOutputStream to, int type, byte[] value) {
    to.write(value.length + 1);
    to.write(type);
    to.writeBytes(value);
  }

  /** 2, 4 or 16 octets, the shortest form, least significant first. */
  private static byte[] octets(UUID uuid) {
    long high = uuid.getMostSignificantBits();
    boolean isShort = uuid.getLeastSignificantBits() == BASE && (high & 0xFFFFFFFFL) == 0x1000L;
    long number = high >>> 32;
    if (isShort && number <= 0xFFFF) return new byte[] {(byte) number, (byte) (number >> 8)};
    int size = isShort ? 4 : 16;
    byte[] octets = new byte[size];
    for (int index = 0; index < size; index++) {
      long from = isShort ? number : index < 8 ? uuid.getLeastSignificantBits() : high;
      octets[index] = (byte) (from >>> 8 * (index % 8));
    }
    return octets;
  }

  @Override
  public int describeContents() {
    return 0;
  }

  @Override
  public void writeToParcel(Parcel destination, int flags) {
    destination.writeValue(this);
  }

  /** Makes data. */
  public static final class Builder {
    private final List<ParcelUuid> services = new ArrayList<>();
    private final List<ParcelUuid> solicited = new ArrayList<>();
    private final Map<ParcelUuid, byte[]> serviceData = new LinkedHashMap<>();
    private final SparseArray<byte[]> manufacturerData = new SparseArray<>();
    private boolean hasName;
    private boolean hasPower;

    public Builder addServiceUuid(ParcelUuid uuid) {
      if (uuid == null) throw new IllegalArgumentException("serviceUuid is null");
      services.add(uuid);
      return this;
    }

    public Builder addServiceSolicitationUuid(ParcelUuid uuid) {
      if (uuid == null) throw new IllegalArgumentException("serviceSolicitationUuid is null");
      solicited.add(uuid);
      return this;
    }

    public Builder addServiceData(ParcelUuid uuid, byte[] data) {
      if (uuid == null || data == null) throw new IllegalArgumentException("serviceDataUuid or data is null");
      serviceData.put(uuid, data);
      return this;
    }

    public Builder addManufacturerData(int manufacturer, byte[] data) {
      if (manufacturer < 0 || data == null) throw new IllegalArgumentException("invalid manufacturer data");
      manufacturerData.put(manufacturer, data);
      return this;
    }

    public Builder setIncludeDeviceName(boolean include) {
      hasName = include;
      return this;
    }

    public Builder setIncludeTxPowerLevel(boolean include) {
      hasPower = include;
      return this;
    }

    public AdvertiseData build() {
      return new AdvertiseData(this);
    }
  }
}
