import android.bluetooth.BluetoothDevice;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import babbench.android.Room;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Bonds. */
final class BondTests {
  private static List<String> watch(Pair pair) {
    return watch(pair.room, pair.client, pair.guest.context);
  }

  private static List<String> watch(Room room, Room.Device phone, Context app) {
    List<String> told = new ArrayList<>();
    room.run(phone, () -> app.registerReceiver(new BroadcastReceiver() {
      @Override
      public void onReceive(Context context, Intent intent) {
        BluetoothDevice device = intent.getParcelableExtra(BluetoothDevice.EXTRA_DEVICE);
        told.add(device.getAddress() + " " + intent.getIntExtra(BluetoothDevice.EXTRA_PREVIOUS_BOND_STATE, 0) + " "
            + intent.getIntExtra(BluetoothDevice.EXTRA_BOND_STATE, 0));
      }
    }, new IntentFilter(BluetoothDevice.ACTION_BOND_STATE_CHANGED)));
    return told;
  }

  static void createBondOverALink() {
    try (Pair pair = new Pair().connected()) {
      List<String> told = watch(pair);
      BluetoothDevice device = pair.guest.gatt.getDevice();
      pair.run(() -> {
        Check.that(device.createBond(), "begun");
        Check.that(!device.createBond(), "it is under way");
      });
      pair.until(() -> device.getBondState() == BluetoothDevice.BOND_BONDED);
      pair.room.run(0.1);
      Check.equal(List.of(device + " 10 11", device + " 11 12"), told);
      pair.run(() -> {
        Check.that(!device.createBond(), "there is one");
        Check.equal(Set.of(device), pair.guest.adapter.getBondedDevices());
      });
    }
  }

  static void createBondMakesItsOwnLink() {
    try (Pair pair = new Pair()) {
      pair.until(() -> pair.station.told.contains("advertises"));
      BluetoothDevice[] device = new BluetoothDevice[1];
      pair.run(() -> {
        device[0] = pair.guest.adapter.getRemoteDevice(pair.server.address());
        device[0].createBond();
      });
      pair.until(() -> device[0].getBondState() == BluetoothDevice.BOND_BONDED);
      pair.until(() -> pair.station.told.contains("state 0 0"));
    }
  }

  static void aBondThatFails() {
    try (Pair pair = new Pair().connected()) {
      List<String> told = watch(pair);
      BluetoothDevice device = pair.guest.gatt.getDevice();
      pair.room.act(pair.server, "vanish");
      pair.run(device::createBond);
      pair.until(() -> told.contains(device + " 11 10"));
    }
  }

  static void removeBondByReflection() {
    try (Pair pair = new Pair().connected()) {
      BluetoothDevice device = pair.guest.gatt.getDevice();
      pair.run(device::createBond);
      pair.until(() -> device.getBondState() == BluetoothDevice.BOND_BONDED);
      pair.run(() -> {
        try {
          Check.equal(true, device.getClass().getMethod("removeBond").invoke(device));
        } catch (ReflectiveOperationException problem) {
          throw new AssertionError(problem);
        }
        Check.equal(BluetoothDevice.BOND_NONE, device.getBondState());
      });
    }
  }

  static void removalIsBroadcastAndOnlyOfABond() {
    try (Pair pair = new Pair().connected()) {
      List<String> told = watch(pair);
      BluetoothDevice device = pair.guest.gatt.getDevice();
      pair.run(() -> Check.that(!device.removeBond(), "there is none"));
      pair.run(device::createBond);
      pair.until(() -> device.getBondState() == BluetoothDevice.BOND_BONDED);
      pair.run(() -> Check.that(device.removeBond(), "removed"));
      pair.until(() -> told.contains(device + " 12 10"));
      pair.run(() -> Check.equal(Set.of(), pair.guest.adapter.getBondedDevices()));
      // The link goes with it, and the next bond is another one.
      pair.until(() -> pair.guest.count("state") == 2);
      pair.run(device::createBond);
      pair.until(() -> told.size() == 5 && told.get(4).equals(device + " 11 12"));
    }
  }

