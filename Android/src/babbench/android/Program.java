package babbench.android;

import android.content.Context;
import babbench.jvm.Scheduler;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * An app as a program over the pipe (Docs/Formats/iut-protocol.md): one launch, from hello to the end of input.
 *
 * <p>{@code java -javaagent:babbench-android.jar babbench.android.Program CLASS}: the class implements {@link App}.
 */
public final class Program {
  /** What a program has of an app: what it does when it is launched. It runs on the main thread. */
  public interface App {
    /**
     * Begins.
     *
     * @param context for {@code getSystemService} and receivers
     * @param bench what the bench has said, and where to report
     */
    void launch(Context context, Bench bench);

    /** A person does something; {@code user} of the seam. */
    default void user(String action, Map<String, Object> arguments) {}

    /** Features that it claims, as {@code ics} of the hello; none: what the description says. */
    default List<String> claims() {
      return List.of();
    }
  }

  /** The bench, for an app that reports to it. */
  public static final class Bench {
    private final Map<String, Object> hello;
    private final Phone phone;

    Bench(Map<String, Object> hello, Phone phone) {
      this.hello = hello;
      this.phone = phone;
    }

    /** The hello of the bench. */
    public Map<String, Object> hello() {
      return hello;
    }

    /** Reports something, with members as name, value, name, value. */
    public void report(String name, Object... members) {
      phone.ask(name, members);
    }

    /** The number of the newest link with an address, as reports have it; −1 if there was none. */
    public int link(String address) {
      return phone.stack().linkNumber(address);
    }
  }

  private static final long EPOCH = 1_767_225_600_000L;
  private static final int TIMER = 1;

  /** The last instant that the seam has. */
  private static final long LATEST = 1L << 53;

  private Program() {}

  /** Plays one launch. */
  public static void main(String[] arguments) throws Exception {
    BufferedReader in = new BufferedReader(
        new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8), 1 << 16);
    BufferedWriter out = new BufferedWriter(
        new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8), 1 << 16);
    // What an app prints is no line of the protocol.
    System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true));
    serve(in, out, arguments[0], ClassLoader.getSystemClassLoader(), status -> Runtime.getRuntime().halt(status));
  }

  /**
   * One session.
   *
   * @param end takes the exit code, which is 1 when the app has crashed; its threads are ended afterwards
   */
  static void serve(BufferedReader in, BufferedWriter out, String name, ClassLoader loader, IntConsumer end)
      throws Exception {
    String first = in.readLine();
    if (first == null) {
      end.accept(0);
      return;
    }
    Map<String, Object> hello = Json.readObject(first);
    Scheduler scheduler = new Scheduler(EPOCH + Words.wide(hello, "clockOffsetMilliseconds"));
    try {
      end.accept(serve(hello, scheduler, in, out, name, loader));
    } finally {
      scheduler.kill(null);
    }
  }

  private static int serve(Map<String, Object> hello, Scheduler scheduler, BufferedReader in, BufferedWriter out,
      String name, ClassLoader loader) throws Exception {
    App app = (App) loader.loadClass(name).getDeclaredConstructor().newInstance();
    Map<String, Object> answer = Words.word("hello", "protocol", 1, "implementation", name);
    if (!app.claims().isEmpty()) answer.put("ics", app.claims());
    send(out, answer);
    long seed = hello.get("seed") == null ? 1 : Long.parseUnsignedLong((String) hello.get("seed"));
    String peer = (String) hello.getOrDefault("peerID", "phone");
    Phone phone = new Phone(scheduler, peer, seed ^ peer.hashCode() * 0x9E3779B97F4A7C15L, Phone.defaultApiLevel());
    if (hello.get("features") instanceof java.util.List) phone.setFeatures((java.util.List<?>) hello.get("features"));
    Phone.use(phone);
    phone.onInput(input -> {
      if ("launched".equals(input.get("name"))) app.launch(phone.context(), new Bench(hello, phone));
      else if ("user".equals(input.get("name"))) app.user((String) input.get("action"), input);
    });
    long timer = Scheduler.NEVER;
    for (String line; (line = in.readLine()) != null;) {
      Map<String, Object> input = Json.readObject(line);
      if ("over".equals(input.get("name"))) break;
      long at = Words.wide(input, "at");
      scheduler.advance(at);
      if (!"timer".equals(input.get("name"))) phone.receive(input);
      else timer = Scheduler.NEVER;
      scheduler.runUntilIdle();
      if (phone.crash() != null) return 1;
      long next = Math.max(at, scheduler.nextDeadline());
      if (next > LATEST) next = Scheduler.NEVER;
      if (next != timer) {
        if (next == Scheduler.NEVER) phone.ask("cancelTimer", "timer", TIMER);
        else phone.ask("setTimer", "timer", TIMER, "at", next);
        timer = next;
      }
      Map<String, Object> effects = new java.util.LinkedHashMap<>();
      effects.put("at", at);
      effects.put("effects", phone.takeEffects());
      send(out, effects);
    }
    return 0;
  }

  private static void send(BufferedWriter out, Map<String, Object> line) throws IOException {
    out.write(Json.write(line));
    out.write('\n');
    out.flush();
  }
}
