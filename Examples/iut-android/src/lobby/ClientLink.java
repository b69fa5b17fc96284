package lobby;

import android.bluetooth.BluetoothDevice;
import android.bluetooth.BluetoothGatt;
import android.bluetooth.BluetoothGattCallback;
import android.bluetooth.BluetoothGattCharacteristic;
import android.bluetooth.BluetoothGattDescriptor;
import android.bluetooth.BluetoothGattService;
import android.bluetooth.BluetoothProfile;
import android.content.Context;
import android.os.Handler;
import android.os.Looper;
import babbench.android.Program;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The BLE half of a client for one host: connects, discovers, asks for a larger ATT_MTU, subscribes, and writes one
 * value at a time. Callbacks come on the main thread.
 */
final class ClientLink extends BluetoothGattCallback {
  /** Is told on the main thread. */
  interface Listener {
    void ready(ClientLink link);

    void received(ClientLink link, byte[] value);

    /** It is over; {@code wasRefused}: the other end ended it. */
    void over(ClientLink link, boolean wasRefused, boolean isNoHost);
  }

  private static final int MOST_QUEUED = 4_096;
  private static final int REMOTE_USER_ENDED = 19;
  private static final int WANTED_MTU = 185;

  /** For discovery and subscriptions, which take their time on a slow link. */
  private static final long SET_UP_MILLISECONDS = 60_000;

  private static final class Outgoing {
    final String type;
    final byte[] packet;

    Outgoing(String type, byte[] packet) {
      this.type = type;
      this.packet = packet;
    }
  }

  final Reassembler reassembler;

  /** The sender of the first packet (bab.md 7.5). */
  String host;
  long lastCount;

  private final BluetoothDevice device;
  private final Dialect dialect;
  private final Program.Bench bench;
  private final Listener listener;
  private final Handler main = new Handler(Looper.getMainLooper());
  private final Fragments fragments = new Fragments();
  private final ArrayDeque<Outgoing> packets = new ArrayDeque<>();
  private final ArrayDeque<byte[]> values = new ArrayDeque<>();
  private final ArrayDeque<BluetoothGattCharacteristic> toSubscribe = new ArrayDeque<>();
  private BluetoothGatt gatt;
  private BluetoothGattCharacteristic command;
  private Outgoing sending;
  private int fragmentCount;
  private int attMTU = 23;
  private int sent;
  private boolean isConnected;
  private boolean hasBeenConnected;
  private boolean hasAskedForMTU;
  private boolean isReady;
  private boolean isWriting;
  private boolean isEnding;
  private boolean isNoHost;
  private boolean isOver;

  ClientLink(BluetoothDevice device, Dialect dialect, Program.Bench bench, Listener listener) {
    this.device = device;
    this.dialect = dialect;
    this.bench = bench;
    this.listener = listener;
    reassembler = new Reassembler(main, reason -> report("refused", "reason", reason));
  }

  BluetoothDevice device() {
    return device;
  }

  boolean hasBeenConnected() {
    return hasBeenConnected;
  }

  boolean isEnding() {
    return isEnding || isOver;
  }

  void report(String name, Object... members) {
    Object[] all = new Object[members.length + 2];
    all[0] = "link";
    all[1] = bench.link(device.getAddress());
    System.arraycopy(members, 0, all, 2, members.length);
    bench.report(name, all);
  }

  /** Connects, within a limit. */
  void open(Context context, long milliseconds) {
    gatt = device.connectGatt(context, false, this, BluetoothDevice.TRANSPORT_LE, BluetoothDevice.PHY_LE_1M_MASK, main);
    if (gatt == null) {
      over(false);
      return;
    }
    main.postDelayed(() -> over(false), this, milliseconds);
  }

  /** Ends the link. */
  void disconnect() {
    if (isEnding()) return;
    isEnding = true;
    if (isConnected) gatt.disconnect();
    else over(false);
  }

  /** Gives everything back, at once. */
  void close() {
    isOver = true;
    main.removeCallbacksAndMessages(this);
    reassembler.end();
    if (gatt != null) gatt.close();
  }

  private void over(boolean wasRefused) {
    if (isOver) return;
    close();
    listener.over(this, wasRefused, isNoHost);
  }

  private void isNoHost() {
    isNoHost = true;
    disconnect();
  }

  // Packets

