import android.app.PendingIntent;
import android.bluetooth.BluetoothAdapter;
import android.bluetooth.le.BluetoothLeScanner;
import android.bluetooth.le.ScanCallback;
import android.bluetooth.le.ScanFilter;
import android.bluetooth.le.ScanRecord;
import android.bluetooth.le.ScanResult;
import android.bluetooth.le.ScanSettings;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.os.ParcelUuid;
import babbench.android.Room;
import java.util.ArrayList;
import java.util.List;

/** Scans. */
final class ScanTests {
  private static final ScanSettings FAST =
      new ScanSettings.Builder().setScanMode(ScanSettings.SCAN_MODE_LOW_LATENCY).build();
  private static final List<ScanFilter> SERVICE =
      List.of(new ScanFilter.Builder().setServiceUuid(new ParcelUuid(Station.SERVICE)).build());

  private static final class Heard extends ScanCallback {
    final List<ScanResult> results = new ArrayList<>();
    final List<String> told = new ArrayList<>();

    boolean hasHeard(Room.Device device) {
      return results.stream().anyMatch(each -> each.getDevice().getAddress().equals(device.address()));
    }

    @Override
    public void onScanResult(int callbackType, ScanResult result) {
      results.add(result);
      told.add("result " + callbackType);
    }

    @Override
    public void onBatchScanResults(List<ScanResult> batch) {
      told.add("batch");
      results.addAll(batch);
    }

    @Override
    public void onScanFailed(int errorCode) {
      told.add("failed " + errorCode);
    }
  }

  private static BluetoothLeScanner scanner(Pair pair) {
    return pair.guest.adapter.getBluetoothLeScanner();
  }

  private static Heard scan(Pair pair, List<ScanFilter> filters, ScanSettings settings) {
    Heard heard = new Heard();
    pair.run(() -> scanner(pair).startScan(filters, settings, heard));
    return heard;
  }

  private static Pair pair() {
    Pair pair = new Pair();
    pair.until(() -> pair.station.told.contains("advertises"));
    return pair;
  }

  static void aFilterByService() {
    try (Pair pair = pair()) {
      Heard heard = scan(pair, SERVICE, FAST);
      pair.until(() -> !heard.results.isEmpty());
      ScanResult result = heard.results.get(0);
      Check.equal(pair.server.address(), result.getDevice().getAddress());
      Check.that(result.getRssi() < 0 && result.isConnectable() && result.isLegacy(), "what it is");
      Check.equal(List.of(new ParcelUuid(Station.SERVICE)), result.getScanRecord().getServiceUuids());
    }
  }

  static void theNameIsInTheScanResponse() {
    try (Pair pair = pair()) {
      Heard heard = scan(pair, List.of(new ScanFilter.Builder().setDeviceName("Station").build()), FAST);
      pair.until(() -> !heard.results.isEmpty());
      Check.equal("Station", heard.results.get(0).getScanRecord().getDeviceName());
      Check.equal("Station", heard.results.get(0).getDevice().getName());
    }
  }

  static void filtersByAddressAndOfOthers() {
    try (Pair pair = pair()) {
      Heard same = scan(pair, List.of(new ScanFilter.Builder().setDeviceAddress(pair.server.address()).build()), FAST);
      Heard other = scan(pair, List.of(new ScanFilter.Builder().setDeviceAddress("C0:00:00:00:00:01").build()), FAST);
      Heard service = scan(pair,
          List.of(new ScanFilter.Builder().setServiceUuid(new ParcelUuid(Station.NOTE)).build()), FAST);
      pair.room.run(3);
      Check.that(!same.results.isEmpty() && other.results.isEmpty() && service.results.isEmpty(), "only the first");
    }
  }

  static void aPartOfAServiceByAMask() {
    try (Pair pair = pair()) {
      ParcelUuid mask = ParcelUuid.fromString("0000ff00-0000-0000-0000-000000000000");
      Heard heard = scan(pair, List.of(new ScanFilter.Builder()
          .setServiceUuid(ParcelUuid.fromString("0000ff00-0000-1000-8000-00805f9b34fb"), mask).build()), FAST);
      pair.until(() -> !heard.results.isEmpty());
    }
  }

