// What is read of libdispatch's objects, and whether interposition takes.
#include "interpose.h"
#include <string.h>

// What libdispatch offers to debuggers: where the fields of a queue are.
extern const struct {
  uint16_t version, label, label_size, flags, flags_size, serial, serial_size, width, width_size, running, running_size,
    suspensions, suspensions_size, target, target_size, priority, priority_size;
} dispatch_queue_offsets;
extern char _dispatch_main_q[];
extern const char _dispatch_queue_attr_concurrent[];
extern void *dispatch_get_global_queue(intptr_t quality, uintptr_t flags);
extern void *dispatch_queue_create_with_target(const char *label, void *attribute, void *target);
extern void dispatch_retain(void *object);
extern void dispatch_release(void *object);
extern void dispatch_activate(void *object);
extern void dispatch_resume(void *object);
extern intptr_t dispatch_semaphore_signal(void *semaphore);
extern void *dispatch_get_context(void *object);
extern void *dispatch_group_create(void);
extern void dispatch_group_enter(void *group);
extern void dispatch_group_leave(void *group);

// The width of the queues that are at the end of every chain of targets.
enum { rootWidth = 0xfff };

static unsigned width(void *queue) { return *(uint16_t *)((char *)queue + dispatch_queue_offsets.width); }
void *cvt_main_queue(void) { return _dispatch_main_q; }
void *cvt_default_queue(void) { return dispatch_get_global_queue(0, 0); }
void *cvt_queue_target(void *queue) { return *(void **)((char *)queue + dispatch_queue_offsets.target); }
int cvt_queue_is_serial(void *queue) { return width(queue) == 1; }
int cvt_queue_is_root(void *queue) { return width(queue) == rootWidth; }
const char *cvt_queue_label(void *queue) {
  const char *label = *(const char **)((char *)queue + dispatch_queue_offsets.label);
  return label ? label : "";
}
// struct { isa; int references, externalReferences; } with counts less one.
int cvt_other_references(void *object) { return __atomic_load_n((int *)object + 3, __ATOMIC_RELAXED); }
void cvt_retain(void *object) { dispatch_retain(object); }
void cvt_release(void *object) { dispatch_release(object); }
void cvt_activate(void *object) { dispatch_activate(object); }
void cvt_resume(void *object) { dispatch_resume(object); }
void cvt_signal(void *semaphore) { dispatch_semaphore_signal(semaphore); }
void *cvt_context(void *object) { return dispatch_get_context(object); }
void cvt_release_block(void *block) { _Block_release(block); }
void cvt_group_enter(void *group) { dispatch_group_enter(group); }
void cvt_group_leave(void *group) { dispatch_group_leave(group); }

const char *cvt_unknown_layout(void) {
  if (dispatch_queue_offsets.version < 5 || dispatch_queue_offsets.width_size != 2
      || dispatch_queue_offsets.target_size != sizeof(void *) || dispatch_queue_offsets.label_size != sizeof(void *))
    return "dispatch_queue_offsets";
  void *concurrent = dispatch_queue_create_with_target("c", (void *)_dispatch_queue_attr_concurrent, NULL);
  void *serial = dispatch_queue_create_with_target("s", NULL, concurrent);
  void *group = dispatch_group_create();
  const char *unknown = NULL;
  if (!cvt_queue_is_serial(serial) || cvt_queue_is_serial(concurrent) || !cvt_queue_is_serial(_dispatch_main_q))
    unknown = "the width of a queue";
  else if (cvt_queue_is_root(concurrent) || !cvt_queue_is_root(cvt_default_queue())) unknown = "a root queue";
  else if (cvt_queue_target(serial) != concurrent || !cvt_queue_is_root(cvt_queue_target(concurrent))
           || cvt_queue_target(cvt_default_queue())) unknown = "the target of a queue";
  else if (strcmp(cvt_queue_label(serial), "s")) unknown = "the label of a queue";
  else if (cvt_other_references(group) != 0) unknown = "the count of references";
  dispatch_retain(group);
  if (!unknown && cvt_other_references(group) != 1) unknown = "the count of references";
  dispatch_release(group);
  dispatch_release(group);
  dispatch_release(serial);
  dispatch_release(concurrent);
  return unknown;
}

// What libraries call by name; the second part only where Foundation is loaded.
#define EACH(DO) \
  DO(dispatch_async) DO(dispatch_async_f) DO(dispatch_barrier_async) DO(dispatch_group_async) DO(dispatch_after) \
  DO(dispatch_after_f) DO(dispatch_sync) DO(dispatch_barrier_sync) DO(dispatch_apply) DO(dispatch_assert_queue) \
  DO(dispatch_get_specific) DO(dispatch_queue_create) DO(dispatch_group_leave) DO(dispatch_group_wait) \
  DO(dispatch_group_notify) DO(dispatch_semaphore_wait) DO(dispatch_semaphore_signal) DO(dispatch_source_create) \
  DO(dispatch_source_set_timer) DO(dispatch_source_cancel) DO(dispatch_source_set_event_handler) \
  DO(dispatch_source_set_event_handler_f) DO(dispatch_activate) DO(dispatch_resume) DO(dispatch_suspend) \
  DO(clock_gettime) DO(nanosleep) DO(syscall) DO(pthread_create) DO(pthread_self) DO(pthread_mutex_lock)
#define EACH_OF_FOUNDATION(DO) \
  DO(_CFIsMainThread) DO(_CFRunLoopGet2) DO(CFRunLoopGetCurrent) DO(CFRunLoopGetMain) DO(CFRunLoopAddTimer) \
  DO(CFRunLoopRunInMode) DO(timerfd_settime) DO(swift_stdlib_random) DO(pthread_cond_wait) DO(gettimeofday)

// Each name with the address that it has in this executable.
#define CHECK(name) { \
    extern char name##_address[] __asm__(#name); \
    if (dlsym(RTLD_DEFAULT, #name) != (void *)name##_address) return #name; }
const char *cvt_not_interposed(void) {
  EACH(CHECK)
  if (dlsym(RTLD_DEFAULT, "CFRunLoopTimerCreate")) { EACH_OF_FOUNDATION(CHECK) }
  return NULL;
}
