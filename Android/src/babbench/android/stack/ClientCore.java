package babbench.android.stack;

import babbench.android.Words;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** A GATT client of an app that is registered with the stack: what one {@code BluetoothGatt} stands for. */
public final class ClientCore {
  /** What the stack says without being asked. All on a binder thread. */
  public interface Events {
    void connectionState(int status, boolean isConnected);

    void notified(int handle, byte[] octets);

    void attMTU(int attMTU, int status);

    void servicesChanged();

    default void phy(int tx, int rx, int status) {}

    default void parameters(int interval, int latency, int timeout) {}
  }

  /** How an app wants to be connected. */
  enum Wish { NONE, DIRECT, BACKGROUND }

  /** An attempt to connect ends after this time (van Welie, “Making Android BLE work”, part 2). */
  private static final long ATTEMPT_MILLISECONDS = 30_000;

  public static final int SUCCESS = 0;
  public static final int ERROR = 133;
  private static final int CONNECTION_TIMEOUT = 147;
  private static final int FAILURE = 257;

  /** The first API level with {@code BluetoothGatt.GATT_CONNECTION_TIMEOUT}. */
  private static final int API_OF_CONNECTION_TIMEOUT = 35;

  final Stack stack;
  final String address;
  private final Events events;
  Wish wish = Wish.NONE;
  Link link;
  private boolean returns;
  private boolean isEnding;
  private boolean isClosed;
  private Object attempt;

  ClientCore(Stack stack, String address, Events events) {
    this.stack = stack;
    this.address = address;
    this.events = events;
  }

  public boolean isConnected() {
    return link != null;
  }

  public boolean isClosed() {
    return isClosed;
  }

  /** What discovery found; empty when there was none. */
  public List<Remote.Service> services() {
    return link == null || link.services == null ? List.of() : link.services;
  }

  private void tell(Runnable call) {
    stack.phone.call(this, call);
  }

  /** Registers and connects: {@code connectGatt}. */
  void begin(boolean isBackground) {
    if (!stack.register(this)) {
      tell(() -> events.connectionState(FAILURE, false));
      return;
    }
    connect(isBackground);
  }

  /** Wants a link. */
  public void connect(boolean isBackground) {
    if (isClosed) return;
    isEnding = false;
    returns = isBackground;
    if (link != null) {
      tell(() -> events.connectionState(SUCCESS, true));
      return;
    }
    Link existing = stack.linkTo(address);
    if (existing != null) {
      joined(existing);
      return;
    }
    wish = isBackground ? Wish.BACKGROUND : Wish.DIRECT;
    stack.attempt(address);
    if (isBackground) return;
    Object own = new Object();
    attempt = own;
    stack.after(ATTEMPT_MILLISECONDS, () -> {
      if (attempt == own && wish == Wish.DIRECT) failed(CONNECTION_TIMEOUT);
    });
  }

  /** An attempt has failed, with an error of HCI or one above it. */
  void failed(int reason) {
    if (wish == Wish.NONE) return;
    if (wish == Wish.BACKGROUND) {
      stack.attempt(address);
      return;
    }
    wish = Wish.NONE;
    stack.abandon(address);
    boolean isNamed = stack.phone.apiLevel() >= API_OF_CONNECTION_TIMEOUT;
    boolean isOwn = reason == CONNECTION_TIMEOUT && !isNamed;
    int status = reason < 0x80 || isOwn ? ERROR : reason;
    tell(() -> events.connectionState(status, false));
  }

  void joined(Link to) {
    wish = Wish.NONE;
    attempt = null;
    isEnding = false;
    link = to;
    to.holders.add(this);
    tell(() -> events.connectionState(SUCCESS, true));
  }

  /** The link is gone, for a reason of HCI. */
  void lost(int reason) {
    boolean wasAsked = isEnding;
    link = null;
    isEnding = false;
    tell(() -> events.connectionState(wasAsked ? SUCCESS : reason, false));
    if (!returns || wasAsked) return;
    wish = Wish.BACKGROUND;
    stack.attempt(address);
  }

  /** Ends the link, or the attempt; of an attempt nobody is told. */
  public void disconnect() {
    returns = false;
    if (link == null) {
      wish = Wish.NONE;
      attempt = null;
      stack.abandon(address);
      return;
    }
    isEnding = true;
    Link left = link;
    left.queue.forget(this);
    if (left.holders.size() == 1) {
      stack.phone.ask("disconnect", "link", left.number);
      return;
    }
    // Others use it: it stays, and this client leaves.
    left.holders.remove(this);
    lost(SUCCESS);
  }

  /** Unregisters. Nothing is told any more. */
  public void close() {
    if (isClosed) return;
    isClosed = true;
    returns = false;
    wish = Wish.NONE;
    attempt = null;
    stack.unregister(this);
    stack.phone.forget(this);
    Link left = link;
    link = null;
    if (left == null) {
      stack.abandon(address);
      return;
    }
    left.queue.forget(this);
    left.holders.remove(this);
    if (left.holders.isEmpty()) stack.phone.ask("disconnect", "link", left.number);
  }

