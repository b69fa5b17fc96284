#include "CLibFuzzer.h"

// libFuzzer has it; afl-fuzz has none.
extern __attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *octets, size_t count, size_t capacity);

size_t libfuzzer_mutate(uint8_t *octets, size_t count, size_t capacity) {
  return LLVMFuzzerMutate ? LLVMFuzzerMutate(octets, count, capacity) : 0;
}
