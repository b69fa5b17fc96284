package babbench.android;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Standard error of a JVM that plays many launches: what a thread prints goes to the program that the bench has started
 * for its launch, so that the bench keeps it with the case; what no launch prints goes where it did.
 */
final class LaunchLog extends OutputStream {
  /** Threads that an app starts have the one of their starter. */
  private static final InheritableThreadLocal<LaunchLog> CURRENT = new InheritableThreadLocal<>();

  private final OutputStream general;
  private final String path;
  private OutputStream own;

  private LaunchLog(OutputStream general, String path) {
    this.general = general;
    this.path = path;
  }

  /** One for all launches. */
  static LaunchLog of(OutputStream general) {
    return new LaunchLog(general, null);
  }

  /** What the calling thread and those that it starts print from now on goes there. */
  LaunchLog begin(String path) {
    LaunchLog log = new LaunchLog(general, path);
    CURRENT.set(log);
    return log;
  }

  /** The launch is over. What its threads still print goes where it did before. */
  void end() throws IOException {
    CURRENT.remove();
    synchronized (this) {
      if (own != null && own != general) own.close();
      own = general;
    }
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] octets, int from, int count) throws IOException {
    LaunchLog log = CURRENT.get();
    if (log == null) general.write(octets, from, count);
    else log.writeOwn(octets, from, count);
  }

  /** Most launches print nothing, and open nothing. */
  private synchronized void writeOwn(byte[] octets, int from, int count) throws IOException {
    try {
      if (own == null) own = new FileOutputStream(path, true);
      own.write(octets, from, count);
    } catch (IOException isGone) {
      own = general;
      own.write(octets, from, count);
    }
  }
}
