import android.bluetooth.BluetoothGattCharacteristic;
import android.bluetooth.BluetoothGattDescriptor;
import android.bluetooth.BluetoothGattServer;
import android.bluetooth.BluetoothGattServerCallback;
import android.bluetooth.BluetoothGattService;
import android.bluetooth.BluetoothStatusCodes;
import java.util.ArrayList;
import java.util.List;

/** The server of an app. */
final class ServerTests {
  private static Pair subscribed() {
    Pair pair = new Pair().discovered();
    pair.run(() -> pair.guest.configure(Station.NEWS, BluetoothGattDescriptor.ENABLE_NOTIFICATION_VALUE));
    pair.until(() -> pair.guest.was("descriptor written 0"));
    return pair;
  }

  private static int notify(Pair pair, int size) {
    return pair.station.server.notifyCharacteristicChanged(pair.station.client, pair.station.news, false,
        new byte[size]);
  }

  static void aServiceIsAdded() {
    try (Pair pair = new Pair()) {
      pair.until(() -> pair.station.told.contains("added 0"));
      Check.that(pair.station.server.getService(Station.SERVICE) != null, "it is there");
    }
  }

  static void notificationsComeInOrderAndEachIsSent() {
    try (Pair pair = subscribed()) {
      pair.room.run(pair.server, () -> {
        for (int size = 1; size <= 15; size++) Check.equal(0, notify(pair, size));
      });
      pair.until(() -> pair.guest.count("changed") == 15 && pair.station.count("sent 0") == 15);
      List<String> wanted = new ArrayList<>();
      for (int size = 1; size <= 15; size++) wanted.add("changed " + size);
      Check.equal(wanted, pair.guest.told.stream().filter(each -> each.startsWith("changed")).toList());
    }
  }

  static void nobodyHasSubscribed() {
    try (Pair pair = new Pair().discovered()) {
      pair.room.run(pair.server, () -> notify(pair, 5));
      pair.until(() -> pair.station.told.contains("sent 0"));
      pair.room.run(0.1);
      Check.that(pair.server.hasRemark("server.not-subscribed"), "it is remarked");
      Check.equal(0L, pair.guest.count("changed"));
    }
  }

