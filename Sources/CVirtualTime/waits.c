// Groups and semaphores: their counts are those of the real objects, what waits for them is virtual.
#include "interpose.h"

typedef void (*function_t)(void *);

// A dispatch_time_t: its two highest bits say which clock counts it.
enum { NOW = 0 };
static const uint64_t forever = ~0ull, wallNow = ~1ull, otherClock = 1ull << 63, wallClock = 1ull << 62;

int64_t cvt_due(struct cvt_processor *processor, uint64_t when) {
  if (when == NOW || when == wallNow) return processor->now;
  if (when == forever) return CVT_NEVER;
  if (!(when & otherClock)) return when >= wallClock ? CVT_NEVER : (int64_t)when - CVT_UPTIME_AT_ZERO;
  if (when & wallClock) {
    int64_t due;
    return __builtin_sub_overflow((int64_t)-when, processor->wall, &due) ? 0 : due;
  }
  return (int64_t)(when & ~otherClock) - CVT_UPTIME_AT_ZERO;
}

intptr_t dispatch_group_wait(void *group, uint64_t timeout);
int cvt_group_is_empty(void *group) {
  return OUTSIDE(REAL(dispatch_group_wait)(group, NOW)) == 0;
}
void dispatch_group_leave(void *group) {
  REAL(dispatch_group_leave)(group);
  if (cvt_current) TELL(group_left, group);
}
intptr_t dispatch_group_wait(void *group, uint64_t timeout) {
  if (!cvt_current) return REAL(dispatch_group_wait)(group, timeout);
  return ASK(group_wait, group, cvt_due(cvt_current, timeout));
}
void dispatch_group_notify(void *group, void *queue, void *block) {
  if (!cvt_current) { REAL(dispatch_group_notify)(group, queue, block); return; }
  TELL(group_notify, group, queue, cvt_block_work(block, 0));
}
void dispatch_group_notify_f(void *group, void *queue, void *context, function_t function) {
  if (!cvt_current) { REAL(dispatch_group_notify_f)(group, queue, context, function); return; }
  TELL(group_notify, group, queue, (struct cvt_work){function, context, 0});
}

intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t timeout);
int cvt_semaphore_take(void *semaphore) {
  return OUTSIDE(REAL(dispatch_semaphore_wait)(semaphore, NOW)) == 0;
}
intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t timeout) {
  if (!cvt_current) return REAL(dispatch_semaphore_wait)(semaphore, timeout);
  return ASK(semaphore_wait, semaphore, cvt_due(cvt_current, timeout));
}
intptr_t dispatch_semaphore_signal(void *semaphore) {
  intptr_t woken = REAL(dispatch_semaphore_signal)(semaphore);
  if (cvt_current) TELL(semaphore_signalled, semaphore);
  return woken;
}
