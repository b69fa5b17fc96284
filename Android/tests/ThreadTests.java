import android.os.ConditionVariable;
import android.os.SystemClock;
import babbench.android.Room;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Timer;
import java.util.TimerTask;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Threads of apps: what blocks, blocks in virtual time. */
final class ThreadTests {
  private interface Body {
    void run(List<String> told) throws Exception;
  }

  private static List<String> play(Body app) {
    return play(1, app);
  }

  private static List<String> play(long seed, Body app) {
    List<String> told = new ArrayList<>();
    try (Room room = new Room(seed)) {
      room.phone("phone").app(context -> new Thread(() -> {
        try {
          app.run(told);
        } catch (Exception problem) {
          told.add(problem.toString());
        }
      }).start());
      room.run(30);
    }
    return told;
  }

  private static String now() {
    return " " + SystemClock.uptimeMillis();
  }

  static void sleepTakesVirtualTime() {
    Check.equal(List.of("woken 12345"), play(told -> {
      Thread.sleep(12_345);
      told.add("woken" + now());
    }));
  }

  static void aLatchIsAwaited() {
    Check.equal(List.of("counted 700", "true 700", "false 1700"), play(told -> {
      CountDownLatch latch = new CountDownLatch(1);
      new Thread(() -> {
        SystemClock.sleep(700);
        latch.countDown();
        told.add("counted" + now());
      }).start();
      told.add(latch.await(5, TimeUnit.SECONDS) + now());
      told.add(new CountDownLatch(1).await(1, TimeUnit.SECONDS) + now());
    }));
  }

  static void aConditionVariableBlocks() {
    Check.equal(List.of("false 100", "true 300"), play(told -> {
      ConditionVariable gate = new ConditionVariable();
      told.add(gate.block(100) + now());
      new Thread(() -> {
        SystemClock.sleep(200);
        gate.open();
      }).start();
      gate.block();
      told.add("true" + now());
    }));
  }

  static void synchronizedExcludesWhileItsOwnerSleeps() {
    Check.equal(List.of("first 500", "second 500"), play(told -> {
      Object lock = new Object();
      Thread other = new Thread(() -> {
        SystemClock.sleep(100);
        synchronized (lock) {
          told.add("second" + now());
        }
      });
      other.start();
      synchronized (lock) {
        SystemClock.sleep(500);
        told.add("first" + now());
      }
      other.join();
    }));
  }

  static synchronized void held(List<String> told, String name) {
    SystemClock.sleep(50);
    told.add(name + now());
  }

  static void synchronizedMethodsExcludeToo() {
    Check.equal(List.of("a 50", "b 100"), play(told -> {
      new Thread(() -> held(told, "a")).start();
      new Thread(() -> held(told, "b")).start();
    }));
  }

  static void aMonitorIsGivenBackByAnException() {
    Check.equal(List.of("thrown", "entered 0"), play(told -> {
      Object lock = new Object();
      try {
        synchronized (lock) {
          throw new IllegalStateException();
        }
      } catch (IllegalStateException problem) {
        told.add("thrown");
      }
      Thread other = new Thread(() -> {
        synchronized (lock) {
          told.add("entered" + now());
        }
      });
      other.start();
      other.join();
    }));
  }

  static void waitAndNotify() {
    Check.equal(List.of("notified 40", "timed out 90"), play(told -> {
      Object lock = new Object();
      new Thread(() -> {
        SystemClock.sleep(40);
        synchronized (lock) {
          lock.notifyAll();
        }
      }).start();
      synchronized (lock) {
        lock.wait();
        told.add("notified" + now());
        lock.wait(50);
        told.add("timed out" + now());
      }
    }));
  }

  static void waitNeedsTheMonitor() {
    Check.equal(List.of("java.lang.IllegalMonitorStateException: current thread is not owner"),
        play(told -> new Object().wait()));
  }

  static void executorsKeepTheirSchedule() {
    Check.equal(List.of("tick 100", "tick 350", "tick 600"), play(told -> {
      ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(2);
      executor.scheduleAtFixedRate(() -> told.add("tick" + now()), 100, 250, TimeUnit.MILLISECONDS);
      Thread.sleep(650);
      executor.shutdownNow();
      executor.awaitTermination(1, TimeUnit.SECONDS);
    }));
  }

  static void futuresTimeOut() {
    Check.equal(List.of("7 200", "late 700"), play(told -> {
      ExecutorService pool = Executors.newCachedThreadPool();
      told.add(pool.submit(() -> {
        Thread.sleep(200);
        return 7;
      }).get() + now());
      told.add(new CompletableFuture<String>().completeOnTimeout("late", 500, TimeUnit.MILLISECONDS).get() + now());
      pool.shutdown();
    }));
  }

  static void theCommonPoolIsVirtual() {
    Check.equal(List.of("11 300"), play(told -> told.add(CompletableFuture.supplyAsync(() -> {
      SystemClock.sleep(300);
      return 11;
    }).get() + now())));
  }

