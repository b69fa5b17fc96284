import android.bluetooth.BluetoothDevice;
import android.bluetooth.BluetoothGattCharacteristic;
import android.bluetooth.BluetoothGattDescriptor;
import android.bluetooth.BluetoothProfile;
import android.bluetooth.le.BluetoothLeScanner;
import android.bluetooth.le.ScanCallback;
import android.bluetooth.le.ScanFilter;
import android.bluetooth.le.ScanSettings;
import android.os.ParcelUuid;
import java.util.List;

/** Arguments that are refused at once, and how. */
final class ArgumentTests {
  private static final int DEFAULT = BluetoothGattCharacteristic.WRITE_TYPE_DEFAULT;

  static void aValueHasAtMost512Octets() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> {
        Check.refuses(IllegalArgumentException.class, () -> pair.guest.write(Station.VALUE, new byte[513], DEFAULT));
        Check.equal(0, pair.guest.write(Station.VALUE, new byte[512], DEFAULT));
      });
    }
  }

  static void noValueAndNoCharacteristic() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> {
        Check.refuses(IllegalArgumentException.class, () -> pair.guest.write(Station.VALUE, null, DEFAULT));
        Check.refuses(IllegalArgumentException.class,
            () -> pair.guest.gatt.writeCharacteristic(null, new byte[1], DEFAULT));
        Check.refuses(IllegalArgumentException.class, () -> pair.guest.gatt.writeDescriptor(null, new byte[1]));
      });
    }
  }

  static void aCharacteristicThatWasNotFound() {
    try (Pair pair = new Pair().discovered()) {
      BluetoothGattCharacteristic own = new BluetoothGattCharacteristic(Station.VALUE, 0x0A, 0x11);
      pair.run(() -> {
        Check.that(!pair.guest.gatt.readCharacteristic(own), "it is not read");
        Check.that(!pair.guest.gatt.setCharacteristicNotification(own, true), "nor listened to");
      });
    }
  }

  static void aDescriptorOfNothing() {
    try (Pair pair = new Pair().discovered()) {
      BluetoothGattDescriptor own = new BluetoothGattDescriptor(Station.NOTE, 0x11);
      pair.run(() -> Check.refuses(IllegalArgumentException.class,
          () -> pair.guest.gatt.writeDescriptor(own, new byte[1])));
    }
  }

  static void priorities() {
    try (Pair pair = new Pair().connected()) {
      pair.run(() -> {
        Check.refuses(IllegalArgumentException.class, () -> pair.guest.gatt.requestConnectionPriority(-1));
        Check.refuses(IllegalArgumentException.class, () -> pair.guest.gatt.requestConnectionPriority(4));
        Check.that(pair.guest.gatt.requestConnectionPriority(3), "DCK is one");
      });
    }
  }

  static void aClosedClientRefusesAll() {
    try (Pair pair = new Pair().discovered()) {
      BluetoothGattCharacteristic found = pair.guest.find(Station.VALUE);
      pair.run(() -> {
        pair.guest.gatt.close();
        Check.that(!pair.guest.gatt.discoverServices() && !pair.guest.gatt.requestMtu(100)
            && !pair.guest.gatt.readRemoteRssi() && !pair.guest.gatt.readCharacteristic(found)
            && !pair.guest.gatt.beginReliableWrite() && !pair.guest.gatt.requestConnectionPriority(1), "all is false");
        Check.equal(9, pair.guest.gatt.writeCharacteristic(found, new byte[1], DEFAULT));
      });
    }
  }

  static void aNotificationHasAtMost512Octets() {
    try (Pair pair = new Pair().connected()) {
      pair.room.run(pair.server, () -> Check.refuses(IllegalArgumentException.class, () -> pair.station.server
          .notifyCharacteristicChanged(pair.station.client, pair.station.news, false, new byte[513])));
    }
  }

  static void aServerKnowsItsServices() {
    try (Pair pair = new Pair().connected()) {
      pair.room.run(pair.server, () -> {
        Check.equal(1, pair.station.server.getServices().size());
        Check.that(pair.station.server.getService(Station.SERVICE) != null, "it has that");
        Check.equal(null, pair.station.server.getService(Station.NOTE));
        Check.that(!pair.station.server.removeService(new android.bluetooth.BluetoothGattService(Station.NOTE, 0)),
            "it has no such service");
      });
    }
  }

  static void theManagerKnowsTwoProfiles() {
    try (Pair pair = new Pair().connected()) {
      pair.room.run(pair.server, () -> {
        Check.refuses(IllegalArgumentException.class, () -> pair.station.manager.getConnectedDevices(1));
        int[] both = {BluetoothProfile.STATE_CONNECTED, BluetoothProfile.STATE_DISCONNECTED};
        Check.equal(List.of(pair.station.client),
            pair.station.manager.getDevicesMatchingConnectionStates(BluetoothProfile.GATT_SERVER, both));
        Check.equal(List.of(), pair.station.manager.getDevicesMatchingConnectionStates(BluetoothProfile.GATT,
            new int[] {BluetoothProfile.STATE_DISCONNECTED}));
        Check.refuses(IllegalArgumentException.class,
            () -> pair.station.manager.openGattServer(pair.server.phone().context(), null));
      });
    }
  }

  static void devicesAreEqualByTheirAddress() {
    try (Pair pair = new Pair()) {
      pair.room.run(1);
      pair.run(() -> {
        byte[] octets = {0x00, 0x43, (byte) 0xA8, 0x23, 0x10, (byte) 0xF0};
        BluetoothDevice device = pair.guest.adapter.getRemoteDevice(octets);
        Check.equal("00:43:A8:23:10:F0", device.getAddress());
        Check.equal(device, pair.guest.adapter.getRemoteDevice("00:43:A8:23:10:F0"));
        Check.equal(null, device.getName());
        Check.refuses(IllegalArgumentException.class, () -> pair.guest.adapter.getRemoteDevice(new byte[5]));
        Check.refuses(IllegalArgumentException.class, () -> pair.guest.adapter.getRemoteDevice("00:43:a8:23:10:f0"));
      });
    }
  }

  static void theOwnAddressIsHidden() {
    try (Pair pair = new Pair()) {
      pair.room.run(1);
      pair.run(() -> Check.equal("02:00:00:00:00:00", pair.guest.adapter.getAddress()));
    }
  }

  static void matchesOfScans() {
    ScanSettings.Builder builder = new ScanSettings.Builder();
    for (int wrong : new int[] {0, 4}) {
      Check.refuses(IllegalArgumentException.class, () -> builder.setNumOfMatches(wrong));
    }
    for (int wrong : new int[] {0, 3}) Check.refuses(IllegalArgumentException.class, () -> builder.setMatchMode(wrong));
  }

  static void masksOfFilters() {
    ScanFilter.Builder builder = new ScanFilter.Builder();
    ParcelUuid uuid = new ParcelUuid(Station.SERVICE);
    Check.refuses(IllegalArgumentException.class, () -> builder.setServiceUuid(null, uuid));
    Check.refuses(IllegalArgumentException.class, () -> builder.setManufacturerData(1, new byte[2], new byte[1]));
    Check.refuses(IllegalArgumentException.class, () -> builder.setServiceData(uuid, new byte[2], new byte[3]));
    Check.refuses(IllegalArgumentException.class, () -> builder.setManufacturerData(-1, new byte[2]));
    Check.refuses(IllegalArgumentException.class, () -> builder.setServiceSolicitationUuid(null, uuid));
    Check.refuses(IllegalArgumentException.class, () -> builder.setAdvertisingDataType(-1));
    Check.refuses(IllegalArgumentException.class,
        () -> builder.setAdvertisingDataTypeWithData(1, new byte[2], new byte[1]));
  }

  static void scansWithoutACallback() {
    try (Pair pair = new Pair()) {
      pair.room.run(1);
      pair.run(() -> {
        BluetoothLeScanner scanner = pair.guest.adapter.getBluetoothLeScanner();
        ScanCallback none = null;
        Check.refuses(IllegalArgumentException.class, () -> scanner.startScan(none));
        Check.refuses(IllegalArgumentException.class, () -> scanner.flushPendingScanResults(null));
      });
    }
  }
}
