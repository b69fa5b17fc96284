package android.bluetooth;

import android.os.Handler;
import babbench.android.Phone;
import babbench.android.stack.ClientCore;
import babbench.android.stack.Remote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A GATT client for one device. It has one read or write under way; a second one is refused. */
@SuppressWarnings("deprecation")
public final class BluetoothGatt implements BluetoothProfile {
  public static final int GATT_SUCCESS = 0;
  public static final int GATT_READ_NOT_PERMITTED = 0x02;
  public static final int GATT_WRITE_NOT_PERMITTED = 0x03;
  public static final int GATT_INSUFFICIENT_AUTHENTICATION = 0x05;
  public static final int GATT_REQUEST_NOT_SUPPORTED = 0x06;
  public static final int GATT_INVALID_OFFSET = 0x07;
  public static final int GATT_INSUFFICIENT_AUTHORIZATION = 0x08;
  public static final int GATT_INVALID_ATTRIBUTE_LENGTH = 0x0D;
  public static final int GATT_INSUFFICIENT_ENCRYPTION = 0x0F;
  public static final int GATT_CONNECTION_CONGESTED = 0x8F;
  public static final int GATT_CONNECTION_TIMEOUT = 0x93;
  public static final int GATT_FAILURE = 0x101;
  public static final int CONNECTION_PRIORITY_BALANCED = 0;
  public static final int CONNECTION_PRIORITY_HIGH = 1;
  public static final int CONNECTION_PRIORITY_LOW_POWER = 2;
  public static final int CONNECTION_PRIORITY_DCK = 3;

  private static final UUID CONFIGURATION = UUID.fromString("00002902-0000-1000-8000-00805f9b34fb");
  private static final int API_WITH_VALUES = 33;

  /** Core Specification, Vol 3, Part F, 3.2.9. */
  static final int LONGEST_VALUE = 512;

  private final BluetoothDevice device;
  private final BluetoothGattCallback callback;
  private final Handler handler;
  private final Phone phone;
  private final Map<Integer, BluetoothGattCharacteristic> byHandle = new HashMap<>();
  private final Set<Integer> listened = new HashSet<>();
  private List<BluetoothGattService> services = new ArrayList<>();
  private ClientCore core;
  private boolean isBusy;

  /** Whether values are kept by the server until they are executed. */
  private boolean isReliable;

  BluetoothGatt(BluetoothDevice device, BluetoothGattCallback callback, Handler handler) {
    this.device = device;
    this.callback = callback;
    this.handler = handler;
    phone = device.phone();
  }

  void begin(boolean autoConnect) {
    core = phone.stack().connect(device.getAddress(), autoConnect, new Told());
  }

  private void call(Runnable task) {
    if (handler == null) task.run();
    else handler.post(task);
  }

  private final class Told implements ClientCore.Events {
    @Override
    public void connectionState(int status, boolean isConnected) {
      isBusy = false;
      isReliable = false;
      call(() -> callback.onConnectionStateChange(BluetoothGatt.this, status,
          isConnected ? STATE_CONNECTED : STATE_DISCONNECTED));
    }

    @Override
    public void notified(int handle, byte[] octets) {
      BluetoothGattCharacteristic characteristic = byHandle.get(handle);
      if (characteristic == null || !listened.contains(handle)) return;
      call(() -> {
        characteristic.setValue(octets);
        if (phone.apiLevel() < API_WITH_VALUES) callback.onCharacteristicChanged(BluetoothGatt.this, characteristic);
        else callback.onCharacteristicChanged(BluetoothGatt.this, characteristic, octets);
      });
    }

    @Override
    public void attMTU(int attMTU, int status) {
      call(() -> callback.onMtuChanged(BluetoothGatt.this, attMTU, status));
    }

    @Override
    public void servicesChanged() {
      if (phone.apiLevel() >= 31) call(() -> callback.onServiceChanged(BluetoothGatt.this));
    }

    @Override
    public void phy(int tx, int rx, int status) {
      call(() -> callback.onPhyUpdate(BluetoothGatt.this, tx, rx, status));
    }

