// The C half of VirtualTime: functions of libdispatch, libc and CoreFoundation that an executable defines itself.
//
// Each of them calls the real function, unless the calling thread runs an item of a virtual processor (`cvt_current`);
// then it asks the handlers, which Swift code installs. Times are nanoseconds since the instant zero of the processor.
#ifndef CVIRTUALTIME_H
#define CVIRTUALTIME_H

#include <stddef.h>
#include <stdint.h>

// What a queue is asked to do: one call of `function` with `context`.
struct cvt_work {
  void (*function)(void *context);
  void *context;
  int flags;
};
enum {
  CVT_BLOCK = 1,    // `context` is a block on the heap, which is released after its last call
  CVT_BARRIER = 2,  // nothing else of a concurrent queue runs at the same time
};

// What an object is asked to become.
enum { CVT_SUSPEND, CVT_RESUME, CVT_ACTIVATE };
// Which assertion about the current queue is made.
enum { CVT_ON, CVT_ON_AS_BARRIER, CVT_NOT_ON };
// Which handler of a source is set.
enum { CVT_EVENT, CVT_CANCEL, CVT_REGISTRATION };
// What kind of source is created.
enum { CVT_TIMER, CVT_DATA_ADD, CVT_DATA_OR, CVT_DATA_REPLACE };

// A time that never comes.
#define CVT_NEVER INT64_MAX

// What Swift code does for the interposed functions. `owner` is the one of the processor.
struct cvt_handlers {
  // A fiber has been entered: runs what is assigned to it, returns when it has nothing more to do.
  void (*fiber_entered)(void *owner, void *fiber_owner);
  void (*submit)(void *owner, void *queue, struct cvt_work work, void *group);
  void (*submit_at)(void *owner, int64_t due, void *queue, struct cvt_work work);
  // Calls the work before it returns. Does not release blocks.
  void (*sync)(void *owner, void *queue, struct cvt_work work);
  void (*apply)(void *owner, size_t count, void *queue, void (*function)(void *, size_t), void *context);
  void (*group_notify)(void *owner, void *group, void *queue, struct cvt_work work);
  intptr_t (*group_wait)(void *owner, void *group, int64_t due);
  void (*group_left)(void *owner, void *group);
  intptr_t (*semaphore_wait)(void *owner, void *semaphore, int64_t due);
  void (*semaphore_signalled)(void *owner, void *semaphore);
  void (*sleep)(void *owner, int64_t nanoseconds);
  void (*lock_wait)(void *owner, void *lock);
  void (*lock_left)(void *owner, void *lock);
  int (*condition_wait)(void *owner, void *condition, int64_t due);
  void (*condition_signalled)(void *owner, void *condition, int all);
  // The running item waits in the run loop of the main queue.
  void (*run_loop_wait)(void *owner, int64_t due);
  void (*run_loop_woken)(void *owner);
  void (*queue_created_inactive)(void *owner, void *queue);
  // Each of these says 1 if the object is a virtual source, so that the real function is not to be called.
  int (*change)(void *owner, void *object, int change);
  int (*set_target)(void *owner, void *object, void *queue);
  void (*source_created)(void *owner, void *source, int kind, void *queue);
  int (*source_handler)(void *owner, void *source, int which, struct cvt_work work);
  int (*source_timer)(void *owner, void *source, int64_t due, uint64_t interval);
  int (*source_merge)(void *owner, void *source, uintptr_t data);
  int (*source_cancel)(void *owner, void *source);
  // -1 if the source is not virtual.
  int (*source_is_cancelled)(void *owner, void *source);
  int64_t (*source_data)(void *owner, void *source);
  // The queue of the running item.
  void *(*current_queue)(void *owner);
  void (*assert_queue)(void *owner, void *queue, int assertion);
  // What could not be made virtual was used.
  void (*remark)(void *owner, const char *function);
};

struct cvt_fiber;
struct cvt_run_loop;

// What interposed functions need without a call of Swift code.
struct cvt_processor {
  void *owner;
  int64_t now;         // nanoseconds since instant zero
  int64_t wall;        // nanoseconds from 1970 to instant zero
  uint64_t random;     // state of the pseudo-random octets
  int on_main;         // whether the running item belongs to the main queue
  struct cvt_run_loop *run_loop;  // null until one was asked for
  int lock_waits;      // how many items wait for locks
  struct cvt_fiber *running;
  uint64_t watch_ticks;           // after how many ticks of the watchdog (50 ms) an item is abandoned
  volatile uint64_t progress;     // how many items have started
  volatile int busy;              // an item is running, and no handler
  volatile int abandoned;         // the watchdog has left the running item
};

// Nanoseconds of uptime at instant zero: not 0, which means “now” to libdispatch.
#define CVT_UPTIME_AT_ZERO 1000000000000LL

void cvt_install(const struct cvt_handlers *handlers);
// Null if every interposed function is the one that libraries call; otherwise the name of one that is not.
const char *cvt_not_interposed(void);
// Null if the layout of libdispatch objects is the one that is read here; otherwise what differs.
const char *cvt_unknown_layout(void);

// Fibers. A processor's fibers run in the thread that enters them.
struct cvt_fiber *cvt_fiber_create(void *fiber_owner);
void cvt_fiber_free(struct cvt_fiber *fiber);
// Runs `fiber` until it leaves, with `processor` as the current one. Returns 0, or 1 if the watchdog left it.
int cvt_enter(struct cvt_processor *processor, struct cvt_fiber *fiber);
// Goes back to who entered the running fiber; returns when it is entered again.
void cvt_leave(void);
// Whether the calling thread runs an item of a processor.
int cvt_is_active(void);
// The calling thread, as the kernel counts.
int cvt_thread(void);
// Registers a processor with the watchdog for the time of a run.
void cvt_watch(struct cvt_processor *processor);
void cvt_unwatch(struct cvt_processor *processor);
// Calls the work with the watchdog on, and releases its block.
void cvt_call(struct cvt_processor *processor, struct cvt_work work);
void cvt_call_iteration(struct cvt_processor *processor, void (*function)(void *, size_t), void *context, size_t i);

// Objects of libdispatch, by its real functions; only leaving a group tells the handlers, inside a processor.
void *cvt_main_queue(void);
void *cvt_default_queue(void);
void *cvt_queue_target(void *queue);
int cvt_queue_is_serial(void *queue);
int cvt_queue_is_root(void *queue);
const char *cvt_queue_label(void *queue);
// How many references to the object there are beyond one.
int cvt_other_references(void *object);
void cvt_retain(void *object);
void cvt_release(void *object);
void cvt_activate(void *object);
void cvt_resume(void *object);
void cvt_signal(void *semaphore);
void *cvt_context(void *object);
void cvt_release_block(void *block);
int cvt_group_is_empty(void *group);
void cvt_group_leave(void *group);
void cvt_group_enter(void *group);
int cvt_semaphore_take(void *semaphore);

// Run loops. Zero and nothing without Foundation.
// Outside a processor, before the first run.
void cvt_run_loop_prepare(void);
void cvt_run_loop_pump(void);
// When the run loop of the processor has to be pumped next; CVT_NEVER: nothing is scheduled.
int64_t cvt_run_loop_due(struct cvt_processor *processor);
// The loops of CoreFoundation stay: they have no end before that of the process.
void cvt_run_loop_free(struct cvt_processor *processor);

// Hashing of Swift is seeded once per process: whether that seed is the same in each.
int cvt_hashing_is_repeatable(void);

#endif
