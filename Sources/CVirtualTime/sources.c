// Sources: timers and data sources are virtual, the others (files, signals, processes) real and remarked.
//
// The object of a virtual source is a real data source that is never given anything, so that it can be retained,
// released and asked from any thread.
#include "interpose.h"

typedef void (*function_t)(void *);

extern const char _dispatch_source_type_timer[], _dispatch_source_type_data_add[], _dispatch_source_type_data_or[],
  _dispatch_source_type_data_replace[];

void *dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask, void *queue) {
  if (!cvt_current) return REAL(dispatch_source_create)(type, handle, mask, queue);
  int kind = type == _dispatch_source_type_timer ? CVT_TIMER
    : type == _dispatch_source_type_data_add ? CVT_DATA_ADD
    : type == _dispatch_source_type_data_or ? CVT_DATA_OR
    : type == _dispatch_source_type_data_replace ? CVT_DATA_REPLACE : -1;
  if (kind < 0) {
    TELL(remark, "dispatch_source_create");
    return OUTSIDE(REAL(dispatch_source_create)(type, handle, mask, queue));
  }
  void *source = OUTSIDE(REAL(dispatch_source_create)(_dispatch_source_type_data_add, 0, 0, NULL));
  struct cvt_processor *processor = cvt_current;
  cvt_current = NULL;
  ((void (*)(void *))cvt_find_real("dispatch_activate"))(source);
  cvt_current = processor;
  TELL(source_created, source, kind, queue);
  return source;
}

// Handlers; a null block removes one.
#define HANDLER(name, which) \
  void name(void *source, void *block) { \
    struct cvt_work none = {0, 0, 0}; \
    if (cvt_current) { \
      struct cvt_work work = block ? cvt_block_work(block, 0) : none; \
      if (ASK(source_handler, source, which, work)) return; \
      if (block) _Block_release(work.context); \
    } \
    REAL(name)(source, block); \
  } \
  void name##_f(void *source, function_t function) { \
    struct cvt_work work = {function, 0, 0}; \
    if (cvt_current && ASK(source_handler, source, which, work)) return; \
    REAL(name##_f)(source, function); \
  }
HANDLER(dispatch_source_set_event_handler, CVT_EVENT)
HANDLER(dispatch_source_set_cancel_handler, CVT_CANCEL)
HANDLER(dispatch_source_set_registration_handler, CVT_REGISTRATION)

void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
  if (cvt_current && ASK(source_timer, source, cvt_due(cvt_current, start), interval)) return;
  REAL(dispatch_source_set_timer)(source, start, interval, leeway);
}
void dispatch_source_merge_data(void *source, uintptr_t data) {
  if (cvt_current && ASK(source_merge, source, data)) return;
  REAL(dispatch_source_merge_data)(source, data);
}
void dispatch_source_cancel(void *source) {
  if (cvt_current && ASK(source_cancel, source)) return;
  REAL(dispatch_source_cancel)(source);
}
intptr_t dispatch_source_testcancel(void *source) {
  int answer = cvt_current ? ASK(source_is_cancelled, source) : -1;
  return answer >= 0 ? answer : REAL(dispatch_source_testcancel)(source);
}
uintptr_t dispatch_source_get_data(void *source) {
  int64_t answer = cvt_current ? ASK(source_data, source) : -1;
  return answer >= 0 ? (uintptr_t)answer : REAL(dispatch_source_get_data)(source);
}
