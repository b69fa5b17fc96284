/* The same parser as a program with a loop: four octets that count an input, the octets, and one line as the answer. */
#include <stdio.h>

#include "readings.h"

int main(void) {
  static uint8_t input[65536];
  uint8_t head[4];
  while (fread(head, 1, 4, stdin) == 4) {
    size_t count = head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16 | (size_t)head[3] << 24;
    if (count > sizeof input || fread(input, 1, count, stdin) != count) return 1;
    puts(average_reading(input, count) < 0 ? "none" : "readings");
    fflush(stdout);
  }
  return 0;
}
