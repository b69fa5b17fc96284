package babbench.android;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Map;

/** A process of {@code babbench room}, which plays one room after the other. */
final class RoomPipe {
  private static final ArrayDeque<RoomPipe> FREE = new ArrayDeque<>();

  private final Process process;
  private final BufferedReader in;
  private final BufferedWriter out;

  private RoomPipe() {
    try {
      process = new ProcessBuilder(program(), "room").redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException problem) {
      throw new UncheckedIOException("babbench cannot be started; BABBENCH names its program", problem);
    }
    in = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8), 1 << 16);
    out = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8), 1 << 16);
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
  }

  /** The variable BABBENCH, else .build/release/babbench from here upwards, else babbench of PATH. */
  private static String program() {
    String named = System.getenv("BABBENCH");
    if (named != null && !named.isEmpty()) return named;
    for (File folder = new File("").getAbsoluteFile(); folder != null; folder = folder.getParentFile()) {
      File built = new File(folder, ".build/release/babbench");
      if (built.canExecute()) return built.getPath();
    }
    return "babbench";
  }

  static synchronized RoomPipe take() {
    RoomPipe free = FREE.poll();
    return free == null ? new RoomPipe() : free;
  }

  void giveBack() {
    synchronized (RoomPipe.class) {
      if (process.isAlive()) FREE.add(this);
    }
  }

  /** One line each way. */
  Map<String, Object> ask(Map<String, Object> line) {
    String answer;
    try {
      out.write(Json.write(line));
      out.write('\n');
      out.flush();
      answer = in.readLine();
    } catch (IOException problem) {
      throw new UncheckedIOException("babbench room has ended", problem);
    }
    if (answer == null) throw new IllegalStateException("babbench room has ended");
    Map<String, Object> read = Json.readObject(answer);
    if (read.containsKey("error")) throw new IllegalArgumentException("babbench refuses: " + read.get("error"));
    return read;
  }
}
