import android.bluetooth.BluetoothServerSocket;
import android.bluetooth.BluetoothSocket;
import android.bluetooth.BluetoothSocketException;
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

  private static List<String> offAndClosed(int level) {
    try (Pair pair = new Pair(level)) {
      List<String> told = new ArrayList<>();
      pair.room.run(1);
      BluetoothSocket[] socket = new BluetoothSocket[1];
      pair.run(() -> {
        try {
          socket[0] = pair.guest.adapter.getRemoteDevice(pair.server.address()).createInsecureL2capChannel(0xF3);
          socket[0].close();
        } catch (IOException problem) {
          throw new AssertionError(problem);
        }
      });
      pair.run(() -> thread(told, () -> why(socket[0])));
      pair.until(() -> told.size() == 1);
      pair.room.act(pair.client, "radio off");
      pair.room.run(1);
      pair.run(() -> thread(told, () -> why(socket[0])));
      pair.until(() -> told.size() == 2);
      return told;
    }
  }

  private static String why(BluetoothSocket socket) {
    try {
      socket.connect();
      return "connected";
    } catch (BluetoothSocketException problem) {
      return "code " + problem.getErrorCode();
    } catch (IOException problem) {
      return "no code";
    }
  }

  static void aSocketSaysWhyFromLevel34() {
    Check.equal(List.of("code 17", "code 15"), offAndClosed(34));
    Check.equal(List.of("no code", "no code"), offAndClosed(33));
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
