package babbench.jvm;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A Java thread that runs only while its {@link Scheduler} has handed it the baton. */
public final class Fiber {
  private static final Map<Thread, Fiber> ALL = new ConcurrentHashMap<>();

  final Scheduler scheduler;
  final Thread thread;
  final Object owner;

  /** What the thread of this fiber holds, in the order of entering; the same object may be there several times. */
  private Object[] held = new Object[4];
  private int heldCount;

  /** The object in whose {@code wait} this fiber is, or null. */
  Object waitingOn;

  /** The object that this fiber wants to enter, or null. */
  Object entering;
  boolean isBlocked;
  boolean hasPermit;
  boolean hasEnded;
  boolean isKilled;
  boolean hasBegun;

  /** Counts the times it was blocked, so that a deadline of an earlier time is known as such. */
  long generation;

  /** Guarded by this fiber's monitor. */
  private boolean mayRun;

  Fiber(Scheduler scheduler, Thread thread, Object owner) {
    this.scheduler = scheduler;
    this.thread = thread;
    this.owner = owner;
    ALL.put(thread, this);
  }

  /** The fiber of the thread that asks, or null for a thread that runs in real time. */
  public static Fiber current() {
    // No ThreadLocal: workers of the common pool lose theirs after each task.
    return ALL.get(Thread.currentThread());
  }

  static Fiber of(Thread thread) {
    return ALL.get(thread);
  }

  /** What this fiber belongs to, as it was given to {@link Scheduler#spawn}. */
  public Object owner() {
    return owner;
  }

  public Thread thread() {
    return thread;
  }

  public Scheduler scheduler() {
    return scheduler;
  }

  public boolean hasEnded() {
    return hasEnded;
  }

  /** The first thing that its thread does: waits for its first turn. */
  void begin() {
    hasBegun = true;
    awaitTurn();
  }

  void forget() {
    ALL.remove(thread);
  }

  /** Lets its thread run. */
  synchronized void resume() {
    mayRun = true;
    notify();
  }

  /** Blocks its thread, in real time, until it may run. */
  void awaitTurn() {
    boolean wasInterrupted = false;
    synchronized (this) {
      while (!mayRun) {
        try {
          wait();
        } catch (InterruptedException interrupted) {
          wasInterrupted = true;
        }
      }
      mayRun = false;
    }
    if (wasInterrupted) thread.interrupt();
    if (isKilled) throw new Killed();
  }

  // Monitors

  void hold(Object object) {
    if (heldCount == held.length) held = java.util.Arrays.copyOf(held, heldCount * 2);
    held[heldCount++] = object;
  }

  /** Whether it had it. */
  boolean release(Object object) {
    for (int index = heldCount - 1; index >= 0; index--) {
      if (held[index] != object) continue;
      System.arraycopy(held, index + 1, held, index, heldCount - index - 1);
      held[--heldCount] = null;
      return true;
    }
    return false;
  }

  boolean holdsAny() {
    return heldCount > 0;
  }

  boolean holds(Object object) {
    for (int index = 0; index < heldCount; index++) if (held[index] == object) return true;
    return false;
  }
}
