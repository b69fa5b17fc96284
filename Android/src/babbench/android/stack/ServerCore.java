package babbench.android.stack;

import babbench.android.Words;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** A GATT server of an app: what one {@code BluetoothGattServer} stands for. */
public final class ServerCore {
  /** What the stack says. All on a binder thread. */
  public interface Events {
    void connectionState(String address, boolean isConnected);

    void attMTU(String address, int attMTU);

    void added(Service service, int status);

    void readAsked(String address, int request, Attribute attribute, int offset);

    void writeAsked(String address, int request, Attribute attribute, boolean isPrepared, boolean needsAnswer,
        int offset, byte[] octets);

    void executeAsked(String address, int request, boolean isMeant);

    void sent(String address, int status);

    void phy(String address, int tx, int rx, int status);

    void parameters(String address, int interval, int latency, int timeout);
  }

  /** A service of this phone. */
  public static final class Service {
    public final Object app;
    final String type;
    final boolean isPrimary;
    final List<Service> included = new ArrayList<>();
    final List<Attribute> characteristics = new ArrayList<>();
    int key = -1;

    public Service(Object app, java.util.UUID type, boolean isPrimary) {
      this.app = app;
      this.type = Words.uuid(type);
      this.isPrimary = isPrimary;
    }

    public void include(Service service) {
      included.add(service);
    }

    public void add(Attribute characteristic) {
      characteristics.add(characteristic);
    }
  }

  /** A characteristic or a descriptor of this phone. {@code app} is what the app knows it as. */
  public static final class Attribute {
    public final Object app;
    final String type;
    final int properties;
    final int permissions;
    final List<Attribute> descriptors = new ArrayList<>();
    int key = -1;

    /** The Client Characteristic Configuration, if it has one; it is among the descriptors. */
    Attribute configuration;

    public Attribute(Object app, java.util.UUID type, int properties, int permissions) {
      this.app = app;
      this.type = Words.uuid(type);
      this.properties = properties;
      this.permissions = permissions;
    }

    public void add(Attribute descriptor) {
      if (descriptor.type.equals("2902")) configuration = descriptor;
      descriptors.add(descriptor);
    }
  }

  private static final class Notice {
    final Attribute attribute;
    final byte[] octets;
    boolean isAsked;

    Notice(Attribute attribute, byte[] octets) {
      this.attribute = attribute;
      this.octets = octets;
    }
  }

  /** ATT: what an attribute does not allow (Core Specification, Vol 3, Part F, 3.4.1.1). */
  private static final int READ_NOT_PERMITTED = 2;
  private static final int WRITE_NOT_PERMITTED = 3;
  private static final int ANY_READ = 1 | 4;
  private static final int ANY_WRITE = 2 | 8;

  /** Permission of the seam: parts of prepared writes are told one by one. */
  private static final int PARTS = 32;
  private static final int INDICATIONS = 2;

  private final Stack stack;
  private final Events events;
  private final Map<Integer, Service> adding = new HashMap<>();
  private final List<Service> services = new ArrayList<>();
  private final Map<Integer, Attribute> attributes = new HashMap<>();
  private final Map<Integer, ArrayDeque<Notice>> notices = new HashMap<>();

  /** What clients have written to the configurations of the app, by link and characteristic. */
  private final Map<String, Integer> configured = new HashMap<>();
  private final Set<String> subscriptions = new HashSet<>();
  private final Map<Attribute, Attribute> configurations = new HashMap<>();
  private final Set<String> wanted = new HashSet<>();

  /** Requests of the bench by the numbers of the app. */
  private final Map<Integer, Integer> requests = new HashMap<>();
  private int nextRequest = 1;
  private boolean isClosed;

  ServerCore(Stack stack, Events events) {
    this.stack = stack;
    this.events = events;
  }

  private void tell(Runnable call) {
    stack.phone.call(this, call);
  }

  public boolean isClosed() {
    return isClosed;
  }

  public void close() {
    if (isClosed) return;
    clear();
    isClosed = true;
    stack.close(this);
    stack.phone.forget(this);
  }

  void switchedOff() {
    // Services of gatt.publish stay on every phone of the bench; Android's server is gone.
    clear();
    isClosed = true;
    stack.phone.forget(this);
  }

  // Services

  public void add(Service service) {
    service.key = stack.nextKey();
    List<Object> characteristics = new ArrayList<>();
    for (Attribute each : service.characteristics) characteristics.add(characteristic(each));
    List<Object> included = new ArrayList<>();
    for (Service each : service.included) {
      Map<String, Object> key = new LinkedHashMap<>();
      key.put("service", each.key);
      included.add(key);
    }
    adding.put(service.key, service);
    services.add(service);
    stack.phone.ask("gatt.publish", "service", service.key, "type", service.type, "primary", service.isPrimary,
        "included", included, "characteristics", characteristics);
  }

