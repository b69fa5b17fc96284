package android.bluetooth.le;

import android.app.PendingIntent;
import android.bluetooth.BluetoothAdapter;
import android.bluetooth.BluetoothDevice;
import android.content.Intent;
import android.os.Handler;
import babbench.android.Phone;
import babbench.android.stack.ScanCore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Scans for advertisers. Results come on the main thread. */
public final class BluetoothLeScanner {
  public static final String EXTRA_LIST_SCAN_RESULT = "android.bluetooth.le.extra.LIST_SCAN_RESULT";
  public static final String EXTRA_ERROR_CODE = "android.bluetooth.le.extra.ERROR_CODE";
  public static final String EXTRA_CALLBACK_TYPE = "android.bluetooth.le.extra.CALLBACK_TYPE";

  /** An advertiser that has not been heard for so long is lost (Decision: AOSP leaves it to the controller). */
  private static final long LOST_MILLISECONDS = 10_000;

  private final Phone phone;
  private final BluetoothAdapter adapter;
  private final Map<Object, Scan> scans = new LinkedHashMap<>();

  private BluetoothLeScanner(Phone phone, BluetoothAdapter adapter) {
    this.phone = phone;
    this.adapter = adapter;
  }

  /** For the adapter of a phone. */
  public static BluetoothLeScanner ofAdapter(Phone phone, BluetoothAdapter adapter) {
    return new BluetoothLeScanner(phone, adapter);
  }

  private void check() {
    if (!adapter.isEnabled()) throw new IllegalStateException("BT Adapter is not turned ON");
  }

  public void startScan(ScanCallback callback) {
    startScan(null, new ScanSettings.Builder().build(), callback);
  }

  /** Scans until it is stopped. The same callback twice is {@code SCAN_FAILED_ALREADY_STARTED}. */
  public void startScan(List<ScanFilter> filters, ScanSettings settings, ScanCallback callback) {
    check();
    if (callback == null) throw new IllegalArgumentException("callback is null");
    if (settings == null) throw new IllegalArgumentException("settings is null");
    if (scans.containsKey(callback)) {
      new Handler(phone.mainLooper()).post(() -> callback.onScanFailed(ScanCallback.SCAN_FAILED_ALREADY_STARTED));
      return;
    }
    begin(callback, new Scan(callback, filters, settings, callback));
  }

  /** Scans for a receiver of broadcasts. */
  public int startScan(List<ScanFilter> filters, ScanSettings settings, PendingIntent intent) {
    check();
    if (scans.containsKey(intent)) return ScanCallback.SCAN_FAILED_ALREADY_STARTED;
    ScanSettings kind = settings == null ? new ScanSettings.Builder().build() : settings;
    begin(intent, new Scan(intent, filters, kind, new ScanCallback() {
      @Override
      public void onScanResult(int callbackType, ScanResult result) {
        ArrayList<ScanResult> results = new ArrayList<>(List.of(result));
        android.os.Bundle extras = new android.os.Bundle();
        extras.putParcelableArrayList(EXTRA_LIST_SCAN_RESULT, results);
        extras.putInt(EXTRA_CALLBACK_TYPE, callbackType);
        intent.send(phone.context(), 0, new Intent().putExtras(extras));
      }
    }));
    return 0;
  }

  private void begin(Object key, Scan scan) {
    scans.put(key, scan);
    phone.stack().scans().start(scan);
  }

  public void stopScan(ScanCallback callback) {
    check();
    end(callback);
  }

  public void stopScan(PendingIntent intent) {
    check();
    end(intent);
  }

  private void end(Object key) {
    Scan scan = scans.remove(key);
    if (scan == null) return;
    scan.isOver = true;
    phone.stack().scans().stop(scan);
  }

  /** Gives what was kept back for a report. */
  public void flushPendingScanResults(ScanCallback callback) {
    check();
    if (callback == null) throw new IllegalArgumentException("callback cannot be null!");
    Scan scan = scans.get(callback);
    if (scan != null) scan.flush();
  }

  private final class Scan implements ScanCore.Scan {
    private final Object key;
    private final List<ScanFilter> filters;
    private final ScanSettings settings;
    private final ScanCallback callback;
    private final Handler handler = new Handler(phone.mainLooper());
    private final Map<BluetoothDevice, Long> seen = new HashMap<>();
    private List<ScanResult> batch = new ArrayList<>();
    private boolean isOver;

