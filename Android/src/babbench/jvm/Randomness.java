package babbench.jvm;

import java.util.Map;
import java.util.Random;
import java.util.WeakHashMap;

/** One generator for each app, drawn from the seed of its run. */
public final class Randomness {
  private static final Map<Object, Random> GENERATORS = new WeakHashMap<>();
  private static final long SEED = offset("threadLocalRandomSeed");
  private static final long PROBE = offset("threadLocalRandomProbe");
  private static final long NUMBER = offset("tid");

  private Randomness() {}

  /** Gives an app its seed. */
  public static void seed(Object owner, long seed) {
    synchronized (GENERATORS) {
      GENERATORS.put(owner, new Random(seed));
    }
  }

  /** The generator of the app whose thread asks; null for other threads. */
  static Random current() {
    Fiber fiber = Fiber.current();
    return fiber == null ? null : of(fiber.owner);
  }

  private static Random of(Object owner) {
    synchronized (GENERATORS) {
      return GENERATORS.get(owner);
    }
  }

  /** Makes what {@code ThreadLocalRandom} draws on a thread a function of the app's seed. */
  static void seed(Thread thread, Object owner) {
    Random random = of(owner);
    if (random == null || SEED < 0 || PROBE < 0) return;
    jdk.internal.misc.Unsafe unsafe = jdk.internal.misc.Unsafe.getUnsafe();
    unsafe.putLong(thread, SEED, random.nextLong());
    unsafe.putInt(thread, PROBE, random.nextInt() | 1);
  }

  /** Gives a thread that has not been started its id, so that it is the same in every run. */
  static void number(Thread thread, long number) {
    if (NUMBER >= 0) jdk.internal.misc.Unsafe.getUnsafe().putLong(thread, NUMBER, number);
  }

  private static long offset(String name) {
    try {
      return jdk.internal.misc.Unsafe.getUnsafe().objectFieldOffset(Thread.class, name);
    } catch (LinkageError | RuntimeException closed) {
      // Without the agent, this package of the JDK is closed.
      return -1;
    }
  }
}
