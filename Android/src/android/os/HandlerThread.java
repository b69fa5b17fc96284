package android.os;

import babbench.android.Phone;
import babbench.jvm.Hooks;

/** A thread with a {@link Looper}. It needs the agent, as every thread of an app does. */
public class HandlerThread extends Thread {
  private final Object lock = new Object();
  private Looper looper;
  private boolean isOver;

  public HandlerThread(String name) {
    super(name);
  }

  public HandlerThread(String name, int priority) {
    super(name);
  }

  protected void onLooperPrepared() {}

  @Override
  public void run() {
    Hooks.began(this);
    Looper.prepare();
    Hooks.enter(lock);
    looper = Looper.myLooper();
    Hooks.notifyAll(lock);
    Hooks.exit(lock);
    onLooperPrepared();
    Looper.loop();
    isOver = true;
  }

  /** Waits until the thread has its looper; null when it is over or was never started. */
  public Looper getLooper() {
    if (isOver || getState() == State.NEW) return null;
    Hooks.enter(lock);
    try {
      while (looper == null && isAlive()) Hooks.wait(lock);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      Hooks.exit(lock);
    }
    return looper;
  }

  public Handler getThreadHandler() {
    return new Handler(getLooper());
  }

  public int getThreadId() {
    return Phone.current().threadNumber(this);
  }

  public boolean quit() {
    Looper own = getLooper();
    if (own != null) own.quit();
    return own != null;
  }

  public boolean quitSafely() {
    Looper own = getLooper();
    if (own != null) own.quitSafely();
    return own != null;
  }
}
