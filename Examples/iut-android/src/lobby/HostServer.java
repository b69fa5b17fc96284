package lobby;

import android.bluetooth.BluetoothDevice;
import android.bluetooth.BluetoothGatt;
import android.bluetooth.BluetoothGattCharacteristic;
import android.bluetooth.BluetoothGattDescriptor;
import android.bluetooth.BluetoothGattServer;
import android.bluetooth.BluetoothGattServerCallback;
import android.bluetooth.BluetoothGattService;
import android.bluetooth.BluetoothManager;
import android.bluetooth.BluetoothProfile;
import android.bluetooth.le.AdvertiseCallback;
import android.bluetooth.le.AdvertiseData;
import android.bluetooth.le.AdvertiseSettings;
import android.bluetooth.le.BluetoothLeAdvertiser;
import android.content.Context;
import android.os.Handler;
import android.os.Looper;
import android.os.ParcelUuid;
import android.util.Log;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The BLE half of a host: one server, one advertiser, one value at a time to each device. */
final class HostServer extends BluetoothGattServerCallback {
  /** Is told on the main thread. */
  interface Listener {
    void came(BluetoothDevice device);

    void received(BluetoothDevice device, byte[] value);

    void gone(BluetoothDevice device);
  }

  private static final class Link {
    int attMTU = 23;
    boolean isSubscribed;
    boolean isSending;

    /** What a client's phone has written in parts: one value. */
    final ByteArrayOutputStream prepared = new ByteArrayOutputStream();
    final Fragments fragments = new Fragments();
    final ArrayDeque<byte[]> packets = new ArrayDeque<>();
    final ArrayDeque<byte[]> values = new ArrayDeque<>();
  }

  private static final int MOST_QUEUED = 256;

  private final Context context;
  private final Dialect dialect;
  private final String name;
  private final Listener app;
  private final BluetoothManager manager;
  private final Handler main = new Handler(Looper.getMainLooper());
  private final Map<BluetoothDevice, Link> links = new LinkedHashMap<>();
  private BluetoothGattServer server;
  private BluetoothGattCharacteristic state;
  private boolean isOpen;
  private boolean isAdvertising;

  private final AdvertiseCallback advertising = new AdvertiseCallback() {
    @Override
    public void onStartFailure(int errorCode) {
      Log.w("lobby", "advertising failed: " + errorCode);
    }
  };

  HostServer(Context context, Dialect dialect, String id, Listener app) {
    this.context = context;
    this.dialect = dialect;
    name = dialect.localName(id);
    this.app = app;
    manager = context.getSystemService(BluetoothManager.class);
  }

  List<BluetoothDevice> devices() {
    return new ArrayList<>(links.keySet());
  }

  /** Publishes, and then advertises. */
  void open() {
    if (isOpen) {
      advertise(true);
      return;
    }
    server = manager.openGattServer(context, this);
    if (server == null) return;
    isOpen = true;
    state = notifying(dialect.state);
    BluetoothGattService service =
        new BluetoothGattService(dialect.service, BluetoothGattService.SERVICE_TYPE_PRIMARY);
    int both = BluetoothGattCharacteristic.PROPERTY_WRITE | BluetoothGattCharacteristic.PROPERTY_WRITE_NO_RESPONSE;
    service.addCharacteristic(new BluetoothGattCharacteristic(dialect.command, both,
        BluetoothGattCharacteristic.PERMISSION_WRITE));
    service.addCharacteristic(state);
    if (dialect.leaderboard != null) service.addCharacteristic(notifying(dialect.leaderboard));
    server.addService(service);
  }

  private static BluetoothGattCharacteristic notifying(UUID uuid) {
    BluetoothGattCharacteristic made =
        new BluetoothGattCharacteristic(uuid, BluetoothGattCharacteristic.PROPERTY_NOTIFY, 0);
    made.addDescriptor(new BluetoothGattDescriptor(Dialect.CONFIGURATION,
        BluetoothGattDescriptor.PERMISSION_READ | BluetoothGattDescriptor.PERMISSION_WRITE));
    return made;
  }

  @Override
  public void onServiceAdded(int status, BluetoothGattService service) {
    main.post(() -> advertise(true));
  }

