import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import babbench.junit.Room;
import babbench.junit.TestRoom;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** {@code @Room} as JUnit's launcher plays it, in a folder. Exit 0 when all is as it must be. */
public final class JUnitTests {
  /** Tests with a room: what they saw is kept here. */
  static class Fixture {
    static final List<String> SEEN = new ArrayList<>();
    private final Station station = new Station();
    private TestRoom room;

    @BeforeEach
    void furnish(TestRoom room) {
      this.room = room;
      room.phone("station").app(station::launch);
    }

    @Room(seed = 40, seeds = 3)
    void passes(TestRoom same) {
      SEEN.add("seed " + same.seed() + " " + (same == room));
      same.until("advertises", 10, () -> station.told.contains("advertises"));
      Check.that(Files.exists(same.folder()), "it has a folder");
    }

    @Room(seed = 7, seeds = 2)
    void fails(babbench.android.Room any) {
      any.until("it is heard", 3, () -> false);
    }

    @Room
    void crashes(TestRoom one) {
      one.phone("other").app(context -> {
        throw new IllegalStateException("the app of a test crashes, as it wants");
      });
      one.run(1);
    }

    @Room(seeds = 0)
    void hasNoSeed(TestRoom none) {}
  }

  private JUnitTests() {}

  private static Map<String, Throwable> play() {
    Map<String, Throwable> results = new TreeMap<>();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(Fixture.class)).build();
    LauncherFactory.create().execute(request, new TestExecutionListener() {
      private String method = "";

      @Override
      public void executionStarted(TestIdentifier test) {
        if (test.isContainer()) method = test.getDisplayName();
      }

      @Override
      public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        String name = test.isTest() ? method + " " + test.getDisplayName() : test.getDisplayName();
        Throwable problem = result.getThrowable().orElse(null);
        if (test.isTest() || problem != null) results.put(name, problem);
      }
    });
    return results;
  }

  private static String place(Throwable failure) {
    return failure.getSuppressed()[failure.getSuppressed().length - 1].getMessage();
  }

  public static void main(String[] arguments) throws Exception {
    Path out = Path.of(arguments[0]);
    System.setProperty("babbench.out", out.toString());
    Map<String, Throwable> results = play();
    Check.equal(List.of("seed 40 true", "seed 41 true", "seed 42 true"), Fixture.SEEN);
    Check.equal(null, results.get("passes(TestRoom) seed 41"));
    Check.that(!Files.exists(out.resolve("Fixture.passes-41")), "nothing stays of a test that has passed");

    Throwable failure = results.get("fails(Room) seed 8");
    Check.that(failure instanceof AssertionError && failure.getMessage().startsWith("it is heard"), "" + failure);
    Path timeline = out.resolve("Fixture.fails-8").resolve("timeline.html");
    Check.equal("room of Fixture.fails: seed 8, ended at 3.000 s; again: BABBENCH_SEED=8; timeline: " + timeline,
        place(failure));
    Check.that(Files.size(timeline) > 1_000, "there is a timeline");
    Check.that(place(results.get("crashes(TestRoom) seed 1")).contains("seed 1"), "a crash is a failure");
    Check.that(results.get("hasNoSeed(TestRoom)").getMessage().contains("seeds = 0"), "no seed is a mistake");

    System.setProperty("babbench.seed", "8");
    Fixture.SEEN.clear();
    Map<String, Throwable> again = play();
    Check.equal(List.of("seed 8 true"), Fixture.SEEN);
    Check.that(again.containsKey("fails(Room) seed 8") && !again.containsKey("fails(Room) seed 7"), "one seed only");
    System.setProperty("babbench.seed", "eight");
    Check.that(play().get("crashes(TestRoom)").getMessage().contains("eight is no seed"), "a seed is a number");
    System.out.println("ok: @Room of JUnit, " + results.size() + " tests of it played");
    Runtime.getRuntime().halt(0);
  }
}
