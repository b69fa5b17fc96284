import android.bluetooth.BluetoothServerSocket;
import android.bluetooth.BluetoothSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Channels of L2CAP as sockets. */
final class ChannelTests {
  private static void thread(List<String> told, java.util.concurrent.Callable<String> body) {
    new Thread(() -> {
      try {
        told.add(body.call());
      } catch (Exception problem) {
        told.add(problem.getClass().getSimpleName());
      }
    }).start();
  }

  static void octetsBothWaysAndTheEnd() {
    try (Pair pair = new Pair()) {
      List<String> server = new ArrayList<>();
      List<String> client = new ArrayList<>();
      int[] psm = new int[1];
      pair.until(() -> pair.station.told.contains("advertises"));
      pair.room.run(pair.server, () -> thread(server, () -> {
        BluetoothServerSocket listening = pair.station.manager.getAdapter().listenUsingInsecureL2capChannel();
        psm[0] = listening.getPsm();
        BluetoothSocket socket = listening.accept();
        byte[] octets = socket.getInputStream().readNBytes(1_000);
        socket.getOutputStream().write(octets, 0, 10);
        try {
          socket.getInputStream().read();
        } catch (IOException ended) {
          server.add("ended");
        }
        return "had " + octets.length;
      }));
      pair.until(() -> psm[0] > 0);
      pair.run(() -> thread(client, () -> {
        BluetoothSocket socket =
            pair.guest.adapter.getRemoteDevice(pair.server.address()).createInsecureL2capChannel(psm[0]);
        socket.connect();
        socket.getOutputStream().write(new byte[1_000]);
        byte[] answer = socket.getInputStream().readNBytes(10);
        socket.close();
        return "answer " + answer.length;
      }));
      pair.until(() -> server.size() == 2 && client.size() == 1);
      Check.equal(List.of("answer 10"), client);
      Check.equal(List.of("ended", "had 1000"), server);
    }
  }

  static void nobodyListens() {
    try (Pair pair = new Pair()) {
      List<String> told = new ArrayList<>();
      pair.until(() -> pair.station.told.contains("advertises"));
      pair.run(() -> thread(told, () -> {
        pair.guest.adapter.getRemoteDevice(pair.server.address()).createInsecureL2capChannel(0xF3).connect();
        return "connected";
      }));
      pair.until(() -> !told.isEmpty());
      Check.equal(List.of("IOException"), told);
    }
  }

  static void acceptHasALimit() {
    try (Pair pair = new Pair()) {
      List<String> told = new ArrayList<>();
      pair.room.run(1);
      pair.room.run(pair.server, () -> thread(told, () -> {
        pair.station.manager.getAdapter().listenUsingInsecureL2capChannel().accept(3_000);
        return "accepted";
      }));
      pair.room.run(2.5);
      Check.equal(List.of(), told);
      pair.room.run(1);
      Check.equal(List.of("IOException"), told);
    }
  }
}
