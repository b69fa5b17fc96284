#include <stddef.h>
#include <stdint.h>

/// The average of the readings in advertising data, or -1: there are none, or the octets are no advertising data.
int average_reading(const uint8_t *octets, size_t count);
