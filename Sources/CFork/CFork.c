#define _GNU_SOURCE
#include "CFork.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif

static struct fork_crash *crash_place;
static void *own_base;
static uint64_t reserved;

void *fork_shared(size_t octets) {
  void *memory = mmap(NULL, octets, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

int32_t fork_child(void) { return (int32_t)fork(); }

static void note_crash(int signal) {
  void *frames[48];
  int count = backtrace(frames, 48);
  crash_place->signal = signal;
  // The first frames are this handler and the trampoline; what follows in the executable is where it happened.
  for (int index = 2; index < count; index++) {
    Dl_info info;
    if (dladdr(frames[index], &info) && info.dli_fbase == own_base) {
      crash_place->offset = (uint64_t)((char *)frames[index] - (char *)own_base);
      break;
    }
  }
  struct sigaction plain = {.sa_handler = SIG_DFL};
  sigaction(signal, &plain, NULL);
  raise(signal);
}

static uint64_t reserved_memory(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return 0;
  if (fscanf(file, "%lu", &pages) != 1) pages = 0;
  fclose(file);
  return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void fork_prepare(void) {
  Dl_info info;
  void *frame;
  // The first call loads a library, which a child that is ending must not.
  backtrace(&frame, 1);
  own_base = dladdr((void *)note_crash, &info) ? info.dli_fbase : NULL;
  reserved = reserved_memory();
}

void fork_guard(uint32_t milliseconds, uint64_t octets, struct fork_crash *crash, int32_t errors) {
  static const int fatal[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
  static char stack[1 << 16];
  crash_place = crash;
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&other, NULL);
  struct sigaction action = {.sa_handler = note_crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
  for (size_t index = 0; index < sizeof fatal / sizeof *fatal; index++) sigaction(fatal[index], &action, NULL);
  signal(SIGINT, SIG_IGN);
  signal(SIGALRM, SIG_DFL);
  struct itimerval timer = {
      .it_value = {.tv_sec = milliseconds / 1000, .tv_usec = (milliseconds % 1000) * 1000}};
  setitimer(ITIMER_REAL, &timer, NULL);
  if (reserved) {
    struct rlimit limit = {.rlim_cur = reserved + octets, .rlim_max = reserved + octets};
    setrlimit(RLIMIT_AS, &limit);
  }
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (errors >= 0) dup2(errors, STDERR_FILENO);
}

_Noreturn void fork_leave(void) { _exit(0); }

struct fork_ending fork_wait(void) {
  int status = 0;
  struct fork_ending ending = {.pid = (int32_t)waitpid(-1, &status, 0), .signal = 0};
  if (ending.pid > 0 && WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  return ending;
}

void fork_end(int32_t pid) {
  kill(pid, SIGKILL);
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
  }
}

int64_t fork_peak(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
#ifdef __APPLE__
  return usage.ru_maxrss / 1024;
#else
  return usage.ru_maxrss;
#endif
}

int32_t fork_scratch(void) {
  FILE *file = tmpfile();
  return file ? fileno(file) : -1;
}
