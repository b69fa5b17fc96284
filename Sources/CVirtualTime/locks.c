// Locks and conditions of pthreads (NSLock, NSCondition, OperationQueue), and Swift's Mutex: between the items of one
// processor, a wait is virtual. A lock that another thread holds is waited for as always.
#include "interpose.h"
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pid_t own(void) {
  static _Thread_local pid_t self;
  if (!self) self = gettid();
  return self;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (!cvt_current) return REAL(pthread_mutex_lock)(mutex);
  for (;;) {
    int result = pthread_mutex_trylock(mutex);
    if (result != EBUSY) return result;
    if (mutex->__data.__owner != own()) return REAL(pthread_mutex_lock)(mutex);
    TELL(lock_wait, mutex);
  }
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  int result = REAL(pthread_mutex_unlock)(mutex);
  if (cvt_current && cvt_current->lock_waits) TELL(lock_left, mutex);
  return result;
}

static int wait_virtually(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t due) {
  pthread_mutex_unlock(mutex);
  int timedOut = ASK(condition_wait, condition, due);
  pthread_mutex_lock(mutex);
  return timedOut ? ETIMEDOUT : 0;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  if (!cvt_current) return REAL(pthread_cond_wait)(condition, mutex);
  return wait_virtually(condition, mutex, CVT_NEVER);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *limit) {
  if (!cvt_current) return REAL(pthread_cond_timedwait)(condition, mutex, limit);
  // The clock of a condition is not known here: limits before 1990 are uptimes.
  int64_t time, due;
  if (__builtin_mul_overflow((int64_t)limit->tv_sec, 1000000000, &time)
      || __builtin_add_overflow(time, limit->tv_nsec, &time)) due = CVT_NEVER;
  else due = time - (limit->tv_sec < 631152000 ? CVT_UPTIME_AT_ZERO : cvt_current->wall);
  return wait_virtually(condition, mutex, due);
}

int pthread_cond_signal(pthread_cond_t *condition) {
  if (cvt_current) TELL(condition_signalled, condition, 0);
  return REAL(pthread_cond_signal)(condition);
}
int pthread_cond_broadcast(pthread_cond_t *condition) {
  if (cvt_current) TELL(condition_signalled, condition, 1);
  return REAL(pthread_cond_broadcast)(condition);
}

// Swift's Mutex: a word with the thread that holds it. The highest bit makes its holder let it go by a call, too.
static long lock_futex(uint32_t *word) {
  for (;;) {
    uint32_t holder = __atomic_load_n(word, __ATOMIC_RELAXED), none = 0;
    if (!holder && __atomic_compare_exchange_n(word, &none, own(), 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return 0;
    if ((holder & FUTEX_TID_MASK) != (uint32_t)own()) return -1;
    __atomic_or_fetch(word, FUTEX_WAITERS, __ATOMIC_RELAXED);
    TELL(lock_wait, word);
  }
}

// The runtime of Swift asks for random octets and for locks by number of the call.
long syscall(long number, ...) {
  va_list arguments;
  long a[6];
  va_start(arguments, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(arguments, long);
  va_end(arguments);
  int command = number == SYS_futex ? (int)a[1] & FUTEX_CMD_MASK : -1;
  if (cvt_current && number == SYS_getrandom) return getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
  if (cvt_current && command == FUTEX_LOCK_PI && lock_futex((uint32_t *)a[0]) == 0) return 0;
  long result = REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (cvt_current && command == FUTEX_UNLOCK_PI && cvt_current->lock_waits) TELL(lock_left, (void *)a[0]);
  return result;
}
