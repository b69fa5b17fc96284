package babbench.android;

import android.content.Context;
import android.os.Handler;
import android.os.Looper;
import babbench.android.stack.Stack;
import babbench.jvm.Fiber;
import babbench.jvm.Randomness;
import babbench.jvm.Scheduler;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A phone with Android, and the process of one app on it: the main thread, the binder threads, and the Bluetooth stack
 * of the system, which speaks the words of the seam.
 *
 * <p>Whoever drives it gives it one input at a time by {@link #receive}, lets its threads run, and takes its effects.
 */
public final class Phone {
  private static final ThreadLocal<Phone> AMBIENT = new ThreadLocal<>();

  private final Scheduler scheduler;
  private final String name;
  private final int apiLevel;
  private final java.util.Set<String> features = new java.util.HashSet<>();
  private final Binders binders = new Binders(this);
  private final Map<Thread, Integer> threadNumbers = new IdentityHashMap<>();
  private final Stack stack;
  private List<Map<String, Object>> effects = new ArrayList<>();
  private final List<Consumer<Map<String, Object>>> listeners = new ArrayList<>();
  private Looper mainLooper;
  private final Context context;
  private Throwable crash;

  /**
   * @param scheduler whose time it has; several phones may share one
   * @param name of the device
   * @param seed of all that its app draws
   * @param apiLevel 26 to 36
   */
  public Phone(Scheduler scheduler, String name, long seed, int apiLevel) {
    this.scheduler = scheduler;
    this.name = name;
    this.apiLevel = apiLevel;
    Randomness.seed(this, seed);
    scheduler.onUncaught((fiber, problem) -> ((Phone) fiber.owner()).crashed(fiber, problem));
    stack = new Stack(this);
    context = Context.ofPhone(this);
    scheduler.spawn("main", this, () -> {
      Looper.prepare();
      mainLooper = Looper.myLooper();
      Looper.loop();
    });
    scheduler.runUntilIdle();
  }

  // For apps and the classes of Android

  /** The phone of the thread that asks: that of its app, or the one that {@link #use} named. */
  public static Phone current() {
    Fiber fiber = Fiber.current();
    if (fiber != null && fiber.owner() instanceof Phone) return (Phone) fiber.owner();
    Phone phone = AMBIENT.get();
    if (phone == null) throw new IllegalStateException("this thread belongs to no phone");
    return phone;
  }

  /** Says whose phone the calling thread means, if it belongs to none; for example that of a test. */
  public static void use(Phone phone) {
    AMBIENT.set(phone);
  }

  /** The API level of the phone of the thread that asks; what {@code Build.VERSION.SDK_INT} of an app becomes. */
  public static int sdk() {
    Fiber fiber = Fiber.current();
    if (fiber != null && fiber.owner() instanceof Phone) return ((Phone) fiber.owner()).apiLevel;
    Phone phone = AMBIENT.get();
    return phone == null ? defaultApiLevel() : phone.apiLevel;
  }

  /** The property {@code babbench.api}, else 34. */
  public static int defaultApiLevel() {
    return Integer.getInteger("babbench.api", 34);
  }

  /** The version of Android of an API level, 26 to 36. */
  public static String releaseOf(int apiLevel) {
    String[] names = {"8.0.0", "8.1.0", "9", "10", "11", "12", "12", "13", "14", "15", "16"};
    return names[Math.max(0, Math.min(names.length - 1, apiLevel - 26))];
  }

  public Scheduler scheduler() {
    return scheduler;
  }

  public String name() {
    return name;
  }

  public int apiLevel() {
    return apiLevel;
  }

  /** Says what it has of Bluetooth that not every phone has: {@code extendedAdvertising}, {@code leCoded}. */
  public void setFeatures(java.util.Collection<?> names) {
    for (Object each : names) features.add((String) each);
  }

  /** Whether it has something of Bluetooth that not every phone has. */
  public boolean hasFeature(String name) {
    return features.contains(name);
  }

  public Looper mainLooper() {
    return mainLooper;
  }

  public Context context() {
    return context;
  }

  public Stack stack() {
    return stack;
  }

  /** The number of a thread in this process. */
  public int threadNumber(Thread thread) {
    return threadNumbers.computeIfAbsent(thread, key -> 1_001 + threadNumbers.size());
  }

  /** Calls back on a binder thread. */
  public void call(Object node, Runnable call) {
    binders.call(node, call);
  }

  /** Drops what an interface has not been told yet. */
  public void forget(Object node) {
    binders.forget(node);
  }

  /** Does something on the app's main thread. */
  public void run(Runnable task) {
    new Handler(mainLooper).post(task);
  }

  // For those who drive

  /** Asks something of the platform, or reports something. */
  public void ask(String word, Object... members) {
    effects.add(Words.word(word, members));
  }

  /** Asks or reports with members of a map. */
  public void ask(Map<String, Object> word) {
    effects.add(word);
  }

  /** Says what a phone would log: kind {@code misuse}, {@code exception}, {@code limit} or {@code note}. */
  public void remark(String kind, String id, String text) {
    ask("remark", "kind", kind, "id", id, "text", text);
  }

  /** What has been asked since the last time. */
  public List<Map<String, Object>> takeEffects() {
    List<Map<String, Object>> taken = effects;
    effects = new ArrayList<>();
    return taken;
  }

  /** Is told every input that is not about Bluetooth, on the main thread. */
  public void onInput(Consumer<Map<String, Object>> listener) {
    listeners.add(listener);
  }

  /** Takes one input. Threads run afterwards, by {@link Scheduler#runUntilIdle}. */
  public void receive(Map<String, Object> input) {
    if (stack.take(input)) return;
    for (Consumer<Map<String, Object>> listener : listeners) run(() -> listener.accept(input));
  }

  /** Why the app has crashed, or null. */
  public Throwable crash() {
    return crash;
  }

  private void crashed(Fiber fiber, Throwable problem) {
    if (crash != null) return;
    crash = problem;
    System.err.println("FATAL EXCEPTION: " + fiber.thread().getName() + String.format(Locale.ROOT, " of %s", name));
    problem.printStackTrace();
  }

  /** Ends the process. */
  public void kill() {
    scheduler.kill(this);
  }
}
