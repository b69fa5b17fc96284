// What the two files on run loops share.
#ifndef CVT_RUNLOOP_H
#define CVT_RUNLOOP_H
#include <stddef.h>
#include <stdint.h>

// A timer that CoreFoundation armed; `due` 0: none.
struct armed { int descriptor; int64_t due; };
enum { TIMERS = 16 };

// The loops of one processor.
struct cvt_run_loop {
  void *main, *other;
  struct armed timers[TIMERS];
  // The main loop has something to do that has no instant.
  int poked;
  // A timer is being added to a loop that is never run.
  int isOther;
  // The loops have what cannot be taken from them, so nobody else may get them.
  int isSpoilt;
  // What was added to the loops, retained.
  void **added;
  size_t addedCount, addedCapacity;
};

// Those of the current processor.
struct cvt_run_loop *cvt_loops(void);
// A loop that no thread and no other processor has.
void *cvt_loop_take(void);

#endif