  private Map<String, Object> characteristic(Attribute attribute) {
    List<Object> descriptors = new ArrayList<>();
    for (Attribute each : attribute.descriptors) descriptors.add(own(each));
    int permissions = attribute.permissions & 0xF | PARTS;
    if (attribute.configuration != null && (attribute.configuration.permissions & 8) != 0) permissions |= 16;
    boolean tells = (attribute.properties & 0x30) != 0;
    if (tells && attribute.configuration == null) {
      stack.phone.remark("misuse", "server.no-configuration",
          attribute.type + " notifies and has no descriptor 2902; on a phone nobody can subscribe to it");
    }
    Map<String, Object> own = own(attribute);
    own.put("properties", attribute.properties & 0xFF);
    own.put("permissions", permissions);
    own.put("descriptors", descriptors);
    if (attribute.configuration != null) configurations.put(attribute.configuration, attribute);
    return own;
  }

  private Map<String, Object> own(Attribute attribute) {
    attribute.key = stack.nextKey();
    attributes.put(attribute.key, attribute);
    Map<String, Object> own = new LinkedHashMap<>();
    own.put("attribute", attribute.key);
    own.put("type", attribute.type);
    own.put("value", null);
    return own;
  }

  /** Whether it was there. */
  public boolean remove(Service service) {
    if (!services.remove(service)) return false;
    adding.remove(service.key);
    stack.phone.ask("gatt.unpublish", "service", service.key);
    return true;
  }

  public void clear() {
    for (Service service : new ArrayList<>(services)) remove(service);
    attributes.clear();
    notices.clear();
    subscriptions.clear();
    configured.clear();
    configurations.clear();
  }

  // Links

  boolean wants(String address) {
    return wanted.contains(address);
  }

  /** Connects from here: {@code BluetoothGattServer.connect}. */
  public void connect(String address) {
    Link link = stack.linkTo(address);
    wanted.add(address);
    if (link == null) stack.attempt(address);
  }

  public void cancelConnection(String address) {
    wanted.remove(address);
    Link link = stack.linkTo(address);
    if (link != null) stack.end(link);
    else stack.abandon(address);
  }

  void connected(Link link) {
    notices.put(link.number, new ArrayDeque<>());
    tell(() -> events.connectionState(link.address, true));
  }

  void disconnected(Link link) {
    notices.remove(link.number);
    subscriptions.removeIf(each -> each.startsWith(link.number + " "));
    configured.keySet().removeIf(each -> each.startsWith(link.number + " "));
    tell(() -> events.connectionState(link.address, false));
  }

  void attMTU(Link link) {
    tell(() -> events.attMTU(link.address, link.attMTU));
  }

  void phy(Link link, int status) {
    tell(() -> events.phy(link.address, link.txPHY, link.rxPHY, status));
  }

  void parameters(Link link, int interval, int latency, int timeout) {
    tell(() -> events.parameters(link.address, interval, latency, timeout));
  }

  public void preferPHY(String address, int tx, int rx, int options) {
    Link link = stack.linkTo(address);
    if (link != null) stack.phone.ask(link.preferPHY(tx, rx, options));
  }

  public void readPHY(String address, BiConsumer<Integer, Integer> done) {
    Link link = stack.linkTo(address);
    if (link != null) tell(() -> done.accept(link.txPHY, link.rxPHY));
  }

  // Requests

  boolean take(String name, Map<String, Object> input, Link link) {
    switch (name) {
      case "gatt.published":
        Service service = adding.remove(Words.number(input, "service"));
        if (service == null) return false;
        int status = input.get("error") == null ? 0 : ClientCore.ERROR;
        tell(() -> events.added(service, status));
        return true;
      case "gatt.subscription": return subscribed(input, link);
      case "gatt.readAsked": return readAsked(input, link);
      case "gatt.writesAsked": return writesAsked(input, link);
      case "gatt.partAsked": return partAsked(input, link);
      case "gatt.executeAsked": return executeAsked(input, link);
      case "gatt.notifySubmitted": return submitted(input, link);
      case "gatt.confirmed": return confirmed(link);
      case "readyToSend":
        if (link != null) pump(link);
        return true;
      default: return false;
    }
  }

  private Attribute attribute(Map<String, Object> word) {
    return attributes.get(Words.number(word, "attribute"));
  }

  private boolean subscribed(Map<String, Object> input, Link link) {
    Attribute attribute = attribute(input);
    if (attribute == null || link == null) return false;
    boolean on = Words.flag(input, "on");
    if (on) subscriptions.add(link.number + " " + attribute.key);
    else subscriptions.remove(link.number + " " + attribute.key);
    return true;
  }

  /** Answers in the app's place what its permissions do not allow; the platform sees to those of characteristics. */
  private boolean isRefused(Map<String, Object> input, Attribute attribute, int permissions, int error) {
    if ((attribute.permissions & permissions) != 0) return false;
    if (Words.number(input, "request") == 0 && !Words.flag(input, "needsAnswer")) return true;
    stack.phone.ask("gatt.answer", "request", Words.number(input, "request"), "value", "", "error", error);
    return true;
  }