  static void poolsOfTheJDKWorkInEveryRoom() {
    for (int time = 0; time < 3; time++) {
      theCommonPoolIsVirtual();
      futuresTimeOut();
    }
  }

  static void parallelStreamsAreVirtual() {
    Check.equal(List.of("4950 0"),
        play(told -> told.add(java.util.stream.IntStream.range(0, 100).parallel().sum() + now())));
  }

  static void queuesAreAwaited() {
    Check.equal(List.of("null 100", "5 400"), play(told -> {
      LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
      told.add(queue.poll(100, TimeUnit.MILLISECONDS) + now());
      new Thread(() -> {
        SystemClock.sleep(300);
        queue.add(5);
      }).start();
      told.add(queue.take() + now());
    }));
  }

  static void locksAndConditions() {
    Check.equal(List.of("signalled 60"), play(told -> {
      ReentrantLock lock = new ReentrantLock();
      Condition changed = lock.newCondition();
      new Thread(() -> {
        SystemClock.sleep(60);
        lock.lock();
        changed.signal();
        lock.unlock();
      }).start();
      lock.lock();
      changed.await();
      told.add("signalled" + now());
      lock.unlock();
    }));
  }

  static void timersOfTheJDK() {
    Check.equal(List.of("timer 80"), play(told -> {
      Timer timer = new Timer();
      timer.schedule(new TimerTask() {
        @Override
        public void run() {
          told.add("timer" + now());
          timer.cancel();
        }
      }, 80);
    }));
  }

  static void aSleeperIsInterrupted() {
    Check.equal(List.of("interrupted 30 false"), play(told -> {
      Thread sleeper = new Thread(() -> {
        try {
          Thread.sleep(1_000);
        } catch (InterruptedException interrupted) {
          told.add("interrupted" + now() + " " + Thread.currentThread().isInterrupted());
        }
      });
      sleeper.start();
      Thread.sleep(30);
      sleeper.interrupt();
    }));
  }

  static void joinWaitsForTheEnd() {
    Check.equal(List.of("joined 90 false", "not joined 140 true"), play(told -> {
      Thread other = new Thread(() -> SystemClock.sleep(90));
      other.start();
      other.join();
      told.add("joined" + now() + " " + other.isAlive());
      Thread slow = new Thread(() -> SystemClock.sleep(500));
      slow.start();
      slow.join(50);
      told.add("not joined" + now() + " " + slow.isAlive());
    }));
  }

  static void threadsRunInTheOrderInWhichTheyBecameReady() {
    List<String> wanted = List.of("0", "1", "2", "3", "4", "5", "6", "7");
    for (int time = 0; time < 5; time++) {
      Check.equal(wanted, play(told -> {
        for (int index = 0; index < 8; index++) {
          String name = "" + index;
          new Thread(() -> told.add(name)).start();
        }
      }));
    }
  }

  private static List<String> draws(long seed) {
    return play(seed, told -> {
      told.add("" + new Random().nextLong());
      told.add("" + UUID.randomUUID());
      told.add("" + ThreadLocalRandom.current().nextInt());
      told.add("" + Math.random());
      byte[] secure = new byte[4];
      new java.security.SecureRandom().nextBytes(secure);
      told.add(java.util.Arrays.toString(secure));
    });
  }

  static void randomNumbersAreOfTheSeed() {
    Check.equal(draws(3), draws(3));
    List<String> other = draws(4);
    for (int index = 0; index < 5; index++) {
      Check.that(!draws(3).get(index).equals(other.get(index)), "another seed, the same number " + index);
    }
  }

  /** An app with a static field. */
  static final class Counting implements java.util.function.Consumer<android.content.Context> {
    private static int count;
    private final List<Integer> told;

    Counting(List<Integer> told) {
      this.told = told;
    }

    @Override
    public void accept(android.content.Context context) {
      told.add(++count);
    }
  }

  static void anAppByNameHasItsOwnStaticFields() {
    List<Integer> told = new ArrayList<>();
    try (Room room = new Room(1)) {
      Room.Device one = room.phone("one").app("ThreadTests$Counting", told);
      room.phone("two").app("ThreadTests$Counting", told);
      room.run(1);
      room.act(one, "kill");
      room.act(one, "relaunch");
      room.run(1);
    }
    Check.equal(List.of(1, 1, 1), told);
  }

  static void anUncaughtExceptionIsACrash() {
    Check.refuses(AssertionError.class, () -> {
      try (Room room = new Room(1)) {
        room.phone("phone").app(context -> new Thread(() -> {
          throw new IllegalStateException("a crash that a test wants");
        }).start());
        room.run(1);
      }
    });
  }

  static void aThreadThatWaitsForeverEndsWithItsPhone() {
    List<String> told = new ArrayList<>();
    try (Room room = new Room(1)) {
      Room.Device phone = room.phone("phone").app(context -> new Thread(() -> {
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException interrupted) {
          told.add("interrupted");
        } finally {
          told.add("ended");
        }
      }).start());
      room.run(1);
      room.act(phone, "kill");
      room.run(1);
    }
    Check.equal(List.of("ended"), told);
  }
}
