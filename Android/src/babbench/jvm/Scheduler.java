package babbench.jvm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Virtual time for real Java threads: one runs at a time, and when all are blocked, whoever drives may let time pass.
 *
 * <p>A thread runs until it blocks; then the one that has been ready for longest runs. So the order of everything is a
 * function of what the threads do, and no real clock is read, except to say that a thread does not come back.
 */
public final class Scheduler {
  /** No deadline. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final long SILENT_MILLISECONDS = 2_000;

  /** Thread ids of virtual threads begin here; those that run in real time have smaller ones. */
  private static final long FIRST_NUMBER = 1_000_000;

  private static final class Deadline implements Comparable<Deadline> {
    final long at;
    final long order;
    final Fiber fiber;
    final long generation;

    Deadline(long at, long order, Fiber fiber) {
      this.at = at;
      this.order = order;
      this.fiber = fiber;
      this.generation = fiber.generation;
    }

    boolean isVoid() {
      return !fiber.isBlocked || fiber.generation != generation;
    }

    @Override
    public int compareTo(Deadline other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
    }
  }

  private final ArrayDeque<Fiber> ready = new ArrayDeque<>();
  private final PriorityQueue<Deadline> deadlines = new PriorityQueue<>();
  private final Set<Object> frozen = new HashSet<>();

  /** Deadlines of those that are frozen. */
  private final List<Deadline> held = new ArrayList<>();
  final List<Fiber> fibers = new ArrayList<>();
  private final Queue<Fiber> fromOutside = new ConcurrentLinkedQueue<>();
  private final long epochMilliseconds;
  private Uncaught uncaught = (fiber, problem) -> problem.printStackTrace();
  private long order;
  private long threadCount;
  private volatile long now;
  private volatile Fiber running;
  private boolean isIdle = true;

  /** What is done about an exception that a thread has not caught. */
  public interface Uncaught {
    void thrown(Fiber fiber, Throwable problem);
  }

  /** @param epochMilliseconds the time of the day at instant 0, as {@code System.currentTimeMillis} has it */
  public Scheduler(long epochMilliseconds) {
    this.epochMilliseconds = epochMilliseconds;
  }

  public void onUncaught(Uncaught handler) {
    uncaught = handler;
  }

  /** Nanoseconds of virtual time. */
  public long now() {
    return now;
  }

  /** The time of the day, in milliseconds. */
  public long currentTimeMillis() {
    return epochMilliseconds + now / 1_000_000;
  }

  // For those who drive

  /** Starts a thread that belongs to something; it has its first turn after those that are ready. */
  public Fiber spawn(String name, Object owner, Runnable body) {
    Fiber[] own = new Fiber[1];
    Thread thread = new Thread(null, () -> {
      if (!own[0].hasBegun) {
        own[0].begin();
        Hooks.seed(own[0].thread, own[0]);
      }
      try {
        body.run();
      } catch (Throwable problem) {
        if (!own[0].isKilled) uncaught.thrown(own[0], problem);
      } finally {
        ended(own[0]);
      }
    }, name, 512 * 1024);
    thread.setDaemon(true);
    own[0] = adopt(thread, owner);
    thread.start();
    return own[0];
  }

  /** Takes a thread that has not been started; it waits for its turn as soon as it has. */
  Fiber adopt(Thread thread, Object owner) {
    // Before anything knows it by its number, which some generators draw from.
    Randomness.number(thread, FIRST_NUMBER + threadCount++);
    Fiber fiber = new Fiber(this, thread, owner);
    thread.setUncaughtExceptionHandler(wrap(fiber, thread.getUncaughtExceptionHandler()));
    fibers.add(fiber);
    ready.add(fiber);
    return fiber;
  }

  private Thread.UncaughtExceptionHandler wrap(Fiber fiber, Thread.UncaughtExceptionHandler given) {
    boolean isOwn = given != null && !(given instanceof ThreadGroup);
    return (thread, problem) -> {
      // What code of an app that is over throws on its way out says nothing.
      if (fiber.isKilled) return;
      Thread.UncaughtExceptionHandler general = Thread.getDefaultUncaughtExceptionHandler();
      if (isOwn) given.uncaughtException(thread, problem);
      else if (general != null) general.uncaughtException(thread, problem);
      else uncaught.thrown(fiber, problem);
    };
  }

