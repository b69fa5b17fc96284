// The watchdog: leaves an item that computes, or really blocks, longer than a limit of wall time.
//
// A thread looks every 50 ms at the processors that run. If no item has started for long enough, it sends a signal to
// the thread of the processor; the handler jumps out of the item, whose stack is never used again. What the item holds
// stays held; so it waits, for some time, until the item is not inside libc (where it may hold the lock of malloc).
#include "code.h"
#include "interpose.h"
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

void cvt_abandon(struct cvt_processor *processor);

enum { WATCHED = 256 };
static struct watch {
  struct cvt_processor *processor;
  pthread_t thread;
  uint64_t progress, ticks;
} watched[WATCHED];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int signal_number(void) { return SIGRTMIN + 5; }

// How patient the handler still is: 2 leaves only the code of the executable, 1 anything but libc, 0 all.
static _Thread_local volatile uint64_t patience;

static const void *interrupted_at(void *context) {
#if defined(__x86_64__)
  return (const void *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (const void *)((ucontext_t *)context)->uc_mcontext.pc;
#else
  return NULL;
#endif
}

static void on_signal(int number, siginfo_t *info, void *context) {
  struct cvt_processor *processor = cvt_current;
  if (!processor || !processor->busy) return;
  const void *address = interrupted_at(context);
  uint64_t asked = patience++;
  if (asked < 20 && !cvt_code_contains(CODE_EXECUTABLE, address)) return;
  if (asked < 40 && cvt_code_contains(CODE_LIBC, address)) return;
  cvt_abandon(processor);
}

static void *watch(void *unused) {
  for (;;) {
    struct timespec tick = {0, 50000000};
    nanosleep(&tick, NULL);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < WATCHED; i++) {
      struct watch *w = &watched[i];
      if (!w->processor) continue;
      if (w->progress != w->processor->progress) {
        w->progress = w->processor->progress;
        w->ticks = 0;
      } else if (++w->ticks > w->processor->watch_ticks) {
        pthread_kill(w->thread, signal_number());
      }
    }
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

static void start(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_signal;
  // Not blocked by its own handler, which may not return.
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
  sigaction(signal_number(), &action, NULL);
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&thread, &attributes, watch, NULL);
}

void cvt_watch(struct cvt_processor *processor) {
  pthread_once(&once, start);
  patience = 0;
  static _Thread_local int isUnblocked;
  if (!isUnblocked) {
    // Threads of libdispatch block all signals.
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal_number());
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    isUnblocked = 1;
  }
  pthread_mutex_lock(&lock);
  for (int i = 0; i < WATCHED; i++) {
    if (watched[i].processor) continue;
    watched[i] = (struct watch){processor, pthread_self(), processor->progress, 0};
    break;
  }
  pthread_mutex_unlock(&lock);
}

void cvt_unwatch(struct cvt_processor *processor) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < WATCHED; i++) {
    if (watched[i].processor == processor) watched[i].processor = NULL;
  }
  pthread_mutex_unlock(&lock);
}
