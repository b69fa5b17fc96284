#define _GNU_SOURCE
#include "Fork.h"
#include "memory_image.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

/// The size of the stack of an execution: that of the first thread of a program.
static const size_t stack_size = (size_t)8 << 20;
/// Kibibytes by which an execution may raise the peak of the process, so that the next one is measured fairly.
static const int64_t spare = 16 << 10;

/// All that the loop needs lies in memory that is shared, and so not put back.
struct service {
  ucontext_t loop;
  ucontext_t execution;
  void (*play)(void *);
  void *context;
  char *stack;
};

static struct service *service;

static void begin(void) { service->play(service->context); }

static int set_up(void (*play)(void *), void *context) {
  service = fork_shared(sizeof *service);
  if (!service) return 0;
  service->play = play;
  service->context = context;
  // A page that nobody may touch below it, as below every stack.
  size_t guard = (size_t)sysconf(_SC_PAGESIZE);
  char *stack = fork_shared(stack_size + guard);
  if (!stack || mprotect(stack, guard, PROT_NONE) != 0) return 0;
  service->stack = stack + guard;
  return image_take();
}

_Noreturn void fork_serve(int32_t socket, uint32_t milliseconds, int once, void (*play)(void *), void *context) {
  char word;
  if (!once && !set_up(play, context)) once = 1;
  while (read(socket, &word, 1) == 1) {
    fork_limit(milliseconds);
    if (once) {
      play(context);
      word = fork_leaves;
    } else {
      int64_t peak = fork_peak();
      getcontext(&service->execution);
      service->execution.uc_stack.ss_sp = service->stack;
      service->execution.uc_stack.ss_size = stack_size;
      service->execution.uc_link = &service->loop;
      makecontext(&service->execution, begin, 0);
      swapcontext(&service->loop, &service->execution);
      word = fork_peak() - peak > spare ? fork_leaves : fork_stays;
      if (word == fork_stays) image_restore();
    }
    fork_limit(0);
    if (write(socket, &word, 1) != 1 || word == fork_leaves) break;
  }
  _exit(0);
}
