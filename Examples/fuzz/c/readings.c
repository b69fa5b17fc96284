/* A parser of advertising data that looks for the readings of a sensor: structures of length, type and data, of which
 * one is service data (type 16) of the service 181A with a count and so many readings of two octets.
 *
 * The planted bug: nobody has thought of a sensor with no reading. */
#include "readings.h"

int average_reading(const uint8_t *octets, size_t count) {
  int average = -1;
  for (size_t place = 0; place < count;) {
    size_t length = octets[place];
    if (length == 0 || place + 1 + length > count) return -1;
    const uint8_t *structure = octets + place + 1;
    if (length >= 4 && structure[0] == 0x16 && (structure[1] | structure[2] << 8) == 0x181A) {
      size_t readings = structure[3];
      if (4 + 2 * readings > length) return -1;
      int sum = 0;
      for (size_t index = 0; index < readings; index++)
        sum += (int16_t)(structure[4 + 2 * index] | structure[5 + 2 * index] << 8);
      average = sum / (int)readings;
    }
    place += 1 + length;
  }
  return average;
}
