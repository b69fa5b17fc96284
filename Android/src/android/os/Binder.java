package android.os;

/** An end of this process. */
public class Binder implements IBinder {
  public static int getCallingUid() {
    return Process.myUid();
  }
}
