package android.bluetooth;

import babbench.android.stack.ChannelCore;
import babbench.android.stack.ClientCore;
import babbench.jvm.Fiber;
import babbench.jvm.Scheduler;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

/** A channel of L2CAP as a pair of streams, whose calls wait in virtual time. */
public final class BluetoothSocket implements Closeable {
  public static final int TYPE_RFCOMM = 1;
  public static final int TYPE_SCO = 2;
  public static final int TYPE_L2CAP = 3;

  /** The first API level with {@link BluetoothSocketException}. */
  private static final int API_WITH_CODES = 34;
  private static final String OFF = "Bluetooth is off";

  /** How much a writer may have under way before it waits. */
  private static final int ROOM = 65_536;

  private final BluetoothDevice device;
  private final int psm;
  private final Scheduler scheduler;
  private ChannelCore.Channel channel;
  private ClientCore client;
  private boolean isAnswered;
  private boolean isClosed;
  private Fiber reader;
  private Fiber writer;

  BluetoothSocket(BluetoothDevice device, int psm) {
    this.device = device;
    this.psm = psm;
    scheduler = device.phone().scheduler();
  }

  BluetoothSocket(BluetoothDevice device, int psm, ChannelCore.Channel channel) {
    this(device, psm);
    take(channel);
  }

  private void take(ChannelCore.Channel opened) {
    channel = opened;
    if (opened != null) opened.onChange(this::changed);
  }

  private void changed() {
    if (reader != null) scheduler.wake(reader);
    if (writer != null) scheduler.wake(writer);
  }

  public BluetoothDevice getRemoteDevice() {
    return device;
  }

  public int getConnectionType() {
    return TYPE_L2CAP;
  }

  public boolean isConnected() {
    return channel != null && channel.isOpen();
  }

  public int getMaxTransmitPacketSize() {
    return 65_535;
  }

  public int getMaxReceivePacketSize() {
    return 65_535;
  }

  private static Fiber fiber() throws IOException {
    Fiber fiber = Fiber.current();
    if (fiber == null) throw new IOException("a thread in real time cannot wait for a virtual phone");
    return fiber;
  }

  private IOException failure(int code, String message) {
    boolean hasCodes = device.phone().apiLevel() >= API_WITH_CODES;
    return hasCodes ? new BluetoothSocketException(code, message) : new IOException(message);
  }

  /** Connects, makes a link if there is none, and waits until the channel is open. */
  public void connect() throws IOException {
    if (!device.phone().stack().isOn()) throw failure(BluetoothSocketException.BLUETOOTH_OFF_FAILURE, OFF);
    if (isClosed) throw failure(BluetoothSocketException.SOCKET_CLOSED, "socket closed");
    reader = fiber();
    try {
      client = device.phone().stack().connect(device.getAddress(), false, new Told());
      while (!isAnswered) scheduler.block(Scheduler.NEVER);
    } finally {
      reader = null;
    }
    if (channel != null) return;
    client.close();
    throw new IOException("read failed, socket might closed or timeout, read ret: -1");
  }

  private final class Told implements ClientCore.Events {
    @Override
    public void connectionState(int status, boolean isConnected) {
      if (isAnswered) return;
      if (!isConnected) {
        answer(null);
        return;
      }
      device.phone().stack().channels().open(device.getAddress(), psm, this::answer);
    }

    private void answer(ChannelCore.Channel opened) {
      take(opened);
      isAnswered = true;
      changed();
    }

    @Override
    public void notified(int handle, byte[] octets) {}

    @Override
    public void attMTU(int attMTU, int status) {}

    @Override
    public void servicesChanged() {}
  }

  @Override
  public void close() {
    if (isClosed) return;
    isClosed = true;
    if (channel != null) channel.close();
    if (client != null) client.close();
    changed();
  }

  public InputStream getInputStream() {
    return new InputStream() {
      @Override
      public int available() {
        return channel == null ? 0 : channel.available();
      }

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        if (channel == null) throw new IOException("the socket is not connected");
        if (length == 0) return 0;
        byte[] next;
        while ((next = channel.poll()) == null) {
          if (!channel.isOpen()) throw new IOException("bt socket closed, read return: -1");
          reader = fiber();
          try {
            scheduler.block(Scheduler.NEVER);
          } finally {
            reader = null;
          }
        }
        int count = Math.min(length, next.length);
        System.arraycopy(next, 0, into, offset, count);
        if (count < next.length) channel.unread(Arrays.copyOfRange(next, count, next.length));
        return count;
      }
    };
  }

  public OutputStream getOutputStream() {
    return new OutputStream() {
      @Override
      public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
      }

      @Override
      public void write(byte[] from, int offset, int length) throws IOException {
        if (channel == null) throw new IOException("the socket is not connected");
        while (channel.isOpen() && channel.underWay() >= ROOM) {
          writer = fiber();
          try {
            scheduler.block(Scheduler.NEVER);
          } finally {
            writer = null;
          }
        }
        if (!channel.isOpen()) throw new IOException("Broken pipe");
        channel.send(Arrays.copyOfRange(from, offset, offset + length));
      }
    };
  }
}
