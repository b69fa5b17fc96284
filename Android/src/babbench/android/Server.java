package babbench.android;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;

/**
 * One JVM for many launches of an app, each over a connection of its own to a port of this machine:
 * {@code Android/serve} starts it, and {@code Android/relay} is the program that the bench starts.
 *
 * <p>Every launch has its own classes, with their static fields, its own threads and its own clock. What they share is
 * the JDK: system properties, the common pool of {@code ForkJoinPool}.
 */
public final class Server {
  private final String app;

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

  private void play(Socket socket) {
    try (socket; URLClassLoader loader = Isolated.loader()) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 1 << 16);
      BufferedWriter out =
          new BufferedWriter(new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8), 1 << 16);
      Program.serve(in, out, app, loader);
    } catch (Exception problem) {
      problem.printStackTrace();
    }
  }
}
