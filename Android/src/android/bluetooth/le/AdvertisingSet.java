package android.bluetooth.le;

/** A set that is advertised. */
public final class AdvertisingSet {
  private final BluetoothLeAdvertiser advertiser;
  private final AdvertisingSetCallback callback;

  AdvertisingSet(BluetoothLeAdvertiser advertiser, AdvertisingSetCallback callback) {
    this.advertiser = advertiser;
    this.callback = callback;
  }

  public void setAdvertisingData(AdvertiseData advertiseData) {
    boolean isActive = advertiser.change(callback, advertiseData, null);
    callback.onAdvertisingDataSet(this, isActive ? 0 : AdvertisingSetCallback.ADVERTISE_FAILED_INTERNAL_ERROR);
  }

  public void setScanResponseData(AdvertiseData scanResponse) {
    boolean isActive = advertiser.change(callback, null, scanResponse);
    callback.onScanResponseDataSet(this, isActive ? 0 : AdvertisingSetCallback.ADVERTISE_FAILED_INTERNAL_ERROR);
  }
}
