package babbench.android;

import babbench.jvm.Fiber;
import babbench.jvm.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The binder threads of a process, on which the system calls back. Calls to one interface come one after the other;
 * those to another one may come on another thread meanwhile, so that a callback that blocks holds up its own interface
 * only.
 *
 * <p>At most 16 threads, as a process of Android has.
 */
final class Binders {
  private static final int MOST = 16;

  private static final class Lane {
    final ArrayDeque<Runnable> calls = new ArrayDeque<>();
    boolean isBusy;
  }

  private final Phone phone;
  private final Map<Object, Lane> lanes = new IdentityHashMap<>();
  private final ArrayDeque<Lane> waiting = new ArrayDeque<>();
  private final List<Fiber> idle = new ArrayList<>();
  private int count;

  Binders(Phone phone) {
    this.phone = phone;
  }

  /** Calls an interface, after all earlier calls of the same one. */
  void call(Object node, Runnable call) {
    Lane lane = lanes.computeIfAbsent(node, key -> new Lane());
    lane.calls.add(call);
    if (lane.isBusy || waiting.contains(lane)) return;
    waiting.add(lane);
    if (!idle.isEmpty()) {
      phone.scheduler().wake(idle.remove(idle.size() - 1));
    } else if (count < MOST) {
      count++;
      phone.scheduler().spawn("Binder:1000_" + count, phone, this::work);
    }
  }

  private void work() {
    Fiber own = Fiber.current();
    while (true) {
      Lane lane = waiting.poll();
      if (lane == null) {
        idle.add(own);
        phone.scheduler().block(Scheduler.NEVER);
        continue;
      }
      lane.isBusy = true;
      try {
        lane.calls.poll().run();
      } finally {
        lane.isBusy = false;
      }
      if (!lane.calls.isEmpty()) waiting.add(lane);
    }
  }

  void forget(Object node) {
    Lane lane = lanes.remove(node);
    if (lane != null) lane.calls.clear();
    waiting.remove(lane);
  }
}
