import android.bluetooth.BluetoothGattDescriptor;
import babbench.android.Room;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The same seed gives the same run. */
final class DigestTests {
  private static String play(long seed) {
    Station station = new Station();
    Guest guest = new Guest();
    try (Room room = new Room(seed)) {
      room.with("radio", Map.of("preset", "ideal", "packet loss", "20%"));
      Room.Device server = room.phone("station").app(station::launch);
      Room.Device client = room.phone("guest").with("at", List.of(3, 0)).app(guest::launch);
      room.until("advertises", 10, () -> station.told.contains("advertises"));
      room.run(client, () -> guest.connect(server.address(), true));
      room.until("connected", 30, () -> guest.was("state 0 2"));
      room.run(client, () -> guest.gatt.discoverServices());
      room.until("discovered", 30, () -> guest.was("services 0"));
      room.run(client, () -> guest.configure(Station.NEWS, BluetoothGattDescriptor.ENABLE_NOTIFICATION_VALUE));
      room.until("subscribed", 30, () -> guest.was("descriptor written 0"));
      room.run(server, () -> new Thread(() -> {
        for (int size = 1; size <= 20; size++) {
          station.server.notifyCharacteristicChanged(station.client, station.news, false, new byte[size]);
          android.os.SystemClock.sleep(10 + new java.util.Random().nextInt(50));
        }
      }).start());
      room.until("all", 30, () -> guest.was("changed 20"));
      return room.digest();
    }
  }

  static void tenTimesTheSame() {
    Set<String> digests = new HashSet<>();
    for (int time = 0; time < 10; time++) digests.add(play(11));
    Check.equal(1, digests.size());
  }

  /** The JDK draws this order once for each JVM. */
  static void theOrderOfSetOfIsTheSameInEveryJVM() throws Exception {
    String here = Order.of();
    Check.equal(here, elsewhere());
    Check.equal(here, elsewhere());
    Check.that(!here.equals(elsewhere("-Dbabbench.order=7")), "another order can be asked for");
  }

  private static String elsewhere(String... options) throws Exception {
    java.util.List<String> command = new java.util.ArrayList<>();
    command.add(java.nio.file.Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String each : java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (each.startsWith("-javaagent:")) command.add(each);
    }
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "Order"));
    Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new String(process.getInputStream().readAllBytes()).trim();
  }

  static void anotherSeedIsAnotherRun() {
    Check.that(!play(11).equals(play(12)), "two seeds have one digest");
  }
}
