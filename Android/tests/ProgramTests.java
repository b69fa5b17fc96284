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

  private static Process java(String main) throws IOException {
    String jar = Program.class.getResource("Program.class").getPath().replaceAll("^file:(.*)!.*", "$1");
    return new ProcessBuilder("java", "-XX:TieredStopAtLevel=1", "-javaagent:" + jar, "-cp",
        System.getProperty("java.class.path"), main, "ProgramTests$Sample").start();
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
          // No process whose streams could be opened.
          out.println("-");
          Check.equal("passed on", in.readLine());
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

  static void theRelayIsPlayed() throws Exception {
    Process server = java("babbench.android.Server");
    try (BufferedReader said = new BufferedReader(new InputStreamReader(server.getInputStream()))) {
      ProcessBuilder relay = new ProcessBuilder("Android/relay");
      relay.environment().put("BABBENCH_ANDROID_PORT", said.readLine());
      for (int time = 0; time < 3; time++) {
        Process played = relay.start();
        BufferedReader in = new BufferedReader(new InputStreamReader(played.getInputStream()));
        PrintStream out = new PrintStream(played.getOutputStream(), true);
        out.println(HELLO);
        Check.equal(GREETING, in.readLine());
        out.println(LAUNCHED);
        Check.that(in.readLine().contains("launch 1"), "its static field is its own");
        out.close();
        Check.equal(null, in.readLine());
        Check.equal(0, played.waitFor());
      }
    } finally {
      server.destroy();
    }
  }
}
