package babbench.android.stack;

import babbench.android.Words;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Advertising. A phone of the bench has one advertiser with one address, so that several sets take turns on it: each is
 * on the air for a quarter of a second, and then the next one.
 */
public final class AdvertiseCore {
  /** What is advertised, and who is told. */
  public interface Set {
    /** Services, when nothing but these and a name is advertised; else null. */
    List<java.util.UUID> plainServices();

    /** The name that is advertised, or null. */
    String name();

    byte[] data();

    byte[] scanResponse();

    /** In units of 0.625 ms. */
    int interval();

    boolean isConnectable();

    /** Whether it has a limit of time. */
    boolean isLimited();

    /** On a binder thread: 0, or an error of {@code AdvertiseCallback}. */
    void started(int status);

    default void stopped() {}
  }

  public static final int TOO_MANY = 2;
  public static final int INTERNAL_ERROR = 4;

  /** Decision: controllers of phones differ; four is the least that was reported. */
  public static final int MOST_SETS = 4;
  private static final long TURN_MILLISECONDS = 250;

  private final Stack stack;
  private final java.util.Set<Set> sets = new LinkedHashSet<>();

  /** Those of the sets that are on the air, in turn. */
  private final List<Set> turns = new ArrayList<>();
  private final ArrayDeque<Set> unanswered = new ArrayDeque<>();
  private Set current;
  private boolean takesTurns;

  AdvertiseCore(Stack stack) {
    this.stack = stack;
  }

  public void start(Set set) {
    if (sets.size() >= MOST_SETS) {
      stack.phone.remark("limit", "advertise.too-many-sets", "an advertising set more than " + MOST_SETS);
      stack.phone.call(set, () -> set.started(TOO_MANY));
      return;
    }
    sets.add(set);
    unanswered.add(set);
    resume(set);
  }

  /** Puts a set on the air again. */
  public void resume(Set set) {
    if (!sets.contains(set) || turns.contains(set)) return;
    turns.add(set);
    show(set);
    if (turns.size() < 2 || takesTurns) return;
    takesTurns = true;
    stack.after(TURN_MILLISECONDS, this::turn);
  }

  private void turn() {
    takesTurns = turns.size() > 1;
    if (!takesTurns) return;
    show(turns.get((turns.indexOf(current) + 1) % turns.size()));
    stack.after(TURN_MILLISECONDS, this::turn);
  }

  /** What every phone can advertise is left to its platform, which decides what fits; all else is given as octets. */
  private void show(Set set) {
    current = set;
    stack.phone.ask("gap.advertiseEvery", "interval", set.interval(), "connectable", set.isConnectable());
    if (set.plainServices() != null && set.name() != null) {
      List<Object> services = new ArrayList<>();
      for (java.util.UUID each : set.plainServices()) services.add(Words.uuid(each));
      stack.phone.ask("advertise", "localName", set.name(), "services", services);
      return;
    }
    String response = Words.hex(set.scanResponse());
    stack.phone.ask("gap.advertise", "data", Words.hex(set.data()), "scanResponse", response);
  }

  /** Takes a set off the air, which stays the app's. */
  public void pause(Set set) {
    if (!turns.remove(set) || current != set) return;
    current = null;
    if (turns.isEmpty()) stack.phone.ask("stopAdvertising");
    else show(turns.get(0));
  }

  /** Whether it was there. */
  public boolean stop(Set set) {
    if (!sets.remove(set)) return false;
    unanswered.remove(set);
    pause(set);
    return true;
  }

  /** Advertises with other octets; a set that is not on the air has them when it is its turn. */
  public void change(Set set) {
    if (current == set) show(set);
  }

  /** A connection has ended it on the air; Android begins again, unless it has a limit of time. */
  void interrupted() {
    if (current == null) return;
    if (current.isLimited()) pause(current);
    else show(current);
  }

  /** Each order is answered, in order; the platform says more than that when it begins again by itself. */
  void started(boolean isStarted) {
    Set set = unanswered.poll();
    if (set == null) return;
    if (!isStarted) stop(set);
    stack.phone.call(set, () -> set.started(isStarted ? 0 : INTERNAL_ERROR));
  }

  void switchedOff() {
    List<Set> all = new ArrayList<>(sets);
    sets.clear();
    turns.clear();
    unanswered.clear();
    current = null;
    for (Set set : all) set.stopped();
  }
}
