package babbench.android;

import babbench.jvm.AppLoader;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * One JVM for many launches of an app, each over a connection of its own to a port of this machine:
 * {@code Android/serve} starts it, and {@code Android/relay} is the program that the bench starts.
 *
 * <p>Every launch has its own classes, with their static fields, its own threads and its own clock. What they share is
 * the JDK: system properties, the common pool of {@code ForkJoinPool}.
 */
public final class Server {
  /** Launches that may begin at the same time without waiting for their classes. */
  private static final int SPARE = 4;

  private final String app;
  private final BlockingQueue<AppLoader> spare = new ArrayBlockingQueue<>(SPARE);

  private Server(String app) {
    this.app = app;
  }

  /** Prints the port, and serves until its standard input ends. */
  public static void main(String[] arguments) throws Exception {
    Server server = new Server(arguments[0]);
    ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    System.out.println(listening.getLocalPort());
    System.setOut(new PrintStream(System.err, true));
    Thread accepting = new Thread(() -> server.accept(listening), "accepts");
    accepting.setDaemon(true);
    accepting.start();
    Thread preparing = new Thread(server::prepare, "prepares");
    preparing.setDaemon(true);
    preparing.start();
    while (System.in.read() >= 0) continue;
    Runtime.getRuntime().halt(0);
  }

  private void accept(ServerSocket listening) {
    while (true) {
      try {
        Socket socket = listening.accept();
        socket.setTcpNoDelay(true);
        Thread thread = new Thread(() -> play(socket), "launch");
        thread.setDaemon(true);
        thread.start();
      } catch (IOException problem) {
        return;
      }
    }
  }

  private void prepare() {
    try {
      while (true) spare.put(new AppLoader().prepared());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void play(Socket socket) {
    try (socket) {
      AppLoader loader = spare.poll();
      if (loader == null) loader = new AppLoader();
      BufferedReader in = reader(socket.getInputStream());
      String relay = in.readLine();
      if (relay == null) return;
      String streams = "/proc/" + relay + "/fd/";
      try (FileInputStream from = new FileInputStream(streams + 0);
          FileOutputStream to = new FileOutputStream(streams + 1)) {
        tell(socket, "opened");
        Program.serve(reader(from), writer(to), app, loader);
      } catch (FileNotFoundException notHere) {
        // Another system, or streams that are no pipes.
        tell(socket, "passed on");
        Program.serve(in, writer(socket.getOutputStream()), app, loader);
      }
    } catch (Exception problem) {
      problem.printStackTrace();
    }
  }

  private static BufferedReader reader(InputStream from) {
    return new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8), 1 << 16);
  }

  private static BufferedWriter writer(OutputStream to) {
    return new BufferedWriter(new OutputStreamWriter(to, StandardCharsets.UTF_8), 1 << 16);
  }

  private static void tell(Socket socket, String way) throws IOException {
    socket.getOutputStream().write((way + "\n").getBytes(StandardCharsets.US_ASCII));
  }
}
