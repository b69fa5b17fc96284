package babbench.android.stack;

import babbench.android.Words;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** All scans of an app: the radio has one, for whatever any of them wants. */
public final class ScanCore {
  /** An advertiser was heard. */
  public static final class Heard {
    public final String address;
    public final byte[] octets;
    public final int rssi;
    public final boolean isConnectable;
    public final long nanoseconds;
    /** PHYs and number of an extended advertisement; 0, 0 and 255 of a legacy one. */
    public final int primaryPhy;
    public final int secondaryPhy;
    public final int sid;

    public boolean isLegacy() {
      return primaryPhy == 0;
    }

    Heard(String address, byte[] octets, int rssi, boolean isConnectable, long nanoseconds, int... extended) {
      primaryPhy = extended.length == 0 ? 0 : extended[0];
      secondaryPhy = extended.length == 0 ? 0 : extended[1];
      sid = extended.length == 0 ? 255 : extended[2];
      this.address = address;
      this.octets = octets;
      this.rssi = rssi;
      this.isConnectable = isConnectable;
      this.nanoseconds = nanoseconds;
    }
  }

  /** One scan of an app. */
  public interface Scan {
    /** Services of which one must be advertised; empty: no such filter. */
    List<UUID> services();

    /** Whether it has a filter of any kind; others pause in the background. */
    boolean isFiltered();

    /** Where it looks for extended advertising, too: 1 on LE 1M, 4 on LE Coded, 5 on both; 0: nowhere. */
    default int phys() {
      return 0;
    }

    /** Whether it hears only what others scan for. */
    boolean isOpportunistic();

    void heard(Heard heard);

    /** The scan has been stopped by the system. */
    default void stopped() {}
  }

  /** AOSP: AppScanStats, five starts within 30 s. */
  private static final int MOST_STARTS = 5;
  private static final long PERIOD = 30_000_000_000L;

  /**
   * AOSP: after so long a scan only hears what others scan for; 30 min until Android 13. Since then it is 10 min, and
   * scans with a filter become slower only.
   */
  private static final long MINUTE_MILLISECONDS = 60_000;
  private static final int API_OF_SHORT_SCANS = 34;

  private final Stack stack;
  private final Map<Scan, Boolean> scans = new LinkedHashMap<>();
  private final Set<Scan> tooLong = new java.util.HashSet<>();
  private final ArrayDeque<Long> starts = new ArrayDeque<>();
  private final Map<String, String> names = new LinkedHashMap<>();
  private List<Object> asked;
  private int askedPhys;
  private boolean isInBackground;

  ScanCore(Stack stack) {
    this.stack = stack;
  }

  /** Starts a scan. One too many in 30 s finds nothing, and nobody is told. */
  public void start(Scan scan) {
    long now = stack.phone.scheduler().now();
    while (!starts.isEmpty() && starts.peek() <= now - PERIOD) starts.poll();
    boolean isTooMany = starts.size() >= MOST_STARTS;
    if (isTooMany) {
      stack.phone.remark("limit", "scan.too-frequent", "a sixth scan within 30 s is started; it finds nothing");
    } else {
      starts.add(now);
    }
    scans.put(scan, !isTooMany);
    boolean isOld = stack.phone.apiLevel() < API_OF_SHORT_SCANS;
    int minutes = isOld ? 30 : 10;
    stack.after(minutes * MINUTE_MILLISECONDS, () -> {
      if (!scans.containsKey(scan)) return;
      boolean isEnd = isOld || !scan.isFiltered();
      stack.phone.remark("limit", "scan.too-long", "a scan has lasted " + minutes + " min; from now on it "
          + (isEnd ? "finds only what others scan for" : "is slower on a phone, and here as before"));
      if (isEnd) tooLong.add(scan);
      update();
    });
    update();
  }

  public void stop(Scan scan) {
    tooLong.remove(scan);
    if (scans.remove(scan) != null) update();
  }

  /** The name under which a device was heard, or null. */
  public String name(String address) {
    return names.get(address);
  }

  void background(boolean on) {
    isInBackground = on;
    update();
  }

  void switchedOff() {
    List<Scan> all = new ArrayList<>(scans.keySet());
    scans.clear();
    tooLong.clear();
    asked = null;
    for (Scan scan : all) scan.stopped();
  }

  private boolean isActive(Map.Entry<Scan, Boolean> entry) {
    return entry.getValue() && (!isInBackground || entry.getKey().isFiltered());
  }

  private void update() {
    Set<Object> services = new LinkedHashSet<>();
    boolean isOn = false;
    boolean isOpen = false;
    int phys = 0;
    for (Map.Entry<Scan, Boolean> entry : scans.entrySet()) {
      boolean isGuest = entry.getKey().isOpportunistic() || tooLong.contains(entry.getKey());
      if (!isActive(entry) || isGuest) continue;
      isOn = true;
      phys |= entry.getKey().phys();
      List<UUID> wanted = entry.getKey().services();
      isOpen |= wanted.isEmpty();
      for (UUID each : wanted) services.add(Words.uuid(each));
    }
    List<Object> wanted = !isOn ? null : isOpen ? List.of() : new ArrayList<>(services);
    if (java.util.Objects.equals(wanted, asked) && phys == askedPhys) return;
    asked = wanted;
    askedPhys = phys;
    if (wanted == null) {
      stack.phone.ask("stopScanning");
    } else if (phys != 0) {
      stack.phone.ask("gap.scanExtended", "services", wanted, "solicited", List.of(), "everyPacket", true, "phys",
          phys);
    } else {
      stack.phone.ask("gap.scan", "services", wanted, "solicited", List.of(), "everyPacket", true);
    }
  }

  void heard(Map<String, Object> input) {
    if (!input.containsKey("data")) return;
    byte[] data = Words.octets(input, "data");
    byte[] response = Words.octets(input, "scanResponse");
    byte[] all = java.util.Arrays.copyOf(data, data.length + response.length);
    System.arraycopy(response, 0, all, data.length, response.length);
    String address = Words.text(input, "address");
    String name = Words.text(input, "localName");
    if (name != null) names.put(address, name);
    Heard heard = new Heard(address, all, Words.number(input, "rssi"), !Boolean.FALSE.equals(input.get("connectable")),
        stack.phone.scheduler().now(), extended(input));
    for (Map.Entry<Scan, Boolean> entry : new ArrayList<>(scans.entrySet())) {
      if (isActive(entry) && (heard.isLegacy() || entry.getKey().phys() != 0)) entry.getKey().heard(heard);
    }
  }

  private static int[] extended(Map<String, Object> input) {
    if (!input.containsKey("primaryPHY")) return new int[0];
    return new int[] {Words.number(input, "primaryPHY"), Words.number(input, "secondaryPHY"),
        Words.number(input, "sid")};
  }
}
