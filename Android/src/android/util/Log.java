package android.util;

import android.os.SystemClock;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;

/**
 * Writes lines to standard error, with the instant of the room. The property {@code babbench.log} is the lowest level.
 */
public final class Log {
  public static final int VERBOSE = 2;
  public static final int DEBUG = 3;
  public static final int INFO = 4;
  public static final int WARN = 5;
  public static final int ERROR = 6;
  public static final int ASSERT = 7;

  private static final int LEAST = Integer.getInteger("babbench.log", INFO);

  private Log() {}

  public static int v(String tag, String message) {
    return println(VERBOSE, tag, message);
  }

  public static int v(String tag, String message, Throwable thrown) {
    return println(VERBOSE, tag, message, thrown);
  }

  public static int d(String tag, String message) {
    return println(DEBUG, tag, message);
  }

  public static int d(String tag, String message, Throwable thrown) {
    return println(DEBUG, tag, message, thrown);
  }

  public static int i(String tag, String message) {
    return println(INFO, tag, message);
  }

  public static int i(String tag, String message, Throwable thrown) {
    return println(INFO, tag, message, thrown);
  }

  public static int w(String tag, String message) {
    return println(WARN, tag, message);
  }

  public static int w(String tag, Throwable thrown) {
    return println(WARN, tag, "", thrown);
  }

  public static int w(String tag, String message, Throwable thrown) {
    return println(WARN, tag, message, thrown);
  }

  public static int e(String tag, String message) {
    return println(ERROR, tag, message);
  }

  public static int e(String tag, String message, Throwable thrown) {
    return println(ERROR, tag, message, thrown);
  }

  public static int wtf(String tag, String message) {
    return println(ASSERT, tag, message);
  }

  public static int wtf(String tag, String message, Throwable thrown) {
    return println(ASSERT, tag, message, thrown);
  }

  public static boolean isLoggable(String tag, int level) {
    return level >= LEAST;
  }

  public static String getStackTraceString(Throwable thrown) {
    if (thrown == null) return "";
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  private static int println(int level, String tag, String message, Throwable thrown) {
    return println(level, tag, message + "\n" + getStackTraceString(thrown));
  }

  public static int println(int level, String tag, String message) {
    if (level < LEAST) return 0;
    String line = String.format(Locale.ROOT, "%10.3f %c/%s: %s", SystemClock.elapsedRealtimeNanos() / 1e9,
        "VDIWEA".charAt(level - VERBOSE), tag, message);
    System.err.println(line);
    return line.length();
  }
}
