package android.bluetooth.le;

import android.bluetooth.BluetoothAdapter;
import android.bluetooth.BluetoothDevice;
import android.os.Handler;
import babbench.android.Phone;
import babbench.android.stack.AdvertiseCore;
import java.util.LinkedHashMap;
import java.util.Map;

/** Advertises. Callbacks come on the main thread, or on the handler given. */
public final class BluetoothLeAdvertiser {
  private static final int MOST = 31;
  private static final int LONGEST = 65_535;
  private static final int TEN_MILLISECONDS = 10;

  /** By mode, in units of 0.625 ms: 1 s, 250 ms, 100 ms. */
  private static final int[] INTERVALS = {1_600, 400, 160};

  /** That of legacy advertising: 10.24 s (Core Specification, Vol 4, Part E, 7.8.5). */
  private static final int LONGEST_INTERVAL = 0x4000;

  /** HCI: Advertising Timeout (Core Specification, Vol 1, Part F, 1.3), which Android passes on. */
  private static final int TIMEOUT = 0x3C;

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
    boolean hasFlags = settings.isConnectable() && settings.isDiscoverable();
    byte[] data = octets(advertiseData, hasFlags);
    byte[] response = octets(scanResponse, false);
    Handler main = new Handler(phone.mainLooper());
    if (data.length > MOST || response.length > MOST) {
      main.post(() -> callback.onStartFailure(AdvertiseCallback.ADVERTISE_FAILED_DATA_TOO_LARGE));
      return;
    }
    if (active.containsKey(callback)) {
      main.post(() -> callback.onStartFailure(AdvertiseCallback.ADVERTISE_FAILED_ALREADY_STARTED));
      return;
    }
    Advertisement made = new Advertisement(callback, advertiseData, scanResponse, hasFlags, status -> main.post(() -> {
      if (status == 0) callback.onStartSuccess(settings);
      else callback.onStartFailure(status);
    }));
    made.interval = INTERVALS[settings.getMode()];
    made.isConnectable = settings.isConnectable();
    made.limit(settings.getTimeout(), () -> end(callback));
    begin(callback, made);
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
      AdvertisingSetCallback callback, Handler handler) {
    startAdvertisingSet(parameters, advertiseData, scanResponse, periodicParameters, periodicData, 0, 0, callback,
        handler);
  }

  public void startAdvertisingSet(AdvertisingSetParameters parameters, AdvertiseData advertiseData,
      AdvertiseData scanResponse, PeriodicAdvertisingParameters periodicParameters, AdvertiseData periodicData,
      int duration, int maxExtendedAdvertisingEvents, AdvertisingSetCallback callback) {
    startAdvertisingSet(parameters, advertiseData, scanResponse, periodicParameters, periodicData, duration,
        maxExtendedAdvertisingEvents, callback, new Handler(phone.mainLooper()));
  }

  public void startAdvertisingSet(AdvertisingSetParameters parameters, AdvertiseData advertiseData,
      AdvertiseData scanResponse, PeriodicAdvertisingParameters periodicParameters, AdvertiseData periodicData,
      int duration, int maxExtendedAdvertisingEvents, AdvertisingSetCallback callback, Handler handler) {
    check();
    if (callback == null) throw new IllegalArgumentException("callback cannot be null");
    boolean hasFlags = parameters.isConnectable() && parameters.isDiscoverable();
    byte[] data = octets(advertiseData, hasFlags);
    byte[] response = octets(scanResponse, false);
    int most = isExtended(parameters) ? adapter.getLeMaximumAdvertisingDataLength() : MOST;
    if (data.length > most || response.length > most) throw new IllegalArgumentException("advertising data too big");
    if (!parameters.isLegacy()) checkExtended(parameters, periodicParameters);
    if (maxExtendedAdvertisingEvents != 0) {
      throw new IllegalArgumentException("a number of events needs extended advertising: "
          + maxExtendedAdvertisingEvents);
    }
    checkDuration(duration);
    if (active.containsKey(callback)) throw new IllegalArgumentException("callback is in use");
    AdvertisingSet set = new AdvertisingSet(this, callback, handler);
    Advertisement made = new Advertisement(callback, advertiseData, scanResponse, hasFlags,
        status -> handler.post(() ->
        callback.onAdvertisingSetStarted(status == 0 ? set : null, parameters.getTxPowerLevel(), status)));
    made.set = set;
    made.take(parameters);
    made.limit(duration * TEN_MILLISECONDS, () -> enable(set, callback, false, 0, TIMEOUT));
    begin(callback, made);
  }

  private boolean isExtended(AdvertisingSetParameters parameters) {
    return !parameters.isLegacy() && adapter.isLeExtendedAdvertisingSupported();
  }

  private void checkExtended(AdvertisingSetParameters parameters, PeriodicAdvertisingParameters periodic) {
    boolean hasCoded = adapter.isLeCodedPhySupported();
    int secondary = parameters.getSecondaryPhy();
    if (parameters.getPrimaryPhy() == BluetoothDevice.PHY_LE_CODED && !hasCoded) {
      throw new IllegalArgumentException("the phone has no such primary PHY");
    }
    if (secondary == BluetoothDevice.PHY_LE_CODED && !hasCoded
        || secondary == BluetoothDevice.PHY_LE_2M && !adapter.isLe2MPhySupported()) {
      throw new IllegalArgumentException("the phone has no such secondary PHY");
    }
    if (periodic != null && !adapter.isLePeriodicAdvertisingSupported()) {
      throw new IllegalArgumentException("the phone does not advertise periodically");
    }
  }

  private static void checkDuration(int duration) {
    if (duration < 0 || duration > LONGEST) throw new IllegalArgumentException("duration out of range: " + duration);
  }

  /** Puts a set on the air, or takes it off, and tells so. */
  void enable(AdvertisingSet set, AdvertisingSetCallback callback, boolean isOn, int duration, int status) {
    checkDuration(duration);
    Advertisement known = active.get(callback);
    if (known == null) return;
    if (isOn) {
      known.limit(duration * TEN_MILLISECONDS, () -> enable(set, callback, false, 0, TIMEOUT));
      phone.stack().advertising().resume(known);
      known.begin();
    } else {
      known.limit(0, null);
      phone.stack().advertising().pause(known);
    }
    set.post(() -> callback.onAdvertisingEnabled(set, isOn, status));
  }

  boolean change(AdvertisingSetCallback callback, AdvertisingSetParameters parameters) {
    Advertisement known = active.get(callback);
    if (known == null) return false;
    known.take(parameters);
    phone.stack().advertising().change(known);
    return true;
  }

  public void stopAdvertisingSet(AdvertisingSetCallback callback) {
    if (callback == null) throw new IllegalArgumentException("callback cannot be null");
    Advertisement known = active.get(callback);
    if (known == null || known.set == null) return;
    end(callback);
    known.set.post(() -> callback.onAdvertisingSetStopped(known.set));
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
    private final boolean hasFlags;
    private final String name = adapter.getName();
    private AdvertiseData data;
    private AdvertiseData response;

    private AdvertisingSet set;
    private int interval;
    private boolean isConnectable;
    private Object[] extended;
    private int timeout;
    private Runnable atEnd;

    Advertisement(Object key, AdvertiseData data, AdvertiseData response, boolean hasFlags,
        java.util.function.IntConsumer told) {
      this.key = key;
      this.data = data;
      this.response = response;
      this.hasFlags = hasFlags;
      this.told = told;
    }

    void take(AdvertisingSetParameters parameters) {
      interval = Math.min(parameters.getInterval(), LONGEST_INTERVAL);
      isConnectable = parameters.isConnectable();
      extended = !isExtended(parameters) ? null : new Object[] {
          "scannable", parameters.isScannable(), "anonymous", parameters.isAnonymous(), "txPower",
          parameters.includeTxPower(), "primaryPHY", parameters.getPrimaryPhy(), "secondaryPHY",
          parameters.getSecondaryPhy()};
    }

    @Override
    public Object[] extended() {
      return extended;
    }

    /** A limit of time, from the next beginning on; 0 is none. */
    void limit(int milliseconds, Runnable end) {
      timeout = milliseconds;
      atEnd = end;
    }

    /** It is on the air now. */
    void begin() {
      Runnable end = atEnd;
      if (timeout == 0 || end == null) return;
      new Handler(phone.mainLooper()).postDelayed(() -> {
        if (active.get(key) == this && atEnd == end) end.run();
      }, timeout);
    }

    @Override
    public byte[] data() {
      return data == null ? new byte[0] : data.octets(name, hasFlags);
    }

    @Override
    public byte[] scanResponse() {
      return response == null ? new byte[0] : response.octets(name, false);
    }

    @Override
    public java.util.List<java.util.UUID> plainServices() {
      java.util.List<java.util.UUID> services = new java.util.ArrayList<>();
      if (!hasFlags) return null;
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
    public int interval() {
      return interval;
    }

    @Override
    public boolean isConnectable() {
      return isConnectable;
    }

    @Override
    public boolean isLimited() {
      return timeout > 0;
    }

    @Override
    public void started(int status) {
      if (status != 0) active.remove(key);
      told.accept(status);
      if (status == 0) begin();
    }

    @Override
    public void stopped() {
      active.remove(key);
    }
  }
}