  static void aFilterByTheTypeOfAStructure() {
    try (Pair pair = pair()) {
      byte[] flags = {2};
      byte[] mask = {(byte) 0xFF};
      Heard any = scan(pair, List.of(new ScanFilter.Builder()
          .setAdvertisingDataType(ScanRecord.DATA_TYPE_FLAGS).build()), FAST);
      Heard same = scan(pair, List.of(new ScanFilter.Builder()
          .setAdvertisingDataTypeWithData(ScanRecord.DATA_TYPE_FLAGS, flags, mask).build()), FAST);
      Heard other = scan(pair, List.of(new ScanFilter.Builder()
          .setAdvertisingDataTypeWithData(ScanRecord.DATA_TYPE_FLAGS, new byte[] {1}, mask).build()), FAST);
      Heard absent = scan(pair, List.of(new ScanFilter.Builder()
          .setAdvertisingDataType(ScanRecord.DATA_TYPE_URI).build()), FAST);
      pair.room.run(3);
      Check.that(!any.results.isEmpty() && !same.results.isEmpty(), "flags are there");
      Check.that(other.results.isEmpty() && absent.results.isEmpty(), "others are not");
    }
  }

  static void everyPacketIsAResult() {
    try (Pair pair = pair()) {
      Heard heard = scan(pair, SERVICE, FAST);
      pair.room.run(5);
      Check.between(20, heard.results.size(), 120);
    }
  }

  static void theSameCallbackTwice() {
    try (Pair pair = pair()) {
      Heard heard = scan(pair, SERVICE, FAST);
      pair.run(() -> scanner(pair).startScan(SERVICE, FAST, heard));
      pair.until(() -> heard.told.contains("failed 1"));
    }
  }

  static void aStoppedScanHearsNothing() {
    try (Pair pair = pair()) {
      Heard heard = scan(pair, SERVICE, FAST);
      pair.until(() -> !heard.results.isEmpty());
      pair.run(() -> scanner(pair).stopScan(heard));
      int count = heard.results.size();
      pair.room.run(3);
      Check.equal(count, heard.results.size());
    }
  }

  static void theSixthScanIn30SecondsHearsNothingAndSaysSo() {
    try (Pair pair = pair()) {
      for (int time = 0; time < 5; time++) {
        Heard heard = scan(pair, SERVICE, FAST);
        pair.until(() -> !heard.results.isEmpty());
        pair.run(() -> scanner(pair).stopScan(heard));
      }
      Heard sixth = scan(pair, SERVICE, FAST);
      pair.room.run(10);
      Check.equal(List.of(), sixth.told);
      Check.that(pair.client.hasRemark("scan.too-frequent"), "it is remarked");
      pair.run(() -> scanner(pair).stopScan(sixth));
      pair.room.run(31);
      Heard later = scan(pair, SERVICE, FAST);
      pair.until(() -> !later.results.isEmpty());
    }
  }

  static void aScanOf30MinutesHearsNothingMoreUpToLevel33() {
    Check.that(!goesOn(33, SERVICE, 1_799), "it has stopped");
  }

  static void anOpenScanOf10MinutesHearsNothingMoreFromLevel34() {
    Check.that(!goesOn(34, null, 599), "it has stopped");
  }

  static void aFilteredScanGoesOnFromLevel34() {
    Check.that(goesOn(34, SERVICE, 599), "it goes on");
  }

  /** Whether a scan hears anything when it has lasted longer than this. */
  private static boolean goesOn(int api, List<ScanFilter> filters, double seconds) {
    try (Pair pair = new Pair(api)) {
      pair.until(() -> pair.station.told.contains("advertises"));
      Heard heard = scan(pair, filters, FAST);
      pair.room.run(seconds - 10);
      int before = heard.results.size();
      pair.room.run(10);
      Check.that(heard.results.size() > before, "it has lasted so long");
      pair.room.run(20);
      Check.that(pair.client.hasRemark("scan.too-long"), "it is remarked");
      int after = heard.results.size();
      pair.room.run(60);
      return heard.results.size() > after;
    }
  }

  static void anOpportunisticScanHearsWhatOthersScanFor() {
    try (Pair pair = pair()) {
      Heard quiet = scan(pair, null,
          new ScanSettings.Builder().setScanMode(ScanSettings.SCAN_MODE_OPPORTUNISTIC).build());
      pair.room.run(3);
      Check.equal(0, quiet.results.size());
      Heard other = scan(pair, SERVICE, FAST);
      pair.until(() -> !quiet.results.isEmpty());
      pair.run(() -> scanner(pair).stopScan(other));
      int count = quiet.results.size();
      pair.room.run(3);
      Check.equal(count, quiet.results.size());
    }
  }

  static void flushGivesABatchAtOnce() {
    try (Pair pair = pair()) {
      Heard heard = scan(pair, SERVICE, new ScanSettings.Builder().setReportDelay(60_000).build());
      pair.room.run(3);
      Check.equal(List.of(), heard.told);
      pair.run(() -> scanner(pair).flushPendingScanResults(heard));
      pair.until(() -> heard.told.contains("batch"));
    }
  }

