package babbench.android.stack;

import babbench.android.Words;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Requests over one link, in their order: the next one begins when the last one is answered. So it is in the stack,
 * below the rule of {@code BluetoothGatt} that an app has one operation under way.
 */
final class OperationQueue {
  private static final class Operation {
    final Map<String, Object> word;
    final String answer;
    final Consumer<Map<String, Object>> done;
    final Object owner;
    boolean waitsForRoom;

    Operation(Map<String, Object> word, String answer, Object owner, Consumer<Map<String, Object>> done) {
      this.word = word;
      this.answer = answer;
      this.owner = owner;
      this.done = done;
    }
  }

  private final Link link;
  private final ArrayDeque<Operation> waiting = new ArrayDeque<>();
  private Operation current;

  OperationQueue(Link link) {
    this.link = link;
  }

  /** Asks when what was asked before is answered. */
  void add(Object owner, Map<String, Object> word, String answer, Consumer<Map<String, Object>> done) {
    waiting.add(new Operation(word, answer, owner, done));
    next();
  }

  /** Asks before what else waits: the next step of something that has begun. */
  void addFirst(Object owner, Map<String, Object> word, String answer, Consumer<Map<String, Object>> done) {
    waiting.addFirst(new Operation(word, answer, owner, done));
    next();
  }

  private void next() {
    if (current != null || waiting.isEmpty()) return;
    current = waiting.poll();
    link.stack.phone.ask(current.word);
  }

  /** Drops what has not been asked yet. */
  void forget(Object owner) {
    waiting.removeIf(each -> each.owner == owner);
  }

  /** Whether the input answers what is under way. */
  boolean take(Map<String, Object> input) {
    String name = Words.text(input, "name");
    if (current == null) return false;
    if (name.equals("readyToSend")) {
      if (!current.waitsForRoom) return false;
      current.waitsForRoom = false;
      link.stack.phone.ask(current.word);
      return true;
    }
    if (!name.equals(current.answer)) return false;
    Object handle = current.word.get("handle");
    if (handle != null && Words.number(current.word, "handle") != Words.number(input, "handle")) return false;
    if (name.equals("gatt.submitted") && !Words.flag(input, "accepted")) {
      current.waitsForRoom = true;
      return true;
    }
    Operation answered = current;
    current = null;
    answered.done.accept(input);
    next();
    return true;
  }
}
