#define _GNU_SOURCE
#include "CParserHost.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif

#define EXPORT __attribute__((visibility("default"), used))

// MARK: The library

static void *base;
static char problem[512];

parser_function parser_open(const char *path) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    snprintf(problem, sizeof problem, "%s", dlerror());
    return NULL;
  }
  parser_function function = (parser_function)dlsym(handle, "LLVMFuzzerTestOneInput");
  if (!function) {
    snprintf(problem, sizeof problem, "%s: it exports no LLVMFuzzerTestOneInput", path);
    return NULL;
  }
  Dl_info info;
  if (dladdr((void *)function, &info)) base = info.dli_fbase;
  int (*initialize)(int *, char ***) = (int (*)(int *, char ***))dlsym(handle, "LLVMFuzzerInitialize");
  if (initialize) {
    static char *arguments[] = {"babbench", NULL};
    char **list = arguments;
    int count = 1;
    initialize(&count, &list);
  }
  return function;
}

const char *parser_problem(void) { return problem; }

int parser_run(parser_function function, const uint8_t *octets, size_t count) {
  static uint8_t *block;
  static size_t room;
  if (count > room || !block) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (block) munmap(block, room + page);
    room = (count / 65536 + 1) * 65536;
    block = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED || mprotect(block + room, page, PROT_NONE) != 0) abort();
  }
  uint8_t *place = block + (room - count);
  if (count) memcpy(place, octets, count);
  return function(place, count);
}

// MARK: Crashes

static struct parser_crash *crash_place;

static void note_crash(int signal) {
  void *frames[64];
  int count = backtrace(frames, 64);
  crash_place->signal = signal;
  // The first two frames are this handler and the trampoline.
  for (int index = 2; index < count; index++) {
    Dl_info info;
    if (!base || !dladdr(frames[index], &info) || info.dli_fbase != base) continue;
    crash_place->offset = (uint64_t)((char *)frames[index] - (char *)base);
    crash_place->is_exact = index == 2;
    if (info.dli_sname) strncpy(crash_place->function, info.dli_sname, sizeof crash_place->function - 1);
    break;
  }
  struct sigaction plain = {.sa_handler = SIG_DFL};
  sigaction(signal, &plain, NULL);
  raise(signal);
}

void parser_watch(struct parser_crash *place) {
  static const int fatal[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGSYS};
  static char stack[1 << 17];
  void *frame;
  // The first call loads a library, which a process that is ending must not.
  backtrace(&frame, 1);
  crash_place = place;
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&other, NULL);
  struct sigaction action = {.sa_handler = note_crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
  for (size_t index = 0; index < sizeof fatal / sizeof *fatal; index++) sigaction(fatal[index], &action, NULL);
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

void parser_limit_memory(uint64_t octets) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return;
  int fields = fscanf(file, "%lu", &pages);
  fclose(file);
  if (fields != 1) return;
  uint64_t most = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) + octets;
  struct rlimit limit = {most, most};
  setrlimit(RLIMIT_AS, &limit);
}

// MARK: Processes

void parser_end_with_parent(void) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

int32_t parser_fork(void) {
  int32_t pid = (int32_t)fork();
  if (pid == 0) parser_end_with_parent();
  return pid;
}

struct parser_ending parser_wait(int32_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  struct parser_ending ending = {0, 0};
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  if (WIFEXITED(status)) ending.code = WEXITSTATUS(status);
  return ending;
}

// MARK: Coverage: what clang and swiftc call in instrumented code

#define REGION_LIMIT 256
#define GUARD_LIMIT (1u << 18)

struct region {
  uint8_t *start;
  uint8_t *stop;
  uint8_t *seen;
};
static struct region regions[REGION_LIMIT];
static size_t region_count;
static size_t counter_count;
static uint8_t guard_counters[GUARD_LIMIT];
static uint32_t guard_count;

static void add_region(uint8_t *start, uint8_t *stop) {
  if (start >= stop || region_count == REGION_LIMIT) return;
  for (size_t index = 0; index < region_count; index++)
    if (regions[index].start == start) return;
  uint8_t *seen = calloc(1, (size_t)(stop - start));
  if (!seen) return;
  regions[region_count++] = (struct region){start, stop, seen};
  counter_count += (size_t)(stop - start);
}

EXPORT void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop) { add_region(start, stop); }

EXPORT void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop) {
  (void)start;
  (void)stop;
}