  static void aBondOfTheSystemIsBroadcastAtBothEnds() {
    try (Pair pair = new Pair().discovered()) {
      List<String> told = watch(pair);
      List<String> other = watch(pair.room, pair.server, pair.station.context);
      BluetoothDevice device = pair.guest.gatt.getDevice();
      pair.run(() -> pair.guest.gatt.readCharacteristic(pair.guest.find(Station.SECRET)));
      pair.until(() -> pair.guest.count("read") == 1);
      pair.room.run(0.5);
      Check.equal(List.of(device + " 10 11", device + " 11 12"), told);
      String client = pair.station.client.getAddress();
      Check.equal(List.of(client + " 10 11", client + " 11 12"), other);
      pair.run(() -> Check.equal(Set.of(device), pair.guest.adapter.getBondedDevices()));
    }
  }

  static void aPersonRemovesABond() {
    try (Pair pair = new Pair().connected()) {
      List<String> told = watch(pair);
      BluetoothDevice device = pair.guest.gatt.getDevice();
      pair.run(device::createBond);
      pair.until(() -> device.getBondState() == BluetoothDevice.BOND_BONDED);
      pair.room.act(pair.client, "forget bonds");
      pair.until(() -> told.contains(device + " 12 10"));
      Check.equal(BluetoothDevice.BOND_NONE, device.getBondState());
    }
  }

  static void aBondOutlivesItsApp() {
    try (Pair pair = new Pair().connected()) {
      BluetoothDevice device = pair.guest.gatt.getDevice();
      pair.run(device::createBond);
      pair.until(() -> device.getBondState() == BluetoothDevice.BOND_BONDED);
      pair.room.act(pair.client, "relaunch");
      List<String> told = watch(pair);
      pair.room.run(0.1);
      pair.run(() -> Check.equal(Set.of(device), pair.guest.adapter.getBondedDevices()));
      Check.equal(List.of(), told);
    }
  }

  static void aLinkThatEndsEndsThePairingOfTheSystem() {
    try (Pair pair = new Pair().discovered()) {
      List<String> told = watch(pair);
      BluetoothDevice device = pair.guest.gatt.getDevice();
      pair.run(() -> pair.guest.gatt.readCharacteristic(pair.guest.find(Station.SECRET)));
      pair.until(() -> told.contains(device + " 10 11"));
      pair.room.act(pair.server, "vanish");
      pair.until(() -> told.contains(device + " 11 10"));
    }
  }

  static void anAttemptToBondIsCancelled() {
    try (Pair pair = new Pair().connected()) {
      List<String> told = watch(pair);
      BluetoothDevice device = pair.guest.gatt.getDevice();
      pair.run(() -> {
        Check.that(!device.cancelBondProcess(), "there is none");
        device.createBond();
        Check.equal(BluetoothDevice.BOND_BONDING, device.getBondState());
        Check.that(device.cancelBondProcess(), "cancelled");
      });
      pair.until(() -> told.contains(device + " 11 10"));
      pair.room.run(5);
      Check.equal(BluetoothDevice.BOND_NONE, device.getBondState());
      Check.equal(2, told.size());
    }
  }

  static void aBondOutlivesItsLink() {
    try (Pair pair = new Pair().connected()) {
      BluetoothDevice device = pair.guest.gatt.getDevice();
      pair.run(device::createBond);
      pair.until(() -> device.getBondState() == BluetoothDevice.BOND_BONDED);
      pair.run(() -> pair.guest.gatt.disconnect());
      pair.until(() -> pair.guest.was("state 0 0"));
      Check.equal(BluetoothDevice.BOND_BONDED, device.getBondState());
    }
  }

