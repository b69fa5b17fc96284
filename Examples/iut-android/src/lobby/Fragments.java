package lobby;

import java.util.ArrayList;
import java.util.List;

/** Cuts packets (wire.md 3). */
final class Fragments {
  private int nextPacketID;

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
