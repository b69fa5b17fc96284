#ifndef CPARSERHOST_H
#define CPARSERHOST_H

#include <stddef.h>
#include <stdint.h>

/// What a process leaves in shared memory when a signal ends it.
struct parser_crash {
  int32_t signal;
  /// 1: `offset` is the instruction itself; 0: it is where a call returns to.
  int32_t is_exact;
  /// Where in the library, counted from its beginning; 0: not in it.
  uint64_t offset;
  /// The exported function that it is in; empty: none.
  char function[160];
};

typedef int (*parser_function)(const uint8_t *octets, size_t count);

/// Opens a shared library. NULL when it cannot be opened or has no LLVMFuzzerTestOneInput; `parser_problem` says why.
parser_function parser_open(const char *path);
/// Why `parser_open` gave NULL.
const char *parser_problem(void);
/// Notes a fatal signal in `place` before it ends the process; after `parser_open`.
void parser_watch(struct parser_crash *place);
/// How much more memory than now the process may reserve, octets.
void parser_limit_memory(uint64_t octets);

/// How a child ended: by a signal, else with an exit code.
struct parser_ending {
  int32_t signal;
  int32_t code;
};

/// From now on this process ends when the one that started it does; on Linux only.
void parser_end_with_parent(void);
/// fork(2) of a process with one thread: 0 in the child, negative when there can be none.
int32_t parser_fork(void);
/// Waits for the end of a child.
struct parser_ending parser_wait(int32_t pid);

/// Counters of edges that instrumented code has announced; 0: the library has no coverage in it.
size_t parser_counters(void);
/// Runs a parser on a copy of the octets, and gives what it returned. A page that cannot be read follows the copy: to
/// read past its end is a fault.
int parser_run(parser_function function, const uint8_t *octets, size_t count);
/// How many edges were taken in `parser_run`, each with the magnitude of its count, that were not before; sets all
/// counters to zero.
size_t parser_take_new(void);
/// Constants of comparisons that did not hold, newest last: `width` octets each. Gives how many were written.
size_t parser_constants(uint64_t *values, uint8_t *widths, size_t capacity);

#endif
