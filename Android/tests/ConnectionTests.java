import android.bluetooth.BluetoothDevice;
import android.bluetooth.BluetoothGatt;
import android.bluetooth.BluetoothManager;
import android.bluetooth.BluetoothProfile;
import android.os.Handler;
import android.os.Looper;
import babbench.android.Room;
import java.util.ArrayList;
import java.util.List;

/** Links: how they come and go, and what status says. */
final class ConnectionTests {
  static void aDirectConnection() {
    try (Pair pair = new Pair().connected()) {
      Check.equal(List.of("state 0 2"), pair.guest.told);
      Check.that(pair.station.told.contains("state 0 2"), "the server is told");
    }
  }

  static void callbacksComeOnABinderThread() {
    try (Pair pair = new Pair().connected()) {
      Check.that(pair.guest.threads.get(0).startsWith("Binder:"), pair.guest.threads.get(0));
    }
  }

  static void callbacksComeOnTheHandlerGiven() {
    try (Pair pair = new Pair()) {
      pair.until(() -> pair.station.told.contains("advertises"));
      pair.run(() -> pair.guest.gatt = pair.guest.adapter.getRemoteDevice(pair.server.address()).connectGatt(
          pair.guest.context, false, pair.guest, BluetoothDevice.TRANSPORT_LE, BluetoothDevice.PHY_LE_1M_MASK,
          new Handler(Looper.getMainLooper())));
      pair.until(() -> pair.guest.was("state 0 2"));
      Check.equal("main", pair.guest.threads.get(0));
    }
  }

  private static double fails(int api, String wanted) {
    try (Pair pair = new Pair(api)) {
      pair.until(() -> pair.station.told.contains("advertises"));
      pair.room.act(pair.server, "vanish");
      double before = pair.room.now();
      pair.run(() -> pair.guest.connect(pair.server.address(), false));
      pair.until(() -> !pair.guest.told.isEmpty());
      Check.equal(List.of(wanted), pair.guest.told);
      return pair.room.now() - before;
    }
  }

  static void nobodyAnswersStatus133After30Seconds() {
    Check.between(29.9, fails(34, "state 133 0"), 30.1);
  }

  static void nobodyAnswersStatus147FromLevel35() {
    fails(35, "state 147 0");
  }

  static void aPhoneThatNeverGivesUpItselfIsStoppedAfter30Seconds() {
    try (Room room = new Room(3)) {
      Guest guest = new Guest();
      Room.Device client = room.phone("guest").with("phone", "ideal").app(guest::launch);
      room.run(1);
      room.run(client, () -> guest.connect("C0:00:00:00:00:01", false));
      room.run(29.5);
      Check.equal(List.of(), guest.told);
      room.run(1);
      Check.equal(List.of("state 133 0"), guest.told);
    }
  }

  static void autoConnectHasNoLimit() {
    try (Pair pair = new Pair()) {
      pair.until(() -> pair.station.told.contains("advertises"));
      pair.room.act(pair.server, "vanish");
      pair.run(() -> pair.guest.connect(pair.server.address(), true));
      pair.room.run(100);
      Check.equal(List.of(), pair.guest.told);
      pair.room.act(pair.server, "appear");
      pair.until(() -> pair.guest.was("state 0 2"));
    }
  }

  static void autoConnectComesBackByItself() {
    try (Pair pair = new Pair()) {
      pair.until(() -> pair.station.told.contains("advertises"));
      pair.run(() -> pair.guest.connect(pair.server.address(), true));
      pair.until(() -> pair.guest.was("state 0 2"));
      pair.room.run(1);
      pair.room.act(pair.server, "vanish");
      pair.until(() -> pair.guest.was("state 8 0"));
      pair.room.act(pair.server, "appear");
      pair.until(() -> pair.guest.count("state 0 2") == 2);
    }
  }

  static void aDirectConnectionDoesNotComeBack() {
    try (Pair pair = new Pair().connected()) {
      pair.room.act(pair.server, "vanish");
      pair.until(() -> pair.guest.was("state 8 0"));
      pair.room.act(pair.server, "appear");
      pair.room.run(60);
      Check.equal(List.of("state 0 2", "state 8 0"), pair.guest.told);
    }
  }

  static void outOfRangeIsStatus8After5Seconds() {
    try (Pair pair = new Pair().connected()) {
      double before = pair.room.now();
      pair.room.act(pair.server, "vanish");
      pair.until(() -> pair.guest.was("state 8 0"));
      Check.between(4.9, pair.room.now() - before, 5.2);
    }
  }

