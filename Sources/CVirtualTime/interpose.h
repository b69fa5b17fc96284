// What the interposed functions share.
#ifndef CVT_INTERPOSE_H
#define CVT_INTERPOSE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CVirtualTime.h"
#include <dlfcn.h>

// The processor whose item the calling thread runs; null: everything is real.
extern _Thread_local struct cvt_processor *cvt_current;
extern struct cvt_handlers cvt_handlers;

extern void *_Block_copy(const void *block);
extern void _Block_release(const void *block);

// The next definition of a function: the real one.
void *cvt_find_real(const char *name);
#define REAL(name) ({ \
  static __typeof__(&name) found; \
  __typeof__(&name) real_ = __atomic_load_n(&found, __ATOMIC_RELAXED); \
  if (!real_) { real_ = (__typeof__(&name))cvt_find_real(#name); __atomic_store_n(&found, real_, __ATOMIC_RELAXED); } \
  real_; })

// Asks a handler: meanwhile the watchdog leaves the item alone.
#define ASK(handler, ...) ({ \
  struct cvt_processor *asked_ = cvt_current; \
  int was_ = asked_->busy; asked_->busy = 0; \
  __typeof__(cvt_handlers.handler(asked_->owner, ##__VA_ARGS__)) answer_ = \
    cvt_handlers.handler(asked_->owner, ##__VA_ARGS__); \
  asked_->busy = was_; answer_; })
#define TELL(handler, ...) ({ \
  struct cvt_processor *told_ = cvt_current; \
  int was_ = told_->busy; told_->busy = 0; \
  cvt_handlers.handler(told_->owner, ##__VA_ARGS__); \
  told_->busy = was_; })
// Calls a real function with the thread as a real one, so that what libdispatch does inside stays real.
#define OUTSIDE(call) ({ \
  struct cvt_processor *kept_ = cvt_current; cvt_current = NULL; \
  __typeof__(call) result_ = (call); cvt_current = kept_; result_; })

// A block as work that owns a copy of it.
struct cvt_work cvt_block_work(void *block, int flags);
// Calls a block without arguments.
void cvt_invoke_block(void *block);
// Nanoseconds since instant zero of a dispatch_time_t.
int64_t cvt_due(struct cvt_processor *processor, uint64_t when);

#endif
