package android.bluetooth.le;

import android.bluetooth.BluetoothAdapter;
import android.os.Handler;
import babbench.android.Phone;
import babbench.android.stack.AdvertiseCore;
import java.util.LinkedHashMap;
import java.util.Map;

/** Advertises. Callbacks come on the main thread, or on the handler given. */
public final class BluetoothLeAdvertiser {
  private static final int MOST = 31;

  private final Phone phone;
  private final BluetoothAdapter adapter;
  private final Map<Object, Advertisement> active = new LinkedHashMap<>();

  private BluetoothLeAdvertiser(Phone phone, BluetoothAdapter adapter) {
    this.phone = phone;
    this.adapter = adapter;
  }

  /** For the adapter of a phone. */
  public static BluetoothLeAdvertiser ofAdapter(Phone phone, BluetoothAdapter adapter) {
    return new BluetoothLeAdvertiser(phone, adapter);
  }

  private void check() {
    if (!adapter.isEnabled()) throw new IllegalStateException("BT Adapter is not turned ON");
  }

  public void startAdvertising(AdvertiseSettings settings, AdvertiseData advertiseData, AdvertiseCallback callback) {
    startAdvertising(settings, advertiseData, null, callback);
  }

  /** Advertises until it is stopped, or until the limit of time is over. */
  public void startAdvertising(AdvertiseSettings settings, AdvertiseData advertiseData, AdvertiseData scanResponse,
      AdvertiseCallback callback) {
    check();
    if (callback == null) throw new IllegalArgumentException("callback cannot be null");
    byte[] data = octets(advertiseData, settings.isConnectable());
    byte[] response = octets(scanResponse, false);
    Handler main = new Handler(phone.mainLooper());
    if (active.containsKey(callback)) {
      main.post(() -> callback.onStartFailure(AdvertiseCallback.ADVERTISE_FAILED_ALREADY_STARTED));
      return;
    }
    if (data.length > MOST || response.length > MOST) {
      main.post(() -> callback.onStartFailure(AdvertiseCallback.ADVERTISE_FAILED_DATA_TOO_LARGE));
      return;
    }
    begin(callback, new Advertisement(callback, advertiseData, scanResponse, settings.isConnectable(),
        settings.getTimeout(), status -> main.post(() -> {
      if (status == 0) callback.onStartSuccess(settings);
      else callback.onStartFailure(status);
    })));
  }

  private void begin(Object key, Advertisement advertisement) {
    active.put(key, advertisement);
    phone.stack().advertising().start(advertisement);
  }

  private byte[] octets(AdvertiseData data, boolean withFlags) {
    return data == null ? new byte[0] : data.octets(adapter.getName(), withFlags);
  }

  public void stopAdvertising(AdvertiseCallback callback) {
    if (callback == null) throw new IllegalArgumentException("callback cannot be null");
    end(callback);
  }

  private boolean end(Object key) {
    Advertisement ended = active.remove(key);
    if (ended == null) return false;
    phone.stack().advertising().stop(ended);
    return true;
  }

  // Sets

  public void startAdvertisingSet(AdvertisingSetParameters parameters, AdvertiseData advertiseData,
      AdvertiseData scanResponse, PeriodicAdvertisingParameters periodicParameters, AdvertiseData periodicData,
      AdvertisingSetCallback callback) {
    startAdvertisingSet(parameters, advertiseData, scanResponse, periodicParameters, periodicData, 0, 0, callback);
  }

  public void startAdvertisingSet(AdvertisingSetParameters parameters, AdvertiseData advertiseData,
      AdvertiseData scanResponse, PeriodicAdvertisingParameters periodicParameters, AdvertiseData periodicData,
      int duration, int maxExtendedAdvertisingEvents, AdvertisingSetCallback callback) {
    check();
    if (callback == null) throw new IllegalArgumentException("callback cannot be null");
    Handler main = new Handler(phone.mainLooper());
    byte[] data = octets(advertiseData, parameters.isConnectable());
    byte[] response = octets(scanResponse, false);
    if (data.length > MOST || response.length > MOST) throw new IllegalArgumentException("advertising data too big");
    if (active.containsKey(callback)) throw new IllegalArgumentException("callback is in use");
    AdvertisingSet set = new AdvertisingSet(this, callback);
    begin(callback, new Advertisement(callback, advertiseData, scanResponse,
        parameters.isConnectable(), duration * 10, status -> main.post(() ->
        callback.onAdvertisingSetStarted(status == 0 ? set : null, parameters.getTxPowerLevel(), status))));
  }

  public void stopAdvertisingSet(AdvertisingSetCallback callback) {
    if (callback == null) throw new IllegalArgumentException("callback cannot be null");
    AdvertisingSet set = new AdvertisingSet(this, callback);
    if (end(callback)) new Handler(phone.mainLooper()).post(() -> callback.onAdvertisingSetStopped(set));
  }

  /** Changes what a set advertises; null leaves a part as it is. */
  boolean change(AdvertisingSetCallback callback, AdvertiseData data, AdvertiseData response) {
    Advertisement known = active.get(callback);
    if (known == null) return false;
    if (data != null) known.data = data;
    if (response != null) known.response = response;
    phone.stack().advertising().change(known);
    return true;
  }

  private final class Advertisement implements AdvertiseCore.Set {
    private final Object key;
    private final java.util.function.IntConsumer told;
    private final int timeout;
    private final boolean isConnectable;
    private final String name = adapter.getName();
    private AdvertiseData data;
    private AdvertiseData response;

    Advertisement(Object key, AdvertiseData data, AdvertiseData response, boolean isConnectable, int timeout,
        java.util.function.IntConsumer told) {
      this.key = key;
      this.data = data;
      this.response = response;
      this.isConnectable = isConnectable;
      this.timeout = timeout;
      this.told = told;
    }

    @Override
    public byte[] data() {
      return data == null ? new byte[0] : data.octets(name, isConnectable);
    }

    @Override
    public byte[] scanResponse() {
      return response == null ? new byte[0] : response.octets(name, false);
    }

    @Override
    public java.util.List<java.util.UUID> plainServices() {
      java.util.List<java.util.UUID> services = new java.util.ArrayList<>();
      for (AdvertiseData each : new AdvertiseData[] {data, response}) {
        if (each == null) continue;
        if (!each.isPlain()) return null;
        for (android.os.ParcelUuid uuid : each.getServiceUuids()) services.add(uuid.getUuid());
      }
      return services;
    }

    @Override
    public String name() {
      boolean isInData = data != null && data.getIncludeDeviceName();
      return isInData || response != null && response.getIncludeDeviceName() ? name : null;
    }

    @Override
    public void started(int status) {
      if (status != 0) active.remove(key);
      told.accept(status);
      if (status != 0 || timeout == 0) return;
      new Handler(phone.mainLooper()).postDelayed(() -> {
        if (active.get(key) == this) end(key);
      }, timeout);
    }

    @Override
    public void stopped() {
      active.remove(key);
    }
  }
}