  /** The other end has lost the bond, and the guest connects again; what it is told from then on is in the list. */
  private static List<String> lose(Pair pair) {
    pair.discovered();
    BluetoothDevice device = pair.guest.gatt.getDevice();
    pair.run(device::createBond);
    pair.until(() -> device.getBondState() == BluetoothDevice.BOND_BONDED);
    List<String> told = watch(pair);
    pair.run(() -> pair.guest.context.registerReceiver(new BroadcastReceiver() {
      @Override
      public void onReceive(Context context, Intent intent) {
        told.add("missing " + intent.getParcelableExtra(BluetoothDevice.EXTRA_DEVICE).equals(device));
      }
    }, new IntentFilter(BluetoothDevice.ACTION_KEY_MISSING)));
    pair.room.act(pair.server, "forget bonds");
    pair.run(() -> pair.guest.gatt.disconnect());
    pair.until(() -> pair.guest.was("state 0 0"));
    pair.run(() -> pair.guest.gatt.connect());
    return told;
  }

  static void aBondThatTheOtherEndHasLost() {
    try (Pair pair = new Pair(36)) {
      lose(pair);
      pair.until(() -> pair.guest.was("state 6 0"));
      Check.equal(BluetoothDevice.BOND_BONDED, pair.guest.gatt.getDevice().getBondState());
    }
  }

  static void aMissingKeyIsBroadcastFromLevel36() {
    try (Pair pair = new Pair(36)) {
      List<String> told = lose(pair);
      pair.until(() -> pair.guest.was("state 6 0"));
      pair.room.run(1);
      // Once for each link, and the client comes back by itself.
      Check.equal(Set.of("missing true"), Set.copyOf(told));
    }
  }

  static void aLostBondIsPairedAgainUpToLevel35() {
    try (Pair pair = new Pair(35)) {
      List<String> told = lose(pair);
      BluetoothDevice device = pair.guest.gatt.getDevice();
      pair.until(() -> pair.guest.count("state 0 2") == 2);
      pair.room.run(5);
      // The link stays as it is until something is protected.
      Check.equal(0L, pair.guest.count("state 6"));
      Check.equal(BluetoothDevice.BOND_BONDED, device.getBondState());
      Check.equal(List.of(), told);
      pair.run(() -> pair.guest.gatt.discoverServices());
      pair.until(() -> pair.guest.count("services 0") == 2);
      pair.run(() -> pair.guest.gatt.readCharacteristic(pair.guest.find(Station.SECRET)));
      pair.until(() -> pair.guest.was("read 0 3"));
      pair.room.run(0.5);
      Check.equal(List.of(device + " 12 11", device + " 11 12"), told);
      Check.equal(BluetoothDevice.BOND_BONDED, device.getBondState());
    }
  }

  static void aLostBondThatIsNotPairedAgainIsGone() {
    try (Pair pair = new Pair(35)) {
      List<String> told = lose(pair);
      BluetoothDevice device = pair.guest.gatt.getDevice();
      pair.until(() -> pair.guest.count("state 0 2") == 2);
      pair.run(() -> pair.guest.gatt.discoverServices());
      pair.until(() -> pair.guest.count("services 0") == 2);
      pair.run(() -> pair.guest.gatt.readCharacteristic(pair.guest.find(Station.SECRET)));
      pair.until(() -> told.contains(device + " 12 11"));
      pair.room.act(pair.server, "vanish");
      pair.until(() -> told.contains(device + " 11 10"));
      Check.equal(BluetoothDevice.BOND_NONE, device.getBondState());
    }
  }

  static void aPhoneSaysItselfWhatItDoesWithALostBond() {
    Map<String, Object> phone = Map.of("preset", "android", "lost bond", "ends link");
    try (Pair pair = new Pair(35)) {
      pair.client.with("phone", phone);
      List<String> told = lose(pair);
      pair.until(() -> pair.guest.was("state 6 0"));
      Check.equal(List.of(), told);
    }
  }

  static void noBondBeginsWhileBluetoothIsOff() {
    try (Pair pair = new Pair().connected()) {
      BluetoothDevice device = pair.guest.gatt.getDevice();
      pair.room.act(pair.client, "radio off");
      pair.room.run(1);
      pair.run(() -> Check.that(!device.createBond(), "off"));
    }
  }

  static void aProtectedValueIsReadAfterPairing() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> pair.guest.gatt.readCharacteristic(pair.guest.find(Station.SECRET)));
      pair.until(() -> pair.guest.count("read") == 1);
      Check.equal("read 0 3", pair.guest.last());
    }
  }
}
