import android.bluetooth.BluetoothAdapter;
import android.bluetooth.le.BluetoothLeScanner;
import android.bluetooth.le.ScanCallback;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import java.util.ArrayList;
import java.util.List;

/** Bluetooth is switched off and on. */
final class PowerTests {
  static void broadcastsSayIt() {
    try (Pair pair = new Pair()) {
      List<String> told = new ArrayList<>();
      pair.run(() -> pair.guest.context.registerReceiver(new BroadcastReceiver() {
        @Override
        public void onReceive(Context context, Intent intent) {
          told.add(intent.getIntExtra(BluetoothAdapter.EXTRA_PREVIOUS_STATE, 0) + " "
              + intent.getIntExtra(BluetoothAdapter.EXTRA_STATE, 0) + " " + Thread.currentThread().getName());
        }
      }, new IntentFilter(BluetoothAdapter.ACTION_STATE_CHANGED)));
      pair.room.act(pair.client, "radio off");
      pair.room.run(1);
      pair.room.act(pair.client, "radio on");
      pair.room.run(1);
      Check.equal(List.of("12 13 main", "13 10 main", "10 11 main", "11 12 main"), told);
    }
  }

  static void offThereIsNoScannerAndNoClient() {
    try (Pair pair = new Pair()) {
      pair.room.run(1);
      BluetoothLeScanner[] kept = new BluetoothLeScanner[1];
      pair.run(() -> kept[0] = pair.guest.adapter.getBluetoothLeScanner());
      pair.room.act(pair.client, "radio off");
      pair.room.run(1);
      pair.run(() -> {
        Check.that(!pair.guest.adapter.isEnabled(), "it is off");
        Check.equal(null, pair.guest.adapter.getBluetoothLeScanner());
        Check.equal(null, pair.guest.adapter.getBluetoothLeAdvertiser());
        Check.refuses(IllegalStateException.class, () -> kept[0].startScan(new ScanCallback() {}));
        pair.guest.connect(pair.server.address(), false);
        Check.equal(null, pair.guest.gatt);
      });
    }
  }

  static void offIsNotToldToClientsAndTheyAreDead() {
    try (Pair pair = new Pair().discovered()) {
      pair.room.act(pair.client, "radio off");
      pair.room.run(10);
      Check.equal("services 0", pair.guest.last());
      pair.room.act(pair.client, "radio on");
      pair.room.run(1);
      pair.run(() -> {
        Check.that(!pair.guest.gatt.connect() && !pair.guest.gatt.discoverServices(), "it is dead");
        pair.guest.connect(pair.server.address(), false);
      });
      pair.until(() -> pair.guest.count("state 0 2") == 2);
    }
  }

  static void offEndsTheServerAndItIsOpenedAgain() {
    try (Pair pair = new Pair().connected()) {
      pair.room.act(pair.server, "radio off");
      pair.until(() -> pair.guest.count("state") == 2);
      pair.room.act(pair.server, "radio on");
      pair.room.run(pair.server, () -> {
        Check.that(!pair.station.server.addService(new android.bluetooth.BluetoothGattService(Station.NOTE, 0)),
            "the old server");
        pair.station.open(pair.server.phone().context());
      });
      pair.until(() -> pair.station.count("added 0") == 2);
      pair.run(() -> pair.guest.connect(pair.server.address(), false));
      pair.until(() -> pair.guest.count("state 0 2") == 2);
    }
  }

  static void offEndsScansWhichAreNotTold() {
    try (Pair pair = new Pair()) {
      List<String> told = new ArrayList<>();
      pair.until(() -> pair.station.told.contains("advertises"));
      pair.run(() -> pair.guest.adapter.getBluetoothLeScanner().startScan(new ScanCallback() {
        @Override
        public void onScanResult(int callbackType, android.bluetooth.le.ScanResult result) {
          told.add("result");
        }

        @Override
        public void onScanFailed(int errorCode) {
          told.add("failed");
        }
      }));
      pair.until(() -> !told.isEmpty());
      pair.room.act(pair.client, "radio off");
      pair.room.act(pair.client, "radio on");
      told.clear();
      pair.room.run(5);
      Check.equal(List.of(), told);
    }
  }

  static void aSuspendedAppDoesNotRun() {
    List<Long> ticks = new ArrayList<>();
    try (babbench.android.Room room = new babbench.android.Room(1)) {
      babbench.android.Room.Device phone = room.phone("phone")
          .with("phone", java.util.Map.of("preset", "android", "suspends after", "5s")).app(context -> tick(ticks));
      room.run(3);
      room.act(phone, "background");
      room.run(60);
      long last = ticks.get(ticks.size() - 1);
      Check.between(7, last, 9);
      room.act(phone, "foreground");
      room.run(3);
      Check.between(63, ticks.get(ticks.indexOf(last) + 1), 64);
    }
  }

  private static void tick(List<Long> ticks) {
    ticks.add(android.os.SystemClock.uptimeMillis() / 1_000);
    new android.os.Handler(android.os.Looper.getMainLooper()).postDelayed(() -> tick(ticks), 1_000);
  }

  static void theNameCannotBeChangedWhileOff() {
    try (Pair pair = new Pair()) {
      pair.room.act(pair.client, "radio off");
      pair.run(() -> Check.that(!pair.guest.adapter.setName("other"), "off"));
    }
  }
}
