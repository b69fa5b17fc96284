package babbench.android.stack;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Bonds: those that the app asks for by {@code createBond}, and what the platform tells of all. */
public final class BondCore {
  public static final int NONE = 10;
  public static final int BONDING = 11;
  public static final int BONDED = 12;

  /** Core Specification, Vol 1, Part F, 1.3. */
  private static final int PIN_OR_KEY_MISSING = 6;

  /** Is told of changes. */
  public interface Listener {
    void changed(String address, int from, int to);
  }

  private final Stack stack;
  private final Set<String> bonded = new LinkedHashSet<>();
  private final Set<String> bonding = new LinkedHashSet<>();
  /** The app has cancelled them, and the platform goes on. */
  private final Set<String> cancelled = new LinkedHashSet<>();
  private final List<Listener> listeners = new ArrayList<>();
  private final List<Consumer<String>> losses = new ArrayList<>();

  BondCore(Stack stack) {
    this.stack = stack;
  }

  /** Is told the address of a device that has lost its bond with this phone. */
  public void onLoss(Consumer<String> loss) {
    losses.add(loss);
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
    cancelled.remove(address);
    bonding.add(address);
    tell(address, NONE, BONDING);
    Link link = stack.linkTo(address);
    if (link != null) connected(link);
    else stack.attempt(address);
    return true;
  }

  /** The bond goes, and the link with it. */
  public boolean remove(String address) {
    if (!bonded.remove(address)) return false;
    stack.phone.ask("gap.forgetBond", "address", address);
    tell(address, BONDED, NONE);
    Link link = stack.linkTo(address);
    if (link != null) stack.end(link);
    return true;
  }

  /** The platform tells: {@code none}, {@code pairing} or {@code bonded}, whoever began. */
  void changed(String address, String state) {
    switch (state) {
      case "pairing":
        if (bonding.contains(address) || cancelled.contains(address)) return;
        bonding.add(address);
        // With a bond that one end has lost, both pair again.
        tell(address, bonded.remove(address) ? BONDED : NONE, BONDING);
        return;
      case "bonded":
        if (cancelled.remove(address)) {
          stack.phone.ask("gap.forgetBond", "address", address);
          return;
        }
        // Those of an earlier launch are told without a pairing.
        if (!bonding.contains(address)) bonded.add(address);
        over(address, true);
        return;
      default:
        cancelled.remove(address);
        over(address, false);
        if (bonded.remove(address)) tell(address, BONDED, NONE);
    }
  }

  public boolean cancel(String address) {
    if (!bonding.contains(address)) return false;
    cancelled.add(address);
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

  void disconnected(Link link, int reason) {
    over(link.address, false);
    if (reason != PIN_OR_KEY_MISSING || !bonded.contains(link.address)) return;
    for (Consumer<String> loss : losses) loss.accept(link.address);
  }

  void paired(int number) {
    Link link = stack.link(number);
    // That there is a bond is told before.
    if (link != null) over(link.address, false);
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
