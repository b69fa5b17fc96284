package babbench.android;

import android.content.Context;
import babbench.jvm.Scheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A room of virtual phones over one pipe (Docs/Formats/room-protocol.md), for tests. Whoever calls its methods drives
 * it: time passes only in {@link #run}, {@link #until} and {@link #call}.
 *
 * <p>A phone with an app is played in this JVM; other devices are played by engines or programs of the bench.
 */
public class Room implements AutoCloseable {
  private static final long EPOCH = 1_767_225_600_000L;
  private static final int MOST_ROUNDS = 10_000;
  /** From it on a bond that the other end has lost ends its links. */
  private static final int API_OF_BONDS_THAT_STAY = 36;

  /** A device of the room whose app is in this JVM. */
  public static final class Device {
    private final String name;
    private final Map<String, Object> entry = new LinkedHashMap<>();
    private int apiLevel = Phone.defaultApiLevel();
    private Consumer<Context> app = context -> {};
    private final List<Map<String, Object>> remarks = new ArrayList<>();
    private Phone phone;
    private String address = "";

    Device(String name) {
      this.name = name;
      entry.put("protocol", "none");
      entry.put("phone", "android");
    }

    /** What its scenario says of it, for example {@code phone} or {@code at}. */
    public Device with(String key, Object value) {
      entry.put(key, value);
      return this;
    }

    /** 26 to 36. */
    public Device api(int level) {
      apiLevel = level;
      return this;
    }

    /** What its app does when it is launched, on the main thread; again after a relaunch. */
    public Device app(Consumer<Context> launch) {
      app = launch;
      return this;
    }

    /**
     * An app by the name of its class, whose classes are loaded again for each launch: with static fields of its own, as
     * a process has them. It implements {@code Consumer<Context>}, and its constructor takes what it shares with the
     * test, which is of a class of the JDK.
     */
    public Device app(String className, Object shared) {
      app = context -> Isolated.launch(className, shared, context);
      return this;
    }

    public String name() {
      return name;
    }

    /** Its address, once the room is open. */
    public String address() {
      return address;
    }

    /** The process of its app; null before it is launched. */
    public Phone phone() {
      return phone;
    }

    /** What a phone would have logged, in order. */
    public List<Map<String, Object>> remarks() {
      return remarks;
    }

    /** Whether a remark with this id was made. */
    public boolean hasRemark(String id) {
      return remarks.stream().anyMatch(each -> id.equals(each.get("id")));
    }
  }

  private final Map<String, Device> devices = new LinkedHashMap<>();
  private final Map<String, Object> scenario = new LinkedHashMap<>();
  private final Map<String, Object> entries = new LinkedHashMap<>();
  private final Scheduler scheduler = new Scheduler(EPOCH);
  private final RoomPipe pipe;
  private final long seed;
  private boolean isOpen;
  private boolean isOver;
  private Map<String, Object> outcome;
  private String out;

  public Room(long seed) {
    this.seed = seed;
    pipe = RoomPipe.take();
    scenario.put("devices", entries);
  }

  /** A key of the scenario, for example {@code radio}. */
  public Room with(String key, Object value) {
    scenario.put(key, value);
    return this;
  }

  /** The folder that gets trace, captures and timeline. */
  public Room out(String folder) {
    out = folder;
    return this;
  }

  /** A phone whose app is in this JVM. */
  public Device phone(String name) {
    Device device = new Device(name);
    devices.put(name, device);
    entries.put(name, device.entry);
    return device;
  }

  /** A device that the bench plays, as its scenario says. */
  public Room device(String name, Map<String, Object> entry) {
    entries.put(name, entry);
    return this;
  }

  public double now() {
    return scheduler.now() / 1e9;
  }

  // Time

  /** Lets so many seconds pass. */
  public void run(double seconds) {
    advance(scheduler.now() + Math.round(seconds * 1e9), () -> false);
  }

  /** Lets time pass until something is so; fails when it is not within so many seconds. */
  public void until(String what, double seconds, BooleanSupplier condition) {
    if (!advance(scheduler.now() + Math.round(seconds * 1e9), condition)) {
      throw new AssertionError(what + ": not within " + seconds + " s, at " + now() + " s");
    }
  }

  /** Whether something is so within so many seconds. */
  public boolean within(double seconds, BooleanSupplier condition) {
    return advance(scheduler.now() + Math.round(seconds * 1e9), condition);
  }

  /** Does something on the main thread of a phone and waits until that has returned, at most a minute of the room. */
  public <T> T call(Device device, Supplier<T> task) {
    open();
    Object[] result = new Object[2];
    device.phone.run(() -> {
      try {
        result[0] = task.get();
        result[1] = Boolean.TRUE;
      } catch (RuntimeException | Error problem) {
        result[1] = problem;
      }
    });
    advance(scheduler.now() + 60_000_000_000L, () -> result[1] != null);
    if (result[1] instanceof RuntimeException) throw (RuntimeException) result[1];
    if (result[1] instanceof Error) throw (Error) result[1];
    if (result[1] == null) throw new AssertionError("it has not returned within 60 s");
    @SuppressWarnings("unchecked")
    T value = (T) result[0];
    return value;
  }

  /** Does something on the main thread of a phone. */
  public void run(Device device, Runnable task) {
    call(device, () -> {
      task.run();
      return null;
    });
  }

  /** A step of scenarios, for example {@code vanish} or <code>failure: { of: connect, code: 133 }</code>. */
  public void act(Device device, String words) {
    act(device.name, words);
  }

  /** The same to a device of {@link #device}, by its name. */
  public void act(String device, String words) {
    open();
    Map<String, Object> line = Words.word("act", "device", device, "words", words, "effects", effects());
    take(pipe.ask(line));
    settle();
  }

  /**
   * Says of a phone with Android what depends on the level of its app, where its scenario does not: up to level 35 it
   * pairs again with a peer that has lost their bond.
   */
  private static void addHabits(Device device) {
    Object phone = device.entry.get("phone");
    Map<String, Object> habits = new LinkedHashMap<>();
    if (phone instanceof Map) {
      for (Map.Entry<?, ?> each : ((Map<?, ?>) phone).entrySet()) habits.put((String) each.getKey(), each.getValue());
    } else {
      habits.put("preset", phone);
    }
    if (!"android".equals(habits.get("preset")) || device.apiLevel >= API_OF_BONDS_THAT_STAY) return;
    habits.putIfAbsent("lost bond", "pairs again");
    device.entry.put("phone", habits);
  }

  /** What a phone of a scenario has of Bluetooth that not every phone has. */
  private static java.util.List<String> features(Object phone) {
    java.util.List<String> names = new ArrayList<>();
    if (!(phone instanceof Map) || !isYes(((Map<?, ?>) phone).get("extended advertising"))) return names;
    names.add("extendedAdvertising");
    if (isYes(((Map<?, ?>) phone).get("coded"))) names.add("leCoded");
    return names;
  }

  private static boolean isYes(Object value) {
    return Boolean.TRUE.equals(value) || "yes".equals(value);
  }

  /** Opens the room, which happens by itself with the first instant. */
  public Room open() {
    if (isOpen) return this;
    isOpen = true;
    for (Device device : devices.values()) addHabits(device);
    Map<String, Object> line = Words.word("room", "seed", Long.toUnsignedString(seed), "apps",
        new ArrayList<>(devices.keySet()), "text", Json.write(scenario));
    if (out != null) line.put("out", out);
    Map<String, Object> answer = pipe.ask(line);
    for (Map<String, Object> each : Words.list(answer, "devices")) {
      Device device = devices.get(Words.text(each, "name"));
      if (device != null) device.address = Words.text(each, "address");
    }
    advance(0, () -> false);
    return this;
  }

  private List<Object> effects() {
    List<Object> all = new ArrayList<>();
    for (Device device : devices.values()) {
      if (device.phone == null) continue;
      if (device.phone.crash() != null) {
        throw new AssertionError("the app of " + device.name + " has crashed", device.phone.crash());
      }
      for (Map<String, Object> each : device.phone.takeEffects()) {
        if ("remark".equals(each.get("name"))) device.remarks.add(each);
        Map<String, Object> word = new LinkedHashMap<>();
        word.put("device", device.name);
        word.putAll(each);
        all.add(word);
      }
    }
    return all;
  }

  /** Whether the condition held. */
  private boolean advance(long to, BooleanSupplier condition) {
    open();
    while (true) {
      settle();
      if (condition.getAsBoolean()) return true;
      boolean isThere = scheduler.now() >= to;
      long next = Math.min(to, Math.max(scheduler.now(), scheduler.nextDeadline()));
      List<Object> effects = effects();
      Map<String, Object> answer = pipe.ask(Words.word("advance", "to", next, "effects", effects));
      take(answer);
      boolean isQuiet = effects.isEmpty() && Words.list(answer, "inputs").isEmpty();
      if (isThere && isQuiet && scheduler.nextDeadline() > to) return condition.getAsBoolean();
    }
  }

  private void settle() {
    scheduler.runUntilIdle();
  }

  private void take(Map<String, Object> answer) {
    scheduler.advance(Words.wide(answer, "at"));
    settle();
    if (answer.get("breakdown") != null) throw new AssertionError("breakdown: " + answer.get("breakdown"));
    int rounds = 0;
    for (Map<String, Object> input : Words.list(answer, "inputs")) {
      Device device = devices.get(Words.text(input, "device"));
      if (device == null) continue;
      if (++rounds > MOST_ROUNDS) throw new AssertionError("too many inputs at one instant");
      String name = Words.text(input, "name");
      if (name.equals("launched")) {
        launch(device, Words.wide(input, "launch"));
      } else if (name.equals("ended")) {
        if (device.phone != null) device.phone.kill();
        device.phone = null;
      } else if (device.phone == null) {
        continue;
      } else if (name.equals("suspended")) {
        scheduler.freeze(device.phone);
      } else if (name.equals("woken")) {
        scheduler.thaw(device.phone);
      } else {
        device.phone.receive(input);
      }
      settle();
    }
  }

  private void launch(Device device, long number) {
    if (device.phone != null) device.phone.kill();
    long own = seed * 0x9E3779B97F4A7C15L + device.name.hashCode() * 31L + number;
    Phone phone = new Phone(scheduler, device.name, own, device.apiLevel);
    device.phone = phone;
    phone.setFeatures(features(device.entry.get("phone")));
    phone.run(() -> device.app.accept(phone.context()));
  }

  /** Ends the room; its digest is the same whenever the same was done with the same seed. */
  public String digest() {
    finish();
    return Words.text(outcome, "digest");
  }

  /** Ends the room; what the bench says of it. */
  public Map<String, Object> outcome() {
    finish();
    return outcome;
  }

  private void finish() {
    if (outcome != null) return;
    open();
    outcome = pipe.ask(Words.word("finish"));
    end();
  }

  private void end() {
    if (isOver) return;
    isOver = true;
    scheduler.kill(null);
  }

  @Override
  public void close() {
    if (isOpen && outcome == null) finish();
    end();
    pipe.giveBack();
  }
}