    @Override
    public void parameters(int interval, int latency, int timeout) {
      call(() -> callback.onConnectionUpdated(BluetoothGatt.this, interval, latency, timeout, GATT_SUCCESS));
    }
  }

  // Links

  public BluetoothDevice getDevice() {
    return device;
  }

  /** Connects again, in the background: without a limit of time. */
  public boolean connect() {
    if (core.isClosed()) return false;
    core.connect(true);
    return true;
  }

  public void disconnect() {
    core.disconnect();
  }

  /** Gives the client back. Nothing is told any more; a link that nobody else uses ends. */
  public void close() {
    core.close();
  }

  // Services

  /** Discovers all. What is known of the device is told without asking it again. */
  public boolean discoverServices() {
    if (!core.isConnected()) return false;
    services = new ArrayList<>();
    byHandle.clear();
    core.discover(status -> {
      if (status == GATT_SUCCESS) make();
      call(() -> callback.onServicesDiscovered(this, status));
    });
    return true;
  }

  private void make() {
    services = new ArrayList<>();
    Map<Remote.Service, BluetoothGattService> made = new LinkedHashMap<>();
    for (Remote.Service each : core.services()) {
      int type = each.isPrimary
          ? BluetoothGattService.SERVICE_TYPE_PRIMARY : BluetoothGattService.SERVICE_TYPE_SECONDARY;
      BluetoothGattService service = new BluetoothGattService(each.type, type, each.start);
      service.device = device;
      made.put(each, service);
      services.add(service);
      for (Remote.Characteristic found : each.characteristics) {
        BluetoothGattCharacteristic characteristic =
            new BluetoothGattCharacteristic(found.type, found.properties, 0, found.handle);
        service.addCharacteristic(characteristic);
        byHandle.put(found.handle, characteristic);
        for (Remote.Descriptor descriptor : found.descriptors) {
          characteristic.addDescriptor(new BluetoothGattDescriptor(descriptor.type, 0, descriptor.handle));
        }
      }
    }
    made.forEach((each, service) -> {
      for (Remote.Service included : each.included) {
        if (made.containsKey(included)) service.addService(made.get(included));
      }
    });
  }

  public List<BluetoothGattService> getServices() {
    return new ArrayList<>(services);
  }

  public BluetoothGattService getService(UUID uuid) {
    for (BluetoothGattService each : services) if (each.getUuid().equals(uuid)) return each;
    return null;
  }

  /** Forgets what was discovered. Not in Android's public interface; apps call it by reflection. */
  public boolean refresh() {
    core.refresh();
    return true;
  }

  // Values: one at a time

  private boolean isReady(BluetoothGattCharacteristic characteristic) {
    return characteristic != null && characteristic.service != null && characteristic.service.device != null
        && core.isConnected() && !isBusy;
  }

  public boolean readCharacteristic(BluetoothGattCharacteristic characteristic) {
    if ((characteristic.getProperties() & BluetoothGattCharacteristic.PROPERTY_READ) == 0) return false;
    if (!isReady(characteristic)) return false;
    isBusy = true;
    core.read(characteristic.getInstanceId(), characteristic.getUuid(), (status, value) -> {
      isBusy = false;
      call(() -> {
        if (status == GATT_SUCCESS) characteristic.setValue(value);
        if (phone.apiLevel() < API_WITH_VALUES) callback.onCharacteristicRead(this, characteristic, status);
        else callback.onCharacteristicRead(this, characteristic, value, status);
      });
    });
    return true;
  }

  @Deprecated
  public boolean writeCharacteristic(BluetoothGattCharacteristic characteristic) {
    byte[] value = characteristic.getValue();
    if (value == null) return false;
    return write(characteristic, value, characteristic.getWriteType()) == BluetoothStatusCodes.SUCCESS;
  }

  /** Since API level 33. One of {@link BluetoothStatusCodes}. */
  public int writeCharacteristic(BluetoothGattCharacteristic characteristic, byte[] value, int writeType) {
    if (characteristic == null || value == null) throw new IllegalArgumentException("null parameter");
    if (value.length > LONGEST_VALUE) throw new IllegalArgumentException("a value has at most 512 octets");
    return write(characteristic, value, writeType);
  }

