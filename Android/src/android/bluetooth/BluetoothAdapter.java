package android.bluetooth;

import android.bluetooth.le.BluetoothLeAdvertiser;
import android.bluetooth.le.BluetoothLeScanner;
import android.content.Context;
import android.content.Intent;
import babbench.android.Phone;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The Bluetooth of a phone. */
public final class BluetoothAdapter {
  public static final int ERROR = Integer.MIN_VALUE;
  public static final String ACTION_STATE_CHANGED = "android.bluetooth.adapter.action.STATE_CHANGED";
  public static final String ACTION_REQUEST_ENABLE = "android.bluetooth.adapter.action.REQUEST_ENABLE";
  public static final String ACTION_LOCAL_NAME_CHANGED = "android.bluetooth.adapter.action.LOCAL_NAME_CHANGED";
  public static final String ACTION_CONNECTION_STATE_CHANGED =
      "android.bluetooth.adapter.action.CONNECTION_STATE_CHANGED";
  public static final String ACTION_DISCOVERY_STARTED = "android.bluetooth.adapter.action.DISCOVERY_STARTED";
  public static final String ACTION_DISCOVERY_FINISHED = "android.bluetooth.adapter.action.DISCOVERY_FINISHED";
  public static final String EXTRA_STATE = "android.bluetooth.adapter.extra.STATE";
  public static final String EXTRA_PREVIOUS_STATE = "android.bluetooth.adapter.extra.PREVIOUS_STATE";
  public static final String EXTRA_LOCAL_NAME = "android.bluetooth.adapter.extra.LOCAL_NAME";
  public static final String ACTION_REQUEST_DISCOVERABLE = "android.bluetooth.adapter.action.REQUEST_DISCOVERABLE";
  public static final String ACTION_SCAN_MODE_CHANGED = "android.bluetooth.adapter.action.SCAN_MODE_CHANGED";
  public static final String EXTRA_CONNECTION_STATE = "android.bluetooth.adapter.extra.CONNECTION_STATE";
  public static final String EXTRA_DISCOVERABLE_DURATION = "android.bluetooth.adapter.extra.DISCOVERABLE_DURATION";
  public static final String EXTRA_PREVIOUS_CONNECTION_STATE =
      "android.bluetooth.adapter.extra.PREVIOUS_CONNECTION_STATE";
  public static final String EXTRA_PREVIOUS_SCAN_MODE = "android.bluetooth.adapter.extra.PREVIOUS_SCAN_MODE";
  public static final String EXTRA_SCAN_MODE = "android.bluetooth.adapter.extra.SCAN_MODE";
  public static final int STATE_OFF = 10;
  public static final int STATE_TURNING_ON = 11;
  public static final int STATE_ON = 12;
  public static final int STATE_TURNING_OFF = 13;
  public static final int STATE_DISCONNECTED = 0;
  public static final int STATE_CONNECTING = 1;
  public static final int STATE_CONNECTED = 2;
  public static final int STATE_DISCONNECTING = 3;
  public static final int SCAN_MODE_NONE = 20;
  public static final int SCAN_MODE_CONNECTABLE = 21;
  public static final int SCAN_MODE_CONNECTABLE_DISCOVERABLE = 23;

  /** The old way to be told of advertisers. */
  public interface LeScanCallback {
    void onLeScan(BluetoothDevice device, int rssi, byte[] scanRecord);
  }

  final Phone phone;
  /** The first API level whose apps may hear of it; before, it took a permission of the system. */
  private static final int API_OF_KEY_MISSING = 36;

  private final Map<String, BluetoothDevice> devices = new LinkedHashMap<>();
  private final BluetoothLeScanner scanner;
  private final BluetoothLeAdvertiser advertiser;
  private final Map<LeScanCallback, OldScan> oldScans = new LinkedHashMap<>();
  private int state;

  BluetoothAdapter(Phone phone) {
    this.phone = phone;
    scanner = BluetoothLeScanner.ofAdapter(phone, this);
    advertiser = BluetoothLeAdvertiser.ofAdapter(phone, this);
    state = phone.stack().isOn() ? STATE_ON : STATE_OFF;
    phone.stack().onPower(this::switched);
    phone.stack().bonds().onChange(this::bondChanged);
    phone.stack().bonds().onLoss(this::keyMissing);
  }

