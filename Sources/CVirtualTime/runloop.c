// Run loops: a processor has one of its own for its main queue, and one for all other queues that nothing runs.
//
// CoreFoundation keeps time with timerfd; what it arms inside a processor is noted and armed for real, for the past,
// when the virtual instant has come. Everything is found at run time: an executable without Foundation has none of it.
#include "interpose.h"
#include "runloop.h"
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

// Results of a run of a loop.
enum { FINISHED = 1, STOPPED = 2, TIMED_OUT = 3, HANDLED = 4 };

struct cvt_run_loop *cvt_loops(void) {
  if (!cvt_current->run_loop) cvt_current->run_loop = calloc(1, sizeof(struct cvt_run_loop));
  return cvt_current->run_loop;
}
static void *main_loop(void) {
  struct cvt_run_loop *loops = cvt_loops();
  if (!loops->main) loops->main = cvt_loop_take();
  return loops->main;
}
static void *current_loop(void) {
  if (cvt_current->on_main) return main_loop();
  struct cvt_run_loop *loops = cvt_loops();
  if (!loops->other) loops->other = cvt_loop_take();
  return loops->other;
}

// Foundation keeps the object `RunLoop.main` for the process; it is asked for here, and exchanged below.
void *CFRunLoopGetMain(void);
static void *realMain;
void cvt_run_loop_prepare(void) {
  void *(*main)(void) = dlsym(RTLD_DEFAULT, "$s10Foundation7RunLoopC4mainACvgZ");
  if (!main) return;
  main();
  realMain = REAL(CFRunLoopGetMain)();
}
// The object of Foundation for a loop of CoreFoundation.
void *_CFRunLoopGet2(void *loop) {
  return REAL(_CFRunLoopGet2)(cvt_current && loop == realMain ? main_loop() : loop);
}
void *CFRunLoopGetMain(void) { return cvt_current ? main_loop() : REAL(CFRunLoopGetMain)(); }
void *CFRunLoopGetCurrent(void) { return cvt_current ? current_loop() : REAL(CFRunLoopGetCurrent)(); }

static void woken(void *loop) {
  if (!cvt_current || !cvt_current->run_loop || cvt_current->run_loop->main != loop) return;
  cvt_current->run_loop->poked = 1;
  TELL(run_loop_woken);
}
void CFRunLoopWakeUp(void *loop) {
  woken(loop);
  REAL(CFRunLoopWakeUp)(loop);
}
void CFRunLoopPerformBlock(void *loop, const void *mode, void *block) {
  REAL(CFRunLoopPerformBlock)(loop, mode, block);
  woken(loop);
}

// A run loop on the main thread serves the real main queue through these two; here it has nothing to serve.
int _dispatch_get_main_queue_port_4CF(void) {
  if (!cvt_current) return REAL(_dispatch_get_main_queue_port_4CF)();
  static int silent = -1;
  if (silent < 0) silent = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return silent;
}
void _dispatch_main_queue_callback_4CF(void *message) {
  if (!cvt_current) REAL(_dispatch_main_queue_callback_4CF)(message);
}

static int arm(int descriptor, int past) {
  struct itimerspec value = {{0, 0}, {0, past}};
  return REAL(timerfd_settime)(descriptor, TFD_TIMER_ABSTIME, &value, NULL);
}
int timerfd_settime(int descriptor, int flags, const struct itimerspec *new, struct itimerspec *old) {
  if (!cvt_current) return REAL(timerfd_settime)(descriptor, flags, new, old);
  struct cvt_run_loop *loops = cvt_loops();
  struct armed *place = NULL;
  for (int i = 0; i < TIMERS; i++) {
    struct armed *timer = &loops->timers[i];
    if (timer->due && timer->descriptor == descriptor) { place = timer; break; }
    if (!timer->due && !place) place = timer;
  }
  int64_t due = new->it_value.tv_sec * 1000000000 + new->it_value.tv_nsec;
  if (loops->isOther) {
    // Nothing waits for it.
  } else if (place && due) {
    due += flags & TFD_TIMER_ABSTIME ? -CVT_UPTIME_AT_ZERO : cvt_current->now;
    // Zero says that the place is free.
    *place = (struct armed){descriptor, due > 0 ? due : 1};
    TELL(run_loop_woken);
  } else if (place && place->descriptor == descriptor) {
    place->due = 0;
  } else if (due) {
    TELL(remark, "timerfd_settime");
  }
  return arm(descriptor, 0);
}

int64_t cvt_run_loop_due(struct cvt_processor *processor) {
  struct cvt_run_loop *loops = processor->run_loop;
  if (!loops || !loops->main) return CVT_NEVER;
  if (loops->poked) return processor->now;
  int64_t due = CVT_NEVER;
  for (int i = 0; i < TIMERS; i++) {
    if (loops->timers[i].due && loops->timers[i].due < due) due = loops->timers[i].due;
  }
  return due;
}

// Makes what is due visible to CoreFoundation.
static void arm_due(struct cvt_run_loop *loops) {
  loops->poked = 0;
  for (int i = 0; i < TIMERS; i++) {
    struct armed *timer = &loops->timers[i];
    if (!timer->due || timer->due > cvt_current->now) continue;
    timer->due = 0;
    arm(timer->descriptor, 1);
    struct pollfd wait = {timer->descriptor, POLLIN, 0};
    poll(&wait, 1, 1000);
  }
}

extern int CFRunLoopRunSpecific(void *loop, const void *mode, double seconds, unsigned char afterOne);
void cvt_run_loop_pump(void) {
  const void *const *mode = cvt_find_real("kCFRunLoopDefaultMode");
  arm_due(cvt_loops());
  // Handles one port each time.
  for (int round = 0; round < 64 && REAL(CFRunLoopRunSpecific)(main_loop(), *mode, 0, 1) == HANDLED; round++) {}
}

int CFRunLoopRunInMode(const void *mode, double seconds, unsigned char afterOne) {
  if (!cvt_current) return REAL(CFRunLoopRunInMode)(mode, seconds, afterOne);
  void *loop = current_loop();
  int64_t limit = CVT_NEVER;
  if (seconds < 1e9) {
    // Not before the limit: upwards.
    int64_t length = (int64_t)(seconds * 1e9);
    limit = cvt_current->now + length + (length < seconds * 1e9);
  }
  for (;;) {
    arm_due(cvt_loops());
    int result = REAL(CFRunLoopRunSpecific)(loop, mode, 0, afterOne);
    if (result == FINISHED || result == STOPPED || (result == HANDLED && afterOne)) return result;
    if (cvt_current->now >= limit) return TIMED_OUT;
    int64_t due = cvt_run_loop_due(cvt_current);
    TELL(run_loop_wait, due < limit ? due : limit);
  }
}
void CFRunLoopRun(void) {
  if (!cvt_current) { REAL(CFRunLoopRun)(); return; }
  const void *const *mode = cvt_find_real("kCFRunLoopDefaultMode");
  int result;
  do result = CFRunLoopRunInMode(*mode, 1e10, 0); while (result != FINISHED && result != STOPPED);
}
