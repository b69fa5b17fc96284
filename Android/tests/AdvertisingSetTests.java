import android.bluetooth.BluetoothDevice;
import android.bluetooth.BluetoothGattServer;
import android.bluetooth.BluetoothGattServerCallback;
import android.bluetooth.BluetoothManager;
import android.bluetooth.le.AdvertiseCallback;
import android.bluetooth.le.AdvertiseData;
import android.bluetooth.le.AdvertiseSettings;
import android.bluetooth.le.AdvertisingSet;
import android.bluetooth.le.AdvertisingSetCallback;
import android.bluetooth.le.AdvertisingSetParameters;
import android.bluetooth.le.BluetoothLeAdvertiser;
import android.bluetooth.le.PeriodicAdvertisingParameters;
import android.bluetooth.le.ScanCallback;
import android.bluetooth.le.ScanResult;
import android.bluetooth.le.ScanSettings;
import android.os.Handler;
import android.os.HandlerThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Advertising sets, several at once. */
final class AdvertisingSetTests {
  private static final class Told extends AdvertisingSetCallback {
    final List<String> told = new ArrayList<>();
    final List<String> threads = new ArrayList<>();
    AdvertisingSet set;

    private void tell(String what) {
      told.add(what);
      threads.add(Thread.currentThread().getName());
    }

    @Override
    public void onAdvertisingSetStarted(AdvertisingSet advertisingSet, int txPower, int status) {
      set = advertisingSet;
      tell("started " + txPower + " " + status);
    }

    @Override
    public void onAdvertisingSetStopped(AdvertisingSet advertisingSet) {
      tell("stopped");
    }

    @Override
    public void onAdvertisingEnabled(AdvertisingSet advertisingSet, boolean enable, int status) {
      tell("enabled " + enable + " " + status);
    }

    @Override
    public void onScanResponseDataSet(AdvertisingSet advertisingSet, int status) {
      tell("response " + status);
    }

    @Override
    public void onAdvertisingParametersUpdated(AdvertisingSet advertisingSet, int txPower, int status) {
      tell("parameters " + txPower + " " + status);
    }

    @Override
    public void onPeriodicAdvertisingEnabled(AdvertisingSet advertisingSet, boolean enable, int status) {
      tell("periodic " + enable + " " + status);
    }

    boolean was(String what) {
      return told.contains(what);
    }
  }

  private static AdvertisingSetParameters.Builder legacy() {
    return new AdvertisingSetParameters.Builder().setLegacyMode(true).setConnectable(true).setScannable(true);
  }

  private static AdvertiseData data(int manufacturer) {
    return new AdvertiseData.Builder().addManufacturerData(manufacturer, new byte[] {1}).build();
  }

  private static BluetoothLeAdvertiser advertiser(Pair pair) {
    return pair.guest.adapter.getBluetoothLeAdvertiser();
  }

  private static Told start(Pair pair, int manufacturer, int duration) {
    Told told = new Told();
    pair.run(() -> advertiser(pair).startAdvertisingSet(legacy().build(), data(manufacturer), null, null, null,
        duration, 0, told));
    pair.until(() -> !told.told.isEmpty());
    return told;
  }

  /** How often each manufacturer was heard by the station. */
  private static int[] heard(Pair pair, double seconds) {
    int[] counts = new int[10];
    ScanCallback callback = new ScanCallback() {
      @Override
      public void onScanResult(int callbackType, ScanResult result) {
        for (int number = 0; number < counts.length; number++) {
          if (result.getScanRecord().getManufacturerSpecificData(number) != null) counts[number]++;
        }
      }
    };
    pair.room.run(pair.server, () -> pair.station.manager.getAdapter().getBluetoothLeScanner().startScan(null,
        new ScanSettings.Builder().setScanMode(2).build(), callback));
    pair.room.run(seconds);
    pair.room.run(pair.server, () -> pair.station.manager.getAdapter().getBluetoothLeScanner().stopScan(callback));
    return counts;
  }

