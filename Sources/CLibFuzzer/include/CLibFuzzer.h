#ifndef CLIBFUZZER_H
#define CLIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// One of libFuzzer's own mutations, in place. Gives the new count; 0 where no libFuzzer is in the process.
size_t libfuzzer_mutate(uint8_t *octets, size_t count, size_t capacity);

#endif
