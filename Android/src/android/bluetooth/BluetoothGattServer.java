package android.bluetooth;

import babbench.android.Phone;
import babbench.android.stack.ServerCore;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A GATT server of an app. */
public final class BluetoothGattServer implements BluetoothProfile {
  private final Phone phone;
  private final BluetoothAdapter adapter;
  private final BluetoothGattServerCallback callback;
  private final ServerCore core;
  private final List<BluetoothGattService> services = new ArrayList<>();
  private BluetoothGattService adding;

  BluetoothGattServer(Phone phone, BluetoothAdapter adapter, BluetoothGattServerCallback callback) {
    this.phone = phone;
    this.adapter = adapter;
    this.callback = callback;
    core = phone.stack().openServer(new Told());
  }

  private final class Told implements ServerCore.Events {
    @Override
    public void connectionState(String address, boolean isConnected) {
      callback.onConnectionStateChange(adapter.device(address), BluetoothGatt.GATT_SUCCESS,
          isConnected ? STATE_CONNECTED : STATE_DISCONNECTED);
    }

    @Override
    public void attMTU(String address, int attMTU) {
      callback.onMtuChanged(adapter.device(address), attMTU);
    }

    @Override
    public void added(ServerCore.Service service, int status) {
      BluetoothGattService added = (BluetoothGattService) service.app;
      if (adding == added) adding = null;
      if (status == BluetoothGatt.GATT_SUCCESS) services.add(added);
      callback.onServiceAdded(status, added);
    }

    @Override
    public void readAsked(String address, int request, ServerCore.Attribute attribute, int offset) {
      BluetoothDevice device = adapter.device(address);
      if (attribute.app instanceof BluetoothGattCharacteristic) {
        callback.onCharacteristicReadRequest(device, request, offset, (BluetoothGattCharacteristic) attribute.app);
      } else {
        callback.onDescriptorReadRequest(device, request, offset, (BluetoothGattDescriptor) attribute.app);
      }
    }

    @Override
    public void writeAsked(String address, int request, ServerCore.Attribute attribute, boolean isPrepared,
        boolean needsAnswer, int offset, byte[] octets) {
      BluetoothDevice device = adapter.device(address);
      if (attribute.app instanceof BluetoothGattCharacteristic) {
        callback.onCharacteristicWriteRequest(device, request, (BluetoothGattCharacteristic) attribute.app, isPrepared,
            needsAnswer, offset, octets);
      } else {
        callback.onDescriptorWriteRequest(device, request, (BluetoothGattDescriptor) attribute.app, isPrepared,
            needsAnswer, offset, octets);
      }
    }

    @Override
    public void executeAsked(String address, int request, boolean isMeant) {
      callback.onExecuteWrite(adapter.device(address), request, isMeant);
    }

    @Override
    public void phy(String address, int tx, int rx, int status) {
      callback.onPhyUpdate(adapter.device(address), tx, rx, status);
    }

    @Override
    public void parameters(String address, int interval, int latency, int timeout) {
      callback.onConnectionUpdated(adapter.device(address), interval, latency, timeout, BluetoothGatt.GATT_SUCCESS);
    }

    @Override
    public void sent(String address, int status) {
      callback.onNotificationSent(adapter.device(address), status);
    }
  }

  // Services

  /** Adds one; {@code onServiceAdded} comes before the next one may be added. */
  public boolean addService(BluetoothGattService service) {
    if (core.isClosed()) return false;
    if (adding != null) {
      phone.remark("misuse", "server.adding",
          "a service is added before onServiceAdded of the last one; phones lose one");
    }
    adding = service;
    ServerCore.Service added = new ServerCore.Service(service, service.getUuid(),
        service.getType() == BluetoothGattService.SERVICE_TYPE_PRIMARY);
    for (BluetoothGattService each : service.getIncludedServices()) if (each.core != null) added.include(each.core);
    for (BluetoothGattCharacteristic each : service.getCharacteristics()) {
      int own = permissions(each.getPermissions());
      each.core = new ServerCore.Attribute(each, each.getUuid(), each.getProperties(), own);
      for (BluetoothGattDescriptor descriptor : each.getDescriptors()) {
        int permissions = permissions(descriptor.getPermissions());
        descriptor.core = new ServerCore.Attribute(descriptor, descriptor.getUuid(), 0, permissions);
        each.core.add(descriptor.core);
      }
      added.add(each.core);
    }
    service.core = added;
    core.add(added);
    return true;
  }

