package android.bluetooth;

import babbench.android.stack.ChannelCore;
import babbench.jvm.Fiber;
import babbench.jvm.Scheduler;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;

/** Listens for channels of L2CAP. */
public final class BluetoothServerSocket implements Closeable {
  private final BluetoothAdapter adapter;
  private final ArrayDeque<ChannelCore.Channel> arrived = new ArrayDeque<>();
  private int psm = -1;
  private boolean isClosed;
  private Fiber waiting;

  private BluetoothServerSocket(BluetoothAdapter adapter) {
    this.adapter = adapter;
  }

  static BluetoothServerSocket open(BluetoothAdapter adapter, boolean isSecure) throws IOException {
    if (!adapter.isEnabled()) throw new IOException("Bluetooth is off");
    BluetoothServerSocket socket = new BluetoothServerSocket(adapter);
    ChannelCore channels = adapter.phone.stack().channels();
    channels.publish(isSecure, psm -> {
      socket.psm = psm;
      socket.wake();
    });
    while (socket.psm < 0) socket.block(Scheduler.NEVER);
    if (socket.psm == 0) throw new IOException("no PSM");
    channels.listen(socket.psm, channel -> {
      socket.arrived.add(channel);
      socket.wake();
    });
    return socket;
  }

  private void wake() {
    if (waiting != null) adapter.phone.scheduler().wake(waiting);
  }

  private void block(long until) throws IOException {
    waiting = Fiber.current();
    if (waiting == null) throw new IOException("a thread in real time cannot wait for a virtual phone");
    try {
      adapter.phone.scheduler().block(until);
    } finally {
      waiting = null;
    }
  }

  public int getPsm() {
    return psm;
  }

  public BluetoothSocket accept() throws IOException {
    return accept(-1);
  }

  /** Waits for a channel, at most so many milliseconds; −1: without limit. */
  public BluetoothSocket accept(int timeout) throws IOException {
    Scheduler scheduler = adapter.phone.scheduler();
    long until = timeout < 0 ? Scheduler.NEVER : scheduler.now() + timeout * 1_000_000L;
    while (arrived.isEmpty() && !isClosed) {
      if (scheduler.now() >= until) throw new IOException("timeout");
      block(until);
    }
    if (isClosed) throw new IOException("the socket is closed");
    ChannelCore.Channel channel = arrived.poll();
    return new BluetoothSocket(adapter.device(channel.address), psm, channel);
  }

  @Override
  public void close() {
    if (isClosed) return;
    isClosed = true;
    adapter.phone.stack().channels().unpublish(psm);
    wake();
  }
}