  void advertise(boolean on) {
    if (on == isAdvertising || !isOpen) return;
    BluetoothLeAdvertiser advertiser = manager.getAdapter().getBluetoothLeAdvertiser();
    if (advertiser == null) return;
    isAdvertising = on;
    if (!on) {
      advertiser.stopAdvertising(advertising);
      return;
    }
    manager.getAdapter().setName(name);
    AdvertiseSettings settings =
        new AdvertiseSettings.Builder().setAdvertiseMode(AdvertiseSettings.ADVERTISE_MODE_LOW_LATENCY).build();
    AdvertiseData data = new AdvertiseData.Builder().addServiceUuid(new ParcelUuid(dialect.service)).build();
    AdvertiseData response = new AdvertiseData.Builder().setIncludeDeviceName(true).build();
    advertiser.startAdvertising(settings, data, response, advertising);
  }

  /** Bluetooth is off: server, advertiser and links are gone. */
  void switchedOff() {
    isOpen = false;
    isAdvertising = false;
    server = null;
    for (BluetoothDevice device : devices()) gone(device);
  }

  void end(BluetoothDevice device) {
    if (server != null) server.cancelConnection(device);
  }

  /** Queues a packet; it goes when the device has subscribed. */
  void send(BluetoothDevice device, byte[] packet) {
    Link link = links.get(device);
    if (link == null) return;
    if (link.packets.size() >= MOST_QUEUED) {
      end(device);
      return;
    }
    link.packets.add(packet);
    pump(device, link);
  }

  private void pump(BluetoothDevice device, Link link) {
    if (link.isSending || !link.isSubscribed || server == null) return;
    while (link.values.isEmpty()) {
      if (link.packets.isEmpty()) return;
      link.values.addAll(link.fragments.cut(link.packets.remove(), link.attMTU));
    }
    link.isSending = true;
    server.notifyCharacteristicChanged(device, state, false, link.values.remove());
  }

  private void gone(BluetoothDevice device) {
    if (links.remove(device) != null) app.gone(device);
  }

  // What Android tells, on a binder thread

  @Override
  public void onConnectionStateChange(BluetoothDevice device, int status, int newState) {
    main.post(() -> {
      if (newState != BluetoothProfile.STATE_CONNECTED) {
        gone(device);
        return;
      }
      links.put(device, new Link());
      app.came(device);
    });
  }

  @Override
  public void onMtuChanged(BluetoothDevice device, int mtu) {
    main.post(() -> {
      Link link = links.get(device);
      if (link != null) link.attMTU = mtu;
    });
  }

  @Override
  public void onCharacteristicWriteRequest(BluetoothDevice device, int requestId,
      BluetoothGattCharacteristic characteristic, boolean preparedWrite, boolean responseNeeded, int offset,
      byte[] value) {
    main.post(() -> {
      if (responseNeeded && server != null) {
        server.sendResponse(device, requestId, BluetoothGatt.GATT_SUCCESS, offset, value);
      }
      if (!preparedWrite) {
        app.received(device, value);
        return;
      }
      Link link = links.get(device);
      if (link != null) link.prepared.writeBytes(value);
    });
  }

  @Override
  public void onExecuteWrite(BluetoothDevice device, int requestId, boolean execute) {
    main.post(() -> {
      if (server != null) server.sendResponse(device, requestId, BluetoothGatt.GATT_SUCCESS, 0, null);
      Link link = links.get(device);
      if (link == null) return;
      byte[] value = link.prepared.toByteArray();
      link.prepared.reset();
      if (execute && value.length > 0) app.received(device, value);
    });
  }

  @Override
  public void onDescriptorWriteRequest(BluetoothDevice device, int requestId, BluetoothGattDescriptor descriptor,
      boolean preparedWrite, boolean responseNeeded, int offset, byte[] value) {
    main.post(() -> {
      if (responseNeeded && server != null) {
        server.sendResponse(device, requestId, BluetoothGatt.GATT_SUCCESS, offset, value);
      }
      Link link = links.get(device);
      if (link == null || descriptor.getCharacteristic() != state) return;
      link.isSubscribed = Arrays.equals(value, BluetoothGattDescriptor.ENABLE_NOTIFICATION_VALUE);
      pump(device, link);
    });
  }

  @Override
  public void onNotificationSent(BluetoothDevice device, int status) {
    main.post(() -> {
      Link link = links.get(device);
      if (link == null) return;
      link.isSending = false;
      pump(device, link);
    });
  }
}
