/* A parser without a known defect, for the comparison of fuzzers: advertising data, structures of length, type and
 * data. What it counts decides where it goes, so that there is something to find. */
#include <stddef.h>
#include <stdint.h>

static unsigned kinds;

static int uuids(const uint8_t *octets, size_t count, size_t width) {
  if (count % width != 0) return -1;
  for (size_t place = 0; place < count; place += width)
    if (octets[place] == 0x0D && octets[place + 1] == 0x18) kinds |= 0x100;
  return (int)(count / width);
}

static int structure(uint8_t type, const uint8_t *octets, size_t count) {
  switch (type) {
  case 0x01: kinds |= 1; return count == 1 ? octets[0] & 0x1F : -1;
  case 0x02: case 0x03: kinds |= 2; return uuids(octets, count, 2);
  case 0x06: case 0x07: kinds |= 4; return uuids(octets, count, 16);
  case 0x08: case 0x09: kinds |= 8; return count > 0 && octets[0] != 0 ? (int)count : -1;
  case 0x16:
    kinds |= 16;
    if (count < 3) return -1;
    return (octets[0] | octets[1] << 8) == 0x181A && octets[2] == count - 3 ? 1 : 0;
  case 0xFF: kinds |= 32; return count >= 2 ? octets[0] | octets[1] << 8 : -1;
  default: return 0;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t count) {
  kinds = 0;
  int sum = 0;
  for (size_t place = 0; place < count;) {
    size_t length = octets[place];
    if (length == 0) break;
    if (place + 1 + length > count) return -1;
    int result = structure(octets[place + 1], octets + place + 2, length - 1);
    if (result < 0) return -1;
    sum += result;
    place += 1 + length;
  }
  return kinds == 0x13F && sum == 77 ? -1 : 0;
}
