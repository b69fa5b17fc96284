package babbench.android.stack;

import babbench.android.Words;

/** Advertising: the bench's phones have one advertiser, so that a second set is refused. */
public final class AdvertiseCore {
  /** What is advertised, and who is told. */
  public interface Set {
    /** Services, when nothing but these and a name is advertised; else null. */
    java.util.List<java.util.UUID> plainServices();

    /** The name that is advertised, or null. */
    String name();

    byte[] data();

    byte[] scanResponse();

    /** On a binder thread: 0, or an error of {@code AdvertiseCallback}. */
    void started(int status);

    default void stopped() {}
  }

  public static final int TOO_MANY = 2;
  public static final int INTERNAL_ERROR = 4;

  private final Stack stack;
  private Set active;
  private boolean isAnswered;

  AdvertiseCore(Stack stack) {
    this.stack = stack;
  }

  public void start(Set set) {
    if (active != null) {
      stack.phone.remark("limit", "advertise.one-set", "a second advertising set; phones of the bench have one");
      stack.phone.call(set, () -> set.started(TOO_MANY));
      return;
    }
    active = set;
    isAnswered = false;
    ask();
  }

  /** What every phone can advertise is left to its platform, which decides what fits; all else is given as octets. */
  private void ask() {
    if (active.plainServices() != null && active.name() != null) {
      java.util.List<Object> services = new java.util.ArrayList<>();
      for (java.util.UUID each : active.plainServices()) services.add(Words.uuid(each));
      stack.phone.ask("advertise", "localName", active.name(), "services", services);
      return;
    }
    String response = Words.hex(active.scanResponse());
    stack.phone.ask("gap.advertise", "data", Words.hex(active.data()), "scanResponse", response);
  }

  public boolean isActive(Set set) {
    return active == set;
  }

  /** Whether it was advertised. */
  public boolean stop(Set set) {
    if (active != set) return false;
    active = null;
    stack.phone.ask("stopAdvertising");
    return true;
  }

  /** Advertises with other octets. */
  public void change(Set set) {
    if (active == set) ask();
  }

  /** A connection has ended it on the air; Android begins again. */
  void interrupted() {
    if (active != null) ask();
  }

  void started(boolean isStarted) {
    if (active == null || isAnswered) return;
    isAnswered = true;
    Set set = active;
    if (!isStarted) active = null;
    stack.phone.call(set, () -> set.started(isStarted ? 0 : INTERNAL_ERROR));
  }

  void switchedOff() {
    Set set = active;
    active = null;
    if (set != null) set.stopped();
  }
}
