// Queues of libdispatch: what is submitted inside a processor goes to its handlers.
#include "interpose.h"
#include <string.h>

typedef void (*function_t)(void *);

// The start of every block.
struct block { void *isa; int flags, reserved; function_t invoke; };

void cvt_invoke_block(void *block) { ((struct block *)block)->invoke(block); }

// A work item is a block with data of libdispatch after its start: a magic number, and flags, of which 1 is a barrier.
extern const function_t _dispatch_block_special_invoke;
static int item_flags(void *block) {
  struct { struct block start; void *descriptor; unsigned long magic, flags; } *item = block;
  if (item->start.invoke != _dispatch_block_special_invoke || item->magic != 0xD159B10C) return 0;
  return item->flags & 1 ? CVT_BARRIER : 0;
}
struct cvt_work cvt_block_work(void *block, int flags) {
  return (struct cvt_work){cvt_invoke_block, _Block_copy(block), flags | CVT_BLOCK | item_flags(block)};
}
static struct cvt_work plain(function_t function, void *context, int flags) {
  return (struct cvt_work){function, context, flags};
}
// A block that is called before the caller goes on: no copy.
static struct cvt_work stacked(void *block, int flags) {
  return plain(cvt_invoke_block, block, flags | item_flags(block));
}

// Asynchronous.

void dispatch_async(void *queue, void *block) {
  if (!cvt_current) { REAL(dispatch_async)(queue, block); return; }
  TELL(submit, queue, cvt_block_work(block, 0), NULL);
}
void dispatch_async_f(void *queue, void *context, function_t function) {
  if (!cvt_current) { REAL(dispatch_async_f)(queue, context, function); return; }
  TELL(submit, queue, plain(function, context, 0), NULL);
}
void dispatch_async_enforce_qos_class_f(void *queue, void *context, function_t function) {
  if (!cvt_current) { REAL(dispatch_async_enforce_qos_class_f)(queue, context, function); return; }
  TELL(submit, queue, plain(function, context, 0), NULL);
}
void dispatch_barrier_async(void *queue, void *block) {
  if (!cvt_current) { REAL(dispatch_barrier_async)(queue, block); return; }
  TELL(submit, queue, cvt_block_work(block, CVT_BARRIER), NULL);
}
void dispatch_barrier_async_f(void *queue, void *context, function_t function) {
  if (!cvt_current) { REAL(dispatch_barrier_async_f)(queue, context, function); return; }
  TELL(submit, queue, plain(function, context, CVT_BARRIER), NULL);
}
void dispatch_group_async(void *group, void *queue, void *block) {
  if (!cvt_current) { REAL(dispatch_group_async)(group, queue, block); return; }
  TELL(submit, queue, cvt_block_work(block, 0), group);
}
void dispatch_group_async_f(void *group, void *queue, void *context, function_t function) {
  if (!cvt_current) { REAL(dispatch_group_async_f)(group, queue, context, function); return; }
  TELL(submit, queue, plain(function, context, 0), group);
}
void dispatch_after(uint64_t when, void *queue, void *block) {
  if (!cvt_current) { REAL(dispatch_after)(when, queue, block); return; }
  TELL(submit_at, cvt_due(cvt_current, when), queue, cvt_block_work(block, 0));
}
void dispatch_after_f(uint64_t when, void *queue, void *context, function_t function) {
  if (!cvt_current) { REAL(dispatch_after_f)(when, queue, context, function); return; }
  TELL(submit_at, cvt_due(cvt_current, when), queue, plain(function, context, 0));
}

// Synchronous.

#define SYNCHRONOUS(name, flags) \
  void name(void *queue, void *block) { \
    if (!cvt_current) { REAL(name)(queue, block); return; } \
    TELL(sync, queue, stacked(block, flags)); \
  } \
  void name##_f(void *queue, void *context, function_t function) { \
    if (!cvt_current) { REAL(name##_f)(queue, context, function); return; } \
    TELL(sync, queue, plain(function, context, flags)); \
  }
SYNCHRONOUS(dispatch_sync, 0)
SYNCHRONOUS(dispatch_barrier_sync, CVT_BARRIER)
SYNCHRONOUS(dispatch_async_and_wait, 0)
SYNCHRONOUS(dispatch_barrier_async_and_wait, CVT_BARRIER)

static void invoke_iteration(void *block, size_t index) {
  ((void (*)(void *, size_t))(void *)((struct block *)block)->invoke)(block, index);
}
void dispatch_apply(size_t count, void *queue, void *block) {
  if (!cvt_current) { REAL(dispatch_apply)(count, queue, block); return; }
  TELL(apply, count, queue, invoke_iteration, block);
}
void dispatch_apply_f(size_t count, void *queue, void *context, void (*function)(void *, size_t)) {
  if (!cvt_current) { REAL(dispatch_apply_f)(count, queue, context, function); return; }
  TELL(apply, count, queue, function, context);
}

// The current queue.

const char *dispatch_queue_get_label(void *queue) {
  if (cvt_current && !queue) queue = ASK(current_queue);
  return REAL(dispatch_queue_get_label)(queue);
}
void *dispatch_get_current_queue(void) {
  return cvt_current ? ASK(current_queue) : REAL(dispatch_get_current_queue)();
}
extern void *dispatch_queue_get_specific(void *queue, const void *key);
void *dispatch_get_specific(const void *key) {
  if (!cvt_current) return REAL(dispatch_get_specific)(key);
  for (void *queue = ASK(current_queue); queue; queue = cvt_queue_target(queue)) {
    void *value = cvt_queue_is_root(queue) ? NULL : REAL(dispatch_queue_get_specific)(queue, key);
    if (value) return value;
  }
  return NULL;
}
#define ASSERTION(name, assertion) \
  void name(void *queue) { \
    if (!cvt_current) { REAL(name)(queue); return; } \
    TELL(assert_queue, queue, assertion); \
  }
ASSERTION(dispatch_assert_queue, CVT_ON)
ASSERTION(dispatch_assert_queue_barrier, CVT_ON_AS_BARRIER)
ASSERTION(dispatch_assert_queue_not, CVT_NOT_ON)

// States.

void dispatch_suspend(void *object) {
  if (cvt_current && ASK(change, object, CVT_SUSPEND)) return;
  REAL(dispatch_suspend)(object);
}
void dispatch_resume(void *object) {
  if (cvt_current && ASK(change, object, CVT_RESUME)) return;
  REAL(dispatch_resume)(object);
}
void dispatch_activate(void *object) {
  if (cvt_current && ASK(change, object, CVT_ACTIVATE)) return;
  REAL(dispatch_activate)(object);
}
void dispatch_set_target_queue(void *object, void *queue) {
  if (cvt_current && ASK(set_target, object, queue)) return;
  REAL(dispatch_set_target_queue)(object, queue);
}
void dispatch_main(void) {
  if (!cvt_current) { REAL(dispatch_main)(); __builtin_unreachable(); }
  TELL(remark, "dispatch_main");
  for (;;) TELL(sleep, CVT_NEVER);
}
