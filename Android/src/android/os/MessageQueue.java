package android.os;

import babbench.jvm.Fiber;
import babbench.jvm.Scheduler;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/** The messages of a {@link Looper}, in the order of their instants, and where those are equal, of posting. */
public final class MessageQueue {
  /** Is asked when the queue has nothing to do now. */
  public interface IdleHandler {
    boolean queueIdle();
  }

  private final Fiber fiber;
  private final List<Message> messages = new ArrayList<>();
  private final List<IdleHandler> idleHandlers = new ArrayList<>();
  private boolean isQuitting;

  MessageQueue(Fiber fiber) {
    this.fiber = fiber;
  }

  public void addIdleHandler(IdleHandler handler) {
    idleHandlers.add(handler);
  }

  public void removeIdleHandler(IdleHandler handler) {
    idleHandlers.remove(handler);
  }

  public boolean isIdle() {
    return messages.isEmpty() || messages.get(0).when > now();
  }

  long now() {
    return fiber.scheduler().now() / 1_000_000;
  }

  boolean add(Message message) {
    if (isQuitting) return false;
    int place = messages.size();
    while (place > 0 && messages.get(place - 1).when > message.when) place--;
    messages.add(place, message);
    if (place == 0) fiber.scheduler().wake(fiber);
    return true;
  }

  boolean addFirst(Message message) {
    if (isQuitting) return false;
    messages.add(0, message);
    fiber.scheduler().wake(fiber);
    return true;
  }

  void remove(Predicate<Message> unwanted) {
    messages.removeIf(unwanted);
  }

  boolean has(Predicate<Message> wanted) {
    return messages.stream().anyMatch(wanted);
  }

  void quit(boolean safely) {
    isQuitting = true;
    long now = now();
    messages.removeIf(message -> !safely || message.when > now);
    fiber.scheduler().wake(fiber);
  }

  /** Waits for the next message that is due; null when the looper has been quit. */
  Message next() {
    while (true) {
      if (!messages.isEmpty() && messages.get(0).when <= now()) return messages.remove(0);
      if (isQuitting) return null;
      for (Iterator<IdleHandler> each = new ArrayList<>(idleHandlers).iterator(); each.hasNext();) {
        IdleHandler handler = each.next();
        if (!handler.queueIdle()) idleHandlers.remove(handler);
      }
      if (!messages.isEmpty() && messages.get(0).when <= now()) continue;
      long until = messages.isEmpty() ? Scheduler.NEVER : messages.get(0).when * 1_000_000;
      fiber.scheduler().block(until);
    }
  }
}
