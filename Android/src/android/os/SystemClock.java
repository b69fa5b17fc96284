package android.os;

import babbench.android.Phone;
import babbench.jvm.Hooks;

/** The room's clock: it began with the phone, and stands still while apps compute. */
public final class SystemClock {
  private SystemClock() {}

  public static long uptimeMillis() {
    return elapsedRealtimeNanos() / 1_000_000;
  }

  public static long elapsedRealtime() {
    return elapsedRealtimeNanos() / 1_000_000;
  }

  public static long elapsedRealtimeNanos() {
    return Phone.current().scheduler().now();
  }

  public static long currentThreadTimeMillis() {
    return uptimeMillis();
  }

  /** Sleeps in virtual time; an interrupt is kept for later. */
  public static void sleep(long milliseconds) {
    long until = uptimeMillis() + milliseconds;
    boolean wasInterrupted = false;
    for (long left = milliseconds; left > 0; left = until - uptimeMillis()) {
      try {
        Hooks.sleep(left);
      } catch (InterruptedException interrupted) {
        wasInterrupted = true;
      }
    }
    if (wasInterrupted) Thread.currentThread().interrupt();
  }
}
