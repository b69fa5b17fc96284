// Fibers: each item of a processor runs on a stack of its own, so that one that waits can be left and entered again.
//
// The thread-local variables of the Swift runtime (the current task, its executor, the set of accesses) belong to what
// runs; they change with the fiber. They are found as the whole thread-local block of the two libraries.
#include "interpose.h"
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { TLS_SIZE = 512, LIBRARIES = 2 };
static const size_t stackSize = 8 << 20;

struct cvt_fiber {
  // Where it starts; then each change goes by jumps, which leave the signal mask alone.
  ucontext_t start;
  int hasStarted;
  jmp_buf inside, outside;
  void *stack;
  void *owner;
  struct cvt_processor *processor;
  unsigned char locals[TLS_SIZE];
};

_Thread_local struct cvt_processor *cvt_current;
struct cvt_handlers cvt_handlers;

// The blocks of the calling thread.
static _Thread_local struct { void *address; size_t size; } blocks[LIBRARIES];
static _Thread_local int blocksAreKnown;

static int find_blocks(struct dl_phdr_info *info, size_t size, void *unused) {
  const char *name = strrchr(info->dlpi_name, '/');
  name = name ? name + 1 : info->dlpi_name;
  int index = !strcmp(name, "libswiftCore.so") ? 0 : !strcmp(name, "libswift_Concurrency.so") ? 1 : -1;
  if (index < 0 || !info->dlpi_tls_data) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_TLS) continue;
    blocks[index].address = info->dlpi_tls_data;
    blocks[index].size = info->dlpi_phdr[i].p_memsz;
  }
  return 0;
}

static void know_blocks(void) {
  if (blocksAreKnown) return;
  dl_iterate_phdr(find_blocks, NULL);
  if (!blocks[0].size || !blocks[1].size || blocks[0].size + blocks[1].size > TLS_SIZE) {
    fprintf(stderr, "error: VirtualTime: the Swift runtime has %zu and %zu octets per thread; 1 to %d are expected\n",
            blocks[0].size, blocks[1].size, TLS_SIZE);
    abort();
  }
  blocksAreKnown = 1;
}

// Puts the blocks of the thread into `old` and `new` into the thread.
static void exchange(unsigned char *old, const unsigned char *new) {
  size_t offset = 0;
  for (int i = 0; i < LIBRARIES; i++) {
    if (!blocks[i].size) continue;
    memcpy(old + offset, blocks[i].address, blocks[i].size);
    memcpy(blocks[i].address, new + offset, blocks[i].size);
    offset += blocks[i].size;
  }
}

static void fiber_main(unsigned low, unsigned high) {
  struct cvt_fiber *fiber = (struct cvt_fiber *)((uintptr_t)low | (uintptr_t)high << 32);
  for (;;) {
    cvt_handlers.fiber_entered(fiber->processor->owner, fiber->owner);
    cvt_leave();
  }
}

// Stacks for the next fibers: it takes longer to get one from the system than to run a task.
enum { KEPT = 64 };
static void *kept[KEPT];
static int keptCount;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *take_stack(void) {
  pthread_mutex_lock(&lock);
  void *stack = keptCount ? kept[--keptCount] : NULL;
  pthread_mutex_unlock(&lock);
  if (stack) return stack;
  stack = mmap(NULL, stackSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  // What runs over the end of a stack stops the process.
  if (stack == MAP_FAILED || mprotect(stack, sysconf(_SC_PAGESIZE), PROT_NONE)) {
    fprintf(stderr, "error: VirtualTime: no memory for one more stack\n");
    abort();
  }
  return stack;
}

struct cvt_fiber *cvt_fiber_create(void *owner) {
  struct cvt_fiber *fiber = calloc(1, sizeof *fiber);
  if (!fiber || getcontext(&fiber->start)) abort();
  long page = sysconf(_SC_PAGESIZE);
  fiber->stack = take_stack();
  fiber->owner = owner;
  fiber->start.uc_stack.ss_sp = (char *)fiber->stack + page;
  fiber->start.uc_stack.ss_size = stackSize - page;
  fiber->start.uc_link = NULL;
  makecontext(&fiber->start, (void (*)(void))fiber_main, 2, (unsigned)(uintptr_t)fiber,
              (unsigned)((uintptr_t)fiber >> 32));
  return fiber;
}

void cvt_fiber_free(struct cvt_fiber *fiber) {
  pthread_mutex_lock(&lock);
  int isKept = keptCount < KEPT;
  if (isKept) kept[keptCount++] = fiber->stack;
  pthread_mutex_unlock(&lock);
  if (!isKept) munmap(fiber->stack, stackSize);
  free(fiber);
}

__attribute__((noinline)) int cvt_enter(struct cvt_processor *processor, struct cvt_fiber *fiber) {
  unsigned char callers[TLS_SIZE];
  know_blocks();
  fiber->processor = processor;
  processor->running = fiber;
  exchange(callers, fiber->locals);
  cvt_current = processor;
  if (!_setjmp(fiber->outside)) {
    if (fiber->hasStarted) _longjmp(fiber->inside, 1);
    fiber->hasStarted = 1;
    setcontext(&fiber->start);
  }
  cvt_current = NULL;
  exchange(fiber->locals, callers);
  processor->running = NULL;
  return processor->abandoned;
}

__attribute__((noinline)) void cvt_leave(void) {
  struct cvt_fiber *fiber = cvt_current->running;
  if (!_setjmp(fiber->inside)) _longjmp(fiber->outside, 1);
}

// Leaves the running fiber for good, from a signal handler.
void cvt_abandon(struct cvt_processor *processor) {
  processor->busy = 0;
  processor->abandoned = 1;
  _longjmp(processor->running->outside, 1);
}

int cvt_is_active(void) { return cvt_current != NULL; }

int cvt_thread(void) { return gettid(); }

void cvt_install(const struct cvt_handlers *handlers) { cvt_handlers = *handlers; }

void cvt_call(struct cvt_processor *processor, struct cvt_work work) {
  processor->progress++;
  processor->busy = 1;
  work.function(work.context);
  if (work.flags & CVT_BLOCK) _Block_release(work.context);
  processor->busy = 0;
}

void cvt_call_iteration(struct cvt_processor *processor, void (*function)(void *, size_t), void *context, size_t i) {
  processor->progress++;
  processor->busy = 1;
  function(context, i);
  processor->busy = 0;
}
