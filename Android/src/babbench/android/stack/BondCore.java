package babbench.android.stack;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Bonds that the app has asked for by {@code createBond}. */
public final class BondCore {
  public static final int NONE = 10;
  public static final int BONDING = 11;
  public static final int BONDED = 12;

  /** Is told of changes. */
  public interface Listener {
    void changed(String address, int from, int to);
  }

  private final Stack stack;
  private final Set<String> bonded = new LinkedHashSet<>();
  private final Set<String> bonding = new LinkedHashSet<>();
  private final List<Listener> listeners = new ArrayList<>();

  BondCore(Stack stack) {
    this.stack = stack;
  }

  public void onChange(Listener listener) {
    listeners.add(listener);
  }

  public int state(String address) {
    return bonded.contains(address) ? BONDED : bonding.contains(address) ? BONDING : NONE;
  }

  public List<String> bonded() {
    return new ArrayList<>(bonded);
  }

  /** Begins to bond, over a link that it makes if there is none. False when that is done or under way. */
  public boolean create(String address) {
    if (!stack.isOn() || state(address) != NONE) return false;
    bonding.add(address);
    tell(address, NONE, BONDING);
    Link link = stack.linkTo(address);
    if (link != null) connected(link);
    else stack.attempt(address);
    return true;
  }

  public boolean remove(String address) {
    if (!bonded.remove(address)) return false;
    tell(address, BONDED, NONE);
    return true;
  }

  public boolean cancel(String address) {
    if (!bonding.contains(address)) return false;
    over(address, false);
    return true;
  }

  boolean wants(String address) {
    return bonding.contains(address);
  }

  void connected(Link link) {
    if (bonding.contains(link.address)) stack.phone.ask(link.word("gap.pair"));
  }

  void connectFailed(String address) {
    over(address, false);
  }

  void disconnected(Link link) {
    over(link.address, false);
  }

  void paired(int number, boolean isGood) {
    Link link = stack.link(number);
    if (link != null) over(link.address, isGood);
  }

  private void over(String address, boolean isGood) {
    if (!bonding.remove(address)) return;
    if (isGood) bonded.add(address);
    tell(address, BONDING, isGood ? BONDED : NONE);
    Link link = stack.linkTo(address);
    if (link != null && link.isOutgoing && link.holders.isEmpty()) stack.end(link);
  }

  void switchedOff() {
    for (String address : new ArrayList<>(bonding)) over(address, false);
  }

  private void tell(String address, int from, int to) {
    for (Listener listener : listeners) listener.changed(address, from, to);
  }
}
