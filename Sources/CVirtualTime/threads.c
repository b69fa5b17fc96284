// Threads, sockets and files of Dispatch: real, and remarked. The main thread is where the main queue runs.
#include "code.h"
#include "interpose.h"
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  // Threads that libdispatch starts for itself are not the app's.
  if (cvt_current && !cvt_code_contains(CODE_DISPATCH, __builtin_return_address(0))) TELL(remark, "pthread_create");
  return REAL(pthread_create)(thread, attributes, start, argument);
}

int socket(int domain, int type, int protocol) {
  if (cvt_current) TELL(remark, "socket");
  return REAL(socket)(domain, type, protocol);
}

pid_t fork(void) {
  if (cvt_current) TELL(remark, "fork");
  return REAL(fork)();
}

int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  if (cvt_current) TELL(remark, "posix_spawn");
  return REAL(posix_spawn)(process, path, actions, attributes, arguments, environment);
}

// Files of Dispatch: real, on real queues.
#define REMARKED(name) \
  void *name(uintptr_t a, uintptr_t b, uintptr_t c, void *d, void *e, void *f) { \
    if (cvt_current) TELL(remark, #name); \
    return REAL(name)(a, b, c, d, e, f); \
  }
REMARKED(dispatch_io_create)
REMARKED(dispatch_io_create_with_path)
REMARKED(dispatch_io_create_with_io)
REMARKED(dispatch_read)
REMARKED(dispatch_write)

// `Thread.isMainThread` asks this function of CoreFoundation.
_Bool _CFIsMainThread(void) {
  if (cvt_current) return cvt_current->on_main;
  static _Bool (*real)(void);
  if (!real) real = cvt_find_real("_CFIsMainThread");
  return real ? real() : getpid() == gettid();
}

// Swift concurrency takes what runs on the process's main thread for the main actor's. On another thread it asks
// `dispatch_assert_queue`, which is right; so a processor that runs on the main thread names another one, off its main
// queue. The only other use of the name there is for the bounds of the stack.
static const char otherThread;
pthread_t pthread_self(void) {
  pthread_t self = REAL(pthread_self)();
  if (!cvt_current || cvt_current->on_main || !cvt_code_contains(CODE_CONCURRENCY, __builtin_return_address(0)))
    return self;
  return (pthread_t)&otherThread;
}
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
  if (thread == (pthread_t)&otherThread) thread = REAL(pthread_self)();
  return REAL(pthread_getattr_np)(thread, attributes);
}

void *cvt_find_real(const char *name) {
  // Conditions have two versions in glibc for x86-64.
  void *found = strncmp(name, "pthread_cond_", 13) ? NULL : dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
  if (!found) found = dlsym(RTLD_NEXT, name);
  if (!found && strcmp(name, "_CFIsMainThread")) {
    fprintf(stderr, "error: VirtualTime: no library defines %s; was the executable linked statically?\n", name);
    abort();
  }
  return found;
}

// struct { uint64_t seed0, seed1; bool deterministic }
static unsigned char *hashing(void) { return dlsym(RTLD_DEFAULT, "_swift_stdlib_Hashing_parameters"); }

// The seed is drawn when Swift's library is loaded, which is before this; nothing has been hashed yet. What
// SWIFT_DETERMINISTIC_HASHING sets is set here for every process that has virtual time.
__attribute__((constructor)) static void repeat_hashing(void) {
  unsigned char *parameters = hashing();
  if (!parameters) return;
  memset(parameters, 0, 16);
  parameters[16] = 1;
}

int cvt_hashing_is_repeatable(void) {
  unsigned char *parameters = hashing();
  return parameters ? parameters[16] : 0;
}