  private int write(BluetoothGattCharacteristic characteristic, byte[] value, int writeType) {
    int both = BluetoothGattCharacteristic.PROPERTY_WRITE | BluetoothGattCharacteristic.PROPERTY_WRITE_NO_RESPONSE;
    if ((characteristic.getProperties() & both) == 0) return BluetoothStatusCodes.ERROR_GATT_WRITE_NOT_ALLOWED;
    if (isBusy) return BluetoothStatusCodes.ERROR_GATT_WRITE_REQUEST_BUSY;
    if (!isReady(characteristic)) return BluetoothStatusCodes.ERROR_PROFILE_SERVICE_NOT_BOUND;
    isBusy = true;
    if (isReliable) {
      prepare(characteristic, value);
    } else if (writeType == BluetoothGattCharacteristic.WRITE_TYPE_NO_RESPONSE) {
      int most = core.attMTU() - 3;
      byte[] sent = value.length <= most ? value : Arrays.copyOf(value, most);
      if (sent != value) {
        phone.remark("misuse", "gatt.command-too-long", value.length + " octets are written without response; "
            + most + " fit, and the others are cut off");
      }
      core.command(characteristic.getInstanceId(), characteristic.getUuid(), sent,
          status -> written(characteristic, status));
    } else {
      core.write(characteristic.getInstanceId(), characteristic.getUuid(), value,
          status -> written(characteristic, status));
    }
    return BluetoothStatusCodes.SUCCESS;
  }

  private void written(BluetoothGattCharacteristic characteristic, int status) {
    isBusy = false;
    call(() -> callback.onCharacteristicWrite(this, characteristic, status));
  }

  /** What does not fit is cut off; the value of the characteristic is then what the server says that it keeps. */
  private void prepare(BluetoothGattCharacteristic characteristic, byte[] octets) {
    int most = core.attMTU() - 5;
    byte[] sent = octets.length <= most ? octets : Arrays.copyOf(octets, most);
    if (sent != octets) {
      phone.remark("misuse", "gatt.reliable-too-long", octets.length + " octets are written reliably; " + most
          + " fit, and the others are cut off");
    }
    core.prepare(characteristic.getInstanceId(), characteristic.getUuid(), sent, (status, kept) -> {
      if (status == GATT_SUCCESS) characteristic.setValue(kept);
      written(characteristic, status);
    });
  }

  public boolean readDescriptor(BluetoothGattDescriptor descriptor) {
    if (!isReady(descriptor.characteristic)) return false;
    isBusy = true;
    core.read(descriptor.handle, descriptor.getUuid(), (status, value) -> {
      isBusy = false;
      call(() -> {
        if (status == GATT_SUCCESS) descriptor.setValue(value);
        if (phone.apiLevel() < API_WITH_VALUES) callback.onDescriptorRead(this, descriptor, status);
        else callback.onDescriptorRead(this, descriptor, status, value);
      });
    });
    return true;
  }

  @Deprecated
  public boolean writeDescriptor(BluetoothGattDescriptor descriptor) {
    return descriptor.getValue() != null && write(descriptor, descriptor.getValue()) == BluetoothStatusCodes.SUCCESS;
  }

  /** Since API level 33. One of {@link BluetoothStatusCodes}. */
  public int writeDescriptor(BluetoothGattDescriptor descriptor, byte[] value) {
    if (descriptor == null || value == null) throw new IllegalArgumentException("null parameter");
    if (descriptor.characteristic == null) throw new IllegalArgumentException("the descriptor has no characteristic");
    return write(descriptor, value);
  }

  private int write(BluetoothGattDescriptor descriptor, byte[] value) {
    if (isBusy) return BluetoothStatusCodes.ERROR_GATT_WRITE_REQUEST_BUSY;
    BluetoothGattCharacteristic characteristic = descriptor.characteristic;
    if (!isReady(characteristic)) return BluetoothStatusCodes.ERROR_PROFILE_SERVICE_NOT_BOUND;
    isBusy = true;
    java.util.function.IntConsumer done = status -> {
      isBusy = false;
      call(() -> callback.onDescriptorWrite(this, descriptor, status));
    };
    // The platform switches notifications on where there are both; another wish is written as it is.
    boolean hasBoth = (~characteristic.getProperties() & 0x30) == 0;
    boolean isSwitch = descriptor.getUuid().equals(CONFIGURATION) && value.length == 2 && value[1] == 0
        && value[0] >= 0 && value[0] <= (hasBoth ? 1 : 2);
    if (isSwitch) core.configure(characteristic.getInstanceId(), characteristic.getUuid(), value[0] != 0, done);
    else core.write(descriptor.handle, descriptor.getUuid(), value.clone(), done);
    return BluetoothStatusCodes.SUCCESS;
  }

