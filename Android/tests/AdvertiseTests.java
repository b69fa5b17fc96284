import android.bluetooth.le.AdvertiseCallback;
import android.bluetooth.le.AdvertiseData;
import android.bluetooth.le.AdvertiseSettings;
import android.bluetooth.le.AdvertisingSet;
import android.bluetooth.le.AdvertisingSetCallback;
import android.bluetooth.le.AdvertisingSetParameters;
import android.bluetooth.le.BluetoothLeAdvertiser;
import android.bluetooth.le.ScanCallback;
import android.bluetooth.le.ScanResult;
import android.bluetooth.le.ScanSettings;
import android.os.ParcelUuid;
import java.util.ArrayList;
import java.util.List;

/** Advertising. */
final class AdvertiseTests {
  private static final AdvertiseSettings SETTINGS = new AdvertiseSettings.Builder().build();

  /** Writes down what it is told. */
  static class Told extends AdvertiseCallback {
    final List<String> told;

    Told(List<String> told) {
      this.told = told;
    }

    @Override
    public void onStartSuccess(AdvertiseSettings inEffect) {
      told.add("started");
    }

    @Override
    public void onStartFailure(int errorCode) {
      told.add("failed " + errorCode);
    }
  }

  /** A pair in which the guest advertises too. */
  private static BluetoothLeAdvertiser advertiser(Pair pair) {
    return pair.guest.adapter.getBluetoothLeAdvertiser();
  }

  private static AdvertiseData.Builder data() {
    return new AdvertiseData.Builder();
  }

  /** Packets that a guest hears of a station that advertises in a mode, within ten seconds: two for each event. */
  private static int packetsOf(int mode, boolean isConnectable, List<Boolean> connectable) {
    Station station = new Station() {
      @Override
      void advertise() {
        AdvertiseSettings settings =
            new AdvertiseSettings.Builder().setAdvertiseMode(mode).setConnectable(isConnectable).build();
        AdvertiseData uuids = data().addServiceUuid(new ParcelUuid(SERVICE)).build();
        manager.getAdapter().getBluetoothLeAdvertiser().startAdvertising(settings, uuids, new Told(told));
      }
    };
    try (Pair pair = new Pair(34, station)) {
      pair.until(() -> station.told.contains("started"));
      pair.run(() -> pair.guest.adapter.getBluetoothLeScanner().startScan(List.of(),
          new ScanSettings.Builder().setScanMode(ScanSettings.SCAN_MODE_LOW_LATENCY).build(), new ScanCallback() {
            @Override
            public void onScanResult(int callbackType, ScanResult result) {
              connectable.add(result.isConnectable());
            }
          }));
      pair.room.run(10);
    }
    return connectable.size();
  }

  static void intervalsByMode() {
    Check.between(14, packetsOf(AdvertiseSettings.ADVERTISE_MODE_LOW_POWER, true, new ArrayList<>()), 22);
    Check.between(56, packetsOf(AdvertiseSettings.ADVERTISE_MODE_BALANCED, true, new ArrayList<>()), 84);
    Check.between(140, packetsOf(AdvertiseSettings.ADVERTISE_MODE_LOW_LATENCY, true, new ArrayList<>()), 202);
  }

  static void whatIsNotConnectable() {
    List<Boolean> connectable = new ArrayList<>();
    Check.that(packetsOf(AdvertiseSettings.ADVERTISE_MODE_LOW_LATENCY, false, connectable) > 0, "it is heard");
    Check.that(!connectable.contains(true), "and not as connectable");
    connectable.clear();
    packetsOf(AdvertiseSettings.ADVERTISE_MODE_LOW_LATENCY, true, connectable);
    Check.that(!connectable.contains(false), "others are");
  }

  static void tooMuchData() {
    try (Pair pair = new Pair()) {
      List<String> told = new ArrayList<>();
      pair.run(() -> advertiser(pair).startAdvertising(SETTINGS, data().addManufacturerData(1, new byte[25]).build(),
          new Told(told)));
      pair.until(() -> told.contains("failed 1"));
      // Flags take three octets of what is connectable.
      pair.run(() -> advertiser(pair).startAdvertising(SETTINGS, data().addManufacturerData(1, new byte[24]).build(),
          new Told(told)));
      pair.until(() -> told.contains("started"));
    }
  }

  static void aNameThatDoesNotFit() {
    try (Pair pair = new Pair()) {
      List<String> told = new ArrayList<>();
      pair.run(() -> {
        pair.guest.adapter.setName("a name of thirty-one characters");
        advertiser(pair).startAdvertising(SETTINGS, data().build(), data().setIncludeDeviceName(true).build(),
            new Told(told));
      });
      pair.until(() -> told.contains("failed 1"));
    }
  }

  static void tooMuchIsSaidBeforeAlreadyStarted() {
    try (Pair pair = new Pair()) {
      List<String> told = new ArrayList<>();
      Told callback = new Told(told);
      pair.run(() -> {
        advertiser(pair).startAdvertising(SETTINGS, data().build(), callback);
        advertiser(pair).startAdvertising(SETTINGS, data().addManufacturerData(1, new byte[25]).build(), callback);
      });
      pair.until(() -> told.contains("started"));
      Check.equal(List.of("failed 1", "started"), told.stream().sorted().toList());
    }
  }

  static void theSameCallbackTwice() {
    try (Pair pair = new Pair()) {
      List<String> told = new ArrayList<>();
      Told callback = new Told(told);
      pair.run(() -> {
        advertiser(pair).startAdvertising(SETTINGS, data().build(), callback);
        advertiser(pair).startAdvertising(SETTINGS, data().build(), callback);
      });
      pair.until(() -> told.contains("failed 3") && told.contains("started"));
      pair.run(() -> {
        advertiser(pair).stopAdvertising(callback);
        advertiser(pair).startAdvertising(SETTINGS, data().build(), new Told(told));
      });
      pair.until(() -> told.stream().filter("started"::equals).count() == 2);
    }
  }

