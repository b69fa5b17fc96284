package babbench.android.stack;

import android.os.Handler;
import android.os.Looper;
import babbench.android.Phone;
import babbench.android.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The Bluetooth stack of a phone, as its apps see it: links, clients, servers, scans, advertising, bonds. */
public final class Stack {
  /** The most clients of an app that are registered at the same time (AOSP: GATT_MAX_APPS). */
  private static final int MOST_CLIENTS = 32;

  final Phone phone;
  private final Map<Integer, Link> links = new LinkedHashMap<>();
  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private final Set<String> attempts = new LinkedHashSet<>();
  private final List<ClientCore> clients = new ArrayList<>();
  private final List<ServerCore> servers = new ArrayList<>();
  private final ScanCore scans;
  private final AdvertiseCore advertising;
  private final BondCore bonds;
  private final ChannelCore channels;
  private final List<Consumer<Boolean>> powerListeners = new ArrayList<>();
  private Handler system;
  private boolean isOn = true;
  private boolean isInBackground;
  private String localName;
  private int keys;

  /** For {@link Phone}. */
  public Stack(Phone phone) {
    this.phone = phone;
    localName = phone.name();
    scans = new ScanCore(this);
    advertising = new AdvertiseCore(this);
    bonds = new BondCore(this);
    channels = new ChannelCore(this);
    phone.ask("gap.watch", "bonds", true, "links", true);
    phone.scheduler().spawn("bluetooth", phone, () -> {
      Looper.prepare();
      system = new Handler(Looper.myLooper());
      Looper.loop();
    });
  }

  public boolean isOn() {
    return isOn;
  }

  public String localName() {
    return localName;
  }

  public void setLocalName(String name) {
    localName = name;
  }

  public ScanCore scans() {
    return scans;
  }

  public AdvertiseCore advertising() {
    return advertising;
  }

  public BondCore bonds() {
    return bonds;
  }

  public ChannelCore channels() {
    return channels;
  }

  public void onPower(Consumer<Boolean> listener) {
    powerListeners.add(listener);
  }

  /** A key for an attribute or service of this phone; none is given twice. */
  int nextKey() {
    return keys++;
  }

  /** Does something later, in the process of the system. */
  void after(long milliseconds, Runnable task) {
    system.postDelayed(task, milliseconds);
  }

  // Links

  /** The number of the newest link with an address; −1 if there was none. */
  public int linkNumber(String address) {
    return numbers.getOrDefault(address, -1);
  }

  /** Addresses with a link. */
  public List<String> linkedAddresses() {
    List<String> addresses = new ArrayList<>();
    for (Link link : links.values()) addresses.add(link.address);
    return addresses;
  }

  Link linkTo(String address) {
    for (Link link : links.values()) if (link.address.equals(address)) return link;
    return null;
  }

  Link link(int number) {
    return links.get(number);
  }

  void attempt(String address) {
    if (!isOn) return;
    attempts.add(address);
    phone.ask("connect", "address", address);
  }

  /** Gives an attempt up that nobody wants any more. */
  void abandon(String address) {
    if (!attempts.contains(address) || isWanted(address)) return;
    attempts.remove(address);
    phone.ask("cancelConnect", "address", address);
  }

  private boolean isWanted(String address) {
    for (ClientCore client : clients) {
      if (client.wish != ClientCore.Wish.NONE && client.address.equals(address)) return true;
    }
    for (ServerCore server : servers) if (server.wants(address)) return true;
    return bonds.wants(address);
  }

  void end(Link link) {
    phone.ask("disconnect", "link", link.number);
  }

  // Clients and servers

  /** A client for a device, which begins to connect. */
  public ClientCore connect(String address, boolean isBackground, ClientCore.Events events) {
    ClientCore client = new ClientCore(this, address, events);
    client.begin(isBackground);
    return client;
  }

  boolean register(ClientCore client) {
    if (clients.size() >= MOST_CLIENTS) {
      phone.remark("limit", "gatt.too-many-clients", MOST_CLIENTS + " clients are registered; close() was not called");
      return false;
    }
    clients.add(client);
    return true;
  }

  void unregister(ClientCore client) {
    clients.remove(client);
  }

  /** The clients that have not been closed. */
  public int clientCount() {
    return clients.size();
  }

  public ServerCore openServer(ServerCore.Events events) {
    ServerCore server = new ServerCore(this, events);
    servers.add(server);
    for (Link link : links.values()) server.connected(link);
    return server;
  }

  void close(ServerCore server) {
    servers.remove(server);
  }

  // Inputs

