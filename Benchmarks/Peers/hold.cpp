// The hold model on std::priority_queue: pop the earliest of N pending events, push it again later, M times.
// Same increments as Bench/QueueBenchmark.swift (xoshiro256**, 90 % short, 10 % long), so both do the same work.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <queue>
#include <vector>

struct Event {
  uint64_t instant;
  uint64_t sequence;
  uint32_t kind, target;
  uint64_t argument;
};

struct Later {
  bool operator()(const Event &a, const Event &b) const {
    return a.instant != b.instant ? a.instant > b.instant : a.sequence > b.sequence;
  }
};

static uint64_t state[4] = {1, 2, 3, 4};

static uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static uint64_t draw() {
  const uint64_t result = rotate(state[1] * 5, 7) * 9, shifted = state[1] << 17;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= shifted;
  state[3] = rotate(state[3], 45);
  return result;
}

static uint64_t increment() {
  const uint64_t word = draw();
  return word % 10 == 0 ? 1000000 + (word >> 8) % 1000000000 : 150000 + (word >> 8) % 1023000;
}

int main(int argc, char **argv) {
  const uint64_t pending = argc > 1 ? strtoull(argv[1], nullptr, 10) : 1000;
  const uint64_t holds = argc > 2 ? strtoull(argv[2], nullptr, 10) : 10000000;
  std::priority_queue<Event, std::vector<Event>, Later> queue;
  uint64_t sequence = 0, hash = 1469598103934665603ull;
  for (uint64_t i = 0; i < pending; i++) queue.push({increment(), sequence++, 0, (uint32_t)i, 0});
  timespec begin, end;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  for (uint64_t i = 0; i < holds; i++) {
    Event event = queue.top();
    queue.pop();
    hash = (hash ^ event.target) * 1099511628211ull;
    event.instant += increment();
    event.sequence = sequence++;
    queue.push(event);
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  const double seconds = (end.tv_sec - begin.tv_sec) + (end.tv_nsec - begin.tv_nsec) * 1e-9;
  printf("%.1f %016llx\n", seconds / holds * 1e9, (unsigned long long)hash);
}
