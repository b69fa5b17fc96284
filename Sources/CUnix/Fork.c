#define _GNU_SOURCE
#include "Fork.h"
#include "memory_image.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif

static struct fork_crash *crash_place;
static void *own_base;
/// What a child may reserve in all.
static uint64_t most_octets;

void *fork_shared(size_t octets) {
  void *memory = mmap(NULL, octets, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

int32_t fork_child(void) { return (int32_t)fork(); }

/// Octets of address space; 0: nobody knows. Safe in the handler of a signal.
static uint64_t reserved_memory(void) {
  char text[32];
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t count = read(file, text, sizeof text);
  close(file);
  uint64_t pages = 0;
  for (ssize_t index = 0; index < count && text[index] >= '0' && text[index] <= '9'; index++)
    pages = pages * 10 + (uint64_t)(text[index] - '0');
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void note_crash(int signal, siginfo_t *info, void *context) {
  (void)context;
  if (signal == SIGSEGV && info->si_code == SEGV_ACCERR && image_fault(info->si_addr)) return;
  uint64_t reserved = reserved_memory();
  crash_place->room = reserved < most_octets ? most_octets - reserved : 0;
  void *frames[48];
  int count = backtrace(frames, 48);
  crash_place->signal = signal;
  // The first frames are this handler and the trampoline; what follows in the executable is where it happened.
  for (int index = 2; index < count; index++) {
    Dl_info info;
    if (dladdr(frames[index], &info) && info.dli_fbase == own_base) {
      // Where another function was called, the address is that of the instruction after the call.
      crash_place->offset = (uint64_t)((char *)frames[index] - (char *)own_base) - (index > 2);
      break;
    }
  }
  struct sigaction plain = {.sa_handler = SIG_DFL};
  sigaction(signal, &plain, NULL);
  raise(signal);
}

void fork_prepare(void) {
#ifdef __GLIBC__
  // One heap that only grows, and gives nothing back while a child plays: its memory can be put back then.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT32_MAX);
#endif
  Dl_info info;
  void *frame;
  // The first call loads a library, which a child that is ending must not.
  backtrace(&frame, 1);
  own_base = dladdr((void *)note_crash, &info) ? info.dli_fbase : NULL;
}

void fork_guard(uint64_t octets, struct fork_crash *crash, int32_t errors) {
  static const int fatal[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
  static const size_t stack_size = 1 << 16;
  crash_place = crash;
  // The kernel writes to this stack while memory that is to be put back cannot be written to.
  void *stack = fork_shared(stack_size);
  if (stack) {
    stack_t other = {.ss_sp = stack, .ss_size = stack_size};
    sigaltstack(&other, NULL);
  }
  struct sigaction action = {.sa_sigaction = note_crash, .sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO};
  for (size_t index = 0; index < sizeof fatal / sizeof *fatal; index++) sigaction(fatal[index], &action, NULL);
  signal(SIGINT, SIG_IGN);
  signal(SIGALRM, SIG_DFL);
  // Whoever started the program may have blocked what ends a child that hangs, and what notes where it crashed.
  sigset_t none_blocked;
  sigemptyset(&none_blocked);
  sigprocmask(SIG_SETMASK, &none_blocked, NULL);
  uint64_t reserved = octets ? reserved_memory() : 0;
  if (reserved) {
    // What is put back needs as much again.
    most_octets = 2 * reserved + octets;
    struct rlimit limit = {.rlim_cur = most_octets, .rlim_max = most_octets};
    setrlimit(RLIMIT_AS, &limit);
  }
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (errors >= 0) dup2(errors, STDERR_FILENO);
}

void fork_limit(uint32_t milliseconds) {
  struct itimerval timer = {
      .it_value = {.tv_sec = milliseconds / 1000, .tv_usec = (milliseconds % 1000) * 1000}};
  setitimer(ITIMER_REAL, &timer, NULL);
}

/// The peak of the resident memory.
static int64_t kibibytes(const struct rusage *usage) {
#ifdef __APPLE__
  return usage->ru_maxrss / 1024;
#else
  return usage->ru_maxrss;
#endif
}

int fork_sockets(int32_t *ours, int32_t *theirs) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 0;
  *ours = pair[0];
  *theirs = pair[1];
  return 1;
}

struct fork_ending fork_wait(int32_t pid) {
  int status = 0;
  struct fork_ending ending = {.signal = 0};
  struct rusage usage = {0};
  do {
    ending.pid = (int32_t)wait4(pid, &status, 0, &usage);
  } while (ending.pid < 0 && errno == EINTR);
  ending.peak = kibibytes(&usage);
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
  return getrusage(RUSAGE_SELF, &usage) == 0 ? kibibytes(&usage) : 0;
}

int32_t fork_scratch(void) {
  FILE *file = tmpfile();
  return file ? fileno(file) : -1;
}
