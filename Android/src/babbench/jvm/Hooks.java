package babbench.jvm;

import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What rewritten code calls in place of the JDK. A thread that is no {@link Fiber} gets what the JDK would have done.
 *
 * <p>Public because code of every class loader calls it; not for people.
 */
public final class Hooks {
  /** What threads that are no fibers have in place of all monitors of rewritten code. */
  private static final ReentrantLock REAL = new ReentrantLock();
  private static final Condition CHANGED = REAL.newCondition();

  private Hooks() {}

  // Clocks

  public static long nanoTime() {
    Fiber fiber = Fiber.current();
    return fiber == null ? System.nanoTime() : fiber.scheduler.now();
  }

  public static long currentTimeMillis() {
    Fiber fiber = Fiber.current();
    return fiber == null ? System.currentTimeMillis() : fiber.scheduler.currentTimeMillis();
  }

  /** In place of the JDK's own for {@code java.time.Clock}: nanoseconds of the day, after so many seconds. */
  public static long nanoTimeAdjustment(long seconds) {
    Fiber fiber = Fiber.current();
    if (fiber == null) return jdk.internal.misc.VM.getNanoTimeAdjustment(seconds);
    long milliseconds = fiber.scheduler.currentTimeMillis();
    return (milliseconds - seconds * 1_000) * 1_000_000 + fiber.scheduler.now() % 1_000_000;
  }

  // Threads

  /** {@code Thread.start} has been called. */
  public static void starting(Thread thread) {
    Fiber fiber = Fiber.current();
    if (fiber == null || Fiber.of(thread) != null || thread.getState() != Thread.State.NEW) return;
    // A pool whose thread is killed starts another one, which would never end.
    if (fiber.isKilled) throw new Killed();
    thread.setDaemon(true);
    fiber.scheduler.adopt(thread, fiber.owner);
  }

  /** A method {@code run} begins, of any class. */
  public static void began(Object runnable) {
    if (!(runnable instanceof Thread)) return;
    Thread thread = (Thread) runnable;
    if (thread != Thread.currentThread()) return;
    Fiber fiber = Fiber.of(thread);
    if (fiber == null || fiber.hasBegun) return;
    fiber.begin();
    seed(thread, fiber);
  }

  static void seed(Thread thread, Fiber fiber) {
    Randomness.seed(thread, fiber.owner);
  }

  /** The JVM ends a thread. */
  public static void ended(Thread thread) {
    Fiber fiber = Fiber.of(thread);
    if (fiber != null) fiber.scheduler.ended(fiber);
  }

  /** {@code Thread.interrupt} has been called. */
  public static void interrupting(Thread thread) {
    Fiber fiber = Fiber.of(thread);
    if (fiber != null && fiber.thread != Thread.currentThread() && fiber.entering == null) fiber.scheduler.wake(fiber);
  }

  public static void yield() {
    Fiber fiber = Fiber.current();
    if (fiber == null) Thread.yield();
    else fiber.scheduler.pause(fiber);
  }

  public static void sleep(long milliseconds) throws InterruptedException {
    sleep(milliseconds, 0);
  }

  public static void sleep(long milliseconds, int nanoseconds) throws InterruptedException {
    Fiber fiber = Fiber.current();
    if (fiber == null) {
      Thread.sleep(milliseconds, nanoseconds);
      return;
    }
    if (milliseconds < 0) throw new IllegalArgumentException("timeout value is negative");
    long until = after(fiber, milliseconds, nanoseconds);
    do {
      if (Thread.interrupted()) throw new InterruptedException("sleep interrupted");
      fiber.scheduler.block(until);
    } while (fiber.scheduler.now() < until);
    if (Thread.interrupted()) throw new InterruptedException("sleep interrupted");
  }

  public static void join(Thread thread) throws InterruptedException {
    join(thread, 0);
  }

  public static void join(Thread thread, long milliseconds) throws InterruptedException {
    Fiber fiber = Fiber.current();
    Fiber other = Fiber.of(thread);
    if (fiber == null || other == null) {
      thread.join(milliseconds);
      return;
    }
    long until = milliseconds == 0 ? Scheduler.NEVER : after(fiber, milliseconds, 0);
    fiber.waitingOn = thread;
    try {
      while (!other.hasEnded && fiber.scheduler.now() < until) {
        if (Thread.interrupted()) throw new InterruptedException();
        fiber.scheduler.block(until);
      }
    } finally {
      fiber.waitingOn = null;
    }
    // It has nothing left to do but to die.
    if (other.hasEnded) thread.join();
  }

  private static long after(Fiber fiber, long milliseconds, int nanoseconds) {
    long now = fiber.scheduler.now();
    return milliseconds >= (Scheduler.NEVER - now) / 1_000_000 - 1 ? Scheduler.NEVER
        : now + milliseconds * 1_000_000 + nanoseconds;
  }

  // What all of java.util.concurrent rests on

  public static void park(jdk.internal.misc.Unsafe unsafe, boolean isAbsolute, long time) {
    Fiber fiber = Fiber.current();
    if (fiber == null) {
      unsafe.park(isAbsolute, time);
      return;
    }
    if (fiber.hasPermit) {
      fiber.hasPermit = false;
      return;
    }
    if (fiber.thread.isInterrupted()) return;
    long until = Scheduler.NEVER;
    long now = fiber.scheduler.now();
    if (isAbsolute) until = now + Math.max(0, time - fiber.scheduler.currentTimeMillis()) * 1_000_000;
    else if (time != 0) until = time >= Scheduler.NEVER - now ? Scheduler.NEVER : now + time;
    fiber.scheduler.block(until);
    fiber.hasPermit = false;
  }

