package babbench.jvm;

import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** The common pool and the timer of futures, for one app. Their threads are made by the app's own, and end with it. */
final class Pools {
  private static final Map<Object, Pools> ALL = new WeakHashMap<>();
  private static final int WORKERS = 3;

  private ForkJoinPool workers;
  private ScheduledThreadPoolExecutor timer;

  static Pools of(Object owner) {
    synchronized (ALL) {
      return ALL.computeIfAbsent(owner, key -> new Pools());
    }
  }

  synchronized ForkJoinPool workers() {
    if (workers == null) workers = new ForkJoinPool(WORKERS);
    return workers;
  }

  synchronized ScheduledThreadPoolExecutor timer() {
    if (timer != null) return timer;
    timer = new ScheduledThreadPoolExecutor(1, task -> {
      Thread thread = new Thread(task, "CompletableFutureDelayScheduler");
      thread.setDaemon(true);
      return thread;
    });
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }
}
