/* What babbench and libFuzzer call. */
#include "readings.h"

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t count) {
  average_reading(octets, count);
  return 0;
}