  private void switched(boolean on) {
    change(on ? STATE_TURNING_ON : STATE_TURNING_OFF);
    change(on ? STATE_ON : STATE_OFF);
    if (!on) oldScans.clear();
  }

  private void change(int to) {
    Intent intent = new Intent(ACTION_STATE_CHANGED);
    intent.putExtra(EXTRA_PREVIOUS_STATE, state).putExtra(EXTRA_STATE, to);
    state = to;
    phone.context().sendBroadcast(intent);
  }

  private void bondChanged(String address, int from, int to) {
    Intent intent = new Intent(BluetoothDevice.ACTION_BOND_STATE_CHANGED);
    intent.putExtra(BluetoothDevice.EXTRA_DEVICE, device(address));
    intent.putExtra(BluetoothDevice.EXTRA_PREVIOUS_BOND_STATE, from);
    intent.putExtra(BluetoothDevice.EXTRA_BOND_STATE, to);
    phone.context().sendBroadcast(intent);
  }

  private void keyMissing(String address) {
    if (phone.apiLevel() < API_OF_KEY_MISSING) return;
    phone.context().sendBroadcast(
        new Intent(BluetoothDevice.ACTION_KEY_MISSING).putExtra(BluetoothDevice.EXTRA_DEVICE, device(address)));
  }

  BluetoothDevice device(String address) {
    return devices.computeIfAbsent(address, key -> new BluetoothDevice(this, key));
  }

  public static synchronized BluetoothAdapter getDefaultAdapter() {
    return ((BluetoothManager) Phone.current().context().getSystemService(Context.BLUETOOTH_SERVICE)).getAdapter();
  }

  public boolean isEnabled() {
    return state == STATE_ON;
  }

  public int getState() {
    return state;
  }

  /** False: only a person switches Bluetooth on here. */
  @Deprecated
  public boolean enable() {
    return false;
  }

  /** False: only a person switches Bluetooth off here. */
  @Deprecated
  public boolean disable() {
    return false;
  }

  /** The address that apps are given since Android 6. */
  public String getAddress() {
    return "02:00:00:00:00:00";
  }

  public String getName() {
    return phone.stack().localName();
  }

  /** Changes it at once; an advertisement with the name keeps the old one. False while Bluetooth is off. */
  public boolean setName(String name) {
    if (!isEnabled()) return false;
    phone.stack().setLocalName(name);
    phone.context().sendBroadcast(new Intent(ACTION_LOCAL_NAME_CHANGED).putExtra(EXTRA_LOCAL_NAME, name));
    return true;
  }

  /** Whether it is an address as {@code 00:43:A8:23:10:F0}, with capital letters. */
  public static boolean checkBluetoothAddress(String address) {
    return address != null && address.matches("([0-9A-F]{2}:){5}[0-9A-F]{2}");
  }

  public BluetoothDevice getRemoteDevice(String address) {
    if (!checkBluetoothAddress(address)) throw new IllegalArgumentException(address + " is not a valid address");
    return device(address);
  }

  public BluetoothDevice getRemoteDevice(byte[] address) {
    if (address == null || address.length != 6) throw new IllegalArgumentException("an address has six octets");
    StringBuilder text = new StringBuilder();
    for (byte each : address) text.append(String.format(Locale.ROOT, text.length() == 0 ? "%02X" : ":%02X", each));
    return device(text.toString());
  }

  public BluetoothDevice getRemoteLeDevice(String address, int type) {
    return getRemoteDevice(address);
  }

  public Set<BluetoothDevice> getBondedDevices() {
    Set<BluetoothDevice> bonded = new LinkedHashSet<>();
    for (String address : phone.stack().bonds().bonded()) bonded.add(device(address));
    return bonded;
  }

  /** Null while Bluetooth is off. */
  public BluetoothLeScanner getBluetoothLeScanner() {
    return isEnabled() ? scanner : null;
  }