  /** Queues a packet. */
  void post(String type, byte[] packet) {
    if (isEnding()) return;
    if (packets.size() >= MOST_QUEUED) {
      disconnect();
      return;
    }
    packets.add(new Outgoing(type, packet));
    pump();
  }

  private void pump() {
    if (!isReady || isWriting || isEnding()) return;
    if (values.isEmpty() && sending != null) {
      report("packetSent", "type", sending.type, "packet", sent, "fragments", fragmentCount);
      sent += 1;
      sending = null;
    }
    while (values.isEmpty()) {
      sending = packets.poll();
      if (sending == null) return;
      values.addAll(fragments.cut(sending.packet, attMTU));
      fragmentCount = values.size();
      if (values.isEmpty()) sending = null;
    }
    isWriting = true;
    boolean hasResponse = (command.getProperties() & BluetoothGattCharacteristic.PROPERTY_WRITE) != 0;
    gatt.writeCharacteristic(command, values.remove(), hasResponse
        ? BluetoothGattCharacteristic.WRITE_TYPE_DEFAULT : BluetoothGattCharacteristic.WRITE_TYPE_NO_RESPONSE);
  }

  // What Android tells

  @Override
  public void onConnectionStateChange(BluetoothGatt from, int status, int newState) {
    if (isOver) return;
    if (newState == BluetoothProfile.STATE_CONNECTED) {
      isConnected = true;
      hasBeenConnected = true;
      main.removeCallbacksAndMessages(this);
      main.postDelayed(this::disconnect, this, SET_UP_MILLISECONDS);
      gatt.discoverServices();
      return;
    }
    isConnected = false;
    over(!isEnding && status == REMOTE_USER_ENDED);
  }

  @Override
  public void onServicesDiscovered(BluetoothGatt from, int status) {
    if (isEnding()) return;
    hasAskedForMTU = true;
    gatt.requestMtu(WANTED_MTU);
  }

  @Override
  public void onMtuChanged(BluetoothGatt from, int mtu, int status) {
    if (isEnding()) return;
    attMTU = mtu;
    if (hasAskedForMTU && command == null) setUp();
  }

  private void setUp() {
    BluetoothGattService service = gatt.getService(dialect.service);
    List<BluetoothGattCharacteristic> found = service == null ? List.of() : service.getCharacteristics();
    List<BluetoothGattCharacteristic> notifying = new ArrayList<>();
    boolean hasState = false;
    BluetoothGattCharacteristic writable = null;
    for (BluetoothGattCharacteristic each : found) {
      if ((each.getProperties() & BluetoothGattCharacteristic.PROPERTY_NOTIFY) != 0) {
        notifying.add(each);
        hasState |= each.getUuid().equals(dialect.state);
      }
      if (each.getUuid().equals(dialect.command)) writable = each;
    }
    if (writable == null || !hasState) {
      isNoHost();
      return;
    }
    command = writable;
    toSubscribe.addAll(notifying);
    subscribe();
  }

  private void subscribe() {
    BluetoothGattCharacteristic next = toSubscribe.poll();
    if (next == null) {
      isReady = true;
      main.removeCallbacksAndMessages(this);
      listener.ready(this);
      pump();
      return;
    }
    gatt.setCharacteristicNotification(next, true);
    BluetoothGattDescriptor configuration = next.getDescriptor(Dialect.CONFIGURATION);
    boolean isAsked = configuration != null
        && gatt.writeDescriptor(configuration, BluetoothGattDescriptor.ENABLE_NOTIFICATION_VALUE) == 0;
    if (!isAsked) disconnect();
  }

  @Override
  public void onDescriptorWrite(BluetoothGatt from, BluetoothGattDescriptor descriptor, int status) {
    if (isEnding()) return;
    if (status == BluetoothGatt.GATT_SUCCESS) subscribe();
    else disconnect();
  }

  @Override
  public void onCharacteristicChanged(BluetoothGatt from, BluetoothGattCharacteristic characteristic, byte[] value) {
    if (!isEnding()) listener.received(this, value);
  }

  @Override
  public void onCharacteristicWrite(BluetoothGatt from, BluetoothGattCharacteristic characteristic, int status) {
    isWriting = false;
    if (isEnding()) return;
    if (status == BluetoothGatt.GATT_SUCCESS) pump();
    else disconnect(); // bab.md 5.9.6
  }
}