  /** What a scan with these settings hears of 300 octets on LE Coded, and of a legacy set: "primary secondary octets". */
  private static Set<String> kinds(ScanSettings settings, Object phone) {
    Set<String> kinds = new TreeSet<>();
    try (babbench.android.Room room = new babbench.android.Room(7)) {
      Guest sender = new Guest();
      Guest scanner = new Guest();
      babbench.android.Room.Device first = room.phone("sender").with("phone", phone).app(sender::launch);
      babbench.android.Room.Device second = room.phone("scanner").with("phone", phone).with("at", List.of(1, 0))
          .app(scanner::launch);
      Told told = new Told();
      Told plain = new Told();
      room.within(5, () -> sender.adapter != null && scanner.adapter != null);
      room.run(first, () -> {
        AdvertisingSetParameters coded = new AdvertisingSetParameters.Builder().setLegacyMode(false)
            .setPrimaryPhy(BluetoothDevice.PHY_LE_CODED).setSecondaryPhy(BluetoothDevice.PHY_LE_CODED).build();
        AdvertiseData data = new AdvertiseData.Builder().addManufacturerData(1, new byte[200])
            .addManufacturerData(2, new byte[92]).build();
        sender.adapter.getBluetoothLeAdvertiser().startAdvertisingSet(coded, data, null, null, null, told);
        sender.adapter.getBluetoothLeAdvertiser().startAdvertisingSet(legacy().build(), data(3), null, null, null, plain);
      });
      Check.that(room.within(10, () -> told.was("started -7 0") && plain.was("started -7 0")), "" + told.told);
      room.run(second, () -> scanner.adapter.getBluetoothLeScanner().startScan(null, settings, new ScanCallback() {
        @Override
        public void onScanResult(int callbackType, ScanResult result) {
          kinds.add((result.isLegacy() ? "legacy " : "extended ") + result.getPrimaryPhy() + " "
              + result.getSecondaryPhy() + " " + result.getScanRecord().getBytes().length);
        }
      }));
      room.run(20);
    }
    return kinds;
  }

  static void extendedSetsAreHeardByThoseThatScanForThem() {
    Object phone = java.util.Map.of("preset", "android", "extended advertising", true, "coded", true);
    ScanSettings.Builder fast = new ScanSettings.Builder().setScanMode(ScanSettings.SCAN_MODE_LOW_LATENCY);
    Check.equal(Set.of("extended 3 3 300"), extended(kinds(fast.setLegacy(false).build(), phone)));
    Check.equal(Set.of(), extended(kinds(fast.setPhy(BluetoothDevice.PHY_LE_1M).build(), phone)));
    Check.equal(Set.of(), extended(kinds(fast.setLegacy(true).build(), phone)));
  }

  /** Legacy sets are heard by every scan, but for one on LE Coded alone. */
  private static Set<String> extended(Set<String> kinds) {
    Set<String> found = new TreeSet<>(kinds);
    Check.that(found.removeIf(each -> each.startsWith("legacy 1 0 ")), "no legacy set: " + kinds);
    return found;
  }

  static void threeSetsAreHeard() {
    try (Pair pair = new Pair()) {
      int alone = 0;
      for (int number = 1; number <= 3; number++) {
        Check.equal("started -7 0", start(pair, number, 0).told.get(0));
        if (number == 1) alone = heard(pair, 30)[1];
      }
      int[] counts = heard(pair, 30);
      for (int number = 1; number <= 3; number++) {
        Check.that(counts[number] * 10 > alone * 8, number + ": " + counts[number] + " in place of " + alone);
      }
      Check.equal(0, counts[4]);
    }
  }

