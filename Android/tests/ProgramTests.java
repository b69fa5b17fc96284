import android.content.Context;
import android.os.Handler;
import android.os.Looper;
import babbench.android.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Apps as programs over the pipe, in a JVM of their own. */
final class ProgramTests {
  private static final String HELLO =
      "{\"name\":\"hello\",\"protocol\":1,\"role\":\"host\",\"peerID\":\"p\",\"seed\":\"1\"}";
  private static final String LAUNCHED = "{\"at\":0,\"name\":\"launched\"}";

  /** Reports how often it was launched, prints, waits, and crashes when it is told to. */
  public static final class Sample implements Program.App {
    private static int launches;
    private Program.Bench bench;

    @Override
    public void launch(Context context, Program.Bench bench) {
      this.bench = bench;
      launches++;
      System.out.println("what an app prints is no line of the protocol");
      bench.report("phase", "phase", "launch " + launches);
      new Handler(Looper.getMainLooper()).postDelayed(() -> bench.report("phase", "phase", "later"), 1_500);
    }

    @Override
    public void user(String action, Map<String, Object> arguments) {
      if (action.equals("crash")) throw new IllegalStateException("a crash that a test wants");
      bench.report("phase", "phase", action + " " + arguments.get("text"));
    }

    @Override
    public List<String> claims() {
      return List.of("roles");
    }
  }

  private static Process java(String main, String... more) throws IOException {
    String jar = Program.class.getResource("Program.class").getPath().replaceAll("^file:(.*)!.*", "$1");
    List<String> words = new ArrayList<>(List.of("java", "-XX:TieredStopAtLevel=1", "-javaagent:" + jar, "-cp",
        System.getProperty("java.class.path"), main, "ProgramTests$Sample"));
    words.addAll(List.of(more));
    return new ProcessBuilder(words).start();
  }

