import android.bluetooth.BluetoothManager;
import android.bluetooth.le.ScanCallback;
import android.bluetooth.le.ScanFilter;
import android.bluetooth.le.ScanResult;
import android.bluetooth.le.ScanSettings;
import android.os.ParcelUuid;
import babbench.android.Room;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Rooms with devices that are not in this JVM. */
final class RoomTests {
  private static final ParcelUuid LOBBY = ParcelUuid.fromString("0000bab1-0000-1000-8000-00805f9b34fb");

  static void anIPhoneThatTheBenchPlaysIsFoundAndConnectedTo() {
    Guest guest = new Guest();
    List<String> found = new ArrayList<>();
    try (Room room = new Room(3)) {
      room.device("host", Map.of("role", "host", "phone", "iphone"));
      Room.Device phone = room.phone("phone").with("at", List.of(2, 0)).app(context -> {
        guest.launch(context);
        ScanFilter filter = new ScanFilter.Builder().setServiceUuid(LOBBY).build();
        context.getSystemService(BluetoothManager.class).getAdapter().getBluetoothLeScanner().startScan(
            List.of(filter), new ScanSettings.Builder().build(), new ScanCallback() {
              @Override
              public void onScanResult(int callbackType, ScanResult result) {
                found.add(result.getDevice().getAddress());
              }
            });
      });
      room.act("host", "start hosting");
      room.until("the iPhone is found", 10, () -> !found.isEmpty());
      room.run(phone, () -> guest.connect(found.get(0), false));
      room.until("it is connected to", 10, () -> guest.was("state 0 2"));
    }
  }
}
