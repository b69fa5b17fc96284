package android.bluetooth.le;

import android.bluetooth.BluetoothAdapter;
import android.os.Parcel;
import android.os.ParcelUuid;
import android.os.Parcelable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** What an advertiser must have, all of it, to be found. */
public final class ScanFilter implements Parcelable {
  private String name;
  private String address;
  private ParcelUuid service;
  private ParcelUuid serviceMask;
  private ParcelUuid solicited;
  private ParcelUuid solicitedMask;
  private int type = ScanRecord.DATA_TYPE_NONE;
  private byte[] typeData;
  private byte[] typeDataMask;
  private ParcelUuid dataService;
  private byte[] serviceData;
  private byte[] serviceDataMask;
  private int manufacturer = -1;
  private byte[] manufacturerData;
  private byte[] manufacturerDataMask;

  private ScanFilter() {}

  public String getDeviceName() {
    return name;
  }

  public String getDeviceAddress() {
    return address;
  }

  public ParcelUuid getServiceUuid() {
    return service;
  }

  public ParcelUuid getServiceUuidMask() {
    return serviceMask;
  }

  public ParcelUuid getServiceSolicitationUuid() {
    return solicited;
  }

  public ParcelUuid getServiceSolicitationUuidMask() {
    return solicitedMask;
  }

  public int getAdvertisingDataType() {
    return type;
  }

  public byte[] getAdvertisingData() {
    return typeData;
  }

  public byte[] getAdvertisingDataMask() {
    return typeDataMask;
  }

  public ParcelUuid getServiceDataUuid() {
    return dataService;
  }

  public byte[] getServiceData() {
    return serviceData;
  }

  public byte[] getServiceDataMask() {
    return serviceDataMask;
  }

  public int getManufacturerId() {
    return manufacturer;
  }

  public byte[] getManufacturerData() {
    return manufacturerData;
  }

  public byte[] getManufacturerDataMask() {
    return manufacturerDataMask;
  }

  /** Whether nothing is asked for. Android does not take such a filter for one. */
  boolean isEmpty() {
    return name == null && address == null && service == null && solicited == null && dataService == null
        && manufacturer < 0 && type < 0;
  }

  public boolean matches(ScanResult result) {
    if (result == null) return false;
    if (address != null && !address.equals(result.getDevice().getAddress())) return false;
    ScanRecord record = result.getScanRecord();
    if (record == null) return isEmpty() || address != null && name == null && service == null;
    if (name != null && !name.equals(record.getDeviceName())) return false;
    if (service != null && !has(record.getServiceUuids(), service, serviceMask)) return false;
    if (solicited != null && !has(record.getServiceSolicitationUuids(), solicited, solicitedMask)) return false;
    if (type > 0 && !begins(record.getAdvertisingDataMap().get(type), typeData, typeDataMask)) return false;
    if (dataService != null && !begins(record.getServiceData(dataService), serviceData, serviceDataMask)) return false;
    return manufacturer < 0
        || begins(record.getManufacturerSpecificData(manufacturer), manufacturerData, manufacturerDataMask);
  }

  private static boolean has(List<ParcelUuid> advertised, ParcelUuid wanted, ParcelUuid mask) {
    if (advertised == null) return false;
    for (ParcelUuid each : advertised) {
      if (mask == null ? each.equals(wanted) : isSame(each.getUuid(), wanted.getUuid(), mask.getUuid())) return true;
    }
    return false;
  }

  private static boolean isSame(UUID other, UUID wanted, UUID mask) {
    return (wanted.getMostSignificantBits() & mask.getMostSignificantBits())
        == (other.getMostSignificantBits() & mask.getMostSignificantBits())
        && (wanted.getLeastSignificantBits() & mask.getLeastSignificantBits())
        == (other.getLeastSignificantBits() & mask.getLeastSignificantBits());
  }

