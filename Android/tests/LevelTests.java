import android.bluetooth.BluetoothGatt;
import android.bluetooth.BluetoothGattCallback;
import android.bluetooth.BluetoothGattCharacteristic;
import android.os.Build;
import babbench.android.Room;
import java.util.ArrayList;
import java.util.List;

/** What differs by API level. */
final class LevelTests {
  static void phonesOfSeveralLevelsInOneRoom() {
    List<Integer> levels = new ArrayList<>();
    try (Room room = new Room(1)) {
      room.phone("old").api(26).app(context -> levels.add(Build.VERSION.SDK_INT));
      room.phone("new").api(36).app(context -> levels.add(Build.VERSION.SDK_INT));
      room.run(0.1);
    }
    Check.equal(List.of(26, 36), levels);
  }

  private static List<String> reads(int api) {
    List<String> told = new ArrayList<>();
    try (Pair pair = new Pair(api)) {
      pair.until(() -> pair.station.told.contains("advertises"));
      BluetoothGattCallback callback = new BluetoothGattCallback() {
        @Override
        public void onConnectionStateChange(BluetoothGatt gatt, int status, int newState) {
          gatt.discoverServices();
        }

        @Override
        public void onServicesDiscovered(BluetoothGatt gatt, int status) {
          gatt.readCharacteristic(gatt.getService(Station.SERVICE).getCharacteristic(Station.VALUE));
        }

        @Override
        @SuppressWarnings("deprecation")
        public void onCharacteristicRead(BluetoothGatt gatt, BluetoothGattCharacteristic characteristic, int status) {
          told.add("old " + characteristic.getValue().length);
        }

        @Override
        @SuppressWarnings("deprecation")
        public void onCharacteristicRead(BluetoothGatt gatt, BluetoothGattCharacteristic characteristic, byte[] value,
            int status) {
          told.add("new " + value.length);
          super.onCharacteristicRead(gatt, characteristic, value, status);
        }
      };
      pair.run(() -> pair.guest.adapter.getRemoteDevice(pair.server.address())
          .connectGatt(pair.guest.context, false, callback));
      pair.until(() -> !told.isEmpty());
    }
    return told;
  }

  static void valuesAreGivenFromLevel33() {
    Check.equal(List.of("old 3"), reads(32));
    Check.equal(List.of("new 3", "old 3"), reads(33));
  }
}
