import android.bluetooth.BluetoothGattCharacteristic;
import android.bluetooth.BluetoothGattDescriptor;
import android.bluetooth.BluetoothStatusCodes;
import java.util.Arrays;
import java.util.List;

/** Reads, writes, notifications, ATT_MTU. */
final class ValueTests {
  private static final int DEFAULT = BluetoothGattCharacteristic.WRITE_TYPE_DEFAULT;
  private static final int COMMAND = BluetoothGattCharacteristic.WRITE_TYPE_NO_RESPONSE;

  static void read() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> Check.that(pair.guest.gatt.readCharacteristic(pair.guest.find(Station.VALUE)), "read"));
      pair.until(() -> pair.guest.was("read 0 3"));
    }
  }

  static void aLongValueIsReadInParts() {
    try (Pair pair = new Pair().discovered()) {
      pair.station.content = new byte[50];
      pair.run(() -> pair.guest.gatt.readCharacteristic(pair.guest.find(Station.VALUE)));
      pair.until(() -> pair.guest.was("read 0 50"));
      Check.equal(List.of("read 0", "read 22", "read 44"),
          pair.station.told.stream().filter(each -> each.startsWith("read")).toList());
    }
  }

  static void aSecondOperationIsRefused() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> {
        BluetoothGattCharacteristic value = pair.guest.find(Station.VALUE);
        Check.that(pair.guest.gatt.readCharacteristic(value), "the first one");
        Check.that(!pair.guest.gatt.readCharacteristic(value), "a second read");
        Check.equal(BluetoothStatusCodes.ERROR_GATT_WRITE_REQUEST_BUSY,
            pair.guest.write(Station.VALUE, new byte[1], DEFAULT));
        Check.equal(BluetoothStatusCodes.ERROR_GATT_WRITE_REQUEST_BUSY,
            pair.guest.configure(Station.NEWS, BluetoothGattDescriptor.ENABLE_NOTIFICATION_VALUE));
        Check.that(!pair.guest.gatt.readDescriptor(value.getDescriptor(Station.NOTE)), "a descriptor");
      });
      pair.until(() -> pair.guest.was("read 0 3"));
      pair.run(() -> Check.equal(0, pair.guest.write(Station.VALUE, new byte[1], DEFAULT)));
      pair.until(() -> pair.guest.was("written 0"));
      Check.equal(1L, pair.station.count("request"));
    }
  }

  static void aCommandIsAnOperationToo() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> {
        Check.equal(0, pair.guest.write(Station.VALUE, new byte[2], COMMAND));
        Check.equal(201, pair.guest.write(Station.VALUE, new byte[2], COMMAND));
      });
      pair.until(() -> pair.guest.was("written 0") && pair.station.told.contains("command 2"));
    }
  }

  static void wishesAreNoOperations() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> {
        pair.guest.gatt.readCharacteristic(pair.guest.find(Station.VALUE));
        Check.that(pair.guest.gatt.requestMtu(100), "MTU");
        Check.that(pair.guest.gatt.readRemoteRssi(), "RSSI");
      });
      pair.until(() -> pair.guest.was("rssi true 0"));
      Check.equal(List.of("read 0 3", "mtu 517 0", "rssi true 0"),
          pair.guest.told.subList(2, pair.guest.told.size()));
    }
  }

  static void aLostLinkMakesReadyAgain() {
    try (Pair pair = new Pair().discovered()) {
      pair.station.answers = false;
      pair.run(() -> pair.guest.gatt.readCharacteristic(pair.guest.find(Station.VALUE)));
      pair.room.act(pair.server, "vanish");
      pair.until(() -> pair.guest.was("state 8 0"));
      pair.room.act(pair.server, "appear");
      pair.station.answers = true;
      pair.run(() -> pair.guest.gatt.connect());
      pair.until(() -> pair.guest.count("state 0 2") == 2);
      pair.run(() -> pair.guest.gatt.discoverServices());
      pair.until(() -> pair.guest.count("services 0") == 2);
      pair.run(() -> Check.that(pair.guest.gatt.readCharacteristic(pair.guest.find(Station.VALUE)), "read"));
      pair.until(() -> pair.guest.was("read 0 3"));
    }
  }

  static void errorsOfTheServerPassThrough() {
    try (Pair pair = new Pair().discovered()) {
      pair.station.answersWith = 0x80;
      pair.run(() -> pair.guest.write(Station.VALUE, new byte[1], DEFAULT));
      pair.until(() -> pair.guest.was("written 128"));
      pair.run(() -> pair.guest.gatt.readCharacteristic(pair.guest.find(Station.VALUE)));
      pair.until(() -> pair.guest.count("read 128") == 1);
    }
  }

  static void aServerThatNeverAnswersLosesTheLinkAfter30Seconds() {
    try (Pair pair = new Pair().discovered()) {
      pair.station.answers = false;
      double before = pair.room.now();
      pair.run(() -> pair.guest.gatt.readCharacteristic(pair.guest.find(Station.VALUE)));
      pair.until(() -> pair.guest.last().startsWith("state"));
      Check.between(29.9, pair.room.now() - before, 31);
      Check.equal(0L, pair.guest.count("read 0"));
    }
  }

  static void writesThatAreNotAllowed() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> {
        Check.equal(BluetoothStatusCodes.ERROR_GATT_WRITE_NOT_ALLOWED,
            pair.guest.write(Station.NEWS, new byte[1], DEFAULT));
        Check.that(!pair.guest.gatt.readCharacteristic(pair.guest.find(Station.NEWS)), "not readable");
        Check.refuses(IllegalArgumentException.class, () -> pair.guest.write(Station.VALUE, null, DEFAULT));
      });
    }
  }

  @SuppressWarnings("deprecation")
  static void theOldWayToWrite() {
    try (Pair pair = new Pair(30).discovered()) {
      pair.run(() -> {
        BluetoothGattCharacteristic value = pair.guest.find(Station.VALUE);
        Check.equal(COMMAND, value.getWriteType());
        Check.that(!pair.guest.gatt.writeCharacteristic(value), "it has no value");
        value.setValue(new byte[] {1, 2});
        value.setWriteType(DEFAULT);
        Check.that(pair.guest.gatt.writeCharacteristic(value), "written");
        value.setValue(new byte[9]);
      });
      pair.until(() -> pair.guest.was("written 0"));
      Check.that(pair.station.told.contains("request 2"), "the value of the call");
    }
  }

  static void aLongWriteGoesInParts() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> pair.guest.write(Station.VALUE, new byte[50], DEFAULT));
      pair.until(() -> pair.guest.was("written 0"));
      Check.that(pair.station.count("prepared") >= 3 && pair.station.told.contains("execute true"),
          pair.station.told.toString());
    }
  }

  static void aCommandThatIsTooLongIsCut() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> pair.guest.write(Station.VALUE, new byte[50], COMMAND));
      pair.until(() -> pair.station.told.contains("command 20"));
      Check.that(pair.client.hasRemark("gatt.command-too-long"), "it is remarked");
    }
  }

  static void notificationsNeedBothSwitches() {
    try (Pair pair = new Pair().discovered()) {
      byte[] on = BluetoothGattDescriptor.ENABLE_NOTIFICATION_VALUE;
      // The descriptor alone: what comes is dropped.
      pair.run(() -> pair.guest.gatt.writeDescriptor(
          pair.guest.find(Station.NEWS).getDescriptor(Station.CONFIGURATION), on));
      pair.until(() -> pair.guest.was("descriptor written 0"));
      Check.that(pair.station.told.contains("descriptor 1"), "the server is told");
      pair.room.run(pair.server, () -> notify(pair, 5));
      pair.until(() -> pair.station.told.contains("sent 0"));
      pair.room.run(1);
      Check.equal(0L, pair.guest.count("changed"));
      pair.run(() -> Check.that(
          pair.guest.gatt.setCharacteristicNotification(pair.guest.find(Station.NEWS), true), "local"));
      pair.room.run(pair.server, () -> notify(pair, 6));
      pair.until(() -> pair.guest.was("changed 6"));
    }
  }

  private static int notify(Pair pair, int size) {
    return pair.station.server.notifyCharacteristicChanged(pair.station.client, pair.station.news, false,
        new byte[size]);
  }

  static void notificationsAreSwitchedOff() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> pair.guest.configure(Station.NEWS, BluetoothGattDescriptor.ENABLE_NOTIFICATION_VALUE));
      pair.until(() -> pair.guest.was("descriptor written 0"));
      pair.run(() -> pair.guest.configure(Station.NEWS, BluetoothGattDescriptor.DISABLE_NOTIFICATION_VALUE));
      pair.until(() -> pair.guest.count("descriptor written 0") == 2);
      Check.that(pair.station.told.contains("descriptor 0"), "the server is told");
    }
  }

  static void indications() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> pair.guest.configure(Station.ALARM, BluetoothGattDescriptor.ENABLE_INDICATION_VALUE));
      pair.until(() -> pair.guest.was("descriptor written 0"));
      Check.that(pair.station.told.contains("descriptor 2"), "the server is told");
      pair.room.run(pair.server, () -> pair.station.server.notifyCharacteristicChanged(pair.station.client,
          pair.station.alarm, true, new byte[4]));
      pair.until(() -> pair.guest.was("changed 4") && pair.station.told.contains("sent 0"));
    }
  }

  static void descriptorsAreRead() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> pair.guest.gatt.readDescriptor(pair.guest.find(Station.VALUE).getDescriptor(Station.NOTE)));
      pair.until(() -> pair.guest.was("descriptor read 0 note"));
    }
  }

  static void descriptorsAreWritten() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> pair.guest.gatt.writeDescriptor(
          pair.guest.find(Station.VALUE).getDescriptor(Station.NOTE), new byte[] {9}));
      pair.until(() -> pair.guest.was("descriptor written 0"));
      Check.that(pair.station.told.contains("descriptor 9"), "the server is asked");
    }
  }

  static void reliableWrites() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> {
        Check.that(pair.guest.gatt.beginReliableWrite(), "begin");
        Check.that(!pair.guest.gatt.beginReliableWrite(), "it has begun");
        pair.guest.write(Station.VALUE, new byte[7], DEFAULT);
      });
      pair.until(() -> pair.guest.was("written 0"));
      Check.that(pair.station.told.contains("prepared 7") && pair.station.content.length == 3, "it is kept");
      pair.run(() -> Check.that(pair.guest.gatt.executeReliableWrite(), "execute"));
      pair.until(() -> pair.guest.was("reliable 0"));
      Check.equal(7, pair.station.content.length);
      Check.equal(0L, pair.station.count("request"));
    }
  }

  static void whatTheServerKeepsIsTheValue() {
    try (Pair pair = new Pair().discovered()) {
      pair.station.echo = new byte[] {5, 6};
      pair.run(() -> {
        pair.guest.gatt.beginReliableWrite();
        pair.guest.write(Station.VALUE, new byte[7], DEFAULT);
      });
      pair.until(() -> pair.guest.was("written 0"));
      Check.equal("[5, 6]", Arrays.toString(pair.guest.find(Station.VALUE).getValue()));
    }
  }

  static void aReliableWriteIsRefused() {
    try (Pair pair = new Pair().discovered()) {
      pair.station.answersWith = 0x80;
      pair.run(() -> {
        pair.guest.gatt.beginReliableWrite();
        pair.guest.write(Station.VALUE, new byte[7], DEFAULT);
      });
      pair.until(() -> pair.guest.was("written 128"));
    }
  }

  static void aReliableWriteThatIsTooLongIsCut() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> {
        pair.guest.gatt.beginReliableWrite();
        pair.guest.write(Station.VALUE, new byte[50], DEFAULT);
      });
      pair.until(() -> pair.guest.was("written 0"));
      Check.that(pair.station.told.contains("prepared 18"), "ATT_MTU - 5");
      Check.that(pair.client.hasRemark("gatt.reliable-too-long"), "it is remarked");
    }
  }

  static void anAbortedReliableWriteIsDropped() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> {
        pair.guest.gatt.beginReliableWrite();
        pair.guest.write(Station.VALUE, new byte[7], DEFAULT);
      });
      pair.until(() -> pair.guest.was("written 0"));
      pair.run(() -> {
        pair.guest.gatt.abortReliableWrite();
        Check.that(!pair.guest.gatt.executeReliableWrite(), "nothing to execute");
      });
      pair.until(() -> pair.guest.was("reliable 0"));
      Check.that(pair.station.told.contains("execute false"), "the server is told");
      Check.equal(3, pair.station.content.length);
    }
  }

  static void theMTUThatWasAskedForUpToLevel33() {
    try (Pair pair = new Pair(33).connected()) {
      pair.run(() -> Check.that(pair.guest.gatt.requestMtu(100), "request"));
      pair.until(() -> pair.guest.was("mtu 100 0"));
      Check.that(pair.station.told.contains("mtu 100"), "the server is told");
    }
  }

  static void the517OfLevel34AndOnce() {
    try (Pair pair = new Pair(34).connected()) {
      pair.run(() -> pair.guest.gatt.requestMtu(100));
      pair.until(() -> pair.guest.was("mtu 517 0"));
      double before = pair.room.now();
      pair.run(() -> pair.guest.gatt.requestMtu(200));
      pair.until(() -> pair.guest.count("mtu 517 0") == 2);
      Check.equal(before, pair.room.now());
    }
  }

  static void sizesThatAreRefused() {
    try (Pair pair = new Pair().connected()) {
      pair.run(() -> Check.that(!pair.guest.gatt.requestMtu(22) && !pair.guest.gatt.requestMtu(518), "23 to 517"));
    }
  }

  static void withoutAnExchange20OctetsFit() {
    try (Pair pair = new Pair().discovered()) {
      pair.run(() -> pair.guest.write(Station.VALUE, new byte[20], DEFAULT));
      pair.until(() -> pair.guest.was("written 0"));
      Check.that(pair.station.told.contains("request 20"), "whole");
    }
  }

  static void theArrayOfAReliableWriteIsCopied() {
    try (Pair pair = new Pair().discovered()) {
      byte[] value = {1, 2, 3, 4};
      pair.run(() -> {
        pair.guest.gatt.beginReliableWrite();
        pair.guest.write(Station.VALUE, value, DEFAULT);
      });
      pair.until(() -> pair.guest.was("written 0"));
      Arrays.fill(value, (byte) 9);
      pair.run(() -> pair.guest.gatt.executeReliableWrite());
      pair.until(() -> pair.guest.was("reliable 0"));
      Check.equal("[1, 2, 3, 4]", Arrays.toString(pair.station.content));
    }
  }

  static void theArrayOfAWriteIsCopied() {
    try (Pair pair = new Pair().discovered()) {
      byte[] value = {1, 2, 3, 4};
      pair.run(() -> {
        pair.guest.write(Station.VALUE, value, DEFAULT);
        Arrays.fill(value, (byte) 9);
      });
      pair.until(() -> pair.guest.was("written 0"));
      Check.equal("[1, 2, 3, 4]", Arrays.toString(pair.station.content));
    }
  }
}
