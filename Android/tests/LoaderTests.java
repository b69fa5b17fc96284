import android.os.Build;
import babbench.android.Program;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Other classes of Android in the same JVM. A loader that asks itself before its parent stands for that of Robolectric,
 * which does so for Android's classes and for those of the app.
 */
final class LoaderTests {
  private static final String BUILD = "package android.os; public class Build { public static String MODEL = \"other\"; }";
  private static final String APP = "public class OtherApp { public static String model() throws Exception {"
      + " Thread.sleep(20); long[] sum = {0};"
      + " Thread thread = new Thread(() -> { synchronized (sum) { sum[0] = 7; } }); thread.start(); thread.join();"
      + " return android.os.Build.MODEL + sum[0]; } }";

  private static Path folder() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("babbench-other");
    Path sources = Files.createDirectories(folder.resolve("sources"));
    Path build = Files.createDirectories(sources.resolve("android/os")).resolve("Build.java");
    Files.writeString(build, BUILD);
    Files.writeString(sources.resolve("OtherApp.java"), APP);
    Process compiled = new ProcessBuilder("javac", "-cp", folder.toString(), "-d", folder.toString(), "--release", "17",
        build.toString(), sources.resolve("OtherApp.java").toString()).redirectErrorStream(true).start();
    String said = new String(compiled.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Check.that(compiled.waitFor() == 0, said);
    return folder;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(each);
    }
  }

  /** The compiler would put a constant in its place. */
  private static boolean isOther() throws ReflectiveOperationException {
    return Build.class.getField("MODEL").get(null).equals("other");
  }

  /** Prints whose {@code Build} it gets. */
  public static final class Shown {
    public static void main(String[] arguments) throws ReflectiveOperationException {
      System.out.println(isOther() ? "other" : "own");
    }
  }

  static void theseComeFirstWhateverTheClassPathHas() throws Exception {
    Path folder = folder();
    String jar = Program.class.getResource("Program.class").getPath().replaceAll("^file:(.*)!.*", "$1");
    String path = folder + ":" + System.getProperty("java.class.path");
    for (boolean withAgent : new boolean[] {true, false}) {
      List<String> words = withAgent ? List.of("java", "-javaagent:" + jar, "-cp", path, "LoaderTests$Shown")
          : List.of("java", "-cp", path, "LoaderTests$Shown");
      Process played = new ProcessBuilder(words).start();
      String said = new String(played.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
      Check.equal(withAgent ? "own" : "other", said);
    }
    delete(folder);
  }

  static void aLoaderWithItsOwnAndroidRunsBesideInRealTime() throws Exception {
    Path folder = folder();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}) {
      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        boolean isOwn = name.startsWith("android.") || name.equals("OtherApp") || name.startsWith("OtherApp$");
        if (!isOwn) return super.loadClass(name, resolve);
        synchronized (getClassLoadingLock(name)) {
          Class<?> loaded = findLoadedClass(name);
          return loaded == null ? findClass(name) : loaded;
        }
      }
    }) {
      long before = System.nanoTime();
      Check.equal("other7", loader.loadClass("OtherApp").getMethod("model").invoke(null));
      Check.that(System.nanoTime() - before >= 20_000_000, "it has slept");
      Check.that(!isOther(), "these are still here");
    }
    delete(folder);
  }
}
