package babbench.android.stack;

import babbench.android.Words;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;

/** Advertising: several sets at once, each from an address of its own. */
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

    /** How it is sent with extended PDUs, as members of {@code gap.advertiseExtended}; null: with legacy ones. */
    default Object[] extended() {
      return null;
    }

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

  private final Stack stack;
  private final java.util.Set<Set> sets = new LinkedHashSet<>();

  /** Those of the sets that are on the air, by the numbers that the platform knows; 0 is its plain advertiser. */
  private final Set[] shown = new Set[MOST_SETS];
  /** Those that wait for the answer of the platform, which comes for each order of number 0 in turn. */
  private final ArrayDeque<Set> unanswered = new ArrayDeque<>();
  private final java.util.Set<Set> asked = new LinkedHashSet<>();
  /** A connection has ended a set other than number 0, and is told next. */
  private boolean hasEndedOne;

  AdvertiseCore(Stack stack) {
    this.stack = stack;
  }

  public void start(Set set) {
    if (sets.size() >= MOST_SETS) {
      phoneIsFull(set);
      return;
    }
    sets.add(set);
    if (free(set) < 0) {
      sets.remove(set);
      phoneIsFull(set);
      return;
    }
    if (free(set) == 0) unanswered.add(set);
    else asked.add(set);
    resume(set);
  }

  private void phoneIsFull(Set set) {
    stack.phone.remark("limit", "advertise.too-many-sets", "an advertising set more than " + MOST_SETS);
    stack.phone.call(set, () -> set.started(TOO_MANY));
  }

  /** The first number that is free for a set; number 0 is for legacy PDUs. -1 when there is none. */
  private int free(Set set) {
    for (int number = set.extended() == null ? 0 : 1; number < MOST_SETS; number++) {
      if (shown[number] == null) return number;
    }
    return -1;
  }

  /** Puts a set on the air again. */
  public void resume(Set set) {
    if (!sets.contains(set) || number(set) >= 0) return;
    int number = free(set);
    if (number < 0) return;
    shown[number] = set;
    show(number);
  }

  /** -1 when the set is not on the air. */
  private int number(Set set) {
    return Arrays.asList(shown).indexOf(set);
  }

  /** What every phone can advertise is left to its platform, which decides what fits; all else is given as octets. */
  private void show(int number) {
    Set set = shown[number];
    String data = Words.hex(set.data());
    String response = Words.hex(set.scanResponse());
    Object[] manner = set.extended();
    if (manner != null) {
      List<Object> members = new ArrayList<>(List.of("set", number, "data", data, "scanResponse", response, "interval",
          set.interval(), "connectable", set.isConnectable()));
      members.addAll(Arrays.asList(manner));
      stack.phone.ask("gap.advertiseExtended", members.toArray());
      return;
    }
    if (number > 0) {
      stack.phone.ask("gap.advertiseSet", "set", number, "data", data, "scanResponse", response, "interval",
          set.interval(), "connectable", set.isConnectable());
      return;
    }
    stack.phone.ask("gap.advertiseEvery", "interval", set.interval(), "connectable", set.isConnectable());
    if (set.plainServices() != null && set.name() != null) {
      List<Object> services = new ArrayList<>();
      for (java.util.UUID each : set.plainServices()) services.add(Words.uuid(each));
      stack.phone.ask("advertise", "localName", set.name(), "services", services);
      return;
    }
    stack.phone.ask("gap.advertise", "data", data, "scanResponse", response);
  }

  /** Takes a set off the air, which stays the app's. */
  public void pause(Set set) {
    int number = number(set);
    if (number < 0) return;
    shown[number] = null;
    if (number == 0) stack.phone.ask("stopAdvertising");
    else stack.phone.ask("gap.endSet", "set", number);
  }

  /** Whether it was there. */
  public boolean stop(Set set) {
    if (!sets.remove(set)) return false;
    unanswered.remove(set);
    asked.remove(set);
    pause(set);
    return true;
  }

  /** Advertises with other octets, if it is on the air. */
  public void change(Set set) {
    int number = number(set);
    if (number >= 0) show(number);
  }

  /** A connection that a peer has made: unless another set has ended with it, number 0 has. */
  void interrupted() {
    if (!hasEndedOne) interrupted(0);
    hasEndedOne = false;
  }

  /** The platform tells that a connection has ended a set. */
  void ended(int number) {
    hasEndedOne = true;
    interrupted(number);
  }

  /** Android begins again, unless the set has a limit of time. */
  private void interrupted(int number) {
    Set set = shown[number];
    if (set == null) return;
    if (set.isLimited()) pause(set);
    else show(number);
  }

  /** Each order is answered, in order; the platform says more than that when it begins again by itself. */
  void started(boolean isStarted) {
    answered(unanswered.poll(), isStarted);
  }

  /** The same of a set other than number 0. */
  void started(int number, boolean isStarted) {
    Set set = shown[number];
    if (set != null && asked.remove(set)) answered(set, isStarted);
  }

  private void answered(Set set, boolean isStarted) {
    if (set == null) return;
    if (!isStarted) stop(set);
    stack.phone.call(set, () -> set.started(isStarted ? 0 : INTERNAL_ERROR));
  }

  void switchedOff() {
    List<Set> all = new ArrayList<>(sets);
    sets.clear();
    Arrays.fill(shown, null);
    unanswered.clear();
    asked.clear();
    hasEndedOne = false;
    for (Set set : all) set.stopped();
  }
}
