// Which queues are created inactive: the attribute is followed from where it is made.
#include "interpose.h"

enum { KNOWN = 256 };
static const void *inactive[KNOWN];

static int is_inactive(const void *attribute) {
  if (!attribute) return 0;
  for (int i = 0; i < KNOWN; i++) {
    const void *known = __atomic_load_n(&inactive[i], __ATOMIC_ACQUIRE);
    if (known == attribute) return 1;
    if (!known) return 0;
  }
  return 0;
}

// Attributes are constants of libdispatch, so the table stays small.
static void *mark(void *attribute) {
  for (int i = 0; i < KNOWN; i++) {
    const void *none = NULL;
    if (__atomic_compare_exchange_n(&inactive[i], &none, attribute, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) break;
    if (none == attribute) break;
  }
  return attribute;
}

static void *follow(const void *from, void *attribute) { return is_inactive(from) ? mark(attribute) : attribute; }

void *dispatch_queue_attr_make_initially_inactive(void *attribute) {
  return mark(REAL(dispatch_queue_attr_make_initially_inactive)(attribute));
}
void *dispatch_queue_attr_make_with_qos_class(void *attribute, unsigned quality, int priority) {
  return follow(attribute, REAL(dispatch_queue_attr_make_with_qos_class)(attribute, quality, priority));
}
void *dispatch_queue_attr_make_with_autorelease_frequency(void *attribute, unsigned long frequency) {
  return follow(attribute, REAL(dispatch_queue_attr_make_with_autorelease_frequency)(attribute, frequency));
}

static void *created(void *queue, const void *attribute) {
  if (cvt_current && is_inactive(attribute)) TELL(queue_created_inactive, queue);
  return queue;
}
void *dispatch_queue_create(const char *label, void *attribute) {
  return created(OUTSIDE(REAL(dispatch_queue_create)(label, attribute)), attribute);
}
void *dispatch_queue_create_with_target(const char *label, void *attribute, void *target) {
  return created(OUTSIDE(REAL(dispatch_queue_create_with_target)(label, attribute, target)), attribute);
}