  private static boolean begins(byte[] found, byte[] wanted, byte[] mask) {
    if (found == null) return false;
    if (wanted == null) return true;
    if (found.length < wanted.length) return false;
    for (int index = 0; index < wanted.length; index++) {
      int bits = mask == null ? 0xFF : mask[index];
      if ((found[index] & bits) != (wanted[index] & bits)) return false;
    }
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

  @Override
  public boolean equals(Object other) {
    return other instanceof ScanFilter && Objects.equals(name, ((ScanFilter) other).name)
        && Objects.equals(address, ((ScanFilter) other).address)
        && Objects.equals(service, ((ScanFilter) other).service)
        && manufacturer == ((ScanFilter) other).manufacturer
        && Objects.equals(solicited, ((ScanFilter) other).solicited)
        && type == ((ScanFilter) other).type && Arrays.equals(typeData, ((ScanFilter) other).typeData);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, address, service, manufacturer);
  }

  /** Makes filters. */
  public static final class Builder {
    private final ScanFilter made = new ScanFilter();

    public Builder setDeviceName(String name) {
      made.name = name;
      return this;
    }

    public Builder setDeviceAddress(String address) {
      if (address != null && !BluetoothAdapter.checkBluetoothAddress(address)) {
        throw new IllegalArgumentException("invalid device address " + address);
      }
      made.address = address;
      return this;
    }

    public Builder setServiceUuid(ParcelUuid uuid) {
      return setServiceUuid(uuid, null);
    }

    public Builder setServiceUuid(ParcelUuid uuid, ParcelUuid mask) {
      if (mask != null && uuid == null) throw new IllegalArgumentException("uuid is null while uuidMask is not null!");
      made.service = uuid;
      made.serviceMask = mask;
      return this;
    }

    public Builder setServiceSolicitationUuid(ParcelUuid uuid) {
      return setServiceSolicitationUuid(uuid, null);
    }

    public Builder setServiceSolicitationUuid(ParcelUuid uuid, ParcelUuid mask) {
      if (mask != null && uuid == null) throw new IllegalArgumentException("a mask of no solicited service");
      made.solicited = uuid;
      made.solicitedMask = mask;
      return this;
    }

    /** A structure of this type (Supplement to the Core Specification, A) is enough, whatever it says. */
    public Builder setAdvertisingDataType(int type) {
      return setAdvertisingDataTypeWithData(type, null, null);
    }

    public Builder setAdvertisingDataTypeWithData(int type, byte[] data, byte[] mask) {
      if (type < 0) throw new IllegalArgumentException("invalid advertising data type");
      check(data, mask);
      made.type = type;
      made.typeData = data;
      made.typeDataMask = mask;
      return this;
    }

    public Builder setServiceData(ParcelUuid uuid, byte[] data) {
      return setServiceData(uuid, data, null);
    }

    public Builder setServiceData(ParcelUuid uuid, byte[] data, byte[] mask) {
      if (uuid == null) throw new IllegalArgumentException("serviceDataUuid is null");
      check(data, mask);
      made.dataService = uuid;
      made.serviceData = data;
      made.serviceDataMask = mask;
      return this;
    }

    public Builder setManufacturerData(int manufacturer, byte[] data) {
      return setManufacturerData(manufacturer, data, null);
    }

    public Builder setManufacturerData(int manufacturer, byte[] data, byte[] mask) {
      if (data != null && manufacturer < 0) throw new IllegalArgumentException("invalid manufacture id");
      check(data, mask);
      made.manufacturer = manufacturer;
      made.manufacturerData = data;
      made.manufacturerDataMask = mask;
      return this;
    }

    private static void check(byte[] data, byte[] mask) {
      if (mask != null && (data == null || data.length != mask.length)) {
        throw new IllegalArgumentException("a mask is as long as its data");
      }
    }

    public ScanFilter build() {
      ScanFilter filter = new ScanFilter();
      filter.name = made.name;
      filter.address = made.address;
      filter.service = made.service;
      filter.serviceMask = made.serviceMask;
      filter.solicited = made.solicited;
      filter.solicitedMask = made.solicitedMask;
      filter.type = made.type;
      filter.typeData = made.typeData;
      filter.typeDataMask = made.typeDataMask;
      filter.dataService = made.dataService;
      filter.serviceData = made.serviceData;
      filter.serviceDataMask = made.serviceDataMask;
      filter.manufacturer = made.manufacturer;
      filter.manufacturerData = made.manufacturerData;
      filter.manufacturerDataMask = made.manufacturerDataMask;
      return filter;
    }
  }
}