  public static void unpark(jdk.internal.misc.Unsafe unsafe, Object thread) {
    Fiber fiber = thread == null ? null : Fiber.of((Thread) thread);
    if (fiber == null) unsafe.unpark(thread);
    else fiber.scheduler.unpark(fiber);
  }

  // Monitors: while only one thread runs, one is contended only if its owner has blocked

  public static void enter(Object object) {
    if (object == null) throw new NullPointerException("synchronized (null)");
    Fiber fiber = Fiber.current();
    if (fiber == null) {
      REAL.lock();
      return;
    }
    while (isHeldByAnother(fiber, object)) {
      fiber.entering = object;
      fiber.scheduler.block(Scheduler.NEVER);
      fiber.entering = null;
    }
    fiber.hold(object);
  }

  public static void exit(Object object) {
    Fiber fiber = Fiber.current();
    if (fiber == null) {
      if (REAL.isHeldByCurrentThread()) REAL.unlock();
      return;
    }
    if (!fiber.release(object)) return;
    wakeEntering(fiber, object);
  }

  private static boolean isHeldByAnother(Fiber fiber, Object object) {
    for (Fiber other : fiber.scheduler.fibers) {
      if (other != fiber && other.holdsAny() && other.holds(object)) return true;
    }
    return false;
  }

  private static void wakeEntering(Fiber fiber, Object object) {
    if (fiber.holds(object)) return;
    for (Fiber other : fiber.scheduler.fibers) if (other.entering == object) fiber.scheduler.wake(other);
  }

  public static boolean holdsLock(Object object) {
    Fiber fiber = Fiber.current();
    return fiber == null ? REAL.isHeldByCurrentThread() : fiber.holds(object);
  }

  public static void wait(Object object) throws InterruptedException {
    wait(object, 0);
  }

  public static void wait(Object object, long milliseconds, int nanoseconds) throws InterruptedException {
    wait(object, nanoseconds > 0 ? milliseconds + 1 : milliseconds);
  }

  public static void wait(Object object, long milliseconds) throws InterruptedException {
    Fiber fiber = Fiber.current();
    if (fiber == null) {
      if (milliseconds == 0) CHANGED.await();
      else CHANGED.await(milliseconds, TimeUnit.MILLISECONDS);
      return;
    }
    if (!fiber.holds(object)) throw new IllegalMonitorStateException("current thread is not owner");
    if (Thread.interrupted()) throw new InterruptedException();
    int times = 0;
    while (fiber.release(object)) times++;
    wakeEntering(fiber, object);
    fiber.waitingOn = object;
    try {
      fiber.scheduler.block(milliseconds == 0 ? Scheduler.NEVER : after(fiber, milliseconds, 0));
    } finally {
      fiber.waitingOn = null;
    }
    for (int time = 0; time < times; time++) enter(object);
    if (Thread.interrupted()) throw new InterruptedException();
  }

  public static void notify(Object object) {
    notify(object, false);
  }

  public static void notifyAll(Object object) {
    notify(object, true);
  }

  private static void notify(Object object, boolean all) {
    Fiber fiber = Fiber.current();
    if (fiber == null) {
      CHANGED.signalAll();
      return;
    }
    if (!fiber.holds(object)) throw new IllegalMonitorStateException("current thread is not owner");
    for (Fiber other : fiber.scheduler.fibers) {
      if (other.waitingOn != object || !other.isBlocked) continue;
      fiber.scheduler.wake(other);
      if (!all) return;
    }
  }

  // Pools of the JDK that all code of a process shares: one for each app

  public static ForkJoinPool commonPool() {
    Fiber fiber = Fiber.current();
    return fiber == null ? ForkJoinPool.commonPool() : Pools.of(fiber.owner).workers();
  }

  /** In place of the pool of {@code CompletableFuture}. */
  public static Executor asyncPool() {
    return commonPool();
  }

  /** In place of the timer of {@code CompletableFuture}. */
  public static ScheduledFuture<?> delay(Runnable task, long delay, TimeUnit unit) {
    Fiber fiber = Fiber.current();
    return Pools.of(fiber == null ? Hooks.class : fiber.owner).timer().schedule(task, delay, unit);
  }

  // Randomness

  /** For {@code new Random()}. */
  public static long seed() {
    Random random = Randomness.current();
    return random == null ? System.nanoTime() * 0x9E3779B97F4A7C15L : random.nextLong();
  }

  public static double random() {
    Random random = Randomness.current();
    return random == null ? Math.random() : random.nextDouble();
  }

  public static UUID randomUUID() {
    Random random = Randomness.current();
    if (random == null) return UUID.randomUUID();
    byte[] octets = new byte[16];
    random.nextBytes(octets);
    long high = 0;
    long low = 0;
    for (int index = 0; index < 8; index++) high = high << 8 | (octets[index] & 0xFF);
    for (int index = 8; index < 16; index++) low = low << 8 | (octets[index] & 0xFF);
    return new UUID(high & ~0xF000L | 0x4000L, low & 0x3FFFFFFFFFFFFFFFL | 0x8000000000000000L);
  }

  /** For {@code nextBytes} of any generator: {@code SecureRandom} draws from the seed too. */
  public static void nextBytes(Random generator, byte[] octets) {
    Random random = generator instanceof java.security.SecureRandom ? Randomness.current() : null;
    (random == null ? generator : random).nextBytes(octets);
  }
}
