package android.bluetooth.le;

import android.os.Handler;

/** A set that is advertised. */
public final class AdvertisingSet {
  private static final int UNSUPPORTED = AdvertisingSetCallback.ADVERTISE_FAILED_FEATURE_UNSUPPORTED;

  private final BluetoothLeAdvertiser advertiser;
  private final AdvertisingSetCallback callback;
  private final Handler handler;

  AdvertisingSet(BluetoothLeAdvertiser advertiser, AdvertisingSetCallback callback, Handler handler) {
    this.advertiser = advertiser;
    this.callback = callback;
    this.handler = handler;
  }

  void post(Runnable task) {
    handler.post(task);
  }

  private static int status(boolean isActive) {
    return isActive ? AdvertisingSetCallback.ADVERTISE_SUCCESS : AdvertisingSetCallback.ADVERTISE_FAILED_INTERNAL_ERROR;
  }

  /** Puts it on the air for a duration in units of 10 ms, 0 is without limit; or takes it off. */
  public void enableAdvertising(boolean enable, int duration, int maxExtendedAdvertisingEvents) {
    advertiser.enable(this, callback, enable, duration, AdvertisingSetCallback.ADVERTISE_SUCCESS);
  }

  public void setAdvertisingData(AdvertiseData advertiseData) {
    int status = status(advertiser.change(callback, advertiseData, null));
    post(() -> callback.onAdvertisingDataSet(this, status));
  }

  public void setScanResponseData(AdvertiseData scanResponse) {
    int status = status(advertiser.change(callback, null, scanResponse));
    post(() -> callback.onScanResponseDataSet(this, status));
  }

  /** The power is told only: the radio of the bench has that of its phone. */
  public void setAdvertisingParameters(AdvertisingSetParameters parameters) {
    int status = status(advertiser.change(callback, parameters));
    post(() -> callback.onAdvertisingParametersUpdated(this, parameters.getTxPowerLevel(), status));
  }

  // Phones of the bench do not advertise periodically, and say so.

  public void setPeriodicAdvertisingParameters(PeriodicAdvertisingParameters parameters) {
    post(() -> callback.onPeriodicAdvertisingParametersUpdated(this, UNSUPPORTED));
  }

  public void setPeriodicAdvertisingData(AdvertiseData periodicData) {
    post(() -> callback.onPeriodicAdvertisingDataSet(this, UNSUPPORTED));
  }

  public void setPeriodicAdvertisingEnabled(boolean enable) {
    post(() -> callback.onPeriodicAdvertisingEnabled(this, false, UNSUPPORTED));
  }
}