  private static List<ScanResult> heardByStation(Pair pair, double seconds) {
    List<ScanResult> results = new ArrayList<>();
    pair.room.run(pair.server, () -> pair.station.manager.getAdapter().getBluetoothLeScanner().startScan(null,
        new ScanSettings.Builder().setScanMode(2).build(), new ScanCallback() {
          @Override
          public void onScanResult(int callbackType, ScanResult result) {
            results.add(result);
          }
        }));
    pair.room.run(seconds);
    return results;
  }

  static void allKindsOfDataAreOnTheAir() {
    try (Pair pair = new Pair()) {
      List<String> told = new ArrayList<>();
      ParcelUuid uuid = ParcelUuid.fromString("0000fff0-0000-1000-8000-00805f9b34fb");
      pair.run(() -> advertiser(pair).startAdvertising(SETTINGS,
          data().addManufacturerData(0x1234, new byte[] {7, 8}).addServiceUuid(uuid).build(),
          data().addServiceData(uuid, new byte[] {5}).setIncludeTxPowerLevel(true).build(), new Told(told)));
      pair.until(() -> told.contains("started"));
      List<ScanResult> heard = heardByStation(pair, 3);
      ScanResult last = heard.get(heard.size() - 1);
      Check.equal("[7, 8]", java.util.Arrays.toString(last.getScanRecord().getManufacturerSpecificData(0x1234)));
      Check.equal("[5]", java.util.Arrays.toString(last.getScanRecord().getServiceData(uuid)));
      Check.equal(List.of(uuid), last.getScanRecord().getServiceUuids());
      Check.equal(2, last.getScanRecord().getAdvertiseFlags());
    }
  }

  static void aLimitOfTime() {
    try (Pair pair = new Pair()) {
      List<String> told = new ArrayList<>();
      pair.run(() -> advertiser(pair).startAdvertising(new AdvertiseSettings.Builder().setTimeout(2_000).build(),
          data().build(), new Told(told)));
      pair.room.run(4);
      Check.equal(0, heardByStation(pair, 3).size());
    }
  }

  /** A station that advertises for a minute at most. */
  private static final class Limited extends Station {
    @Override
    void advertise() {
      manager.getAdapter().getBluetoothLeAdvertiser().startAdvertising(
          new AdvertiseSettings.Builder().setTimeout(60_000).build(),
          data().addServiceUuid(new ParcelUuid(SERVICE)).build(), new Told(told) {
            @Override
            public void onStartSuccess(AdvertiseSettings inEffect) {
              told.add("advertises");
            }
          });
    }
  }

  static void withALimitOfTimeItEndsWithAConnection() {
    for (boolean isLimited : new boolean[] {false, true}) {
      try (Pair pair = new Pair(34, isLimited ? new Limited() : new Station())) {
        Guest third = new Guest();
        babbench.android.Room.Device other = pair.room.phone("third").with("at", List.of(0, 2)).app(third::launch);
        pair.connected();
        List<ScanResult> results = new ArrayList<>();
        pair.room.run(other, () -> third.adapter.getBluetoothLeScanner().startScan(new ScanCallback() {
          @Override
          public void onScanResult(int callbackType, ScanResult result) {
            results.add(result);
          }
        }));
        pair.room.run(5);
        Check.equal(isLimited, results.isEmpty());
      }
    }
  }

  static void aStoppedAdvertiserIsNotHeard() {
    try (Pair pair = new Pair()) {
      List<String> told = new ArrayList<>();
      Told callback = new Told(told);
      pair.run(() -> advertiser(pair).startAdvertising(SETTINGS, data().build(), callback));
      pair.until(() -> told.contains("started"));
      pair.run(() -> advertiser(pair).stopAdvertising(callback));
      Check.equal(0, heardByStation(pair, 3).size());
    }
  }

  static void aSet() {
    try (Pair pair = new Pair()) {
      List<String> told = new ArrayList<>();
      AdvertisingSetCallback callback = new AdvertisingSetCallback() {
        @Override
        public void onAdvertisingSetStarted(AdvertisingSet set, int power, int status) {
          told.add("started " + status);
          set.setAdvertisingData(new AdvertiseData.Builder().addManufacturerData(9, new byte[1]).build());
        }

        @Override
        public void onAdvertisingDataSet(AdvertisingSet set, int status) {
          told.add("data " + status);
        }

        @Override
        public void onAdvertisingSetStopped(AdvertisingSet set) {
          told.add("stopped");
        }
      };
      pair.run(() -> advertiser(pair).startAdvertisingSet(new AdvertisingSetParameters.Builder().setLegacyMode(true)
          .setConnectable(true).setScannable(true).build(), data().build(), null, null, null, callback));
      pair.until(() -> told.contains("data 0"));
      List<ScanResult> heard = heardByStation(pair, 3);
      Check.that(heard.get(heard.size() - 1).getScanRecord().getManufacturerSpecificData(9) != null, "new data");
      pair.run(() -> advertiser(pair).stopAdvertisingSet(callback));
      pair.until(() -> told.contains("stopped"));
    }
  }

  static void settingsThatAreRefused() {
    Check.refuses(IllegalArgumentException.class, () -> new AdvertiseSettings.Builder().setTimeout(180_001));
    Check.refuses(IllegalArgumentException.class, () -> new AdvertiseSettings.Builder().setAdvertiseMode(3));
    Check.refuses(IllegalArgumentException.class, () -> new AdvertiseData.Builder().addServiceUuid(null));
  }
}
