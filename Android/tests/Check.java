import java.util.Objects;

/** What tests claim. */
final class Check {
  private Check() {}

  static void that(boolean holds, String what) {
    if (!holds) throw new AssertionError(what);
  }

  static void equal(Object wanted, Object found) {
    if (!Objects.equals(wanted, found)) throw new AssertionError("wanted " + wanted + ", found " + found);
  }

  static void between(double least, double found, double most) {
    if (found < least || found > most) throw new AssertionError(found + " is not between " + least + " and " + most);
  }

  static void refuses(Class<? extends Throwable> kind, Runnable task) {
    try {
      task.run();
    } catch (Throwable problem) {
      if (kind.isInstance(problem)) return;
      throw new AssertionError("wanted " + kind.getSimpleName(), problem);
    }
    throw new AssertionError("wanted " + kind.getSimpleName() + ", nothing was thrown");
  }
}