  /** Permissions of Android as the seam has them: 1 and 2 are for any link, 4 and 8 for one that is encrypted. */
  private static int permissions(int android) {
    int permissions = 0;
    int encryptedReads = BluetoothGattCharacteristic.PERMISSION_READ_ENCRYPTED
        | BluetoothGattCharacteristic.PERMISSION_READ_ENCRYPTED_MITM;
    int encryptedWrites = BluetoothGattCharacteristic.PERMISSION_WRITE_ENCRYPTED
        | BluetoothGattCharacteristic.PERMISSION_WRITE_ENCRYPTED_MITM;
    if ((android & encryptedReads) != 0) permissions |= 4;
    else if ((android & BluetoothGattCharacteristic.PERMISSION_READ) != 0) permissions |= 1;
    if ((android & encryptedWrites) != 0) permissions |= 8;
    else if ((android & BluetoothGattCharacteristic.PERMISSION_WRITE) != 0) permissions |= 2;
    return permissions;
  }

  public boolean removeService(BluetoothGattService service) {
    if (service.core == null || !services.remove(service)) return false;
    return core.remove(service.core);
  }

  public void clearServices() {
    services.clear();
    core.clear();
  }

  public List<BluetoothGattService> getServices() {
    return new ArrayList<>(services);
  }

  public BluetoothGattService getService(UUID uuid) {
    for (BluetoothGattService each : services) if (each.getUuid().equals(uuid)) return each;
    return null;
  }

  public void close() {
    core.close();
  }

  // Links

  public boolean connect(BluetoothDevice device, boolean autoConnect) {
    if (core.isClosed()) return false;
    core.connect(device.getAddress());
    return true;
  }

  public void cancelConnection(BluetoothDevice device) {
    if (!core.isClosed()) core.cancelConnection(device.getAddress());
  }

  /** Answers a request. The value of a read begins at the offset that was asked for. */
  public boolean sendResponse(BluetoothDevice device, int requestId, int status, int offset, byte[] value) {
    if (core.isClosed()) return false;
    core.respond(requestId, status, value);
    return true;
  }

  @Deprecated
  public boolean notifyCharacteristicChanged(BluetoothDevice device, BluetoothGattCharacteristic characteristic,
      boolean confirm) {
    byte[] value = characteristic.getValue();
    if (value == null) return false;
    return notifyCharacteristicChanged(device, characteristic, confirm, value) == BluetoothStatusCodes.SUCCESS;
  }

  /** Since API level 33. The next one may be sent after {@code onNotificationSent}. */
  public int notifyCharacteristicChanged(BluetoothDevice device, BluetoothGattCharacteristic characteristic,
      boolean confirm, byte[] value) {
    if (value == null) throw new IllegalArgumentException("the value is null");
    if (value.length > BluetoothGatt.LONGEST_VALUE) {
      throw new IllegalArgumentException("a value has at most 512 octets");
    }
    boolean isKnown = characteristic.core != null
        && core.notify(device.getAddress(), characteristic.core, value.clone());
    return isKnown ? BluetoothStatusCodes.SUCCESS : BluetoothStatusCodes.ERROR_PROFILE_SERVICE_NOT_BOUND;
  }

  /** Masks, as in {@link BluetoothDevice}; {@code onPhyUpdate} says what came of it. */
  public void setPreferredPhy(BluetoothDevice device, int txPhy, int rxPhy, int phyOptions) {
    core.preferPHY(device.getAddress(), txPhy, rxPhy, phyOptions);
  }

  public void readPhy(BluetoothDevice device) {
    core.readPHY(device.getAddress(), (tx, rx) -> callback.onPhyRead(device, tx, rx, BluetoothGatt.GATT_SUCCESS));
  }

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
