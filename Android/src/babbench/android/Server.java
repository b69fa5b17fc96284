package babbench.android;

import babbench.jvm.AppLoader;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One JVM for many launches of an app: {@code Android/serve} starts it, and {@code Android/relay} is the program that
 * the bench starts.
 *
 * <p>Where there is {@code /proc}, a launch is the number of a process, a line in a named pipe, and the streams of that
 * process are opened here. Elsewhere it is a connection to a port of this machine.
 *
 * <p>Every launch has its own classes, with their static fields, its own threads and its own clock. What they share is
 * the JDK: system properties, the common pool of {@code ForkJoinPool}.
 */
public final class Server {
  /** Launches that may begin at the same time without waiting for their classes. */
  private static final int SPARE = 4;

  /** Kept open: a relay that waits sees the end of it, and so the end of this JVM. */
  private static RandomAccessFile alive;

  private final String app;
  private final LaunchLog log = LaunchLog.of(System.err);
  private final AtomicInteger waiting = new AtomicInteger();
  private RandomAccessFile launches;
  private final BlockingQueue<AppLoader> spare = new ArrayBlockingQueue<>(SPARE);

  private Server(String app) {
    this.app = app;
  }

  /**
   * {@code Server CLASS [FOLDER]}: prints the port, and serves until its standard input ends. The folder has two named
   * pipes: {@code launches}, and {@code alive}, which stays open as long as this JVM.
   */
  public static void main(String[] arguments) throws Exception {
    Server server = new Server(arguments[0]);
    ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    PrintStream out = System.out;
    System.setErr(new PrintStream(server.log, true));
    System.setOut(System.err);
    start("accepts", () -> server.accept(listening));
    start("prepares", server::prepare);
    if (arguments.length > 1) {
      File folder = new File(arguments[1]);
      // Open for writing, too, so that neither has an end when a relay closes it.
      alive = new RandomAccessFile(new File(folder, "alive"), "rw");
      server.launches = new RandomAccessFile(new File(folder, "launches"), "rw");
      start("launch", server::playNext);
    }
    out.println(listening.getLocalPort());
    out.flush();
    while (System.in.read() >= 0) continue;
    Runtime.getRuntime().halt(0);
  }

  private static void start(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept(ServerSocket listening) {
    while (true) {
      try {
        Socket socket = listening.accept();
        socket.setTcpNoDelay(true);
        start("launch", () -> play(socket));
      } catch (IOException problem) {
        return;
      }
    }
  }

  /**
   * Plays one launch after the other. Whoever waits for the next one plays it himself, so that no thread has to wake
   * another one; a further thread begins when nobody waits any more.
   */
  private void playNext() {
    try {
      while (true) {
        waiting.incrementAndGet();
        String process;
        synchronized (launches) {
          process = launches.readLine();
        }
        if (waiting.decrementAndGet() == 0) start("launch", this::playNext);
        play(process);
      }
    } catch (IOException problem) {
      problem.printStackTrace();
    }
  }

  private void prepare() {
    try {
      while (true) spare.put(new AppLoader().prepared());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private AppLoader loader() {
    AppLoader loader = spare.poll();
    return loader == null ? new AppLoader() : loader;
  }

  private void play(String process) throws IOException {
    String streams = "/proc/" + process + "/fd/";
    ProcessHandle relay = ProcessHandle.of(Long.parseLong(process)).orElse(null);
    // It has been killed by now.
    if (relay == null) return;
    LaunchLog own = log.begin(streams + 2);
    try (FileInputStream from = new FileInputStream(streams + 3);
        FileOutputStream to = new FileOutputStream(streams + 4)) {
      Program.serve(reader(from), writer(to), app, loader(), status -> {
        if (status == 0) relay.destroy();
        else hangUp(process);
      });
    } catch (Exception problem) {
      problem.printStackTrace();
      hangUp(process);
    } finally {
      own.end();
    }
  }

  /** Ends a relay with the exit code of a crash. */
  private static void hangUp(String process) {
    try {
      new ProcessBuilder("kill", "-HUP", process).start();
    } catch (IOException problem) {
      problem.printStackTrace();
    }
  }

  private void play(Socket socket) {
    try (socket) {
      Program.serve(reader(socket.getInputStream()), writer(socket.getOutputStream()), app, loader(), status -> {});
    } catch (Exception problem) {
      problem.printStackTrace();
    }
  }

  private static BufferedReader reader(InputStream from) {
    return new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8), 1 << 13);
  }

  private static BufferedWriter writer(OutputStream to) {
    return new BufferedWriter(new OutputStreamWriter(to, StandardCharsets.UTF_8), 1 << 13);
  }
}
