// Run loops that processors share one after the other: CoreFoundation keeps each forever, with its file descriptors.
#include "interpose.h"
#include "runloop.h"
#include <pthread.h>
#include <stdlib.h>

enum { KEPT = 256 };
static void *kept[KEPT];
static int keptCount;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

extern void *_CFRunLoopGet0(uintptr_t thread);
extern void *CFRetain(void *object);
extern void CFRelease(void *object);
extern void CFRunLoopTimerInvalidate(void *timer);
extern unsigned char CFRunLoopTimerIsValid(void *timer);

void *cvt_loop_take(void) {
  // A key that is no thread's.
  static uintptr_t keys = 0x1000;
  struct cvt_processor *processor = cvt_current;
  cvt_current = NULL;
  pthread_mutex_lock(&lock);
  void *loop = keptCount ? kept[--keptCount] : NULL;
  pthread_mutex_unlock(&lock);
  if (!loop) loop = REAL(_CFRunLoopGet0)(__atomic_add_fetch(&keys, 1, __ATOMIC_RELAXED));
  cvt_current = processor;
  return loop;
}

void CFRunLoopAddTimer(void *loop, void *timer, const void *mode) {
  if (cvt_current) {
    struct cvt_run_loop *loops = cvt_loops();
    if (loops->addedCount == loops->addedCapacity) {
      size_t valid = 0;
      for (size_t i = 0; i < loops->addedCount; i++) {
        if (REAL(CFRunLoopTimerIsValid)(loops->added[i])) loops->added[valid++] = loops->added[i];
        else REAL(CFRelease)(loops->added[i]);
      }
      loops->addedCount = valid;
      if (valid * 2 >= loops->addedCapacity) {
        loops->addedCapacity = loops->addedCapacity * 2 + 16;
        loops->added = realloc(loops->added, loops->addedCapacity * sizeof *loops->added);
        if (!loops->added) abort();
      }
    }
    loops->added[loops->addedCount++] = REAL(CFRetain)(timer);
    loops->isOther = loop != loops->main;
  }
  REAL(CFRunLoopAddTimer)(loop, timer, mode);
  if (cvt_current) cvt_loops()->isOther = 0;
}
void CFRunLoopAddSource(void *loop, void *source, const void *mode) {
  if (cvt_current) cvt_loops()->isSpoilt = 1;
  REAL(CFRunLoopAddSource)(loop, source, mode);
}
void CFRunLoopAddObserver(void *loop, void *observer, const void *mode) {
  if (cvt_current) cvt_loops()->isSpoilt = 1;
  REAL(CFRunLoopAddObserver)(loop, observer, mode);
}

void cvt_run_loop_free(struct cvt_processor *processor) {
  struct cvt_run_loop *loops = processor->run_loop;
  if (!loops) return;
  for (size_t i = 0; i < loops->addedCount; i++) {
    REAL(CFRunLoopTimerInvalidate)(loops->added[i]);
    REAL(CFRelease)(loops->added[i]);
  }
  if (!loops->isSpoilt && !loops->poked) {
    pthread_mutex_lock(&lock);
    if (loops->main && keptCount < KEPT) kept[keptCount++] = loops->main;
    if (loops->other && keptCount < KEPT) kept[keptCount++] = loops->other;
    pthread_mutex_unlock(&lock);
  }
  free(loops->added);
  free(loops);
  processor->run_loop = NULL;
}
