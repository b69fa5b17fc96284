package android.bluetooth.le;

import android.bluetooth.BluetoothDevice;
import android.os.Parcel;
import android.os.Parcelable;

/** An advertiser that was heard. */
public final class ScanResult implements Parcelable {
  public static final int PHY_UNUSED = 0;
  public static final int DATA_COMPLETE = 0;
  public static final int DATA_TRUNCATED = 2;
  public static final int SID_NOT_PRESENT = 255;
  public static final int TX_POWER_NOT_PRESENT = 127;
  public static final int PERIODIC_INTERVAL_NOT_PRESENT = 0;

  private final BluetoothDevice device;
  private final ScanRecord record;
  private final int rssi;
  private final long nanoseconds;
  private final int eventType;
  private final int primaryPhy;
  private final int secondaryPhy;
  private final int sid;

  @Deprecated
  public ScanResult(BluetoothDevice device, ScanRecord scanRecord, int rssi, long timestampNanos) {
    this(device, 0x11, 1, 0, SID_NOT_PRESENT, TX_POWER_NOT_PRESENT, rssi, 0, scanRecord, timestampNanos);
  }

  public ScanResult(BluetoothDevice device, int eventType, int primaryPhy, int secondaryPhy, int advertisingSid,
      int txPower, int rssi, int periodicAdvertisingInterval, ScanRecord scanRecord, long timestampNanos) {
    this.device = device;
    this.record = scanRecord;
    this.rssi = rssi;
    this.nanoseconds = timestampNanos;
    this.eventType = eventType;
    this.primaryPhy = primaryPhy;
    this.secondaryPhy = secondaryPhy;
    sid = advertisingSid;
  }

  public BluetoothDevice getDevice() {
    return device;
  }

  public ScanRecord getScanRecord() {
    return record;
  }

  public int getRssi() {
    return rssi;
  }

  public long getTimestampNanos() {
    return nanoseconds;
  }

  public boolean isLegacy() {
    return (eventType & 0x10) != 0;
  }

  public boolean isConnectable() {
    return (eventType & 1) != 0;
  }

  public int getDataStatus() {
    return DATA_COMPLETE;
  }

  public int getPrimaryPhy() {
    return primaryPhy;
  }

  public int getSecondaryPhy() {
    return secondaryPhy;
  }

  public int getAdvertisingSid() {
    return sid;
  }

  public int getTxPower() {
    return TX_POWER_NOT_PRESENT;
  }

  public int getPeriodicAdvertisingInterval() {
    return PERIODIC_INTERVAL_NOT_PRESENT;
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
  public String toString() {
    return "ScanResult{device=" + device + ", scanRecord=" + record + ", rssi=" + rssi + "}";
  }
}
