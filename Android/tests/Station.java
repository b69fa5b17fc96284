import android.bluetooth.BluetoothDevice;
import android.bluetooth.BluetoothGattCharacteristic;
import android.bluetooth.BluetoothGattDescriptor;
import android.bluetooth.BluetoothGattServer;
import android.bluetooth.BluetoothGattServerCallback;
import android.bluetooth.BluetoothGattService;
import android.bluetooth.BluetoothManager;
import android.bluetooth.le.AdvertiseCallback;
import android.bluetooth.le.AdvertiseData;
import android.bluetooth.le.AdvertiseSettings;
import android.content.Context;
import android.os.ParcelUuid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** A server of a test: one service, and a list of what it was told. It advertises as soon as it is published. */
class Station extends BluetoothGattServerCallback {
  static final UUID SERVICE = uuid("ffe0");
  static final UUID VALUE = uuid("ffe1");
  static final UUID NEWS = uuid("ffe2");
  static final UUID ALARM = uuid("ffe3");
  static final UUID SECRET = uuid("ffe4");
  static final UUID BOTH = uuid("ffe5");
  static final UUID CONFIGURATION = uuid("2902");
  static final UUID NOTE = uuid("2901");

  final List<String> told = new ArrayList<>();
  final BluetoothGattCharacteristic value = new BluetoothGattCharacteristic(VALUE, 0x02 | 0x04 | 0x08, 0x11);
  final BluetoothGattCharacteristic news = new BluetoothGattCharacteristic(NEWS, 0x10, 0x01);
  final BluetoothGattCharacteristic alarm = new BluetoothGattCharacteristic(ALARM, 0x20, 0x01);
  final BluetoothGattCharacteristic both = new BluetoothGattCharacteristic(BOTH, 0x30, 0x01);
  final BluetoothGattCharacteristic secret = new BluetoothGattCharacteristic(SECRET, 0x02, 0x02);
  byte[] content = {1, 2, 3};
  int answersWith;
  boolean answers = true;

  /** What is said of parts of prepared writes; null: what came. */
  byte[] echo;
  private byte[] kept = {};
  Context context;
  BluetoothGattServer server;
  BluetoothManager manager;
  BluetoothDevice client;
  String name = "Station";

  static UUID uuid(String digits) {
    return UUID.fromString("0000" + digits + "-0000-1000-8000-00805f9b34fb");
  }

  void launch(Context context) {
    this.context = context;
    manager = context.getSystemService(BluetoothManager.class);
    manager.getAdapter().setName(name);
    open(context);
  }

  void open(Context context) {
    server = manager.openGattServer(context, this);
    BluetoothGattService service = new BluetoothGattService(SERVICE, BluetoothGattService.SERVICE_TYPE_PRIMARY);
    value.addDescriptor(new BluetoothGattDescriptor(NOTE, 0x11));
    news.addDescriptor(new BluetoothGattDescriptor(CONFIGURATION, 0x11));
    alarm.addDescriptor(new BluetoothGattDescriptor(CONFIGURATION, 0x11));
    both.addDescriptor(new BluetoothGattDescriptor(CONFIGURATION, 0x11));
    for (BluetoothGattCharacteristic each : List.of(value, news, alarm, secret, both)) service.addCharacteristic(each);
    server.addService(service);
  }

  @Override
  public void onServiceAdded(int status, BluetoothGattService service) {
    told.add("added " + status);
    advertise();
  }

  void advertise() {
    AdvertiseData data = new AdvertiseData.Builder().addServiceUuid(new ParcelUuid(SERVICE)).build();
    AdvertiseData response = new AdvertiseData.Builder().setIncludeDeviceName(true).build();
    AdvertiseSettings settings =
        new AdvertiseSettings.Builder().setAdvertiseMode(AdvertiseSettings.ADVERTISE_MODE_LOW_LATENCY).build();
    manager.getAdapter().getBluetoothLeAdvertiser().startAdvertising(settings, data, response, new AdvertiseCallback() {
      @Override
      public void onStartSuccess(AdvertiseSettings inEffect) {
        told.add("advertises");
      }

      @Override
      public void onStartFailure(int errorCode) {
        told.add("advertising failed " + errorCode);
      }
    });
  }

  @Override
  public void onConnectionStateChange(BluetoothDevice device, int status, int newState) {
    told.add("state " + status + " " + newState);
    client = newState == 2 ? device : null;
  }

  @Override
  public void onMtuChanged(BluetoothDevice device, int mtu) {
    told.add("mtu " + mtu);
  }

  @Override
  public void onCharacteristicReadRequest(BluetoothDevice device, int requestId, int offset,
      BluetoothGattCharacteristic characteristic) {
    told.add("read " + offset);
    byte[] rest = Arrays.copyOfRange(content, Math.min(offset, content.length), content.length);
    if (answers) server.sendResponse(device, requestId, answersWith, offset, rest);
  }

  @Override
  public void onDescriptorReadRequest(BluetoothDevice device, int requestId, int offset,
      BluetoothGattDescriptor descriptor) {
    told.add("read descriptor");
    server.sendResponse(device, requestId, 0, offset, "note".getBytes());
  }

  @Override
  public void onCharacteristicWriteRequest(BluetoothDevice device, int requestId,
      BluetoothGattCharacteristic characteristic, boolean preparedWrite, boolean responseNeeded, int offset,
      byte[] value) {
    told.add((preparedWrite ? "prepared " : responseNeeded ? "request " : "command ") + value.length);
    if (preparedWrite) {
      kept = Arrays.copyOf(kept, offset + value.length);
      System.arraycopy(value, 0, kept, offset, value.length);
    } else {
      content = value;
    }
    byte[] said = preparedWrite && echo != null ? echo : value;
    if (responseNeeded && answers) server.sendResponse(device, requestId, answersWith, offset, said);
  }

  @Override
  public void onDescriptorWriteRequest(BluetoothDevice device, int requestId, BluetoothGattDescriptor descriptor,
      boolean preparedWrite, boolean responseNeeded, int offset, byte[] value) {
    told.add("descriptor " + value[0]);
    if (responseNeeded && answers) server.sendResponse(device, requestId, answersWith, offset, value);
  }

  @Override
  public void onExecuteWrite(BluetoothDevice device, int requestId, boolean execute) {
    told.add("execute " + execute);
    if (execute) content = kept;
    kept = new byte[0];
    server.sendResponse(device, requestId, answersWith, 0, null);
  }

  @Override
  public void onPhyUpdate(BluetoothDevice device, int txPhy, int rxPhy, int status) {
    told.add("phy " + txPhy + " " + rxPhy);
  }

  @Override
  public void onConnectionUpdated(BluetoothDevice device, int interval, int latency, int timeout, int status) {
    told.add("updated " + interval);
  }

  @Override
  public void onNotificationSent(BluetoothDevice device, int status) {
    told.add("sent " + status);
  }

  long count(String what) {
    return told.stream().filter(each -> each.startsWith(what)).count();
  }
}
