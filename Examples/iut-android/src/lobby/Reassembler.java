package lobby;

import android.os.Handler;
import android.os.SystemClock;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Puts fragments together (wire.md 3.9 to 3.19): one for each link. */
final class Reassembler {
  private static final int HEADER = 4;
  private static final long PATIENCE = 5_000;
  private static final int MOST_PARTIALS = 16;
  private static final int MOST_OCTETS = 262_144;
  private static final int MOST_COMPLETED = 16;

  private static final class Partial {
    final int id;
    final byte[][] bodies;
    int octets;
    int missing;
    long completedAt;

    Partial(int id, int count) {
      this.id = id;
      bodies = new byte[count][];
      missing = count;
    }
  }

  private final Handler handler;
  private final Consumer<String> refuse;

  /** By packetID, the one that was begun first in front. */
  private final Map<Integer, Partial> partials = new LinkedHashMap<>();
  private final ArrayDeque<Partial> completed = new ArrayDeque<>();

  Reassembler(Handler handler, Consumer<String> refuse) {
    this.handler = handler;
    this.refuse = refuse;
  }

  /** The packet that this value completes, or null. */
  byte[] take(byte[] value) {
    if (value.length < HEADER) return refused("a value of " + value.length + " octets");
    int id = (value[0] & 0xFF) << 8 | value[1] & 0xFF;
    int index = value[2] & 0xFF;
    int count = value[3] & 0xFF;
    byte[] body = Arrays.copyOfRange(value, HEADER, value.length);
    if (index >= count) return drop(id, "fragment " + index + " of " + count);
    if (!partials.containsKey(id) && isRepeat(id, index, count, body)) return null;
    Partial partial = partials.computeIfAbsent(id, key -> new Partial(id, count));
    if (partial.bodies.length != count) return drop(id, "packet " + id + " changed its count");
    if (partial.bodies[index] != null) {
      boolean isSame = Arrays.equals(partial.bodies[index], body);
      return isSame ? null : drop(id, "packet " + id + " has two fragments " + index);
    }
    partial.bodies[index] = body;
    partial.octets += body.length;
    partial.missing--;
    handler.removeCallbacksAndMessages(partial);
    if (partial.missing == 0) return complete(partial);
    handler.postDelayed(() -> drop(id, "packet " + id + " never came whole"), partial, PATIENCE);
    while (partials.size() > MOST_PARTIALS || octets() > MOST_OCTETS) {
      drop(partials.keySet().iterator().next(), "too much that is unfinished");
    }
    return null;
  }

  private int octets() {
    return partials.values().stream().mapToInt(each -> each.octets).sum();
  }

  private byte[] complete(Partial partial) {
    partials.remove(partial.id);
    partial.completedAt = SystemClock.elapsedRealtime();
    completed.add(partial);
    if (completed.size() > MOST_COMPLETED) completed.remove();
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    for (byte[] body : partial.bodies) whole.writeBytes(body);
    return whole.toByteArray();
  }

  private boolean isRepeat(int id, int index, int count, byte[] body) {
    long now = SystemClock.elapsedRealtime();
    for (Partial each : completed) {
      boolean isSame = each.id == id && each.bodies.length == count && now - each.completedAt < PATIENCE
          && Arrays.equals(each.bodies[index], body);
      if (isSame) return true;
    }
    return false;
  }

  private byte[] drop(int id, String reason) {
    Partial partial = partials.remove(id);
    if (partial != null) handler.removeCallbacksAndMessages(partial);
    return refused(reason);
  }

  private byte[] refused(String reason) {
    refuse.accept(reason);
    return null;
  }

  /** The link is gone: limits of time are over. */
  void end() {
    for (Partial each : partials.values()) handler.removeCallbacksAndMessages(each);
    partials.clear();
  }
}
