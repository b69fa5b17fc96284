#ifndef FORK_H
#define FORK_H

#include <stddef.h>
#include <stdint.h>

/// How a child ended.
struct fork_ending {
  /// Its process id; negative when there was none to wait for or the wait was interrupted.
  int32_t pid;
  /// The signal that ended it; 0 when it left by itself.
  int32_t signal;
  /// The peak of its resident memory, kibibytes.
  int64_t peak;
};

/// What a child leaves in shared memory when a signal ends it.
struct fork_crash {
  int32_t signal;
  /// Where in the executable, counted from its beginning; 0: not in it.
  uint64_t offset;
  /// Octets that it could still have reserved.
  uint64_t room;
};

/// Memory that a process shares with the children that it makes; NULL when there is none.
void *fork_shared(size_t octets);
/// Looks up what children need; once, before the first one.
void fork_prepare(void);
/// fork(2). 0 in the child, negative when there can be none.
int32_t fork_child(void);
/// Prepares a child: how much more memory than now it may reserve in octets (0: as much as it likes), where a signal is
/// noted, and the file that gets its standard error (negative: it stays).
void fork_guard(uint64_t octets, struct fork_crash *crash, int32_t errors);
/// SIGALRM after so many milliseconds of wall-clock time; 0: never.
void fork_limit(uint32_t milliseconds);
/// Two connected sockets; 0 when there are none.
int fork_sockets(int32_t *ours, int32_t *theirs);
/// What a child answers after an execution: it waits for another one, or it leaves.
enum { fork_stays = 's', fork_leaves = 'l' };
/// What a child does with its life: for each octet that comes in at its socket it calls `play`, answers with an octet,
/// and has then the memory that it had before. `play` may take so many milliseconds; SIGALRM ends the child then.
/// - `once`: it leaves after the first call, and its memory is not put back.
_Noreturn void fork_serve(int32_t socket, uint32_t milliseconds, int once, void (*play)(void *), void *context);
/// Waits until a child has ended.
struct fork_ending fork_wait(int32_t pid);
/// Ends a child that this process made, and waits for it.
void fork_end(int32_t pid);
/// The peak of the resident memory of this process, kibibytes.
int64_t fork_peak(void);
/// An anonymous file that is read back with pread(2); negative when there is none.
int32_t fork_scratch(void);

#endif