  static void aLinkThatFailsAtOnceIsStatus62() {
    try (Pair pair = new Pair()) {
      pair.until(() -> pair.station.told.contains("advertises"));
      pair.run(() -> pair.guest.connect(pair.server.address(), false));
      pair.until(() -> pair.guest.was("state 0 2"));
      pair.room.act(pair.server, "vanish");
      pair.until(() -> pair.guest.was("state 62 0"));
    }
  }

  static void thePeerEndsItStatus19() {
    try (Pair pair = new Pair().connected()) {
      pair.room.run(pair.server, () -> pair.station.server.cancelConnection(pair.station.client));
      pair.until(() -> pair.guest.was("state 19 0"));
    }
  }

  static void theAppEndsItStatus0() {
    try (Pair pair = new Pair().connected()) {
      pair.run(() -> pair.guest.gatt.disconnect());
      pair.until(() -> pair.guest.was("state 0 0"));
      Check.that(pair.station.told.contains("state 0 0"), "the server is told status 0");
    }
  }

  static void theStackEndsItStatus22() {
    try (Pair pair = new Pair().connected()) {
      pair.room.act(pair.client, "disconnect");
      pair.until(() -> pair.guest.was("state 22 0"));
    }
  }

  static void disconnectOfAnAttemptIsNotTold() {
    try (Pair pair = new Pair()) {
      pair.until(() -> pair.station.told.contains("advertises"));
      pair.room.act(pair.server, "vanish");
      pair.run(() -> pair.guest.connect(pair.server.address(), false));
      pair.room.run(1);
      pair.run(() -> pair.guest.gatt.disconnect());
      pair.room.act(pair.server, "appear");
      pair.room.run(40);
      Check.equal(List.of(), pair.guest.told);
    }
  }

  static void closeEndsTheLinkAndTellsNobodyHere() {
    try (Pair pair = new Pair().connected()) {
      pair.run(() -> pair.guest.gatt.close());
      pair.until(() -> pair.station.told.contains("state 0 0"));
      Check.equal(List.of("state 0 2"), pair.guest.told);
    }
  }

  static void connectAgainOnTheSameObject() {
    try (Pair pair = new Pair().connected()) {
      pair.run(() -> pair.guest.gatt.disconnect());
      pair.until(() -> pair.guest.was("state 0 0"));
      pair.run(() -> Check.that(pair.guest.gatt.connect(), "connect"));
      pair.until(() -> pair.guest.count("state 0 2") == 2);
    }
  }

  static void aClosedClientDoesNotConnect() {
    try (Pair pair = new Pair().connected()) {
      pair.run(() -> {
        pair.guest.gatt.close();
        Check.that(!pair.guest.gatt.connect(), "it is closed");
      });
    }
  }

  static void twoClientsShareALink() {
    try (Pair pair = new Pair().connected()) {
      Guest second = new Guest();
      pair.run(() -> {
        second.launch(pair.guest.context);
        second.connect(pair.server.address(), false);
      });
      pair.until(() -> second.was("state 0 2"));
      Check.equal(1L, pair.station.count("state 0 2"));
      pair.run(() -> pair.guest.gatt.disconnect());
      pair.until(() -> pair.guest.was("state 0 0"));
      pair.room.run(1);
      Check.equal(0L, pair.station.count("state 0 0"));
      pair.run(() -> second.gatt.disconnect());
      pair.until(() -> pair.station.told.contains("state 0 0"));
    }
  }

  static void clientsThatAreNotClosedRunOut() {
    try (Pair pair = new Pair()) {
      pair.until(() -> pair.station.told.contains("advertises"));
      List<Guest> guests = new ArrayList<>();
      pair.run(() -> {
        for (int index = 0; index < 33; index++) {
          Guest guest = new Guest();
          guest.launch(pair.guest.context);
          guest.connect(pair.server.address(), false);
          guests.add(guest);
        }
      });
      pair.until(() -> !guests.get(32).told.isEmpty() && guests.get(31).was("state 0 2"));
      Check.equal(List.of("state 257 0"), guests.get(32).told);
      Check.that(pair.client.hasRemark("gatt.too-many-clients"), "it is remarked");
      pair.run(() -> guests.get(0).gatt.close());
      pair.run(() -> guests.get(32).connect(pair.server.address(), false));
      pair.until(() -> guests.get(32).was("state 0 2"));
    }
  }

