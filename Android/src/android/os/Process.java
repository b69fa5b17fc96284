package android.os;

import babbench.android.Phone;

/** The process of an app. */
public class Process {
  public static final int THREAD_PRIORITY_DEFAULT = 0;
  public static final int THREAD_PRIORITY_BACKGROUND = 10;
  public static final int THREAD_PRIORITY_FOREGROUND = -2;

  private Process() {}

  public static int myPid() {
    return 1_000;
  }

  public static int myUid() {
    return 10_000;
  }

  public static int myTid() {
    return Phone.current().threadNumber(Thread.currentThread());
  }

  /** Without effect: threads have no priorities in virtual time. */
  public static void setThreadPriority(int priority) {}
}
