import android.os.Handler;
import android.os.HandlerThread;
import android.os.Looper;
import android.os.Message;
import android.os.SystemClock;
import babbench.android.Room;
import java.util.ArrayList;
import java.util.List;

/** Loopers, handlers and clocks. */
final class TimeTests {
  private static List<String> play(double seconds, java.util.function.BiConsumer<Handler, List<String>> app) {
    List<String> told = new ArrayList<>();
    try (Room room = new Room(1)) {
      room.phone("phone").app(context -> app.accept(new Handler(Looper.getMainLooper()), told));
      room.run(seconds);
    }
    return told;
  }

  static void messagesComeInTheOrderOfTheirInstants() {
    Check.equal(List.of("now", "first 100", "second 100", "last 200"), play(1, (handler, told) -> {
      handler.postDelayed(() -> told.add("last " + SystemClock.uptimeMillis()), 200);
      handler.postDelayed(() -> told.add("first " + SystemClock.uptimeMillis()), 100);
      handler.postDelayed(() -> told.add("second " + SystemClock.uptimeMillis()), 100);
      handler.post(() -> told.add("now"));
    }));
  }

  static void theFrontOfTheQueueIsBeforeAllElse() {
    Check.equal(List.of("front", "back"), play(1, (handler, told) -> {
      handler.post(() -> told.add("back"));
      handler.postAtFrontOfQueue(() -> told.add("front"));
    }));
  }

  static void aCallbackThatIsRemovedDoesNotCome() {
    Check.equal(List.of("kept"), play(1, (handler, told) -> {
      Runnable removed = () -> told.add("removed");
      handler.postDelayed(removed, 10);
      handler.postDelayed(removed, 20);
      handler.postDelayed(() -> told.add("kept"), 30);
      handler.removeCallbacks(removed);
    }));
  }

  static void aTokenRemovesItsMessagesOnly() {
    Check.equal(List.of("other"), play(1, (handler, told) -> {
      Object token = new Object();
      handler.postDelayed(() -> told.add("token"), token, 10);
      handler.postDelayed(() -> told.add("other"), new Object(), 20);
      handler.removeCallbacksAndMessages(token);
    }));
  }

  static void aNullTokenRemovesAllOfTheHandlerAndNothingOfOthers() {
    Check.equal(List.of("other handler"), play(1, (handler, told) -> {
      handler.postDelayed(() -> told.add("mine"), 10);
      new Handler(Looper.getMainLooper()).postDelayed(() -> told.add("other handler"), 20);
      handler.removeCallbacksAndMessages(null);
    }));
  }

  static void messagesReachTheCallbackThenTheMethod() {
    Check.equal(List.of("callback 1", "callback 2", "method 2"), play(1, (unused, told) -> {
      Handler handler = new Handler(Looper.getMainLooper(), message -> {
        told.add("callback " + message.what);
        return message.what == 1;
      }) {
        @Override
        public void handleMessage(Message message) {
          told.add("method " + message.what);
        }
      };
      handler.sendEmptyMessage(1);
      handler.sendMessageDelayed(handler.obtainMessage(2, "object"), 5);
      handler.sendEmptyMessageDelayed(3, 9);
      handler.removeMessages(3);
      Check.that(handler.hasMessages(2) && !handler.hasMessages(3), "what is queued");
    }));
  }

  static void aHandlerNeedsALooper() {
    Check.equal(List.of("refused"), play(1, (handler, told) -> new Thread(() -> {
      Check.refuses(RuntimeException.class, Handler::new);
      told.add("refused");
    }).start()));
  }

  static void aHandlerThreadRunsItsOwnMessages() {
    Check.equal(List.of("worker 50"), play(1, (handler, told) -> {
      HandlerThread thread = new HandlerThread("worker");
      thread.start();
      new Handler(thread.getLooper())
          .postDelayed(() -> told.add(Thread.currentThread().getName() + " " + SystemClock.uptimeMillis()), 50);
    }));
  }

  static void quitDropsAllAndQuitSafelyWhatIsNotDue() {
    Check.equal(List.of("due"), play(1, (handler, told) -> {
      HandlerThread safely = new HandlerThread("safely");
      safely.start();
      Handler own = new Handler(safely.getLooper());
      own.post(() -> told.add("due"));
      own.postDelayed(() -> told.add("later"), 10);
      safely.quitSafely();
      HandlerThread atOnce = new HandlerThread("at once");
      atOnce.start();
      Handler other = new Handler(atOnce.getLooper());
      other.post(() -> told.add("dropped"));
      atOnce.quit();
      Check.that(!other.post(() -> told.add("refused")), "a looper that has quit takes nothing");
    }));
  }

  static void clocksAreTheRooms() {
    Check.equal(List.of("250 250000000 250 250"), play(1, (handler, told) -> {
      long day = System.currentTimeMillis();
      handler.postDelayed(() -> told.add(SystemClock.elapsedRealtime() + " " + System.nanoTime() + " "
          + (System.currentTimeMillis() - day) + " " + (java.time.Instant.now().toEpochMilli() - day)), 250);
    }));
  }

  static void timeStandsStillWhileAnAppComputes() {
    Check.equal(List.of("0"), play(1, (handler, told) -> {
      long before = System.nanoTime();
      double sum = 0;
      for (int index = 0; index < 3_000_000; index++) sum += Math.sqrt(index);
      if (sum > 0) told.add("" + (System.nanoTime() - before));
    }));
  }
}