  static void anIndicationIsSentWhenItIsConfirmed() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> pair.guest.configure(Station.ALARM, BluetoothGattDescriptor.ENABLE_INDICATION_VALUE));
      pair.until(() -> pair.guest.was("descriptor written 0"));
      pair.room.act(pair.client, "vanish");
      pair.room.run(pair.server, () -> pair.station.server.notifyCharacteristicChanged(pair.station.client,
          pair.station.alarm, true, new byte[1]));
      pair.room.run(2);
      Check.equal(0L, pair.station.count("sent"));
      pair.room.act(pair.client, "appear");
      pair.until(() -> pair.station.told.contains("sent 0"));
    }
  }

  static void partsAreToldAsTheyCome() {
    try (Pair pair = new Pair().discovered()) {
      pair.station.answers = false;
      pair.run(() -> pair.guest.write(Station.VALUE, new byte[50], 2));
      pair.until(() -> pair.station.told.contains("prepared 18"));
      pair.room.run(5);
      Check.equal(1L, pair.station.count("prepared"));
    }
  }

  static void aPartThatComesBackChangedIsCancelled() {
    try (Pair pair = new Pair().discovered()) {
      pair.station.echo = new byte[0];
      pair.run(() -> pair.guest.write(Station.VALUE, new byte[50], 2));
      pair.until(() -> pair.station.told.contains("execute false"));
      Check.equal(3, pair.station.content.length);
      pair.until(() -> pair.guest.count("written") == 1);
      Check.that(!pair.guest.was("written 0"), pair.guest.told.toString());
    }
  }

  static void theServerIsToldWhatTheClientWants() {
    try (Pair pair = new Pair().discovered()) {
      for (byte[] value : new byte[][] {{1, 0}, {2, 0}, {3, 0}, {0, 0}}) {
        pair.run(() -> pair.guest.configure(Station.BOTH, value));
        pair.until(() -> pair.guest.last().equals("descriptor written 0"));
        Check.that(pair.station.told.contains("descriptor " + value[0]), pair.station.told.toString());
        pair.guest.told.clear();
      }
    }
  }

  static void whoWantsIndicationsConfirms() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> pair.guest.configure(Station.BOTH, BluetoothGattDescriptor.ENABLE_INDICATION_VALUE));
      pair.until(() -> pair.guest.was("descriptor written 0"));
      pair.room.act(pair.client, "vanish");
      pair.room.run(pair.server, () -> pair.station.server.notifyCharacteristicChanged(pair.station.client,
          pair.station.both, false, new byte[1]));
      pair.room.run(2);
      Check.equal(0L, pair.station.count("sent"));
      pair.room.act(pair.client, "appear");
      pair.until(() -> pair.station.told.contains("sent 0"));
      Check.equal(1L, pair.guest.count("changed"));
    }
  }

  static void aConfigurationIsTheAppsToAnswer() {
    try (Pair pair = new Pair().discovered()) {
      pair.station.answersWith = 0x80;
      pair.run(() -> pair.guest.configure(Station.NEWS, BluetoothGattDescriptor.ENABLE_NOTIFICATION_VALUE));
      pair.until(() -> pair.guest.was("descriptor written 128"));
      pair.room.run(pair.server, () -> notify(pair, 5));
      pair.until(() -> pair.station.told.contains("sent 0"));
      pair.room.run(0.1);
      Check.that(pair.server.hasRemark("server.not-subscribed"), "it has not subscribed");
    }
  }

  static void aConfigurationThatIsNotAnsweredEndsTheLink() {
    try (Pair pair = new Pair().discovered()) {
      pair.station.answers = false;
      pair.run(() -> pair.guest.configure(Station.NEWS, BluetoothGattDescriptor.ENABLE_NOTIFICATION_VALUE));
      double before = pair.room.now();
      pair.until(() -> pair.guest.count("state") == 2);
      Check.between(29, pair.room.now() - before, 32);
    }
  }

  static void aConfigurationIsRead() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> pair.guest.gatt.readDescriptor(
          pair.guest.find(Station.NEWS).getDescriptor(Station.CONFIGURATION)));
      pair.until(() -> pair.guest.was("descriptor read 0 note"));
      Check.that(pair.station.told.contains("read descriptor"), "the app is asked");
    }
  }

  static void aDescriptorWithoutPermissions() {
    Station station = new Station() {
      @Override
      void launch(android.content.Context context) {
        value.addDescriptor(new BluetoothGattDescriptor(uuid("2904"), 0));
        super.launch(context);
      }
    };
    try (Pair pair = new Pair(34, station).discovered()) {
      BluetoothGattDescriptor bare = pair.guest.find(Station.VALUE).getDescriptor(Station.uuid("2904"));
      pair.run(() -> pair.guest.gatt.writeDescriptor(bare, new byte[] {1}));
      pair.until(() -> pair.guest.was("descriptor written 3"));
      pair.run(() -> pair.guest.gatt.readDescriptor(bare));
      pair.until(() -> pair.guest.count("descriptor read 2") == 1);
      Check.equal(0L, pair.station.count("descriptor"));
    }
  }

  static void aDeviceThatIsNotThere() {
    try (Pair pair = new Pair()) {
      pair.until(() -> pair.station.told.contains("added 0"));
      pair.room.run(pair.server, () -> Check.equal(BluetoothStatusCodes.ERROR_PROFILE_SERVICE_NOT_BOUND,
          pair.station.server.notifyCharacteristicChanged(pair.station.manager.getAdapter().getRemoteDevice(
              "C0:00:00:00:00:01"), pair.station.news, false, new byte[1])));
    }
  }

  static void aCharacteristicThatNotifiesNeeds2902() {
    Station station = new Station() {
      @Override
      void launch(android.content.Context context) {
        news.getDescriptors().clear();
        super.launch(context);
        news.getDescriptors().clear();
        server.clearServices();
        server.addService(bare());
      }

      private BluetoothGattService bare() {
        BluetoothGattService service = new BluetoothGattService(uuid("ffd0"), 0);
        service.addCharacteristic(new BluetoothGattCharacteristic(uuid("ffd1"), 0x10, 1));
        return service;
      }
    };
    try (Pair pair = new Pair(34, station)) {
      pair.room.run(1);
      Check.that(pair.server.hasRemark("server.no-configuration"), "it is remarked");
    }
  }

  static void servicesAreAddedOneByOne() {
    Station station = new Station() {
      @Override
      void launch(android.content.Context context) {
        super.launch(context);
        server.addService(new BluetoothGattService(uuid("ffd0"), 0));
      }
    };
    try (Pair pair = new Pair(34, station)) {
      pair.until(() -> pair.station.count("added 0") == 2);
      Check.that(pair.server.hasRemark("server.adding"), "it is remarked");
    }
  }

  static void outgoingLinksAreToldToServersToo() {
    try (Pair pair = new Pair()) {
      List<String> told = new ArrayList<>();
      pair.until(() -> pair.station.told.contains("advertises"));
      pair.run(() -> pair.guest.context.getSystemService(android.bluetooth.BluetoothManager.class).openGattServer(
          pair.guest.context, new BluetoothGattServerCallback() {
            @Override
            public void onConnectionStateChange(android.bluetooth.BluetoothDevice device, int status, int newState) {
              told.add(status + " " + newState);
            }
          }));
      pair.run(() -> pair.guest.connect(pair.server.address(), false));
      pair.until(() -> told.contains("0 2"));
    }
  }

  static void twoServersAreBothTold() {
    try (Pair pair = new Pair()) {
      List<String> told = new ArrayList<>();
      pair.until(() -> pair.station.told.contains("advertises"));
      pair.room.run(pair.server, () -> pair.station.manager.openGattServer(pair.server.phone().context(),
          new BluetoothGattServerCallback() {
            @Override
            public void onConnectionStateChange(android.bluetooth.BluetoothDevice device, int status, int newState) {
              told.add("second " + newState);
            }
          }));
      pair.connected();
      pair.until(() -> told.contains("second 2") && pair.station.told.contains("state 0 2"));
    }
  }

  static void aClosedServerDoesNothing() {
    try (Pair pair = new Pair().connected()) {
      BluetoothGattServer server = pair.station.server;
      pair.room.run(pair.server, () -> {
        server.close();
        Check.that(!server.addService(new BluetoothGattService(Station.NOTE, 0)), "addService");
        Check.that(!server.sendResponse(pair.station.client, 1, 0, 0, null), "sendResponse");
      });
    }
  }

  static void theServersStatusIsAlways0() {
    try (Pair pair = new Pair().connected()) {
      pair.room.act(pair.client, "vanish");
      pair.until(() -> pair.station.told.contains("state 0 0"));
    }
  }

  static void advertisingContinuesAfterAConnection() {
    try (Pair pair = new Pair().connected()) {
      Guest second = new Guest();
      pair.run(() -> pair.guest.gatt.disconnect());
      pair.until(() -> pair.guest.was("state 0 0"));
      pair.run(() -> {
        second.launch(pair.guest.context);
        second.connect(pair.server.address(), false);
      });
      pair.until(() -> second.was("state 0 2"));
      Check.equal(1L, pair.station.count("advertises"));
    }
  }

  static void aRemovedServiceIsGone() {
    try (Pair pair = new Pair().discovered()) {
      pair.room.run(pair.server, () -> {
        BluetoothGattService service = pair.station.server.getService(Station.SERVICE);
        Check.that(pair.station.server.removeService(service), "removed");
        Check.that(!pair.station.server.removeService(service), "it is not there any more");
      });
      pair.until(() -> pair.guest.was("service changed"));
    }
  }
}