  /** Whether notifications are passed to the callback. Nothing is written to the device: that is the descriptor's. */
  public boolean setCharacteristicNotification(BluetoothGattCharacteristic characteristic, boolean enable) {
    if (characteristic.service == null || characteristic.service.device == null || core.isClosed()) return false;
    if (enable) listened.add(characteristic.getInstanceId());
    else listened.remove(characteristic.getInstanceId());
    return true;
  }

  // Reliable writes: the server keeps what is written until it is executed

  public boolean beginReliableWrite() {
    if (isReliable || !core.isConnected()) return false;
    isReliable = true;
    return true;
  }

  public boolean executeReliableWrite() {
    if (!isReliable || isBusy || !core.isConnected()) return false;
    end(true);
    return true;
  }

  private void end(boolean isMeant) {
    isReliable = false;
    isBusy = true;
    core.execute(isMeant, status -> {
      isBusy = false;
      call(() -> callback.onReliableWriteCompleted(this, status));
    });
  }

  /** The server drops what it keeps; {@code onReliableWriteCompleted} says so. */
  public void abortReliableWrite() {
    if (isReliable && core.isConnected()) end(false);
  }

  @Deprecated
  public void abortReliableWrite(BluetoothDevice device) {
    abortReliableWrite();
  }

  // Wishes

  /** 23 to 517; other sizes are refused. The answer is {@code onMtuChanged}. */
  public boolean requestMtu(int mtu) {
    if (mtu < 23 || mtu > 517 || !core.isConnected()) return false;
    core.requestMTU(mtu);
    return true;
  }

  public boolean requestConnectionPriority(int connectionPriority) {
    if (connectionPriority < CONNECTION_PRIORITY_BALANCED || connectionPriority > CONNECTION_PRIORITY_DCK) {
      throw new IllegalArgumentException("no connection priority: " + connectionPriority);
    }
    if (!core.isConnected()) return false;
    switch (connectionPriority) {
      case CONNECTION_PRIORITY_HIGH: core.requestInterval(9, 12); break;
      case CONNECTION_PRIORITY_LOW_POWER: core.requestInterval(80, 100); break;
      case CONNECTION_PRIORITY_DCK: core.requestInterval(24, 24); break;
      default: core.requestInterval(24, 40);
    }
    return true;
  }

  public boolean readRemoteRssi() {
    if (!core.isConnected()) return false;
    core.readRSSI(rssi -> call(() -> callback.onReadRemoteRssi(this, rssi, GATT_SUCCESS)));
    return true;
  }

  /** Masks, as in {@link BluetoothDevice}; {@code onPhyUpdate} says what came of it. */
  public void setPreferredPhy(int txPhy, int rxPhy, int phyOptions) {
    core.preferPHY(txPhy, rxPhy, phyOptions);
  }

  public void readPhy() {
    core.readPHY((tx, rx) -> call(() -> callback.onPhyRead(this, tx, rx, GATT_SUCCESS)));
  }

  // A profile that has to be asked of the manager

  @Override
  public int getConnectionState(BluetoothDevice device) {
    throw new UnsupportedOperationException("ask BluetoothManager.getConnectionState");
  }

  @Override
  public List<BluetoothDevice> getConnectedDevices() {
    throw new UnsupportedOperationException("ask BluetoothManager.getConnectedDevices");
  }

  @Override
  public List<BluetoothDevice> getDevicesMatchingConnectionStates(int[] states) {
    throw new UnsupportedOperationException("ask BluetoothManager.getDevicesMatchingConnectionStates");
  }
}
