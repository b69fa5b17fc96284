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
  private final boolean isConnectable;

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
    isConnectable = (eventType & 1) != 0;
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
    return true;
  }

  public boolean isConnectable() {
    return isConnectable;
  }

  public int getDataStatus() {
    return DATA_COMPLETE;
  }

  public int getPrimaryPhy() {
    return BluetoothDevice.PHY_LE_1M;
  }

  public int getSecondaryPhy() {
    return 0;
  }

  public int getAdvertisingSid() {
    return SID_NOT_PRESENT;
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
