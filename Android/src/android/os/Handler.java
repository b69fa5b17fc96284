package android.os;

import java.util.Objects;

/** Posts to the queue of a {@link Looper}. Its clock is {@link SystemClock#uptimeMillis}, which is the room's. */
public class Handler {
  /** Takes messages in place of a subclass. */
  public interface Callback {
    boolean handleMessage(Message message);
  }

  private final Looper looper;
  private final Callback callback;

  public Handler() {
    this((Callback) null);
  }

  public Handler(Callback callback) {
    this.looper = Looper.myLooper();
    this.callback = callback;
    if (looper == null) {
      throw new RuntimeException("a Handler needs a thread with a Looper; " + Thread.currentThread() + " has none");
    }
  }

  public Handler(Looper looper) {
    this(looper, null);
  }

  public Handler(Looper looper, Callback callback) {
    this.looper = Objects.requireNonNull(looper);
    this.callback = callback;
  }

  public static Handler createAsync(Looper looper) {
    return new Handler(looper);
  }

  public static Handler createAsync(Looper looper, Callback callback) {
    return new Handler(looper, callback);
  }

  public void handleMessage(Message message) {}

  public void dispatchMessage(Message message) {
    if (message.callback != null) {
      message.callback.run();
      return;
    }
    if (callback == null || !callback.handleMessage(message)) handleMessage(message);
  }

  public final Looper getLooper() {
    return looper;
  }

  // Runnables

  public final boolean post(Runnable task) {
    return postDelayed(task, 0);
  }

  public final boolean postDelayed(Runnable task, long milliseconds) {
    return sendMessageDelayed(Message.obtain(this, task), milliseconds);
  }

  public final boolean postDelayed(Runnable task, Object token, long milliseconds) {
    return sendMessageDelayed(withToken(task, token), milliseconds);
  }

  public final boolean postAtTime(Runnable task, long uptime) {
    return sendMessageAtTime(Message.obtain(this, task), uptime);
  }

  public final boolean postAtTime(Runnable task, Object token, long uptime) {
    return sendMessageAtTime(withToken(task, token), uptime);
  }

  public final boolean postAtFrontOfQueue(Runnable task) {
    return sendMessageAtFrontOfQueue(Message.obtain(this, task));
  }

  private Message withToken(Runnable task, Object token) {
    Message message = Message.obtain(this, task);
    message.obj = token;
    return message;
  }

  public final void removeCallbacks(Runnable task) {
    looper.getQueue().remove(message -> message.target == this && message.callback == task);
  }

  public final void removeCallbacks(Runnable task, Object token) {
    looper.getQueue().remove(message -> message.target == this && message.callback == task
        && (token == null || message.obj == token));
  }

  public final void removeCallbacksAndMessages(Object token) {
    looper.getQueue().remove(message -> message.target == this && (token == null || message.obj == token));
  }

  public final boolean hasCallbacks(Runnable task) {
    return looper.getQueue().has(message -> message.target == this && message.callback == task);
  }

  // Messages

  public final Message obtainMessage() {
    return Message.obtain(this);
  }

  public final Message obtainMessage(int what) {
    return Message.obtain(this, what);
  }

  public final Message obtainMessage(int what, Object obj) {
    return Message.obtain(this, what, obj);
  }

  public final Message obtainMessage(int what, int arg1, int arg2) {
    return Message.obtain(this, what, arg1, arg2);
  }

  public final Message obtainMessage(int what, int arg1, int arg2, Object obj) {
    return Message.obtain(this, what, arg1, arg2, obj);
  }

  public final boolean sendMessage(Message message) {
    return sendMessageDelayed(message, 0);
  }

  public final boolean sendEmptyMessage(int what) {
    return sendEmptyMessageDelayed(what, 0);
  }

  public final boolean sendEmptyMessageDelayed(int what, long milliseconds) {
    return sendMessageDelayed(Message.obtain(this, what), milliseconds);
  }

  public final boolean sendEmptyMessageAtTime(int what, long uptime) {
    return sendMessageAtTime(Message.obtain(this, what), uptime);
  }

  public final boolean sendMessageDelayed(Message message, long milliseconds) {
    return sendMessageAtTime(message, looper.getQueue().now() + Math.max(0, milliseconds));
  }

  public boolean sendMessageAtTime(Message message, long uptime) {
    message.target = this;
    message.when = uptime;
    return looper.getQueue().add(message);
  }

  public final boolean sendMessageAtFrontOfQueue(Message message) {
    message.target = this;
    message.when = 0;
    return looper.getQueue().addFirst(message);
  }

  public final void removeMessages(int what) {
    removeMessages(what, null);
  }

  public final void removeMessages(int what, Object token) {
    looper.getQueue().remove(message -> message.target == this && message.callback == null && message.what == what
        && (token == null || message.obj == token));
  }

  public final boolean hasMessages(int what) {
    return hasMessages(what, null);
  }

  public final boolean hasMessages(int what, Object token) {
    return looper.getQueue().has(message -> message.target == this && message.callback == null
        && message.what == what && (token == null || message.obj == token));
  }
}
