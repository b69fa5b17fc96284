import android.bluetooth.BluetoothGattCharacteristic;
import android.bluetooth.BluetoothGattService;
import java.util.List;

/** What is found at the other end. */
final class DiscoveryTests {
  static void allOfItIsFound() {
    try (Pair pair = new Pair().discovered()) {
      BluetoothGattService service = pair.guest.gatt.getService(Station.SERVICE);
      Check.equal(5, service.getCharacteristics().size());
      BluetoothGattCharacteristic value = pair.guest.find(Station.VALUE);
      Check.equal(0x0E, value.getProperties());
      Check.that(value.getDescriptor(Station.NOTE) != null, "its descriptor");
      Check.that(pair.guest.find(Station.NEWS).getDescriptor(Station.CONFIGURATION) != null, "2902");
      Check.equal(service, value.getService());
      Check.that(value.getInstanceId() > service.getInstanceId(), "instance ids are handles");
    }
  }

  static void nothingIsThereBeforeDiscovery() {
    try (Pair pair = new Pair().connected()) {
      pair.run(() -> Check.equal(List.of(), pair.guest.gatt.getServices()));
    }
  }

  static void discoveryNeedsALink() {
    try (Pair pair = new Pair().connected()) {
      pair.run(() -> pair.guest.gatt.disconnect());
      pair.until(() -> pair.guest.was("state 0 0"));
      pair.run(() -> Check.that(!pair.guest.gatt.discoverServices(), "not connected"));
    }
  }

  static void theSecondDiscoveryIsFromTheCache() {
    try (Pair pair = new Pair().discovered()) {
      double before = pair.room.now();
      pair.run(() -> pair.guest.gatt.discoverServices());
      pair.until(() -> pair.guest.count("services 0") == 2);
      Check.equal(before, pair.room.now());
    }
  }

  static void refreshForgetsTheCache() {
    try (Pair pair = new Pair().discovered()) {
      double before = pair.room.now();
      pair.run(() -> {
        try {
          Check.equal(true, pair.guest.gatt.getClass().getMethod("refresh").invoke(pair.guest.gatt));
        } catch (ReflectiveOperationException problem) {
          throw new AssertionError(problem);
        }
        pair.guest.gatt.discoverServices();
      });
      pair.until(() -> pair.guest.count("services 0") == 2);
      Check.that(pair.room.now() > before + 0.05, "it has asked again");
    }
  }

  static void discoveryDuringAnExchangeOfMTUWaits() {
    try (Pair pair = new Pair().connected()) {
      pair.run(() -> {
        Check.that(pair.guest.gatt.requestMtu(200), "request");
        Check.that(pair.guest.gatt.discoverServices(), "discovery");
      });
      pair.until(() -> pair.guest.was("services 0"));
      Check.equal(List.of("state 0 2", "mtu 517 0", "services 0"), pair.guest.told);
    }
  }

  static void serviceChangedIsToldFromLevel31() {
    for (int api : new int[] {30, 31}) {
      try (Pair pair = new Pair(api).discovered()) {
        pair.room.run(pair.server, () -> pair.station.server.clearServices());
        pair.room.run(3);
        Check.equal(api >= 31 ? 1L : 0L, pair.guest.count("service changed"));
        pair.run(() -> pair.guest.gatt.discoverServices());
        pair.until(() -> pair.guest.count("services 0") == 2);
        pair.run(() -> Check.equal(null, pair.guest.gatt.getService(Station.SERVICE)));
      }
    }
  }

  static void objectsOfAnEarlierDiscoveryAreOthers() {
    try (Pair pair = new Pair().discovered()) {
      BluetoothGattCharacteristic before = pair.guest.find(Station.VALUE);
      pair.run(() -> pair.guest.gatt.discoverServices());
      pair.until(() -> pair.guest.count("services 0") == 2);
      Check.that(before != pair.guest.find(Station.VALUE), "a discovery makes new objects");
    }
  }
}
