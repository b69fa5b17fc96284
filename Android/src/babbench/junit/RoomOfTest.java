package babbench.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Makes the room of one test, gives it to the methods that want it, and ends it. */
final class RoomOfTest implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
  /** What a test that failed says of its room. It is a suppressed exception of the failure. */
  static final class Place extends Exception {
    private static final long serialVersionUID = 1;

    Place(String message) {
      super(message, null, false, false);
    }

    @Override
    public String toString() {
      return getMessage();
    }
  }

  private final long seed;
  private final Path folder;
  private TestRoom room;

  RoomOfTest(long seed, Path folder) {
    this.seed = seed;
    this.folder = folder;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    delete(folder);
    room = new TestRoom(seed, folder);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == TestRoom.class || type == babbench.android.Room.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return room;
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    double end = room.now();
    Throwable failure = context.getExecutionException().orElse(null);
    Throwable late = null;
    try {
      room.close();
    } catch (RuntimeException | Error problem) {
      late = problem;
    }
    if (failure == null && late == null) {
      delete(folder);
      return;
    }
    String place = place(context, end);
    System.err.println(place);
    context.publishReportEntry("babbench", place);
    Throwable told = failure != null ? failure : late;
    told.addSuppressed(new Place(place));
    if (failure != null) return;
    if (late instanceof Error) throw (Error) late;
    throw (RuntimeException) late;
  }

  private String place(ExtensionContext context, double end) {
    String name = context.getRequiredTestClass().getSimpleName() + "." + context.getRequiredTestMethod().getName();
    Path timeline = folder.resolve("timeline.html");
    String where = Files.exists(timeline) ? timeline.toString() : "none was written; see " + folder;
    return String.format(Locale.ROOT, "room of %s: seed %d, ended at %.3f s; again: %s=%d; timeline: %s", name, seed,
        end, RoomExtension.SEED_VARIABLE, seed, where);
  }

  private static void delete(Path folder) {
    if (!Files.exists(folder)) return;
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) Files.delete(each);
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
  }
}