  static void sevenLinksAndNoEighth() {
    try (Room room = new Room(2)) {
      List<Guest> guests = new ArrayList<>();
      List<Room.Device> stations = new ArrayList<>();
      for (int index = 0; index < 8; index++) {
        Station station = new Station();
        stations.add(room.phone("station-" + index).with("at", List.of(index, 1)).app(station::launch));
      }
      Guest first = new Guest();
      Room.Device phone = room.phone("guest").app(first::launch);
      room.run(1);
      for (Room.Device station : stations) {
        Guest guest = new Guest();
        guests.add(guest);
        room.run(phone, () -> {
          guest.launch(first.context);
          guest.connect(station.address(), false);
        });
        room.until("an answer", 40, () -> !guest.told.isEmpty());
      }
      for (int index = 0; index < 7; index++) Check.equal("state 0 2", guests.get(index).last());
      Check.equal("state 133 0", guests.get(7).last());
    }
  }

  static void aFailureOfTheStackPassesThrough() {
    try (Pair pair = new Pair()) {
      pair.until(() -> pair.station.told.contains("advertises"));
      pair.room.act(pair.client, "failure: { of: connect, code: 0x85, asked by: app, count: 1 }");
      pair.run(() -> pair.guest.connect(pair.server.address(), false));
      pair.until(() -> pair.guest.was("state 133 0"));
      pair.run(() -> pair.guest.connect(pair.server.address(), false));
      pair.until(() -> pair.guest.was("state 0 2"));
    }
  }

  static void theManagerKnowsWhatIsConnected() {
    try (Pair pair = new Pair().connected()) {
      pair.run(() -> {
        BluetoothManager manager = pair.guest.context.getSystemService(BluetoothManager.class);
        Check.equal(List.of(pair.guest.gatt.getDevice()), manager.getConnectedDevices(BluetoothProfile.GATT));
        Check.equal(2, manager.getConnectionState(pair.guest.gatt.getDevice(), BluetoothProfile.GATT));
        Check.refuses(IllegalArgumentException.class, () -> manager.getConnectedDevices(BluetoothProfile.A2DP));
        Check.refuses(UnsupportedOperationException.class, () -> pair.guest.gatt.getConnectedDevices());
      });
    }
  }

  static void physOfALink() {
    try (Pair pair = new Pair().connected()) {
      pair.run(() -> pair.guest.gatt.readPhy());
      pair.until(() -> pair.guest.was("phy read 1 1 0"));
      pair.run(() -> pair.guest.gatt.setPreferredPhy(2, 2, 0));
      pair.until(() -> pair.guest.was("phy 2 2 0"));
      pair.run(() -> pair.guest.gatt.readPhy());
      pair.until(() -> pair.guest.was("phy read 2 2 0"));
      Check.that(pair.station.told.contains("phy 2 2"), "the server is told");
      pair.run(() -> pair.guest.gatt.setPreferredPhy(4, 4, 0));
      pair.until(() -> pair.guest.was("phy 2 2 17"));
    }
  }

  static void otherParametersAreTold() {
    try (Pair pair = new Pair().connected()) {
      pair.guest.told.clear();
      pair.run(() -> pair.guest.gatt.requestConnectionPriority(1));
      pair.until(() -> pair.guest.count("updated") == 1);
      Check.that(pair.guest.last().matches("updated (9|1[0-2]) 0 500 0"), pair.guest.last());
      Check.that(pair.station.count("updated") > 0, "the server is told");
    }
  }

  static void connectionPriorities() {
    try (Pair pair = new Pair().connected()) {
      pair.run(() -> {
        Check.that(pair.guest.gatt.requestConnectionPriority(BluetoothGatt.CONNECTION_PRIORITY_HIGH), "high");
        Check.refuses(IllegalArgumentException.class, () -> pair.guest.gatt.requestConnectionPriority(9));
      });
      pair.room.run(1);
      double fast = roundTrip(pair);
      pair.run(() -> pair.guest.gatt.requestConnectionPriority(BluetoothGatt.CONNECTION_PRIORITY_LOW_POWER));
      pair.room.run(2);
      double slow = roundTrip(pair);
      Check.that(fast < 0.05 && slow > 0.08, "answers after " + fast + " and " + slow + " s");
    }
  }

  /** Seconds that a request takes, the mean of ten. */
  private static double roundTrip(Pair pair) {
    double before = pair.room.now();
    for (int time = 0; time < 10; time++) {
      long earlier = pair.guest.count("services");
      pair.run(() -> {
        pair.guest.gatt.refresh();
        pair.guest.gatt.discoverServices();
      });
      pair.until(() -> pair.guest.count("services") > earlier);
    }
    // A discovery of the station is some 20 requests.
    return (pair.room.now() - before) / 10 / 20;
  }

  static void aProcessThatEndsLosesItsLinks() {
    try (Pair pair = new Pair().connected()) {
      pair.room.act(pair.client, "kill");
      pair.until(() -> pair.station.told.contains("state 0 0"));
    }
  }
}
