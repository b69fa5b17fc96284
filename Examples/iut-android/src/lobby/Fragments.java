package lobby;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Cuts packets (wire.md 3), and names what host and client share. */
final class Fragments {
  static final UUID SERVICE = uuid("bab1");
  static final UUID COMMAND = uuid("bab2");
  static final UUID STATE = uuid("bab3");
  static final UUID LEADERBOARD = uuid("bab4");
  static final UUID CONFIGURATION = uuid("2902");

  private int nextPacketID;

  private static UUID uuid(String digits) {
    return UUID.fromString("0000" + digits + "-0000-1000-8000-00805f9b34fb");
  }

  /** Values of a packet; none for one that needs more than 255. */
  List<byte[]> cut(byte[] packet, int attMTU) {
    int size = Math.min(attMTU - 3, 512) - 4;
    int count = Math.max(1, (packet.length + size - 1) / size);
    List<byte[]> values = new ArrayList<>();
    if (count > 255) return values;
    int id = nextPacketID;
    nextPacketID = (id + 1) & 0xFFFF;
    for (int index = 0; index < count; index++) {
      int length = Math.min(size, packet.length - index * size);
      byte[] value = new byte[4 + length];
      value[0] = (byte) (id >> 8);
      value[1] = (byte) id;
      value[2] = (byte) index;
      value[3] = (byte) count;
      System.arraycopy(packet, index * size, value, 4, length);
      values.add(value);
    }
    return values;
  }
}
