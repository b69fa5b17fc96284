// Clocks, sleeps and random octets: those of the processor while an item of it runs.
#include "interpose.h"
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { nanosecondsPerSecond = 1000000000 };

static int64_t reading(struct cvt_processor *processor, clockid_t clock) {
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_TAI:
    return processor->wall + processor->now;
  case CLOCK_MONOTONIC:
  case CLOCK_MONOTONIC_RAW:
  case CLOCK_MONOTONIC_COARSE:
  case CLOCK_BOOTTIME:
    return CVT_UPTIME_AT_ZERO + processor->now;
  default:
    return -1;
  }
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int64_t now = cvt_current ? reading(cvt_current, clock) : -1;
  if (now < 0) return REAL(clock_gettime)(clock, time);
  time->tv_sec = now / nanosecondsPerSecond;
  time->tv_nsec = now % nanosecondsPerSecond;
  return 0;
}

int gettimeofday(struct timeval *restrict time_, void *restrict zone) {
  if (!cvt_current) return REAL(gettimeofday)(time_, zone);
  int64_t now = reading(cvt_current, CLOCK_REALTIME);
  time_->tv_sec = now / nanosecondsPerSecond;
  time_->tv_usec = now % nanosecondsPerSecond / 1000;
  return 0;
}

time_t time(time_t *result) {
  if (!cvt_current) return REAL(time)(result);
  time_t now = reading(cvt_current, CLOCK_REALTIME) / nanosecondsPerSecond;
  if (result) *result = now;
  return now;
}

int nanosleep(const struct timespec *length, struct timespec *rest) {
  if (!cvt_current) return REAL(nanosleep)(length, rest);
  TELL(sleep, length->tv_sec * (int64_t)nanosecondsPerSecond + length->tv_nsec);
  if (rest) *rest = (struct timespec){0, 0};
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *length, struct timespec *rest) {
  if (!cvt_current) return REAL(clock_nanosleep)(clock, flags, length, rest);
  int64_t time = length->tv_sec * (int64_t)nanosecondsPerSecond + length->tv_nsec;
  if (flags & TIMER_ABSTIME) time -= reading(cvt_current, clock);
  TELL(sleep, time < 0 ? 0 : time);
  return 0;
}

int usleep(useconds_t microseconds) {
  if (!cvt_current) return REAL(usleep)(microseconds);
  TELL(sleep, microseconds * (int64_t)1000);
  return 0;
}

unsigned sleep(unsigned seconds) {
  if (!cvt_current) return REAL(sleep)(seconds);
  TELL(sleep, seconds * (int64_t)nanosecondsPerSecond);
  return 0;
}

// SplitMix64, as `RandomStream.mix`.
static uint64_t next_random(struct cvt_processor *processor) {
  uint64_t z = processor->random += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

static void fill(void *buffer, size_t count) {
  unsigned char *octets = buffer;
  while (count) {
    uint64_t word = next_random(cvt_current);
    size_t part = count < sizeof word ? count : sizeof word;
    memcpy(octets, &word, part);
    octets += part;
    count -= part;
  }
}

void swift_stdlib_random(void *buffer, long count) {
  if (cvt_current) fill(buffer, count); else REAL(swift_stdlib_random)(buffer, count);
}

ssize_t getrandom(void *buffer, size_t count, unsigned flags) {
  if (!cvt_current) return REAL(getrandom)(buffer, count, flags);
  fill(buffer, count);
  return count;
}

int getentropy(void *buffer, size_t count) {
  if (!cvt_current) return REAL(getentropy)(buffer, count);
  fill(buffer, count);
  return 0;
}

uint32_t arc4random(void) {
  if (!cvt_current) return REAL(arc4random)();
  return (uint32_t)next_random(cvt_current);
}

void arc4random_buf(void *buffer, size_t count) {
  if (cvt_current) fill(buffer, count); else REAL(arc4random_buf)(buffer, count);
}

uint32_t arc4random_uniform(uint32_t bound) {
  if (!cvt_current) return REAL(arc4random_uniform)(bound);
  return (uint32_t)((next_random(cvt_current) >> 32) * bound >> 32);
}

// The UUIDs of Foundation are made of what is read from here.
void _foundation_uuid_generate_random(unsigned char uuid[16]) {
  if (!cvt_current) { REAL(_foundation_uuid_generate_random)(uuid); return; }
  fill(uuid, 16);
  uuid[6] = (uuid[6] & 0x0f) | 0x40;
  uuid[8] = (uuid[8] & 0x3f) | 0x80;
}
