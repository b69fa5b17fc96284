package android.os;

import babbench.android.Phone;
import babbench.jvm.Fiber;

/** Runs the messages of a thread one by one, in virtual time. */
public final class Looper {
  private static final ThreadLocal<Looper> OWN = new ThreadLocal<>();

  private final MessageQueue queue;
  private final Thread thread;

  private Looper(Fiber fiber) {
    queue = new MessageQueue(fiber);
    thread = fiber.thread();
  }

  public static void prepare() {
    if (OWN.get() != null) throw new RuntimeException("this thread has a Looper already");
    Fiber fiber = Fiber.current();
    if (fiber == null) throw new IllegalStateException("a thread in real time has no Looper; is the agent there?");
    OWN.set(new Looper(fiber));
  }

  /** The looper of the app's main thread. */
  public static Looper getMainLooper() {
    return Phone.current().mainLooper();
  }

  public static Looper myLooper() {
    return OWN.get();
  }

  public static MessageQueue myQueue() {
    return OWN.get().queue;
  }

  public static void loop() {
    Looper looper = OWN.get();
    if (looper == null) throw new RuntimeException("no Looper; call Looper.prepare() on this thread first");
    for (Message message; (message = looper.queue.next()) != null;) message.target.dispatchMessage(message);
  }

  public void quit() {
    queue.quit(false);
  }

  public void quitSafely() {
    queue.quit(true);
  }

  public boolean isCurrentThread() {
    return Thread.currentThread() == thread;
  }

  public Thread getThread() {
    return thread;
  }

  public MessageQueue getQueue() {
    return queue;
  }
}
