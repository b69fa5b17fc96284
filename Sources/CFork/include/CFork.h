#ifndef CFORK_H
#define CFORK_H

#include <stddef.h>
#include <stdint.h>

/// How a child ended.
struct fork_ending {
  /// Its process id; negative when there was none to wait for or the wait was interrupted.
  int32_t pid;
  /// The signal that ended it; 0 when it left by itself.
  int32_t signal;
};

/// What a child leaves in shared memory when a signal ends it.
struct fork_crash {
  int32_t signal;
  /// Where in the executable, counted from its beginning; 0: not in it.
  uint64_t offset;
};

/// Memory that a process shares with the children that it makes; NULL when there is none.
void *fork_shared(size_t octets);
/// Looks up what children need; once, before the first one.
void fork_prepare(void);
/// fork(2). 0 in the child, negative when there can be none.
int32_t fork_child(void);
/// Prepares a child: its wall-clock limit in milliseconds, how much more memory than now it may reserve in octets,
/// where a signal is noted, and the file that gets its standard error (negative: it stays).
void fork_guard(uint32_t milliseconds, uint64_t octets, struct fork_crash *crash, int32_t errors);
/// Ends the child at once.
_Noreturn void fork_leave(void);
/// Waits until a child of this process has ended.
struct fork_ending fork_wait(void);
/// Ends a child that this process made, and waits for it.
void fork_end(int32_t pid);
/// The peak of the resident memory of this process, kibibytes.
int64_t fork_peak(void);
/// An anonymous file that is read back with pread(2); negative when there is none.
int32_t fork_scratch(void);

#endif
