package lobby;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What everybody's counts are, as far as they are known here (bab.md 5.6); 64 at most. */
final class VectorClock {
  private static final int MOST = 64;

  private final Map<String, Long> counts = new LinkedHashMap<>();

  Map<String, Long> counts() {
    return counts;
  }

  void countOne(String peer) {
    long own = counts.getOrDefault(peer, 0L);
    set(peer, own == Long.MAX_VALUE ? own : own + 1);
  }

  /** The larger count of each peer that counts. */
  void merge(Map<String, Long> other, Predicate<String> counted) {
    for (Map.Entry<String, Long> each : other.entrySet()) {
      boolean isLarger = each.getValue() > counts.getOrDefault(each.getKey(), 0L);
      if (isLarger && counted.test(each.getKey())) set(each.getKey(), each.getValue());
    }
  }

  private void set(String peer, long count) {
    if (counts.containsKey(peer) || counts.size() < MOST) counts.put(peer, count);
  }

  /** As reports have it. */
  List<Object> entries() {
    List<Object> entries = new ArrayList<>();
    counts.forEach((peer, count) -> entries.add(Map.of("peerID", peer, "count", count)));
    return entries;
  }
}
