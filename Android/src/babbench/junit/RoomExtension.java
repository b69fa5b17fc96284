package babbench.junit;

import babbench.jvm.Agent;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Plays the tests that have {@link Room}, once for each seed. */
public final class RoomExtension implements TestTemplateInvocationContextProvider {
  /** A property of the JVM: the only seed that is played. */
  static final String SEED = "babbench.seed";

  /** The same as a variable, which Gradle and Maven pass on. */
  static final String SEED_VARIABLE = "BABBENCH_SEED";

  /** A property of the JVM: the folder that gets the traces of tests that fail. */
  static final String OUT = "babbench.out";

  private static final int MOST_SEEDS = 10_000;

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return AnnotationSupport.isAnnotated(context.getTestMethod(), Room.class);
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
    if (!Agent.isThere()) {
      throw new ExtensionConfigurationException("this JVM has no virtual time; start the JVM of the tests with"
          + " -javaagent:babbench-android.jar (jvmArgs in Gradle, argLine in Maven)");
    }
    Method method = context.getRequiredTestMethod();
    Room room = AnnotationSupport.findAnnotation(method, Room.class).orElseThrow();
    if (room.seeds() < 1 || room.seeds() > MOST_SEEDS) {
      throw new ExtensionConfigurationException("seeds = " + room.seeds() + "; 1 to " + MOST_SEEDS + " are possible");
    }
    Long only = onlySeed();
    LongStream seeds = only != null
        ? LongStream.of(only) : LongStream.range(room.seed(), room.seed() + room.seeds());
    return seeds.mapToObj(seed -> new Play(seed, folder(method, seed)));
  }

  private static Long onlySeed() {
    String named = System.getProperty(SEED, System.getenv(SEED_VARIABLE));
    if (named == null || named.isEmpty()) return null;
    try {
      return Long.parseLong(named);
    } catch (NumberFormatException problem) {
      throw new ExtensionConfigurationException(named + " is no seed; a seed is a whole number", problem);
    }
  }

  /** The property, else build/babbench where Gradle builds, target/babbench where Maven does. */
  private static Path folder(Method method, long seed) {
    String named = System.getProperty(OUT);
    String base = named != null ? named : Files.exists(Path.of("pom.xml")) ? "target/babbench" : "build/babbench";
    String name = method.getDeclaringClass().getSimpleName() + "." + method.getName() + "-" + seed;
    return Path.of(base, name);
  }

  /** One seed. */
  private static final class Play implements TestTemplateInvocationContext {
    private final long seed;
    private final Path folder;

    Play(long seed, Path folder) {
      this.seed = seed;
      this.folder = folder;
    }

    @Override
    public String getDisplayName(int invocationIndex) {
      return "seed " + seed;
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(new RoomOfTest(seed, folder));
    }
  }
}