  static void aPartOfManufacturerDataByAMask() {
    try (Pair pair = pair()) {
      pair.run(() -> pair.guest.adapter.getBluetoothLeAdvertiser().startAdvertising(
          new android.bluetooth.le.AdvertiseSettings.Builder().build(), new android.bluetooth.le.AdvertiseData.Builder()
              .addManufacturerData(5, new byte[] {0x12, 0x34}).build(),
          new android.bluetooth.le.AdvertiseCallback() {}));
      List<Heard> heard = new ArrayList<>();
      for (byte[] mask : List.of(new byte[] {(byte) 0xF0, 0}, new byte[] {(byte) 0xFF, 0})) {
        Heard each = new Heard();
        heard.add(each);
        ScanFilter filter =
            new ScanFilter.Builder().setManufacturerData(5, new byte[] {0x1F, 0}, mask).build();
        pair.room.run(pair.server, () -> pair.station.manager.getAdapter().getBluetoothLeScanner().startScan(
            List.of(filter), FAST, each));
      }
      pair.room.run(4);
      Check.that(!heard.get(0).results.isEmpty() && heard.get(1).results.isEmpty(), "by the mask");
    }
  }

  static void batches() {
    try (Pair pair = pair()) {
      Heard heard = scan(pair, SERVICE, new ScanSettings.Builder().setReportDelay(2_000).build());
      pair.room.run(1.5);
      Check.equal(List.of(), heard.told);
      pair.room.run(3);
      Check.equal(List.of("batch", "batch"), heard.told);
      Check.that(heard.results.size() > 10, "all of them");
    }
  }

  static void theFirstMatchAndTheLoss() {
    try (Pair pair = pair()) {
      Heard heard = scan(pair, SERVICE, new ScanSettings.Builder().setCallbackType(
          ScanSettings.CALLBACK_TYPE_FIRST_MATCH | ScanSettings.CALLBACK_TYPE_MATCH_LOST).build());
      pair.room.run(5);
      Check.equal(List.of("result 2"), heard.told);
      pair.room.act(pair.server, "vanish");
      pair.room.run(15);
      Check.equal(List.of("result 2", "result 4"), heard.told);
    }
  }

  static void inTheBackgroundOnlyFilteredScansHear() {
    try (Pair pair = new Pair()) {
      Station late = new Station();
      Room.Device second = pair.room.phone("late").with("at", List.of(1, 1)).with("starts", "5s").app(late::launch);
      pair.until(() -> pair.station.told.contains("advertises"));
      Heard open = scan(pair, null, FAST);
      Heard filtered = scan(pair, SERVICE, FAST);
      pair.room.act(pair.client, "background");
      pair.room.run(30);
      Check.that(filtered.hasHeard(second) && !open.hasHeard(second), "only the filtered one");
      pair.room.act(pair.client, "foreground");
      pair.until(() -> open.hasHeard(second));
    }
  }

  @SuppressWarnings("deprecation")
  static void theOldScan() {
    try (Pair pair = pair()) {
      List<String> told = new ArrayList<>();
      BluetoothAdapter.LeScanCallback callback = (device, rssi, record) -> told.add(device.getAddress());
      pair.run(() -> Check.that(pair.guest.adapter.startLeScan(callback), "started"));
      pair.until(() -> !told.isEmpty());
      pair.run(() -> pair.guest.adapter.stopLeScan(callback));
      Check.equal(pair.server.address(), told.get(0));
    }
  }

  static void resultsAsBroadcasts() {
    try (Pair pair = pair()) {
      List<String> told = new ArrayList<>();
      pair.run(() -> {
        Context context = pair.guest.context;
        context.registerReceiver(new BroadcastReceiver() {
          @Override
          public void onReceive(Context from, Intent intent) {
            List<ScanResult> results = intent.getExtras()
                .getParcelableArrayList(BluetoothLeScanner.EXTRA_LIST_SCAN_RESULT);
            told.add(results.get(0).getDevice().getAddress());
          }
        }, new IntentFilter("found"));
        PendingIntent intent = PendingIntent.getBroadcast(context, 0, new Intent("found"), PendingIntent.FLAG_MUTABLE);
        Check.equal(0, scanner(pair).startScan(SERVICE, FAST, intent));
      });
      pair.until(() -> !told.isEmpty());
      Check.equal(pair.server.address(), told.get(0));
    }
  }

  static void settingsThatAreRefused() {
    Check.refuses(IllegalArgumentException.class, () -> new ScanSettings.Builder().setScanMode(7));
    Check.refuses(IllegalArgumentException.class, () -> new ScanSettings.Builder().setReportDelay(-1));
    Check.refuses(IllegalArgumentException.class, () -> new ScanSettings.Builder().setCallbackType(3));
    Check.refuses(IllegalArgumentException.class, () -> new ScanFilter.Builder().setDeviceAddress("nonsense"));
  }
}
