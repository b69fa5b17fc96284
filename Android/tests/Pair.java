import babbench.android.Room;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A room with a station and a guest, as most tests want it. */
final class Pair implements AutoCloseable {
  final Room room;
  final Station station;
  final Guest guest = new Guest();
  final Room.Device server;
  final Room.Device client;

  Pair() {
    this(34);
  }

  Pair(int api) {
    this(api, new Station());
  }

  Pair(int api, Station station) {
    this.station = station;
    room = new Room(5);
    server = room.phone("station").api(api).app(station::launch);
    client = room.phone("guest").with("at", List.of(2, 0)).api(api).app(guest::launch);
  }

  /** Connects; the guest is told. */
  Pair connected() {
    until(() -> station.told.contains("advertises"));
    run(() -> guest.connect(server.address(), false));
    until(() -> guest.was("state 0 2"));
    // A link that fails within six connection events ends with another reason, 62.
    room.run(1);
    return this;
  }

  /** Connects and discovers. */
  Pair discovered() {
    connected();
    run(() -> guest.gatt.discoverServices());
    until(() -> guest.was("services 0"));
    return this;
  }

  /** Does something on the guest's main thread. */
  void run(Runnable task) {
    room.run(client, task);
  }

  void until(BooleanSupplier condition) {
    if (!room.within(40, condition)) throw new AssertionError("guest " + guest.told + ", station " + station.told);
  }

  @Override
  public void close() {
    room.close();
  }
}