  private boolean readAsked(Map<String, Object> input, Link link) {
    Attribute attribute = attribute(input);
    if (attribute == null || link == null) return false;
    if (isRefused(input, attribute, ANY_READ, READ_NOT_PERMITTED)) return true;
    int request = number(input);
    int offset = Words.number(input, "offset");
    tell(() -> events.readAsked(link.address, request, attribute, offset));
    return true;
  }

  private int number(Map<String, Object> input) {
    int request = nextRequest++;
    requests.put(request, Words.number(input, "request"));
    return request;
  }

  private boolean writesAsked(Map<String, Object> input, Link link) {
    List<Map<String, Object>> parts = Words.list(input, "parts");
    if (link == null || parts.isEmpty() || attribute(parts.get(0)) == null) return false;
    boolean needsAnswer = Words.flag(input, "needsAnswer");
    Map<String, Object> whole = parts.get(0);
    if (isRefused(input, attribute(whole), ANY_WRITE, WRITE_NOT_PERMITTED)) return true;
    noteConfigurations(parts, link);
    int request = needsAnswer ? number(input) : nextRequest++;
    tell(() -> events.writeAsked(link.address, request, attribute(whole), false, needsAnswer, 0,
        Words.octets(whole, "octets")));
    return true;
  }

  /** What a client wants to be sent, if the app takes it. */
  private void noteConfigurations(List<Map<String, Object>> parts, Link link) {
    for (Map<String, Object> part : parts) {
      Attribute of = configurations.get(attribute(part));
      byte[] value = Words.octets(part, "octets");
      if (of != null && value.length > 0) configured.put(link.number + " " + of.key, (int) value[0]);
    }
  }

  private boolean partAsked(Map<String, Object> input, Link link) {
    Attribute attribute = attribute(input);
    if (attribute == null || link == null) return false;
    if (isRefused(input, attribute, ANY_WRITE, WRITE_NOT_PERMITTED)) return true;
    int request = number(input);
    tell(() -> events.writeAsked(link.address, request, attribute, true, true, Words.number(input, "offset"),
        Words.octets(input, "octets")));
    return true;
  }

  private boolean executeAsked(Map<String, Object> input, Link link) {
    List<Map<String, Object>> parts = Words.list(input, "parts");
    if (link == null || parts.isEmpty() || attribute(parts.get(0)) == null) return false;
    boolean isMeant = Words.flag(input, "write");
    if (isMeant) noteConfigurations(parts, link);
    int request = number(input);
    tell(() -> events.executeAsked(link.address, request, isMeant));
    return true;
  }

  /** Answers a request; of one that the platform has answered itself, nothing happens. */
  public void respond(int request, int status, byte[] value) {
    Integer asked = requests.remove(request);
    if (asked == null) return;
    stack.phone.ask("gatt.answer", "request", asked, "value", Words.hex(value == null ? new byte[0] : value), "error",
        status == 0 ? null : (Object) (status & 0xFF));
  }

  // Notifications

  /**
   * Sends one after those before it, as the client has asked for it. Whether there is such a device and attribute.
   */
  public boolean notify(String address, Attribute attribute, byte[] octets) {
    Link link = stack.linkTo(address);
    if (link == null || attribute.key < 0 || isClosed) return false;
    notices.get(link.number).add(new Notice(attribute, octets));
    pump(link);
    return true;
  }

  private void pump(Link link) {
    ArrayDeque<Notice> queue = notices.get(link.number);
    if (queue == null || queue.isEmpty() || queue.peek().isAsked) return;
    Notice next = queue.peek();
    next.isAsked = true;
    stack.phone.ask("gatt.notify", "link", link.number, "attribute", next.attribute.key, "type", next.attribute.type,
        "octets", Words.hex(next.octets));
  }

  private boolean submitted(Map<String, Object> input, Link link) {
    ArrayDeque<Notice> queue = link == null ? null : notices.get(link.number);
    if (queue == null || queue.isEmpty() || attribute(input) != queue.peek().attribute) return false;
    Notice notice = queue.peek();
    if (!Words.flag(input, "accepted")) {
      notice.isAsked = false;
      if (subscriptions.contains(link.number + " " + notice.attribute.key)) return true;
      stack.phone.remark("misuse", "server.not-subscribed",
          notice.attribute.type + " was notified to a client that has not subscribed; it is not sent here");
    } else if (isIndicated(link, notice.attribute)) {
      return true;
    }
    sent(link, queue);
    return true;
  }

  /** Whether the platform sends it as an indication: notifications come first where a client wants both. */
  private boolean isIndicated(Link link, Attribute attribute) {
    Integer value = configured.get(link.number + " " + attribute.key);
    return value == null ? (attribute.properties & 0x10) == 0 : value == INDICATIONS;
  }

  private boolean confirmed(Link link) {
    ArrayDeque<Notice> queue = link == null ? null : notices.get(link.number);
    if (queue == null || queue.isEmpty() || !queue.peek().isAsked) return false;
    sent(link, queue);
    return true;
  }

  private void sent(Link link, ArrayDeque<Notice> queue) {
    queue.poll();
    tell(() -> events.sent(link.address, 0));
    pump(link);
  }
}
