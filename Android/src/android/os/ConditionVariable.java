package android.os;

import babbench.jvm.Hooks;

/** A gate at which threads wait until it is open. */
public class ConditionVariable {
  private boolean isOpen;

  public ConditionVariable() {
    this(false);
  }

  public ConditionVariable(boolean state) {
    isOpen = state;
  }

  public void open() {
    Hooks.enter(this);
    try {
      isOpen = true;
      Hooks.notifyAll(this);
    } finally {
      Hooks.exit(this);
    }
  }

  public void close() {
    Hooks.enter(this);
    isOpen = false;
    Hooks.exit(this);
  }

  public void block() {
    block(0);
  }

  /** Waits until the gate is open, or so long; 0 is without limit. Whether it is open. */
  public boolean block(long milliseconds) {
    Hooks.enter(this);
    try {
      long end = SystemClock.elapsedRealtime() + milliseconds;
      while (!isOpen) {
        long left = end - SystemClock.elapsedRealtime();
        if (milliseconds != 0 && left <= 0) return false;
        try {
          Hooks.wait(this, milliseconds == 0 ? 0 : left);
        } catch (InterruptedException ignored) {
          continue;
        }
      }
      return true;
    } finally {
      Hooks.exit(this);
    }
  }
}
