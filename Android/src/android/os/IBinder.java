package android.os;

/** The end of a connection to another process. */
public interface IBinder {
  default boolean isBinderAlive() {
    return true;
  }
}