    Scan(Object key, List<ScanFilter> filters, ScanSettings settings, ScanCallback callback) {
      this.key = key;
      this.filters = filters == null ? List.of() : new ArrayList<>(filters);
      this.settings = settings;
      this.callback = callback;
      if (settings.getReportDelayMillis() > 0) handler.postDelayed(this::report, settings.getReportDelayMillis());
    }

    @Override
    public List<UUID> services() {
      List<UUID> services = new ArrayList<>();
      for (ScanFilter each : filters) {
        if (each.getServiceUuid() == null || each.getServiceUuidMask() != null) return List.of();
        services.add(each.getServiceUuid().getUuid());
      }
      return services;
    }

    @Override
    public int phys() {
      if (settings.getLegacy() || !adapter.isLeExtendedAdvertisingSupported()) return 0;
      boolean isOn1M = settings.getPhy() != BluetoothDevice.PHY_LE_CODED;
      boolean isOnCoded = settings.getPhy() != BluetoothDevice.PHY_LE_1M && adapter.isLeCodedPhySupported();
      return (isOn1M ? 1 : 0) | (isOnCoded ? 4 : 0);
    }

    @Override
    public boolean isOpportunistic() {
      return settings.getScanMode() == ScanSettings.SCAN_MODE_OPPORTUNISTIC;
    }

    @Override
    public boolean isFiltered() {
      for (ScanFilter each : filters) if (!each.isEmpty()) return true;
      return false;
    }

    @Override
    public void stopped() {
      isOver = true;
      scans.remove(key);
    }

    @Override
    public void heard(ScanCore.Heard heard) {
      BluetoothDevice device = adapter.getRemoteDevice(heard.address);
      int event = heard.isLegacy() ? heard.isConnectable ? 0x13 : 0x12 : heard.isConnectable ? 1 : 0;
      ScanResult result = new ScanResult(device, event, Math.max(heard.primaryPhy, BluetoothDevice.PHY_LE_1M),
          heard.secondaryPhy, heard.sid,
          ScanResult.TX_POWER_NOT_PRESENT, heard.rssi, 0, ScanRecord.parse(heard.octets), heard.nanoseconds);
      if (!filters.isEmpty() && filters.stream().noneMatch(each -> each.matches(result))) return;
      if (settings.getReportDelayMillis() > 0) batch.add(result);
      else if (isOfAllMatches()) tell(ScanSettings.CALLBACK_TYPE_ALL_MATCHES, result);
      else matched(device, result);
    }

    private boolean isOfAllMatches() {
      int type = settings.getCallbackType();
      return type == ScanSettings.CALLBACK_TYPE_ALL_MATCHES
          || type == ScanSettings.CALLBACK_TYPE_ALL_MATCHES_AUTO_BATCH;
    }

    private void matched(BluetoothDevice device, ScanResult result) {
      long now = phone.scheduler().now();
      boolean isFirst = seen.put(device, now) == null;
      boolean wantsFirst = (settings.getCallbackType() & ScanSettings.CALLBACK_TYPE_FIRST_MATCH) != 0;
      if (isFirst && wantsFirst) tell(ScanSettings.CALLBACK_TYPE_FIRST_MATCH, result);
      if ((settings.getCallbackType() & ScanSettings.CALLBACK_TYPE_MATCH_LOST) == 0) return;
      handler.postDelayed(() -> {
        if (isOver || seen.getOrDefault(device, -1L) != now) return;
        seen.remove(device);
        callback.onScanResult(ScanSettings.CALLBACK_TYPE_MATCH_LOST, result);
      }, LOST_MILLISECONDS);
    }

    private void tell(int type, ScanResult result) {
      handler.post(() -> {
        if (!isOver) callback.onScanResult(type, result);
      });
    }

    private void report() {
      if (isOver) return;
      flush();
      handler.postDelayed(this::report, settings.getReportDelayMillis());
    }

    private void flush() {
      List<ScanResult> results = batch;
      batch = new ArrayList<>();
      if (!results.isEmpty()) callback.onBatchScanResults(results);
    }
  }
}