  /** Null while Bluetooth is off. */
  public BluetoothLeAdvertiser getBluetoothLeAdvertiser() {
    return isEnabled() ? advertiser : null;
  }

  public boolean isMultipleAdvertisementSupported() {
    return isEnabled();
  }

  public boolean isOffloadedFilteringSupported() {
    return isEnabled();
  }

  public boolean isOffloadedScanBatchingSupported() {
    return isEnabled();
  }

  public boolean isLe2MPhySupported() {
    return isEnabled();
  }

  public boolean isLeCodedPhySupported() {
    return isEnabled() && phone.hasFeature("leCoded");
  }

  public boolean isLeExtendedAdvertisingSupported() {
    return isEnabled() && phone.hasFeature("extendedAdvertising");
  }

  public boolean isLePeriodicAdvertisingSupported() {
    return false;
  }

  public int getLeMaximumAdvertisingDataLength() {
    return phone.hasFeature("extendedAdvertising") ? 1650 : 31;
  }

  /** False: there is no classic Bluetooth here. */
  public boolean startDiscovery() {
    return false;
  }

  public boolean cancelDiscovery() {
    return isEnabled();
  }

  public boolean isDiscovering() {
    return false;
  }

  public int getScanMode() {
    return isEnabled() ? SCAN_MODE_CONNECTABLE : SCAN_MODE_NONE;
  }

  public int getProfileConnectionState(int profile) {
    return STATE_DISCONNECTED;
  }

  public boolean getProfileProxy(Context context, BluetoothProfile.ServiceListener listener, int profile) {
    return false;
  }

  public void closeProfileProxy(int profile, BluetoothProfile proxy) {}

  private static final class OldScan extends android.bluetooth.le.ScanCallback {
    private final LeScanCallback to;

    OldScan(LeScanCallback to) {
      this.to = to;
    }

    @Override
    public void onScanResult(int callbackType, android.bluetooth.le.ScanResult result) {
      to.onLeScan(result.getDevice(), result.getRssi(), result.getScanRecord().getBytes());
    }
  }

  @Deprecated
  public boolean startLeScan(LeScanCallback callback) {
    return startLeScan(null, callback);
  }

  /** Scans with one of these services, or with any. */
  @Deprecated
  public boolean startLeScan(UUID[] services, LeScanCallback callback) {
    if (!isEnabled() || callback == null || oldScans.containsKey(callback)) return false;
    OldScan scan = new OldScan(callback);
    oldScans.put(callback, scan);
    java.util.List<android.bluetooth.le.ScanFilter> filters = new java.util.ArrayList<>();
    if (services != null) {
      for (UUID each : services) {
        filters.add(new android.bluetooth.le.ScanFilter.Builder()
            .setServiceUuid(new android.os.ParcelUuid(each)).build());
      }
    }
    android.bluetooth.le.ScanSettings settings = new android.bluetooth.le.ScanSettings.Builder()
        .setScanMode(android.bluetooth.le.ScanSettings.SCAN_MODE_LOW_LATENCY).build();
    scanner.startScan(filters, settings, scan);
    return true;
  }

  @Deprecated
  public void stopLeScan(LeScanCallback callback) {
    OldScan scan = oldScans.remove(callback);
    if (scan != null && isEnabled()) scanner.stopScan(scan);
  }

  /** Listens on a PSM that the system chooses; the link is encrypted. Waits until it is known. */
  /** Refused: there is no classic Bluetooth here. */
  public BluetoothServerSocket listenUsingRfcommWithServiceRecord(String name, UUID uuid) throws IOException {
    throw new IOException("the bench has no classic Bluetooth, and so no RFCOMM");
  }

  public BluetoothServerSocket listenUsingInsecureRfcommWithServiceRecord(String name, UUID uuid) throws IOException {
    return listenUsingRfcommWithServiceRecord(name, uuid);
  }

  public BluetoothServerSocket listenUsingL2capChannel() throws IOException {
    return BluetoothServerSocket.open(this, true);
  }

  public BluetoothServerSocket listenUsingInsecureL2capChannel() throws IOException {
    return BluetoothServerSocket.open(this, false);
  }
}