  /** Lets threads run until all are blocked. */
  public void runUntilIdle() {
    for (Fiber fiber; (fiber = fromOutside.poll()) != null;) unparkHere(fiber);
    Fiber next = ready.poll();
    if (next == null) return;
    synchronized (this) {
      isIdle = false;
    }
    hand(next);
    Fiber silent = null;
    synchronized (this) {
      while (!isIdle) {
        try {
          wait(SILENT_MILLISECONDS);
        } catch (InterruptedException interrupted) {
          continue;
        }
        if (isIdle || running == silent) continue;
        silent = running;
        report(silent);
      }
    }
  }

  /** Sets the clock, and makes threads ready whose time has come. */
  public void advance(long to) {
    if (to > now) now = to;
    while (nextDeadline() <= now) wake(deadlines.poll().fiber);
  }

  /** The instant at which the next thread wants to run, or {@link #NEVER}. */
  public long nextDeadline() {
    for (Deadline first; (first = deadlines.peek()) != null;) {
      boolean isFrozen = frozen.contains(first.fiber.owner);
      if (!first.isVoid() && !isFrozen) break;
      deadlines.poll();
      if (isFrozen) held.add(first);
    }
    return deadlines.isEmpty() ? NEVER : deadlines.peek().at;
  }

  /** Does not run what an owner's threads wait for until it is thawed: the system has suspended the app. */
  public void freeze(Object owner) {
    frozen.add(owner);
  }

  /** Runs it again; what has become due meanwhile is due now. */
  public void thaw(Object owner) {
    frozen.remove(owner);
    deadlines.addAll(held);
    held.clear();
  }

  /** Ends all threads of an owner, or of everybody (null). For the driver, while all are blocked. */
  public void kill(Object owner) {
    for (Fiber fiber : new ArrayList<>(fibers)) {
      if (owner != null && fiber.owner != owner) continue;
      fiber.isKilled = true;
      if (fiber.isBlocked) wake(fiber);
    }
    runUntilIdle();
  }

  // For threads that have the baton

  /** Blocks the thread that asks until it is woken or the instant has come. */
  public void block(long until) {
    Fiber fiber = running;
    if (until <= now && until != NEVER) {
      pause(fiber);
      return;
    }
    fiber.generation++;
    fiber.isBlocked = true;
    if (until != NEVER) deadlines.add(new Deadline(until, order++, fiber));
    pass(fiber);
  }

  /** Lets those run that are ready, then the one that asks. */
  void pause(Fiber fiber) {
    if (ready.isEmpty()) return;
    ready.add(fiber);
    pass(fiber);
  }

  /** Makes a blocked thread ready; nothing for one that is not blocked. */
  public void wake(Fiber fiber) {
    if (!fiber.isBlocked) return;
    fiber.isBlocked = false;
    ready.add(fiber);
  }

  void unpark(Fiber fiber) {
    Fiber caller = Fiber.current();
    if (caller == null || caller.scheduler != this) fromOutside.add(fiber);
    else unparkHere(fiber);
  }

  private void unparkHere(Fiber fiber) {
    fiber.hasPermit = true;
    if (fiber.waitingOn == null && fiber.entering == null) wake(fiber);
  }

  private void pass(Fiber from) {
    Fiber next = ready.poll();
    if (next == from) return;
    if (next == null) idle();
    else hand(next);
    from.awaitTurn();
  }

  private void hand(Fiber to) {
    running = to;
    to.resume();
  }

  private synchronized void idle() {
    running = null;
    isIdle = true;
    notify();
  }

  /** The last thing of a thread. */
  void ended(Fiber fiber) {
    if (fiber.hasEnded) return;
    fiber.hasEnded = true;
    fibers.remove(fiber);
    fiber.forget();
    for (Fiber other : fibers) if (other.waitingOn == fiber.thread) wake(other);
    Fiber next = ready.poll();
    if (next == null) idle();
    else hand(next);
  }

  private static void report(Fiber fiber) {
    if (fiber == null) return;
    StringBuilder text = new StringBuilder("babbench: thread “" + fiber.thread.getName() + "” has not come back for ");
    text.append(SILENT_MILLISECONDS / 1_000).append(" s; what it does is not virtual, or never ends (")
        .append(fiber.thread.getState()).append(")\n");
    for (StackTraceElement frame : fiber.thread.getStackTrace()) text.append("    at ").append(frame).append('\n');
    System.err.print(text);
  }
}