  /** Bluetooth is off: no callback comes, as apps report of phones; they have the broadcast. */
  void switchedOff() {
    link = null;
    wish = Wish.NONE;
    returns = false;
    attempt = null;
    isEnding = false;
    isClosed = true;
    stack.phone.forget(this);
  }

  // Requests: each is answered on a binder thread, unless the link ends before

  public void discover(IntConsumer done) {
    Link over = link;
    if (over == null) return;
    if (over.services != null) {
      tell(() -> done.accept(SUCCESS));
      return;
    }
    new Discovery(over, status -> {
      if (link == over) tell(() -> done.accept(status));
    }).begin();
  }

  /** Forgets what discovery found. */
  public void refresh() {
    if (link != null) link.services = null;
  }

  private void ask(String word, String answer, Consumer<Map<String, Object>> done, Object... members) {
    Link over = link;
    if (over == null) return;
    over.queue.add(this, over.word(word, members), answer, input -> {
      if (link == over) tell(() -> done.accept(input));
    });
  }

  public void read(int handle, UUID type, BiConsumer<Integer, byte[]> done) {
    ask("gatt.read", "gatt.valueRead",
        answer -> done.accept(Words.error(answer), Words.octets(answer, "octets")),
        "handle", handle, "type", Words.uuid(type));
  }

  public void write(int handle, UUID type, byte[] octets, IntConsumer done) {
    ask("gatt.write", "gatt.valueWritten", answer -> done.accept(Words.error(answer)),
        "handle", handle, "type", Words.uuid(type), "octets", Words.hex(octets));
  }

  /** Writes without response: answered when the phone has taken it, which may be later when its queue is full. */
  public void command(int handle, UUID type, byte[] octets, IntConsumer done) {
    ask("gatt.writeWithoutResponse", "gatt.submitted", answer -> done.accept(SUCCESS),
        "handle", handle, "type", Words.uuid(type), "octets", Words.hex(octets));
  }

  /** Writes the Client Characteristic Configuration of the characteristic with this handle. */
  public void configure(int handle, UUID type, boolean on, IntConsumer done) {
    ask("gatt.configure", "gatt.configured", answer -> done.accept(Words.error(answer)),
        "handle", handle, "type", Words.uuid(type), "on", on);
  }

  /** Has the server keep a value until {@link #execute}; told is what it says that it keeps. */
  public void prepare(int handle, UUID type, byte[] octets, BiConsumer<Integer, byte[]> done) {
    ask("gatt.prepare", "gatt.prepared", answer -> done.accept(Words.error(answer), Words.octets(answer, "octets")),
        "handle", handle, "type", Words.uuid(type), "offset", 0, "octets", Words.hex(octets));
  }

  /** Has what the server keeps written, or dropped. */
  public void execute(boolean isMeant, IntConsumer done) {
    ask("gatt.execute", "gatt.executed", answer -> done.accept(Words.error(answer)), "write", isMeant);
  }

  /** Masks: 1 is LE 1M, 2 LE 2M, 4 LE Coded. Answered by {@link Events#phy}. */
  public void preferPHY(int tx, int rx, int options) {
    if (link != null) stack.phone.ask(link.preferPHY(tx, rx, options));
  }

  public void readPHY(BiConsumer<Integer, Integer> done) {
    Link over = link;
    if (over != null) tell(() -> done.accept(over.txPHY, over.rxPHY));
  }

  void phy(int status) {
    Link over = link;
    tell(() -> events.phy(over.txPHY, over.rxPHY, status));
  }

  void parameters(int interval, int latency, int timeout) {
    tell(() -> events.parameters(interval, latency, timeout));
  }

  public void readRSSI(IntConsumer done) {
    ask("gatt.readRSSI", "gatt.rssi", answer -> done.accept(Words.number(answer, "rssi")));
  }

  /** Asks for an ATT_MTU: from Android 14 on for 517, and once for a link. Answered by {@link Events#attMTU}. */
  public void requestMTU(int attMTU) {
    Link over = link;
    if (over == null) return;
    boolean isFixed = stack.phone.apiLevel() >= 34;
    if (isFixed && over.hasAskedForMTU) {
      tell(() -> events.attMTU(over.attMTU, SUCCESS));
      return;
    }
    over.hasAskedForMTU = true;
    over.queue.add(this, over.word("exchangeMTU", "attMTU", isFixed ? 517 : attMTU), "attMTU", answer -> {
      int agreed = Words.number(answer, "attMTU");
      over.attMTU = agreed;
      stack.attMTU(over);
    });
  }

  void attMTU(int attMTU) {
    tell(() -> events.attMTU(attMTU, SUCCESS));
  }

  public int attMTU() {
    return link == null ? 23 : link.attMTU;
  }

  public void requestInterval(int shortest, int longest) {
    if (link == null) return;
    stack.phone.ask(link.word("gap.requestInterval", "shortest", shortest, "longest", longest));
  }

  void notified(int handle, byte[] octets) {
    tell(() -> events.notified(handle, octets));
  }

  void servicesChanged() {
    tell(events::servicesChanged);
  }
}