  /** Takes an input, if it is about Bluetooth. */
  public boolean take(Map<String, Object> input) {
    String name = Words.text(input, "name");
    switch (name) {
      case "connected": connected(Words.number(input, "link"), Words.text(input, "address")); return true;
      case "connectFailed": connectFailed(Words.text(input, "address"), Words.number(input, "reason")); return true;
      case "disconnected": disconnected(Words.number(input, "link"), Words.number(input, "reason")); return true;
      case "attMTU": agreed(input); return true;
      case "gap.heard": case "gap.heardExtended": case "discovered": scans.heard(input); return true;
      case "advertisingStarted": advertising.started(Words.flag(input, "started")); return true;
      case "gap.setStarted": advertising.started(Words.number(input, "set"), Words.flag(input, "started")); return true;
      case "gap.setEnded": advertising.ended(Words.number(input, "set")); return true;
      case "radioPower": power(Words.flag(input, "on")); return false;
      case "background":
        isInBackground = Words.flag(input, "suspended");
        scans.background(isInBackground);
        return false;
      case "gap.bond": bonds.changed(Words.text(input, "address"), Words.text(input, "state")); return true;
      case "gap.phy": phy(input); return true;
      case "gap.parameters": parameters(input); return true;
      case "gap.paired": bonds.paired(Words.number(input, "link")); return true;
      case "gatt.notified": notified(input); return true;
      case "gatt.servicesChanged": servicesChanged(input); return true;
      default: return takeRest(name, input);
    }
  }

  private boolean takeRest(String name, Map<String, Object> input) {
    if (name.startsWith("l2cap.")) {
      channels.take(name, input);
      return true;
    }
    Link link = input.containsKey("link") ? link(Words.number(input, "link")) : null;
    boolean isTaken = link != null && link.queue.take(input);
    if (!name.equals("readyToSend") && (isTaken || !name.startsWith("gatt."))) return isTaken;
    for (ServerCore server : new ArrayList<>(servers)) isTaken |= server.take(name, input, link);
    return true;
  }

  private void connected(int number, String address) {
    Link earlier = linkTo(address);
    if (earlier != null) {
      // To Android an address is a device, and a device has one connection.
      end(earlier);
      disconnected(earlier.number, 22);
    }
    Link link = new Link(this, number, address, attempts.remove(address));
    links.put(number, link);
    numbers.put(address, number);
    if (!link.isOutgoing) advertising.interrupted();
    for (ServerCore server : new ArrayList<>(servers)) server.connected(link);
    for (ClientCore client : new ArrayList<>(clients)) {
      if (client.wish != ClientCore.Wish.NONE && client.address.equals(address)) client.joined(link);
    }
    bonds.connected(link);
    channels.connected(link);
    if (link.isOutgoing && link.holders.isEmpty() && !isWanted(address)) end(link);
  }

  private void connectFailed(String address, int reason) {
    attempts.remove(address);
    for (ClientCore client : new ArrayList<>(clients)) if (client.address.equals(address)) client.failed(reason);
    bonds.connectFailed(address);
  }

  private void disconnected(int number, int reason) {
    Link link = links.remove(number);
    if (link == null) return;
    bonds.disconnected(link, reason);
    channels.disconnected(link);
    for (ClientCore client : new ArrayList<>(link.holders)) client.lost(reason);
    for (ServerCore server : new ArrayList<>(servers)) server.disconnected(link);
  }

  private void agreed(Map<String, Object> input) {
    Link link = link(Words.number(input, "link"));
    if (link == null || link.queue.take(input)) return;
    link.attMTU = Words.number(input, "attMTU");
    attMTU(link);
  }

  void attMTU(Link link) {
    for (ClientCore client : link.holders) client.attMTU(link.attMTU);
    for (ServerCore server : servers) server.attMTU(link);
  }

  private void phy(Map<String, Object> input) {
    Link link = link(Words.number(input, "link"));
    if (link == null) return;
    link.txPHY = Words.number(input, "tx");
    link.rxPHY = Words.number(input, "rx");
    int status = Words.error(input);
    for (ClientCore client : link.holders) client.phy(status);
    for (ServerCore server : servers) server.phy(link, status);
  }

  private void parameters(Map<String, Object> input) {
    Link link = link(Words.number(input, "link"));
    if (link == null) return;
    int interval = Words.number(input, "interval");
    int latency = Words.number(input, "latency");
    int timeout = Words.number(input, "timeout");
    for (ClientCore client : link.holders) client.parameters(interval, latency, timeout);
    for (ServerCore server : servers) server.parameters(link, interval, latency, timeout);
  }

  private void notified(Map<String, Object> input) {
    Link link = link(Words.number(input, "link"));
    if (link == null) return;
    byte[] octets = Words.octets(input, "octets");
    for (ClientCore client : link.holders) client.notified(Words.number(input, "handle"), octets);
  }

  private void servicesChanged(Map<String, Object> input) {
    Link link = link(Words.number(input, "link"));
    if (link == null) return;
    link.services = null;
    for (ClientCore client : link.holders) client.servicesChanged();
  }

  private void power(boolean on) {
    if (on == isOn) return;
    isOn = on;
    if (!on) {
      links.clear();
      attempts.clear();
      for (ClientCore client : clients) client.switchedOff();
      clients.clear();
      for (ServerCore server : servers) server.switchedOff();
      servers.clear();
      scans.switchedOff();
      advertising.switchedOff();
      bonds.switchedOff();
      channels.switchedOff();
    }
    for (Consumer<Boolean> listener : new ArrayList<>(powerListeners)) listener.accept(on);
  }
}