  /** What it answers to these lines; the last entry is its exit code. */
  private static List<String> play(String... lines) {
    try {
      Process process = java("babbench.android.Program");
      try (PrintStream to = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8)) {
        for (String line : lines) to.println(line);
      }
      List<String> answers = new ArrayList<>(new BufferedReader(
          new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).lines().toList());
      answers.add("exit " + process.waitFor());
      return answers;
    } catch (IOException | InterruptedException problem) {
      throw new AssertionError(problem);
    }
  }

  private static final String GREETING =
      "{\"name\":\"hello\",\"protocol\":1,\"implementation\":\"ProgramTests$Sample\",\"ics\":[\"roles\"]}";

  static void aProgramAnswersEachLine() {
    Check.equal(List.of(GREETING,
        "{\"at\":0,\"effects\":[{\"name\":\"gap.watch\",\"bonds\":true,\"links\":true},"
            + "{\"name\":\"phase\",\"phase\":\"launch 1\"},"
            + "{\"name\":\"setTimer\",\"timer\":1,\"at\":1500000000}]}",
        "{\"at\":20000000,\"effects\":[{\"name\":\"phase\",\"phase\":\"speak hello\"}]}",
        "{\"at\":1500000000,\"effects\":[{\"name\":\"phase\",\"phase\":\"later\"}]}",
        "exit 0"),
        play(HELLO, LAUNCHED, "{\"at\":20000000,\"name\":\"user\",\"action\":\"speak\",\"text\":\"hello\"}",
            "{\"at\":1500000000,\"name\":\"timer\",\"timer\":1}"));
  }

  static void aCrashEndsTheProgram() {
    List<String> answers = play(HELLO, LAUNCHED, "{\"at\":20000000,\"name\":\"user\",\"action\":\"crash\"}");
    Check.equal(3, answers.size());
    Check.equal("exit 1", answers.get(2));
  }

  static void oneJVMPlaysManyLaunchesWithClassesOfTheirOwn() throws IOException {
    Process server = java("babbench.android.Server");
    try (BufferedReader said = new BufferedReader(new InputStreamReader(server.getInputStream()))) {
      int port = Integer.parseInt(said.readLine());
      for (int time = 0; time < 3; time++) {
        try (Socket socket = new Socket("127.0.0.1", port);
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream()))) {
          PrintStream out = new PrintStream(socket.getOutputStream(), true);
          out.println(HELLO);
          Check.equal(GREETING, in.readLine());
          out.println(LAUNCHED);
          Check.that(in.readLine().contains("launch 1"), "its static field is its own");
          out.println("{\"name\":\"over\"}");
          Check.equal(null, in.readLine());
        }
      }
    } finally {
      server.destroy();
    }
  }

  /** A JVM for launches of {@link Sample}, and what a relay needs to find it. */
  private static final class Served implements AutoCloseable {
    final Path folder = Files.createTempDirectory("babbench-served");
    final Process server;
    final ProcessBuilder relay = new ProcessBuilder("Android/relay");
    final BufferedReader said;

    Served() throws IOException, InterruptedException {
      for (String name : List.of("launches", "alive")) {
        Check.equal(0, new ProcessBuilder("mkfifo", folder.resolve(name).toString()).start().waitFor());
      }
      server = java("babbench.android.Server", folder.toString());
      said = new BufferedReader(new InputStreamReader(server.getInputStream()));
      relay.environment().put("BABBENCH_ANDROID_PORT", said.readLine());
      relay.environment().put("BABBENCH_ANDROID_FOLDER", folder.toString());
    }

    @Override
    public void close() throws IOException {
      server.destroy();
      for (String name : List.of("launches", "alive")) Files.deleteIfExists(folder.resolve(name));
      Files.delete(folder);
    }
  }

  /** A program that is a relay, and both ends of its pipes. */
  private static final class Relayed {
    final Process played;
    final BufferedReader in;
    final PrintStream out;

    Relayed(Served served) throws IOException {
      played = served.relay.start();
      in = new BufferedReader(new InputStreamReader(played.getInputStream()));
      out = new PrintStream(played.getOutputStream(), true);
    }

    void launch() throws IOException {
      out.println(HELLO);
      Check.equal(GREETING, in.readLine());
      out.println(LAUNCHED);
      Check.that(in.readLine().contains("launch 1"), "its static field is its own");
    }

    void ends(int status) throws IOException, InterruptedException {
      out.close();
      Check.equal(null, in.readLine());
      Check.equal(status, played.waitFor());
    }
  }

  static void theRelayIsPlayed() throws Exception {
    try (Served served = new Served()) {
      for (int time = 0; time < 3; time++) {
        Relayed relayed = new Relayed(served);
        relayed.launch();
        relayed.ends(0);
      }
    }
  }

  static void relaysArePlayedAtTheSameTime() throws Exception {
    try (Served served = new Served()) {
      List<Relayed> all = new ArrayList<>();
      for (int count = 0; count < 6; count++) all.add(new Relayed(served));
      for (Relayed each : all) each.launch();
      for (Relayed each : all) each.ends(0);
    }
  }

  static void theRelayOfAnAppThatCrashesHasItsLogAndExitCode1() throws Exception {
    try (Served served = new Served()) {
      Relayed relayed = new Relayed(served);
      relayed.launch();
      relayed.out.println("{\"at\":20000000,\"name\":\"user\",\"action\":\"crash\"}");
      relayed.ends(1);
      String log = new String(relayed.played.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      Check.that(log.startsWith("what an app prints is no line of the protocol\nFATAL EXCEPTION: main of p\n"), log);
      Check.that(log.contains("a crash that a test wants"), log);
    }
  }

  static void aRelayEndsWithItsJVM() throws Exception {
    try (Served served = new Served()) {
      Relayed relayed = new Relayed(served);
      relayed.launch();
      served.server.destroyForcibly().waitFor();
      relayed.ends(1);
    }
  }

  static void aRelayWithoutPipesPassesLinesOn() throws Exception {
    Path input = Files.createTempFile("babbench-lines", "");
    try (Served served = new Served()) {
      Files.write(input, List.of(HELLO, LAUNCHED));
      served.relay.redirectInput(input.toFile());
      Relayed relayed = new Relayed(served);
      Check.equal(GREETING, relayed.in.readLine());
      Check.that(relayed.in.readLine().contains("launch 1"), "launched");
      relayed.ends(0);
    } finally {
      Files.delete(input);
    }
  }
}
