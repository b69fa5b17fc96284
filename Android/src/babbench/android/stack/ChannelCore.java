package babbench.android.stack;

import babbench.android.Words;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** Channels of L2CAP, as sockets have them. */
public final class ChannelCore {
  /** One end of a channel. */
  public static final class Channel {
    public final String address;
    private final ChannelCore core;
    private final int number;
    private final ArrayDeque<byte[]> received = new ArrayDeque<>();
    private boolean isOpen = true;
    private int underWay;
    private Runnable changed = () -> {};

    Channel(ChannelCore core, String address, int number) {
      this.core = core;
      this.address = address;
      this.number = number;
    }

    /** Is told whenever something has come, gone or ended. */
    public void onChange(Runnable listener) {
      changed = listener;
    }

    public boolean isOpen() {
      return isOpen;
    }

    /** Octets that the stack has not taken yet. */
    public int underWay() {
      return underWay;
    }

    /** The next octets that came, or null. */
    public byte[] poll() {
      return received.poll();
    }

    public int available() {
      int count = 0;
      for (byte[] each : received) count += each.length;
      return count;
    }

    /** Gives octets back that were not wanted yet. */
    public void unread(byte[] octets) {
      received.addFirst(octets);
    }

    public void send(byte[] octets) {
      if (!isOpen) return;
      underWay += octets.length;
      core.stack.phone.ask("l2cap.send", "channel", number, "octets", Words.hex(octets));
    }

    public void close() {
      if (!isOpen) return;
      isOpen = false;
      core.stack.phone.ask("l2cap.close", "channel", number);
      changed.run();
    }

    private void over() {
      isOpen = false;
      changed.run();
    }
  }

  private static final class Opening {
    final String address;
    final int psm;
    final Consumer<Channel> done;

    Opening(String address, int psm, Consumer<Channel> done) {
      this.address = address;
      this.psm = psm;
      this.done = done;
    }
  }

  private final Stack stack;
  private final Map<Integer, Channel> channels = new LinkedHashMap<>();
  private final List<Opening> openings = new ArrayList<>();
  private final ArrayDeque<IntConsumer> publishing = new ArrayDeque<>();
  private final Map<Integer, Consumer<Channel>> listeners = new HashMap<>();

  ChannelCore(Stack stack) {
    this.stack = stack;
  }

  /** Listens; the number of the PSM is told, 0 when that is refused. */
  public void publish(boolean isSecure, IntConsumer done) {
    publishing.add(done);
    stack.phone.ask("l2cap.publish", "encrypted", isSecure);
  }

  public void listen(int psm, Consumer<Channel> accepted) {
    listeners.put(psm, accepted);
  }

  public void unpublish(int psm) {
    if (listeners.remove(psm) != null) stack.phone.ask("l2cap.unpublish", "psm", psm);
  }

  /** Opens a channel to a device that has a link, or waits until it has one; null is told when it cannot be. */
  public void open(String address, int psm, Consumer<Channel> done) {
    openings.add(new Opening(address, psm, done));
    Link link = stack.linkTo(address);
    if (link != null) stack.phone.ask(link.word("l2cap.open", "psm", psm));
    else done.accept(null);
  }

  void connected(Link link) {}

  void take(String name, Map<String, Object> input) {
    switch (name) {
      case "l2cap.published":
        IntConsumer done = publishing.poll();
        if (done != null) done.accept(Words.flag(input, "refused") ? 0 : Words.number(input, "psm"));
        break;
      case "l2cap.opened": opened(input); break;
      case "l2cap.received": {
        Channel channel = channels.get(Words.number(input, "channel"));
        if (channel == null) break;
        channel.received.add(Words.octets(input, "octets"));
        channel.changed.run();
        break;
      }
      case "l2cap.sent": {
        Channel channel = channels.get(Words.number(input, "channel"));
        if (channel == null) break;
        channel.underWay -= Words.number(input, "count");
        channel.changed.run();
        break;
      }
      case "l2cap.closed": {
        Channel channel = channels.remove(Words.number(input, "channel"));
        if (channel != null) channel.over();
        break;
      }
      default: break;
    }
  }

  private void opened(Map<String, Object> input) {
    Link link = stack.link(Words.number(input, "link"));
    if (link == null) return;
    int psm = Words.number(input, "psm");
    int number = Words.number(input, "channel");
    Channel channel = number < 0 ? null : new Channel(this, link.address, number);
    if (channel != null) channels.put(number, channel);
    for (Opening opening : openings) {
      if (!opening.address.equals(link.address) || opening.psm != psm) continue;
      openings.remove(opening);
      opening.done.accept(channel);
      return;
    }
    Consumer<Channel> listener = listeners.get(psm);
    if (listener != null && channel != null) listener.accept(channel);
  }

  void disconnected(Link link) {
    for (Opening opening : new ArrayList<>(openings)) {
      if (!opening.address.equals(link.address)) continue;
      openings.remove(opening);
      opening.done.accept(null);
    }
  }

  void switchedOff() {
    for (Channel channel : channels.values()) channel.over();
    channels.clear();
    for (Opening opening : openings) opening.done.accept(null);
    openings.clear();
  }
}