  /** The addresses at which the station hears manufacturers 1 to 3. */
  private static List<Set<String>> addresses(Pair pair) {
    List<Set<String>> all = List.of(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
    ScanCallback callback = new ScanCallback() {
      @Override
      public void onScanResult(int callbackType, ScanResult result) {
        for (int number = 1; number <= 3; number++) {
          byte[] data = result.getScanRecord().getManufacturerSpecificData(number);
          if (data != null) all.get(number - 1).add(result.getDevice().getAddress());
        }
      }
    };
    pair.room.run(pair.server, () -> pair.station.manager.getAdapter().getBluetoothLeScanner().startScan(callback));
    pair.room.run(10);
    pair.room.run(pair.server, () -> pair.station.manager.getAdapter().getBluetoothLeScanner().stopScan(callback));
    return all;
  }

  static void eachSetHasAnAddressOfItsOwn() {
    try (Pair pair = new Pair()) {
      for (int number = 1; number <= 3; number++) start(pair, number, 0);
      List<Set<String>> heard = addresses(pair);
      Set<String> different = new TreeSet<>();
      for (Set<String> each : heard) {
        Check.equal(1, each.size());
        different.addAll(each);
      }
      Check.equal(3, different.size());
      Check.that(different.contains(pair.client.address()), "the first one is the phone's");
    }
  }

  static void aConnectionThroughASetEndsOnlyThat() {
    try (Pair pair = new Pair()) {
      start(pair, 1, 0);
      Told limited = start(pair, 2, 6000);
      start(pair, 3, 0);
      List<Set<String>> before = addresses(pair);
      BluetoothGattServer[] server = new BluetoothGattServer[1];
      List<String> told = new ArrayList<>();
      pair.run(() -> server[0] = pair.guest.context.getSystemService(BluetoothManager.class).openGattServer(
          pair.guest.context, new BluetoothGattServerCallback() {
            @Override
            public void onConnectionStateChange(BluetoothDevice device, int status, int newState) {
              told.add("state " + newState);
            }
          }));
      Guest station = new Guest();
      pair.room.run(pair.server, () -> {
        station.launch(pair.station.context);
        station.connect(before.get(1).iterator().next(), false);
      });
      pair.until(() -> station.was("state 0 2") && told.contains("state 2"));
      // The one with a limit of time is off the air, the others go on, at their addresses.
      List<Set<String>> after = addresses(pair);
      Check.equal(Set.of(), after.get(1));
      Check.equal(before.get(0), after.get(0));
      Check.equal(before.get(2), after.get(2));
      // A bond is made with the address of the set.
      pair.room.run(pair.server, () -> Check.that(station.gatt.getDevice().createBond(), "begun"));
      pair.until(() -> station.gatt.getDevice().getBondState() == BluetoothDevice.BOND_BONDED);
      pair.room.run(pair.server, () -> station.gatt.disconnect());
      pair.until(() -> station.was("state 0 0"));
      pair.room.run(pair.server, () -> station.connect(before.get(2).iterator().next(), false));
      pair.until(() -> station.count("state 0 2") == 2);
      Check.equal(before.get(2), addresses(pair).get(2));
      Check.equal(List.of("started -7 0"), limited.told);
    }
  }

  static void aSetAndTheOldWayAtOnce() {
    try (Pair pair = new Pair()) {
      start(pair, 1, 0);
      List<String> told = new ArrayList<>();
      pair.run(() -> advertiser(pair).startAdvertising(new AdvertiseSettings.Builder().build(), data(2),
          new AdvertiseCallback() {
            @Override
            public void onStartSuccess(AdvertiseSettings inEffect) {
              told.add("started");
            }
          }));
      pair.until(() -> told.contains("started"));
      int[] counts = heard(pair, 4);
      Check.that(counts[1] > 2 && counts[2] > 2, "both of them");
    }
  }

  static void oneSetTooMany() {
    try (Pair pair = new Pair()) {
      for (int number = 1; number <= 4; number++) start(pair, number, 0);
      Check.equal("started -7 2", start(pair, 5, 0).told.get(0));
      pair.room.run(0.1);
      Check.that(pair.client.hasRemark("advertise.too-many-sets"), "it is remarked");
    }
  }

  static void aSetThatIsStoppedLeavesTheOthers() {
    try (Pair pair = new Pair()) {
      Told first = start(pair, 1, 0);
      start(pair, 2, 0);
      pair.run(() -> advertiser(pair).stopAdvertisingSet(first));
      pair.until(() -> first.was("stopped"));
      int[] counts = heard(pair, 3);
      Check.that(counts[1] == 0 && counts[2] > 2, "the second one");
      // There is room again, and the callback is free.
      pair.run(() -> advertiser(pair).startAdvertisingSet(legacy().build(), data(3), null, null, null, first));
      pair.until(() -> first.told.stream().filter("started -7 0"::equals).count() == 2);
    }
  }

  static void aDurationThatIsOver() {
    try (Pair pair = new Pair()) {
      Told told = start(pair, 1, 200);
      pair.room.run(1.9);
      Check.equal(1, told.told.size());
      pair.room.run(0.2);
      Check.equal(List.of("started -7 0", "enabled false 60"), told.told);
      Check.equal(0, heard(pair, 3)[1]);
    }
  }

  static void aSetIsTakenOffTheAirAndPutBack() {
    try (Pair pair = new Pair()) {
      Told told = start(pair, 1, 0);
      pair.run(() -> told.set.enableAdvertising(false, 0, 0));
      pair.until(() -> told.was("enabled false 0"));
      Check.equal(0, heard(pair, 3)[1]);
      pair.run(() -> told.set.enableAdvertising(true, 0, 0));
      pair.until(() -> told.was("enabled true 0"));
      Check.that(heard(pair, 3)[1] > 2, "it is back");
    }
  }

  static void thePowerThatWasAskedForIsTold() {
    try (Pair pair = new Pair()) {
      Told told = new Told();
      pair.run(() -> advertiser(pair).startAdvertisingSet(legacy().setTxPowerLevel(-21).build(), data(1), null, null,
          null, told));
      pair.until(() -> told.was("started -21 0"));
      pair.run(() -> told.set.setAdvertisingParameters(legacy().setTxPowerLevel(1).build()));
      pair.until(() -> told.was("parameters 1 0"));
    }
  }

  static void theIntervalIsChanged() {
    try (Pair pair = new Pair()) {
      Told told = start(pair, 1, 0);
      Check.that(heard(pair, 5)[1] > 60, "100 ms");
      pair.run(() -> told.set.setAdvertisingParameters(legacy().setInterval(1_600).build()));
      pair.until(() -> told.was("parameters -7 0"));
      Check.between(4, heard(pair, 5)[1], 12);
    }
  }

  static void anotherScanResponse() {
    try (Pair pair = new Pair()) {
      Told told = start(pair, 1, 0);
      pair.run(() -> told.set.setScanResponseData(data(4)));
      pair.until(() -> told.was("response 0"));
      Check.that(heard(pair, 3)[4] > 2, "it is heard");
    }
  }

  static void callbacksComeOnTheHandlerGiven() {
    try (Pair pair = new Pair()) {
      Told told = new Told();
      pair.run(() -> {
        HandlerThread thread = new HandlerThread("sets");
        thread.start();
        advertiser(pair).startAdvertisingSet(legacy().build(), data(1), null, null, null, told,
            new Handler(thread.getLooper()));
      });
      pair.until(() -> !told.told.isEmpty());
      pair.run(() -> told.set.enableAdvertising(false, 0, 0));
      pair.until(() -> told.told.size() == 2);
      Check.equal(List.of("sets", "sets"), told.threads);
    }
  }

  private static void refused(Pair pair, AdvertiseData data, int duration, int events,
      AdvertisingSetCallback callback) {
    pair.run(() -> Check.refuses(IllegalArgumentException.class, () -> advertiser(pair).startAdvertisingSet(
        legacy().build(), data, null, null, null, duration, events, callback)));
  }

  static void moreThan31Octets() {
    try (Pair pair = new Pair()) {
      refused(pair, new AdvertiseData.Builder().addManufacturerData(1, new byte[25]).build(), 0, 0, new Told());
    }
  }

  static void aDurationOutOfRange() {
    try (Pair pair = new Pair()) {
      refused(pair, data(1), -1, 0, new Told());
      refused(pair, data(1), 65_536, 0, new Told());
    }
  }

  static void aNumberOfEventsNeedsExtendedAdvertising() {
    try (Pair pair = new Pair()) {
      refused(pair, data(1), 0, 1, new Told());
    }
  }

  static void theSameCallbackForTwoSets() {
    try (Pair pair = new Pair()) {
      refused(pair, data(1), 0, 0, start(pair, 1, 0));
      refused(pair, data(1), 0, 0, null);
    }
  }

  static void parametersThatAreRefused() {
    AdvertisingSetParameters.Builder builder = new AdvertisingSetParameters.Builder();
    Check.refuses(IllegalArgumentException.class, () -> builder.setInterval(159));
    Check.refuses(IllegalArgumentException.class, () -> builder.setInterval(16_777_216));
    Check.refuses(IllegalArgumentException.class, () -> builder.setTxPowerLevel(-128));
    Check.refuses(IllegalArgumentException.class, () -> builder.setTxPowerLevel(2));
  }

  static void physThatThePhoneDoesNotHave() {
    Check.refuses(IllegalArgumentException.class, () -> legacy().setPrimaryPhy(BluetoothDevice.PHY_LE_2M));
    Check.refuses(IllegalArgumentException.class, () -> legacy().setSecondaryPhy(4));
    AdvertisingSetParameters made = legacy().setSecondaryPhy(BluetoothDevice.PHY_LE_2M).build();
    Check.equal(BluetoothDevice.PHY_LE_1M, made.getPrimaryPhy());
    Check.equal(BluetoothDevice.PHY_LE_2M, made.getSecondaryPhy());
    try (Pair pair = new Pair()) {
      pair.room.run(1);
      pair.run(() -> {
        AdvertisingSetParameters.Builder coded = new AdvertisingSetParameters.Builder();
        coded.setPrimaryPhy(BluetoothDevice.PHY_LE_CODED);
        Check.refuses(IllegalArgumentException.class,
            () -> advertiser(pair).startAdvertisingSet(coded.build(), data(1), null, null, null, new Told()));
        coded.setPrimaryPhy(BluetoothDevice.PHY_LE_1M).setSecondaryPhy(BluetoothDevice.PHY_LE_CODED);
        Check.refuses(IllegalArgumentException.class,
            () -> advertiser(pair).startAdvertisingSet(coded.build(), data(1), null, null, null, new Told()));
      });
      // A legacy set does not use them.
      Told told = new Told();
      AdvertisingSetParameters unused = legacy().setPrimaryPhy(BluetoothDevice.PHY_LE_CODED).build();
      pair.run(() -> advertiser(pair).startAdvertisingSet(unused, data(1), null, null, null, told));
      pair.until(() -> told.was("started -7 0"));
    }
  }

  static void periodicAdvertisingIsRefused() {
    Check.refuses(IllegalArgumentException.class, () -> new PeriodicAdvertisingParameters.Builder().setInterval(79));
    Check.refuses(IllegalArgumentException.class, () -> new PeriodicAdvertisingParameters.Builder().setInterval(65_520));
    PeriodicAdvertisingParameters periodic = new PeriodicAdvertisingParameters.Builder().setInterval(80).build();
    try (Pair pair = new Pair()) {
      pair.room.run(1);
      AdvertisingSetParameters parameters = new AdvertisingSetParameters.Builder().build();
      pair.run(() -> Check.refuses(IllegalArgumentException.class,
          () -> advertiser(pair).startAdvertisingSet(parameters, data(1), null, periodic, null, new Told())));
      Told told = start(pair, 1, 0);
      pair.run(() -> told.set.setPeriodicAdvertisingEnabled(true));
      pair.until(() -> told.was("periodic false 5"));
    }
  }

  static void whatIsAnonymousOrSaysItsPower() {
    Check.refuses(IllegalArgumentException.class, () -> legacy().setAnonymous(true).build());
    Check.refuses(IllegalStateException.class, () -> legacy().setIncludeTxPower(true).build());
    AdvertisingSetParameters.Builder extended = new AdvertisingSetParameters.Builder().setAnonymous(true);
    Check.refuses(IllegalStateException.class, () -> extended.setConnectable(true).build());
    AdvertisingSetParameters made = extended.setConnectable(false).setIncludeTxPower(true).build();
    Check.that(made.isAnonymous() && made.includeTxPower(), "both");
  }

  static void kindsThatDoNotExist() {
    Check.refuses(IllegalStateException.class, () -> legacy().setScannable(false).build());
    Check.refuses(IllegalStateException.class, () -> legacy().setLegacyMode(false).build());
  }

  static void whatIsNotDiscoverableHasNoFlags() {
    try (Pair pair = new Pair()) {
      List<String> told = new ArrayList<>();
      pair.run(() -> advertiser(pair).startAdvertising(
          new AdvertiseSettings.Builder().setDiscoverable(false).build(),
          new AdvertiseData.Builder().addManufacturerData(1, new byte[27]).build(), new AdvertiseTests.Told(told)));
      pair.until(() -> !told.isEmpty());
      Check.equal(List.of("started"), told);
    }
  }
}
