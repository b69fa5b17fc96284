package babbench.junit;

import java.nio.file.Path;

/** The room of a test with {@link Room}. The extension opens and ends it. */
public final class TestRoom extends babbench.android.Room {
  private final long seed;
  private final Path folder;

  TestRoom(long seed, Path folder) {
    super(seed);
    this.seed = seed;
    this.folder = folder;
    out(folder.toString());
  }

  public long seed() {
    return seed;
  }

  /** The folder with trace, captures and timeline, which stays when the test fails. */
  public Path folder() {
    return folder;
  }
}