EXPORT void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
  if (start == stop || *start) return;
  uint32_t first = guard_count;
  for (uint32_t *guard = start; guard < stop && guard_count < GUARD_LIMIT; guard++) *guard = ++guard_count;
  add_region(guard_counters + first, guard_counters + guard_count);
}

EXPORT void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
  if (*guard) guard_counters[*guard - 1]++;
}

EXPORT void __sanitizer_cov_trace_pc_indir(uintptr_t callee) { (void)callee; }
EXPORT __thread uintptr_t __sancov_lowest_stack;

size_t parser_counters(void) { return counter_count; }

static uint8_t magnitude(uint8_t count) {
  if (count <= 3) return (uint8_t)(1u << (count - 1));
  if (count < 8) return 8;
  if (count < 16) return 16;
  if (count < 32) return 32;
  return count < 128 ? 64 : 128;
}

size_t parser_take_new(void) {
  size_t found = 0;
  for (size_t number = 0; number < region_count; number++) {
    struct region *region = &regions[number];
    uint8_t *counter = region->start;
    while (counter < region->stop) {
      uint64_t eight;
      if (region->stop - counter >= 8) {
        memcpy(&eight, counter, 8);
        if (!eight) {
          counter += 8;
          continue;
        }
      }
      uint8_t *end = region->stop - counter >= 8 ? counter + 8 : region->stop;
      for (; counter < end; counter++) {
        if (!*counter) continue;
        uint8_t bit = magnitude(*counter);
        uint8_t *seen = region->seen + (counter - region->start);
        found += !(*seen & bit);
        *seen |= bit;
        *counter = 0;
      }
    }
  }
  return found;
}

// MARK: Comparisons

#define CONSTANT_LIMIT 256
static uint64_t constants[CONSTANT_LIMIT];
static uint8_t constant_widths[CONSTANT_LIMIT];
static size_t constant_count;
/// Places in the list above by their hash, plus one.
static uint16_t constant_places[1024];

static void note_constant(uint64_t value, uint8_t width) {
  if (value < 256 || constant_count == CONSTANT_LIMIT) return;
  size_t place = (size_t)((value * 0x9E3779B97F4A7C15u) >> 54);
  for (size_t step = 0; step < 8; step++, place = (place + 1) & 1023) {
    if (!constant_places[place]) {
      constants[constant_count] = value;
      constant_widths[constant_count++] = width;
      constant_places[place] = (uint16_t)constant_count;
      return;
    }
    if (constants[constant_places[place] - 1] == value) return;
  }
}

size_t parser_constants(uint64_t *values, uint8_t *widths, size_t capacity) {
  size_t count = constant_count < capacity ? constant_count : capacity;
  memcpy(values, constants, count * sizeof *values);
  memcpy(widths, constant_widths, count);
  return count;
}

EXPORT void __sanitizer_cov_trace_const_cmp1(uint8_t constant, uint8_t value) {
  (void)constant;
  (void)value;
}
EXPORT void __sanitizer_cov_trace_const_cmp2(uint16_t constant, uint16_t value) {
  if (constant != value) note_constant(constant, 2);
}
EXPORT void __sanitizer_cov_trace_const_cmp4(uint32_t constant, uint32_t value) {
  if (constant != value) note_constant(constant, 4);
}
EXPORT void __sanitizer_cov_trace_const_cmp8(uint64_t constant, uint64_t value) {
  if (constant != value) note_constant(constant, 8);
}
EXPORT void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases) {
  (void)value;
  for (uint64_t index = 0; index < cases[0] && index < 64; index++)
    note_constant(cases[2 + index], (uint8_t)(cases[1] / 8));
}
// Two variables tell nothing that repeats.
EXPORT void __sanitizer_cov_trace_cmp1(uint8_t a, uint8_t b) { (void)a, (void)b; }
EXPORT void __sanitizer_cov_trace_cmp2(uint16_t a, uint16_t b) { (void)a, (void)b; }
EXPORT void __sanitizer_cov_trace_cmp4(uint32_t a, uint32_t b) { (void)a, (void)b; }
EXPORT void __sanitizer_cov_trace_cmp8(uint64_t a, uint64_t b) { (void)a, (void)b; }
EXPORT void __sanitizer_cov_trace_div4(uint32_t value) { (void)value; }
EXPORT void __sanitizer_cov_trace_div8(uint64_t value) { (void)value; }
EXPORT void __sanitizer_cov_trace_gep(uintptr_t index) { (void)index; }
